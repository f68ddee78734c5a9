"""Signs, implications and equivalences, and above all what must not be proved."""

from fractions import Fraction

import pytest

from mathlib.checker import (
    Kind,
    Size,
    both,
    defined,
    derivative,
    eq,
    exact,
    iff,
    implies,
    indices,
    prove,
    scalar,
    scalars,
    sign_of,
    sum_,
    tensor,
)

a, c = scalars("a c")
b = scalar("b", above=0)
lam = scalar("lam", r"\lambda", at_least=0)
k = scalar("k", above=1)
unit, stimulus = Kind("unit", "N"), Kind("stimulus", "M")
i, j = indices("i j", unit)
al = indices(r"\alpha", stimulus)
X = tensor("X", unit, stimulus)
e = tensor("e", unit, values=(0, 1))


def verdict(statement, **how):
    return prove(statement, **how).verdict


def test_zero_is_not_positive():
    assert verdict(exact(0) <= 0) == "proved"
    assert verdict(exact(0) < 0) == "refuted"
    assert verdict(a**2 >= 0) == "proved"
    assert verdict(a**2 > 0) == "refuted"
    assert verdict(lam >= 0) == "proved"
    assert verdict(lam > 0) == "refuted"
    assert verdict(a >= 0) == "refuted"


def test_bounds_are_used():
    assert verdict(k**2 - 1 > 0) == "proved"
    assert verdict(k**2 - 2 > 0) == "refuted"
    assert verdict(k + 1 / k > 2) == "proved"
    assert verdict(b + lam > 0) == "proved"
    assert verdict(lam * (k - 1) / k >= 0) == "proved"
    assert verdict(a**2 - 2 * a * c + c**2 >= 0) == "proved"
    assert verdict(Size(unit) >= 1) == "proved"
    assert verdict(Size(unit) > 1) != "proved"


def test_a_true_inequality_out_of_reach_is_undecided():
    motzkin = a**4 * c**2 + a**2 * c**4 - 3 * a**2 * c**2 + 1
    assert verdict(motzkin >= 0) == "undecided"


def test_implications():
    assert verdict(implies(a < c, 2 * a < 2 * c)) == "proved"
    assert verdict(implies(a < c, c < a)) == "refuted"
    assert verdict(implies(a < c, a <= c)) == "proved"
    assert verdict(implies(a <= c, a < c)) == "refuted"
    assert verdict(implies(a < c, a * b < c * b)) == "proved"
    assert verdict(implies(a < c, a * lam < c * lam)) == "refuted"
    assert verdict(implies(a < c, a * lam <= c * lam)) == "proved"
    assert verdict(implies(a < c, -1 * a < -1 * c)) == "refuted"
    assert verdict(implies(both(a < c, c < b), a < b)) == "proved"
    assert verdict(implies(a < 0, eq(a, 0))) == "refuted"


def test_what_is_impossible_implies_everything():
    assert verdict(implies(lam < 0, a < c)) == "proved"
    assert verdict(implies(lam <= 0, a < c)) == "refuted"
    assert verdict(implies(b <= 0, a < c)) == "proved"
    assert verdict(implies(lam < a, a < c)) == "refuted"


def test_an_equation_divided_by_zero_implies_nothing():
    assert verdict(implies(eq(a, 0), eq(c, 0))) == "refuted"
    assert verdict(implies(eq(a * c, 0), eq(c, 0))) == "refuted"
    assert verdict(implies(eq(a * b, 0), eq(a, 0))) == "proved"
    assert verdict(iff(eq(a, c), eq(a**2, c**2))) == "refuted"
    assert verdict(iff(eq(a / c, 1), eq(a, c))) != "refuted"
    assert verdict(implies(eq(a, 0), eq(a * c, 0))) == "proved"
    assert verdict(implies(eq(a * c, 0), eq(a * c / c, 0))) == "proved"
    assert verdict(implies(eq(c, c), eq(a, 0)), using=[a]) == "refuted"


def test_equivalences_go_both_ways():
    assert verdict(iff(a < c, 3 * a < 3 * c)) == "proved"
    assert verdict(iff(a < c, a * lam < c * lam)) == "refuted"
    assert verdict(iff(a < c, a <= c)) == "refuted"
    loss = -2 * a * k**2 + b * k**4 + lam * (k - 1) ** 2
    cubic = k**3 + (lam / 2 - a) / b * k - lam / (2 * b)
    assert verdict(iff(eq(derivative(loss, k), 0), eq(cubic, 0))) == "proved"
    assert verdict(iff(eq(derivative(loss, k), 0), eq(cubic + 1, 0))) == "refuted"


def test_weights_must_not_be_negative():
    assert verdict(implies(a < c, c < a), using=[exact(-1)]) == "refuted"
    assert verdict(implies(a < 1, b > 0, a < 1 + b)) == "proved"


def test_indexed_inequalities_need_a_visible_rest():
    C = defined("C", unit, unit, rule=lambda p, q: sum_(X[p, al] * X[q, al], al))
    left = sum_(e[j] * C[i, j] ** 2, j)
    right = k**2 * left
    rest = (k**2 - 1) * sum_(e[j] * C[i, j] ** 2, j)
    assert verdict(left <= right, using=[], rest=rest) == "proved"
    assert verdict(left < right, using=[], rest=rest) != "proved"
    assert verdict(right <= left, using=[], rest=-rest) == "refuted"
    crossed = sum_(e[j] * C[i, j], j)
    assert verdict(crossed >= 0, using=[], rest=crossed) == "refuted"


def test_cauchy_schwarz_for_every_size():
    u, v = tensor("u", stimulus), tensor("v", stimulus)
    p, q = indices("p q", stimulus)
    dot = sum_(u[p] * v[p], p)
    norms = sum_(u[p] ** 2, p) * sum_(v[p] ** 2, p)
    lagrange = Fraction(1, 2) * sum_((u[p] * v[q] - u[q] * v[p]) ** 2, p, q)
    assert verdict(dot**2 <= norms, using=[], rest=lagrange) == "proved"
    assert verdict(dot**2 < norms, using=[], rest=lagrange) == "refuted"


def test_signs_of_sums_over_conditions_are_not_strict():
    assert sign_of(sum_(exact(1), i)).strict
    assert not sign_of(sum_(exact(1), i, different=(i, j))).strict
    assert sign_of(sum_(X[i, al] ** 2, al)).value == 1
    assert sign_of(sum_(X[i, al] ** 3, al)).value == 0


def test_an_answer_is_not_a_truth_value():
    with pytest.raises(TypeError, match="one of three"):
        bool(prove(a > 0))


def test_weights_may_be_plain_numbers():
    answer = prove(implies(2 * a < c, a < c / 2), using=[Fraction(1, 2)])
    assert answer.verdict == "proved"

"""What is shown must read as what was checked: brackets where the tree needs them."""

from fractions import Fraction

from sympy import QQ
from sympy.polys.rings import ring

from mathlib.checker import (
    Kind,
    Size,
    array,
    delta,
    diag,
    domain_tex,
    eq,
    exact,
    identity,
    iff,
    implies,
    indices,
    ones,
    outer,
    scalar,
    scalars,
    sum_,
    tensor,
    tex,
)
from mathlib.checker.tex import quotient_tex

unit, stimulus = Kind("unit", "N"), Kind("stimulus", "M")
i, j = indices("i j", unit)
a, c = scalars("a c")
z = array(tensor("z", unit))
X = array(tensor("X", unit, stimulus))


def test_numbers():
    assert tex(exact(0)) == "0"
    assert tex(exact(-2)) == "-2"
    assert tex(exact(Fraction(-1, 2))) == r"-\tfrac{1}{2}"


def test_sums_stand_in_brackets_inside_products_and_powers():
    assert tex((a + c) * a) == r"\left(a+c\right)\,a"
    assert tex((a + c) ** 2) == r"{\left(a+c\right)}^{2}"
    assert tex((a * c) ** 2) == r"{\left(a\,c\right)}^{2}"
    assert tex(a - (c - a)) == r"a-\left(c-a\right)"
    assert tex(a * (-1 * c)) == r"a\,\left(-c\right)"


def test_arrays_keep_their_brackets():
    C = X @ X.T
    assert tex((C @ z) ** 2) == (r"{\left(\mathbf{X}\mathbf{X}^{T}\boldsymbol{z}\right)}^{2}")
    assert tex((C @ X).T) == r"\left(\mathbf{X}\mathbf{X}^{T}\mathbf{X}\right)^{T}"
    assert tex(outer(z, z) ** 2) == (r"{\left(\boldsymbol{z}\boldsymbol{z}^{T}\right)}^{2}")
    J = identity(unit) - 1 / Size(unit) * outer(ones(unit), ones(unit))
    assert tex(J @ z) == (
        r"\left(\mathbf{I}-\frac{1}{N}\mathbf{1}\mathbf{1}^{T}\right)\boldsymbol{z}"
    )
    assert tex(diag(z)[i, j]) == r"\left[\operatorname{diag}\left(\boldsymbol{z}\right)\right]_{ij}"


def test_conditions_of_sums_are_shown():
    body = z[j] ** 2
    assert tex(sum_(body, j, different=(j, i))) == r"\sum_{\substack{j\\ j\ne i}}{z_{j}}^{2}"
    assert tex(sum_(a + z[j], j)) == r"\sum_{j}\left(a+z_{j}\right)"
    assert tex(delta(i, j)) == r"\delta_{ij}"


def test_statements():
    lam = scalar("lam", r"\lambda")
    assert tex(implies(a < c, eq(lam, 0))) == r"a< c\implies \lambda= 0"
    assert tex(iff(a <= c, a < lam)) == r"a\le c\iff a< \lambda"


def test_what_an_unknown_is_bound_to():
    assert domain_tex(scalar("a")) is None
    assert domain_tex(scalar("k", above=1)) == "k> 1"
    assert domain_tex(scalar("lam", r"\lambda", at_least=0)) == r"\lambda\ge 0"
    assert domain_tex(tensor("e", unit, values=(0, Fraction(1, 2)))) == r"e\in\{0, \tfrac{1}{2}\}"
    both = tensor("C", unit, unit, symmetric=True, at_least=0)
    assert domain_tex(both) == r"C\ge 0\ \text{symmetric}"


def test_a_quotient_is_cancelled_and_factored():
    domain, x, y = ring("x y", QQ)
    names = (scalar("x", r"\xi"), scalar("y"))
    assert quotient_tex(domain.zero, y, names) == "0"
    assert quotient_tex(x**2 * y - y, x * y + y, names) == r"\xi - 1"
    assert quotient_tex(x, 2 * y**2, names) == r"\frac{\xi}{2 y^{2}}"

"""Claims: evidence that does not bear the verdict out is refused; the record is deterministic."""

from fractions import Fraction

import pytest

from mathlib.checker import eq, scalar, scalars
from mathlib.claims import MIME, Card, ClaimError, claim, html, latex, rows_of, witness_text

a, c = scalars("a c")
k = scalar("k", above=1)


def made(verdict, *steps, name="t46"):
    """Fill a claim with `steps` and return its record, without showing it."""
    filled = claim(name, verdict)
    for step in steps:
        step(filled)
    filled.require(*filled._wanting())
    return filled.record()


def proof(c_):
    c_.proves(eq((a + c) ** 2, a**2 + 2 * a * c + c**2))


def correction(c_):
    c_.corrects(eq((a + c) ** 2, a**2 + 2 * a * c + c**2))


def numbers(c_):
    c_.numeric([1.0, 2.0], [1.0, 2.0], on="two numbers")


def witness(c_):
    c_.refutes(eq((a + c) ** 2, a**2 + c**2))


def test_an_empty_claim_is_refused():
    for verdict in ("holds", "conditional", "wrong", "approximation"):
        with pytest.raises(ClaimError, match="nothing was proved"):
            made(verdict)


def test_a_definition_needs_no_proof_and_open_claims_nothing():
    assert made("definition")["scope"] == "a convention"
    assert made("open")["scope"] == "not settled"


def test_each_verdict_needs_its_evidence():
    assert made("holds", proof, numbers)["verdict"] == "holds"
    with pytest.raises(ClaimError, match="second way"):
        made("holds", proof)
    with pytest.raises(ClaimError, match="no counterexample"):
        made("wrong", correction, numbers)
    with pytest.raises(ClaimError, match="no corrected statement"):
        made("wrong", proof, numbers, witness)
    with pytest.raises(ClaimError, match="no assumption named"):
        made("conditional", proof, numbers, witness)
    with pytest.raises(ClaimError, match="does not go with"):
        made("holds", proof, numbers, witness)
    assumed = made("conditional", proof, numbers, witness, lambda c_: c_.assumes("$a=0$"))
    assert assumed["assumes"] == ["$a=0$"] and assumed["witness"] == {"a": "1", "c": "1"}
    assert made("wrong", correction, numbers, witness)["corrected"]


def test_false_proofs_false_numbers_and_false_counterexamples_are_refused():
    with pytest.raises(ClaimError, match="refuted"):
        made("holds", lambda c_: c_.proves(eq(a, c)))
    with pytest.raises(ClaimError, match="not refuted"):
        made("wrong", lambda c_: c_.refutes(eq(a, a)))
    with pytest.raises(ClaimError, match="differ by"):
        made("holds", lambda c_: c_.numeric([1.0], [1.1], on="one number"))
    with pytest.raises(ClaimError, match="do not compare"):
        made("holds", lambda c_: c_.numeric([1.0], [1.0, 1.0], on="two shapes"))
    with pytest.raises(ClaimError, match="numbers differ"):
        made("holds", lambda c_: c_.numeric([float("nan")], [1.0], on="no number"))
    with pytest.raises(ClaimError, match="only 1 of 2"):
        made("holds", lambda c_: c_.observe([True, False], on="two"))
    with pytest.raises(ClaimError, match="only 0 of 0"):
        made("holds", lambda c_: c_.observe([], on="nothing"))
    with pytest.raises(ClaimError, match="1 < 2 is true"):
        made("wrong", lambda c_: c_.counterexample({"x": 1}, 1, "<", 2))
    with pytest.raises(ClaimError, match="order 1 in k, expected 2"):
        made("approximation", lambda c_: c_.order(a * k, k, 2))


def test_counterexamples_are_exact():
    with pytest.raises(TypeError, match="float 0.5"):
        made("wrong", lambda c_: c_.counterexample({}, 0.5, "<", 1))
    with pytest.raises(ValueError, match="expected a relation"):
        made("wrong", lambda c_: c_.counterexample({}, 1, "=<", 1))
    record = made(
        "wrong",
        correction,
        numbers,
        lambda c_: c_.counterexample({"s": [Fraction(1, 4)]}, Fraction(1, 2), ">", 1),
    )
    assert witness_text(record["witness"]) == "s = [1/4], 1/2 > 1 is false"


def test_unknown_verdicts_and_ids():
    with pytest.raises(ValueError, match="got 'true'"):
        claim("t46", "true")
    with pytest.raises(KeyError, match="nearest"):
        claim("t4", "holds")


def test_nothing_is_shown_when_a_step_fails(capsys):
    with pytest.raises(ClaimError), claim("t46", "holds") as c_:
        c_.proves(eq(a, c))
    assert capsys.readouterr().out == ""


def test_the_card_is_the_same_in_every_run():
    first, second = (made("holds", proof, numbers) for _ in range(2))
    assert first == second
    bundle = Card(first)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "text/latex", MIME}
    assert bundle["text/plain"].startswith("t46  holds  all sizes")
    assert 'id="t46"' in html(first) and "tex2jax_process" in html(first)
    assert first["statement"] in latex(first)


def test_what_is_given_and_what_is_missing():
    firm = scalar("b", above=0)
    record = made("holds", lambda c_: c_.proves(firm * k > 0), numbers)
    assert record["given"] == ["$b> 0$, $k> 1$"]
    assert ("Given", [("text", "$b> 0$, $k> 1$")]) in rows_of(record)
    other = scalar("b", at_least=0)
    two = made("holds", lambda c_: (c_.proves(firm * k > 0), c_.proves(other >= -k)), numbers)
    assert two["given"] == ["line 1: $b> 0$, $k> 1$", r"line 2: $k> 1$, $b\ge 0$"]
    stated = made("holds", proof, numbers, lambda c_: c_.assumes("$a=0$"))
    assert dict(rows_of(stated))["Given"][-1] == ("text", "$a=0$")
    left_out = made("conditional", proof, numbers, witness, lambda c_: c_.assumes("$a=0$"))
    assert dict(rows_of(left_out))["Assumes"] == [("text", "$a=0$")]


def test_mutants_that_are_true_as_well_are_told_once():
    record = made("holds", proof, numbers)
    twice = {
        **record,
        "equivalent": [["drop $a$", "why"], ["drop $a$", "why"], ["double $c$", "why"]],
    }
    (text,) = dict(rows_of(twice))["True as well"]
    assert text == ("text", "why: drop $a$ (2 places); double $c$")


def test_one_counterexample_to_two_readings_is_told_once():
    record = made("wrong", correction, numbers, witness, witness)
    assert len(record["witnesses"]) == 1


def test_text_is_escaped():
    record = made("holds", proof, numbers, lambda c_: c_.remark("a < b & $x<y$"))
    assert r"a &lt; b &amp; \(x&lt;y\)" in html(record)
    assert r"a < b \& $x<y$" in latex(record)

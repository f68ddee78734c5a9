"""Claims: an id, what was checked, and the card that a reader sees under it.

A claim declares its verdict and is refused unless the evidence gathered in its block bears the
verdict out. What it leaves behind is one record, deterministic to the byte, from which the card,
the ledger, the errata and the command line are made.
"""

from collections import Counter
from fractions import Fraction
from html import escape
from re import sub

import numpy as np

from .checker import Mutant, domain_tex, order, prove, refute, symbols, tex, try_mutants
from .statements import find

__all__ = ["Claim", "ClaimError", "claim", "MIME"]

MIME = "application/vnd.mathlib.claim+json"
VERDICTS = ("definition", "holds", "conditional", "wrong", "approximation", "open")


class ClaimError(AssertionError):
    """The evidence does not bear out the claim; the message says what is missing or failed."""


def claim(name, verdict):
    """Return a `Claim` to be filled in a ``with`` block.

    Parameters
    ----------
    name : str
        The id of a statement, such as ``"c17"``.
    verdict : str
        definition, holds, conditional, wrong, approximation or open.
    """
    if verdict not in VERDICTS:
        raise ValueError(f"expected a verdict among {', '.join(VERDICTS)}, got {verdict!r}")
    return Claim(find(name), verdict)


class Claim:
    """The evidence for one statement, gathered step by step; see `claim`."""

    def __init__(self, statement, verdict):
        self.statement, self.verdict = statement, verdict
        self.proofs, self.corrections, self.witnesses = [], [], []
        self.assumptions, self.remarks, self.cited, self.numbers, self.orders = [], [], [], [], []
        self.mutants, self.scopes, self.slips = [], [], []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None:
            self.require(*self._wanting())
            _show(Card(self.record()))

    def require(self, *problems):
        """Raise `ClaimError` if there is any problem."""
        if problems:
            raise ClaimError(f"{self.statement.id} ({self.verdict}): " + "; ".join(problems))

    # -- evidence -------------------------------------------------------------------------

    def proves(self, statement, using=None, rest=None, spared=None):
        """Prove `statement` exactly, and refute its mutants (see `prove` and `try_mutants`)."""
        self.proofs.append(self._proved(statement, using, rest, spared))

    def corrects(self, statement, using=None, rest=None, spared=None, shown=None):
        """Prove the corrected form of a statement that is wrong; `shown` is LaTeX for it."""
        answer = self._proved(statement, using, rest, spared)
        self.proofs.append(answer)
        self.corrections.append(shown or tex(answer.statement))

    def _proved(self, statement, using, rest, spared):
        answer = prove(statement, using, rest)
        if answer.verdict != "proved":
            shown = f"{tex(statement)}: {answer.because} {answer.witness or ''}"
            self.require(f"{answer.verdict}: {shown}")
        found = try_mutants(statement, using, spared)
        for mutant in found:
            if mutant.outcome == "undecided":
                self.require(f"mutant survives undecided: {mutant.change}")
        self.mutants += found
        return answer

    def refutes(self, statement, at=None):
        """Refute the statement as the source has it, by a counterexample found or given."""
        answer = refute(statement, at)
        if answer.verdict != "refuted":
            self.require(f"not refuted: {tex(statement)}: {answer.because}")
        self.witnesses.append(answer.witness)

    def counterexample(self, witness, left, relation, right):
        """Refute by exact numbers worked out elsewhere: `left relation right` must be false.

        Parameters
        ----------
        witness : dict
            Names and exact values, enough for a reader to redo the numbers by hand.
        left, right : int or Fraction
        relation : str
            One of ``==``, ``<``, ``<=``, ``>``, ``>=``.
        """
        left, right = _exact(left), _exact(right)
        if _compare(left, relation, right):
            self.require(f"no counterexample: {left} {relation} {right} is true")
        shown = {name: _text(value) for name, value in witness.items()}
        self.witnesses.append({**shown, "then": f"{left} {relation} {right} is false"})

    def mutant(self, change, statement, at=None):
        """Refute one more near miss, by a counterexample found or given (see `refute`)."""
        answer = refute(statement, at)
        if answer.verdict != "refuted":
            self.require(f"mutant not refuted: {change}")
        self.mutants.append(Mutant(change, "refuted"))

    def false_instead(self, change, left, relation, right):
        """Refute a near miss by exact numbers: `left relation right` must be false."""
        if _compare(_exact(left), relation, _exact(right)):
            self.require(f"mutant not refuted: {change}")
        self.mutants.append(Mutant(change, "refuted"))

    def assumes(self, condition):
        """State an assumption (LaTeX or words); for conditional, one that the source omits."""
        self.assumptions.append(condition)

    def cites(self, theorem):
        """Name the theorem that an argument in the text rests on."""
        self.cited.append(theorem)

    def order(self, expr, small, power):
        """Prove that `expr` is exactly of order `power` in the scalar `small`."""
        found = order(expr, small)
        if found.power != power:
            self.require(f"order {found.power} in {small.name}, expected {power}")
        self.orders.append(rf"{found.leading}\cdot {small.tex}^{{{power}}}(1+o(1))")

    def numeric(self, got, want, on, within=1e-9):
        """Compare the library's numbers with independent ones, relative to the largest.

        Parameters
        ----------
        got, want : array_like
        on : str
            The data and its size, e.g. ``"N = 211, M = 31, mixed signs"``.
        within : float
            The largest relative deviation allowed.
        """
        got, want = np.asarray(got, float), np.asarray(want, float)
        if got.shape != want.shape:
            self.require(f"numbers of shape {got.shape} and {want.shape} do not compare")
        scale = float(np.max(np.abs(want), initial=0.0)) or 1.0
        worst = float(np.max(np.abs(got - want), initial=0.0)) / scale
        if not worst <= within:
            self.require(f"numbers differ by {worst:.1e} of the largest, more than {within:.0e}")
        self.numbers.append(f"within {within:.0e} on {on}")

    def observe(self, truths, on):
        """Require that every one of `truths` holds in numbers on the data `on`."""
        truths = np.atleast_1d(np.asarray(truths, bool))
        if not truths.size or not truths.all():
            self.require(f"only {int(truths.sum())} of {truths.size} hold on {on}")
        self.numbers.append(f"{truths.size} of {truths.size} on {on}")

    def measured(self, finding, on):
        """Record a finding in words about the data `on`, its numbers already rounded."""
        self.numbers.append(f"{finding} ({on})")

    def scope(self, text):
        """State the scope of what was argued or measured, e.g. the sizes tried."""
        self.scopes.append(text)

    def slip(self, text):
        """Record a slip in the source's derivation that leaves its statement true."""
        self.slips.append(text)

    def remark(self, text):
        """Add a remark to the card."""
        self.remarks.append(text)

    # -- verdict --------------------------------------------------------------------------

    def _wanting(self):
        """Yield what the declared verdict still lacks."""
        argued = self.proofs or self.cited or self.orders
        if self.verdict in ("holds", "conditional", "wrong", "approximation"):
            if not argued:
                yield "nothing was proved"
            if not self.numbers:
                yield "no second way in numbers"
        if self.verdict in ("holds", "conditional", "wrong") and not any(
            m.outcome == "refuted" for m in self.mutants
        ):
            yield "no mutant was refuted"
        if self.verdict in ("conditional", "wrong") and not self.witnesses:
            yield "no counterexample to the statement as written"
        if self.verdict == "conditional" and not self.assumptions:
            yield "no assumption named"
        if self.verdict == "wrong" and not self.corrections:
            yield "no corrected statement proved"
        if self.verdict in ("holds", "definition") and (self.witnesses or self.corrections):
            yield "a counterexample or a correction does not go with this verdict"
        if self.cited and not self.proofs and not self.scopes:
            yield "an argument needs a stated scope"

    def record(self):
        """Return the machine-readable record of this claim."""
        refuted = sum(m.outcome == "refuted" for m in self.mutants)
        same = [m for m in self.mutants if m.outcome == "equivalent"]
        routes = ["symbolic"] * bool(self.proofs or self.orders)
        routes += ["cited theorem"] * bool(self.cited) + ["numeric"] * bool(self.numbers)
        conditions = dict.fromkeys(c for a in self.proofs for c in a.conditions)
        return {
            "id": self.statement.id,
            "source": self.statement.source,
            "kind": self.statement.kind,
            "verdict": self.verdict,
            "scope": self._scope(),
            "because": list(dict.fromkeys(a.because for a in self.proofs)),
            "given": _given(self.proofs),
            "assumes": list(self.assumptions),
            "nonzero": list(conditions),
            "routes": routes,
            "mutants": {
                "tried": len(self.mutants),
                "refuted": refuted,
                "equivalent": len(same),
            },
            "equivalent": [[m.change, m.reason] for m in same],
            "statement": self.statement.tex,
            "checked": [tex(a.statement) for a in self.proofs],
            "certificates": [a.certificate for a in self.proofs if a.certificate],
            "orders": list(self.orders),
            "cites": list(self.cited),
            "corrected": r"\qquad ".join(self.corrections) or None,
            "witness": self.witnesses[0] if self.witnesses else None,
            "witnesses": [w for n, w in enumerate(self.witnesses) if w not in self.witnesses[:n]],
            "numbers": list(self.numbers),
            "slips": list(self.slips),
            "remarks": list(self.remarks),
        }

    def _scope(self):
        if self.scopes:
            return "; ".join(self.scopes)
        if self.proofs or self.orders:
            return "all sizes"
        return "a convention" if self.verdict == "definition" else "not settled"


def _given(proofs):
    """What the proofs may use of their letters: in one text, or line by line where they differ."""
    lines = [
        {u.tex: d for u in symbols(proof.statement) if (d := domain_tex(u))} for proof in proofs
    ]
    agree = {}
    for line in lines:
        for letter, bound in line.items():
            if agree.setdefault(letter, bound) != bound:
                told = [", ".join(f"${bound}$" for bound in line.values()) for line in lines]
                return [f"line {n}: {text}" for n, text in enumerate(told, start=1) if text]
    return [", ".join(f"${bound}$" for bound in agree.values())] if agree else []


def _exact(value):
    if isinstance(value, float):
        raise TypeError(f"expected an exact number, got the float {value!r}")
    return Fraction(value)


def _compare(left, relation, right):
    tests = {
        "==": left == right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }
    if relation not in tests:
        raise ValueError(f"expected a relation among {', '.join(tests)}, got {relation!r}")
    return tests[relation]


def _text(value):
    return [_text(v) for v in value] if isinstance(value, (list, tuple)) else str(value)


class Card:
    """A claim's record as a reader sees it, in HTML, LaTeX and plain text."""

    def __init__(self, record):
        self.record = record

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            "text/plain": repr(self),
            "text/html": html(self.record),
            "text/latex": latex(self.record),
            MIME: self.record,
        }

    def __repr__(self):
        r = self.record
        parts = [r["id"], r["verdict"], r["scope"], _mutants(r), *r["numbers"]]
        return "  ".join(p for p in parts if p)


def _show(card):
    from IPython.display import display

    display(card)


def _mutants(record):
    m = record["mutants"]
    if not m["tried"]:
        return ""
    same = f", {m['equivalent']} true as well" if m["equivalent"] else ""
    return f"{m['refuted']} of {m['tried']} mutants refuted{same}"


def witness_text(witness):
    """Return a counterexample in one line of plain text."""
    return ", ".join(
        value if name == "then" else f"{name} = {_flat(value)}" for name, value in witness.items()
    )


def _flat(value):
    return "[" + ", ".join(map(_flat, value)) + "]" if isinstance(value, list) else value


def rows_of(r):
    """Yield (label, list of (form, text)) of a card; form is math or text."""
    yield "Source", [("math", r["statement"])]
    if r["checked"]:
        label = "Proved" if r["verdict"] == "wrong" else "Checked"  # there, of the correction
        yield label, [("math", t) for t in r["checked"]]
    if r["corrected"]:
        yield "Corrected", [("math", r["corrected"])]
    given = [("text", text) for text in r["given"]]
    assumed = [("text", t) for t in r["assumes"]]
    if r["verdict"] != "conditional":  # only there does the source leave out what is assumed
        given, assumed = given + assumed, []
    if given:
        yield "Given", given
    if assumed:
        yield "Assumes", assumed
    if r["nonzero"]:
        yield "Must not vanish", [("math", t) for t in r["nonzero"]]
    if r["witnesses"]:
        yield "Counterexample", [("text", witness_text(w)) for w in r["witnesses"]]
    if r["certificates"]:
        yield "Certificate", [("math", t) for t in r["certificates"]]
    if r["orders"]:
        yield "Dropped", [("math", t) for t in r["orders"]]
    if r["cites"]:
        yield "Rests on", [("text", t) for t in r["cites"]]
    if r["because"]:
        yield "Argument", [("text", t) for t in r["because"]]
    if r["numbers"]:
        yield "Numbers", [("text", t) for t in r["numbers"]]
    if r["equivalent"]:
        yield "True as well", [("text", t) for t in _by_reason(r["equivalent"])]
    if r["slips"]:
        yield "Slip", [("text", t) for t in r["slips"]]
    if r["remarks"]:
        yield "Remark", [("text", t) for t in r["remarks"]]


def _by_reason(equivalent):
    """Mutants that are true as well, those of one reason in one text."""
    changes = {}
    for change, reason in equivalent:
        changes.setdefault(reason, []).append(change)
    return [
        f"{reason}: "
        + "; ".join(f"{c} ({n} places)" if n > 1 else c for c, n in Counter(found).items())
        for reason, found in changes.items()
    ]


FOLDED = ("Certificate", "Argument", "True as well")


def inline(text):
    r"""Escape text for HTML, with $...$ turned into the delimiters of MathJax."""
    return sub(r"\$([^$]+)\$", lambda m: rf"\({m.group(1)}\)", escape(text, quote=False))


def html_row(label, items):
    """Return one labelled row of a card's description list as HTML."""
    cells = "".join(
        rf'<div class="claim-math">\({escape(t, quote=False)}\)</div>'
        if form == "math"
        else f"<div>{inline(t)}</div>"
        for form, t in items
    )
    return f"<dt>{label}</dt><dd>{cells}</dd>"


def html_card(r, rows, anchor="", more=""):
    """Return a card as HTML: the id, the verdict and the scope, then its rows."""
    summary = " · ".join(p for p in (r["scope"], _mutants(r)) if p)
    return (
        f'<div class="claim verdict-{r["verdict"]} tex2jax_process mathjax_process"{anchor}>'
        f'<div class="claim-row"><a class="claim-id" href="{r.get("page", "#" + r["id"])}">'
        f'{r["id"]}</a><span class="claim-verdict verdict-{r["verdict"]}">{r["verdict"]}</span>'
        f'<span class="claim-scope">{inline(summary)}</span></div>'
        f"<dl>{''.join(rows)}</dl>{more}</div>"
    )


def html(r):
    """Return the card of a record as HTML; its anchor is the id."""
    rows = [html_row(label, items) for label, items in rows_of(r) if label not in FOLDED]
    folded = [html_row(label, items) for label, items in rows_of(r) if label in FOLDED]
    summary = "<summary>how it was checked</summary>"
    more = f"<details>{summary}<dl>{''.join(folded)}</dl></details>" if folded else ""
    return html_card(r, rows, f' id="{r["id"]}"', more)


def latex(r):
    """Return the card of a record as LaTeX."""
    lines = [rf"\paragraph{{{r['id']} ({r['verdict']})}} {_tex_text(r['scope'])}. {_mutants(r)}."]
    for label, items in rows_of(r):
        if label in FOLDED:
            continue
        shown = "; ".join(f"${t}$" if form == "math" else _tex_text(t) for form, t in items)
        lines.append(rf"\par\noindent\emph{{{label}:}} {shown}")
    return "\n".join(lines)


def _tex_text(text):
    parts = text.split("$")
    parts[::2] = [sub(r"([&%#_{}])", r"\\\1", p).replace("^", r"\^{}") for p in parts[::2]]
    return "$".join(parts)

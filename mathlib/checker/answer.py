"""What the checker answers: proved, refuted or undecided, each with its evidence."""

from typing import NamedTuple

__all__ = ["Answer", "Mutant", "proved", "refuted", "undecided"]


class Answer(NamedTuple):
    """One of three answers to one statement.

    Attributes
    ----------
    verdict : "proved", "refuted" or "undecided"
    statement : Statement
    scope : for which sizes and values it was proved, e.g. "all N, M"
    because : the argument, or the reason for which nothing was decided
    conditions : expressions that must not vanish, as LaTeX
    witness : the counterexample, as a dict from names to exact values, or None
    certificate : what makes an inequality visible, as LaTeX, or None
    """

    verdict: str
    statement: object
    scope: str = ""
    because: str = ""
    conditions: tuple = ()
    witness: dict | None = None
    certificate: str | None = None

    def __bool__(self):
        raise TypeError("an answer is one of three: compare its verdict, not its truth")


class Mutant(NamedTuple):
    """A near miss of a proved statement and what became of it.

    `outcome` is "refuted", "equivalent" (true as well; `reason` says why) or "undecided".
    """

    change: str
    outcome: str
    reason: str = ""


def proved(statement, scope, because, **evidence):
    """Return the answer that `statement` is proved."""
    return Answer("proved", statement, scope, because, **evidence)


def refuted(statement, witness, because):
    """Return the answer that `statement` is false at `witness`."""
    return Answer("refuted", statement, "one counterexample", because, witness=witness)


def undecided(statement, because):
    """Return the answer that nothing was decided, with the reason."""
    return Answer("undecided", statement, because=because)

"""Derivations: each line is checked against the one before, and judged on its own."""

from typing import NamedTuple

from .answer import Answer
from .expr import Expr
from .prove import prove
from .statement import Equal, Implies

__all__ = ["Step", "derive"]


class Step(NamedTuple):
    """Line `number` of a derivation: the answer to the step, and to the line against the first."""

    number: int
    step: Answer
    overall: Answer


def derive(*lines, using=None):
    """Return a `Step` for each line after the first.

    Lines are expressions, linked by equality, or statements, each of which should follow from
    the one before. A wrong step is refuted with its counterexample; the lines after it are
    still compared with the first line.

    Parameters
    ----------
    lines : Expr or Statement
    using : dict, optional
        Multipliers for the step to a line, by the line's number (the first line is 1).
    """
    if len(lines) < 2:
        raise ValueError(f"a derivation needs at least 2 lines, got {len(lines)}")
    using = using or {}
    steps = []
    for n, (before, after) in enumerate(zip(lines, lines[1:], strict=False), start=2):
        step = prove(_link(before, after), using.get(n))
        overall = step if n == 2 else prove(_link(lines[0], after), using.get(n))
        steps.append(Step(n, step, overall))
    return tuple(steps)


def _link(before, after):
    if isinstance(before, Expr):
        return Equal(before, after)
    return Implies((before,), after)

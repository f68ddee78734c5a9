"""Counterexamples: small integers first, then fractions, then shrunk, always exact."""

from collections.abc import Sized
from fractions import Fraction
from itertools import chain, islice, product
from random import Random

from .answer import refuted, undecided
from .evaluate import Point, Undefined, holds, value
from .expr import Index, Kind, Scalar, Tensor
from .statement import Equal, Iff, Less, LessEqual, hypotheses, kinds_of, open_indices, symbols

__all__ = ["refute", "counterexample", "met", "sample", "witness_of"]

INTEGERS = [Fraction(n) for n in (0, 1, -1, 2, -2, 3, -3)]
FRACTIONS = INTEGERS + [Fraction(a, b) for b in (2, 3, 4) for a in (1, -1, 3, -3, 5, 7)]
NEAR = Fraction(1, 64)
PATIENCE = 4000


def allowed(thing, value):
    """Whether a scalar or tensor may take `value`."""
    if thing.values is not None:
        return value in thing.values
    if thing.above is not None and value <= thing.above:
        return False
    return thing.at_least is None or value >= thing.at_least


def _choices(thing, pool):
    if thing.values is not None:
        return [Fraction(v) for v in thing.values]
    low = thing.above if thing.above is not None else thing.at_least
    fits = [v for v in pool if allowed(thing, v)]
    if low is not None:
        fits += [low + Fraction(1, n) for n in (10, 50)]
    return fits


def sample(statement, sizes, random, pool=FRACTIONS):
    """Return a random exact `Point` for `statement` at the given sizes."""
    scalars, entries = {}, {}
    for thing in symbols(statement):
        choices = _choices(thing, pool)
        if isinstance(thing, Scalar):
            scalars[thing] = random.choice(choices)
            continue
        cells = product(*(range(sizes[k]) for k in thing.kinds))
        if thing.symmetric:
            cells = sorted({tuple(sorted(c)) for c in cells})
        entries[thing] = {cell: random.choice(choices) for cell in cells}
    at = {i: random.randrange(sizes[i.kind]) for i in open_indices(statement)}
    return Point(sizes, scalars, entries, at)


def fails(statement, point):
    """Whether `statement` is false at `point`; a point where it is undefined does not count."""
    try:
        return not holds(statement, point)
    except Undefined:
        return False


def moved_onto(statement, point):
    """Yield `point` moved to where two sides of a part of the statement meet, and close by.

    A relation that is affine in one unknown is solved for it: random points would never meet an
    equation that is assumed, and seldom the edge where an inequality just fails. An equation that
    is claimed is left alone: where its sides meet it cannot fail.
    """
    given, then = hypotheses(statement)
    parts = statement.parts if isinstance(statement, Iff) else given
    parts += () if isinstance(then, (Equal, Iff)) else (then,)
    for equation in parts:
        if not isinstance(equation, (Equal, Less, LessEqual)):
            continue
        steps = (0,) if isinstance(equation, Equal) else (0, NEAR, -NEAR)
        unknowns = [(point.scalars, s, s) for s in point.scalars]
        for family, cells in point.entries.items():
            unknowns += [(cells, cell, family) for cell in list(cells)[:3]]
        for group, key, thing in unknowns:
            root = _affine_root(equation, point, group, key)
            if root is None:
                continue
            kept = group[key]
            for target in (root + step for step in steps):
                if allowed(thing, target):
                    group[key] = target
                    point.memo.clear()
                    yield point
            group[key] = kept
            point.memo.clear()


def _affine_root(equation, point, group, key):
    kept, values = group[key], []
    for trial in (1, 2, 3):
        group[key] = Fraction(trial)
        point.memo.clear()
        try:
            left, right = (value(side, point) for side in equation.parts)
        except Undefined:
            break
        values.append(left - right)
    group[key] = kept
    point.memo.clear()
    if len(values) < 3 or values[2] - values[1] != values[1] - values[0] or values[0] == values[1]:
        return None
    return 1 - values[0] / (values[1] - values[0])


def failing(statement, points):
    """Return the first of `points`, or of them moved onto an assumed equation, that refutes."""
    return _first(statement, points, fails)


def _first(statement, points, fits):
    for point in points:
        if fits(statement, point):
            return point
        for moved in moved_onto(statement, point):
            if fits(statement, moved):
                return moved
    return None


def _grid(statement):
    """Yield points over scalars alone, in the order of how small their values are."""
    unknowns = [s for s in symbols(statement) if isinstance(s, Scalar)]
    pools = [_choices(s, FRACTIONS) for s in unknowns]
    seen = 0
    for radius in range(1, len(FRACTIONS) + 1):
        for choice in product(*(range(min(radius, len(p))) for p in pools)):
            if max(choice, default=0) != radius - 1:
                continue
            seen += 1
            if seen > 5 * PATIENCE:
                return
            values = {s: p[n] for s, p, n in zip(unknowns, pools, choice, strict=True)}
            yield Point({}, values, {})


def _lattice(statement, kinds, random):
    """Yield points at growing sizes, small integers before fractions."""
    wanted = {k: sum(i.kind is k for i in open_indices(statement)) for k in kinds}
    for pool in (INTEGERS[:3], INTEGERS, FRACTIONS):
        for sizes in sorted(product(range(1, 4), repeat=len(kinds)), key=sum):
            chosen = dict(zip(kinds, sizes, strict=True))
            if any(n > 1 and chosen[k] == 1 for k, n in wanted.items()):
                continue
            for _ in range(PATIENCE // 40):
                yield sample(statement, chosen, random, pool)


def counterexample(statement, seed=0):
    """Return a small exact `Point` where `statement` is false, or None if none was met."""
    kinds = kinds_of(statement)
    random = Random(seed)
    if kinds:
        found = failing(statement, _lattice(statement, kinds, random))
        return found and shrink(statement, found)
    found = failing(statement, _wild(statement, random, PATIENCE // 10))
    small = (p for p in _grid(statement) if fails(statement, p))
    return next(small, found) if found is not None or _few(statement) else None


def hunted(statement, seed=3):
    """Whether a counterexample is met, of any size: a search that does not tidy up."""
    kinds, random = kinds_of(statement), Random(seed)
    if kinds:
        return failing(statement, _lattice(statement, kinds, random)) is not None
    small = islice(_grid(statement), PATIENCE // 10)
    return failing(statement, chain(small, _wild(statement, random, PATIENCE // 10))) is not None


def met(statement, seed=5):
    """Whether a point is met at which what is assumed holds and what is claimed exists."""
    kinds, random, number = kinds_of(statement), Random(seed), PATIENCE // 20
    lattice = islice(_lattice(statement, kinds, random), number)
    points = lattice if kinds else _wild(statement, random, number)
    return _first(statement, points, _applies) is not None


def _applies(statement, point):
    given, then = hypotheses(statement)
    try:
        holds(then, point)
        return all(holds(g, point) for g in given)
    except Undefined:
        return False


def _few(statement):
    """Whether so few unknowns stand in the statement that the grid alone covers it."""
    return len(symbols(statement)) < 3


def _wild(statement, random, number):
    wide = FRACTIONS + [Fraction(n, d) for n in (4, 5, 7, 10, 20, 100) for d in (1, 7, 100)]
    for _ in range(number):
        yield sample(statement, {}, random, wide)


def shrink(statement, point):
    """Return a simpler point where `statement` still fails: more zeros and ones."""
    for group in (point.scalars, *point.entries.values()):
        for key in group:
            thing = key if isinstance(key, Scalar) else _owner(point, group)
            for simpler in (Fraction(0), Fraction(1)):
                kept = group[key]
                if kept == simpler or not allowed(thing, simpler):
                    continue
                group[key] = simpler
                point.memo.clear()
                if fails(statement, point):
                    break
                group[key] = kept
    point.memo.clear()
    return point


def _owner(point, group):
    return next(t for t, cells in point.entries.items() if cells is group)


def witness_of(point):
    """Return the numbers of `point` as a dict from names to exact values in text."""
    shown = {kind.letter: str(size) for kind, size in point.sizes.items()}
    shown.update({s.name: str(v) for s, v in point.scalars.items()})
    for family, cells in point.entries.items():
        shown[family.name] = _nested(family, cells, point.sizes)
    shown.update({i.name: str(n + 1) for i, n in point.at.items()})
    return shown


def _nested(family, cells, sizes, prefix=()):
    if len(prefix) == len(family.kinds):
        return str(cells[tuple(sorted(prefix)) if family.symmetric else prefix])
    span = range(sizes[family.kinds[len(prefix)]])
    return [_nested(family, cells, sizes, (*prefix, n)) for n in span]


def refute(statement, at=None):
    """Return a refuted answer with a counterexample, found or given, or an undecided one.

    Parameters
    ----------
    statement : Statement
    at : dict, optional
        A counterexample that a person chose, which is checked: values of the scalars, nested
        lists for the tensors, and numbers from 1 for the free indices.

    Raises
    ------
    ValueError
        If `at` leaves an unknown out, gives one a value that it may not have, or does not fit.
    """
    if at is not None:
        point = _given_point(statement, at)
        if fails(statement, point):
            return refuted(statement, witness_of(point), "evaluated exactly at the given point")
        return undecided(statement, "the given point is no counterexample")
    point = counterexample(statement)
    if point is None:
        return undecided(statement, "no counterexample among the points that were tried")
    return refuted(statement, witness_of(point), "evaluated exactly at the smallest point found")


def _given_point(statement, at):
    wanted = {*symbols(statement), *open_indices(statement)}
    missing = [thing.name for thing in wanted if thing not in at]
    if missing:
        raise ValueError(f"at: expected a value for {', '.join(sorted(missing))} as well")
    sizes = {kind: _whole(n, kind.letter) for kind, n in at.items() if isinstance(kind, Kind)}
    point = Point(sizes, {}, {}, {})
    for thing, given in at.items():
        if isinstance(thing, Scalar):
            point.scalars[thing] = _allowed_value(thing, given)
        elif isinstance(thing, Tensor) and thing.rule is None:
            point.entries[thing] = cells = {}
            _fill(thing, given, cells, point.sizes, ())
        elif not isinstance(thing, (Index, Kind)):
            raise ValueError(f"at: expected scalars, tensors, indices and kinds, got {thing!r}")
    for kind in kinds_of(statement):
        if kind not in point.sizes:
            raise ValueError(f"at: expected the number of {kind.name}s, or an array of them")
    for thing, given in at.items():
        if isinstance(thing, Index):
            point.at[thing] = _whole(given, thing.name) - 1
            if given > point.sizes[thing.kind]:
                most = point.sizes[thing.kind]
                raise ValueError(f"at: expected {thing.name} from 1 to {most}, got {given}")
    return point


def _whole(given, name):
    if not isinstance(given, int) or given < 1:
        raise ValueError(f"at: expected a whole number from 1 for {name}, got {given!r}")
    return given


def _allowed_value(thing, given):
    if isinstance(given, float):
        raise ValueError(f"at: expected an exact number for {thing.name}, got the float {given}")
    value = Fraction(given)
    if not allowed(thing, value):
        raise ValueError(f"at: {thing.name} may not be {value}")
    return value


def _fill(family, given, cells, sizes, where):
    if len(where) < len(family.kinds):
        kind = family.kinds[len(where)]
        fits = isinstance(given, Sized) and not isinstance(given, str) and len(given) > 0
        if not fits or len(given) != sizes.setdefault(kind, len(given)):
            raise ValueError(f"at: {family.name} does not have one entry for each {kind.name}")
        for n, inner in enumerate(given):
            _fill(family, inner, cells, sizes, (*where, n))
        return
    value = _allowed_value(family, given)
    place = tuple(sorted(where)) if family.symmetric else where
    if cells.setdefault(place, value) != value:
        raise ValueError(f"at: expected a symmetric {family.name}")

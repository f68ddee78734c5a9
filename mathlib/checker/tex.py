"""Expressions and statements as LaTeX, so that what is shown is what was checked."""

from sympy import Integer, Rational, Symbol, latex, prod

from .arrays import (
    Atom,
    Combination,
    Component,
    Diagonal,
    Hadamard,
    Identity,
    Outer,
    Power,
    Product,
    Transpose,
)
from .expr import Add, Delta, Derivative, Div, Mul, Num, Pow, Scalar, Size, Sum
from .statement import All, Iff, Implies, Statement

__all__ = ["domain_tex", "quotient_tex", "tex"]


def tex(thing):
    """Return `thing`, an expression, an array or a statement, as LaTeX."""
    if isinstance(thing, Statement):
        return _statement(thing)
    if hasattr(thing, "kinds"):
        return _array(thing)
    return _expr(thing)


def _statement(s):
    if isinstance(s, All):
        return r"\ \text{and}\ ".join(map(tex, s.parts))
    if isinstance(s, Implies):
        return r",\ ".join(map(tex, s.given)) + r"\implies " + tex(s.then)
    if isinstance(s, Iff):
        return tex(s.left) + r"\iff " + tex(s.right)
    return f"{tex(s.left)}{s.sign} {tex(s.right)}"


def _number(value):
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _expr(e):
    if isinstance(e, Num):
        return _number(e.value)
    if isinstance(e, Size):
        return e.kind.letter
    if isinstance(e, Scalar):
        return e.tex
    if isinstance(e, Delta):
        return rf"\delta_{{{e.first.name}{e.second.name}}}"
    if isinstance(e, Add):
        return _add(e)
    if isinstance(e, Mul):
        return _mul(e)
    if isinstance(e, Pow):
        return f"{{{_wrapped(e.base, power=True)}}}^{{{e.exponent}}}"
    if isinstance(e, Div):
        return rf"\frac{{{_expr(e.top)}}}{{{_expr(e.bottom)}}}"
    if isinstance(e, Sum):
        return _sum(e)
    if isinstance(e, Derivative):
        return rf"\frac{{\partial}}{{\partial {_expr(e.by)}}}\left({_expr(e.inner)}\right)"
    if isinstance(e, Component):
        return _component(e)
    return f"{e.tensor.tex}_{{{_names(e.index)}}}"


def _names(index):
    return "".join(i.name if len(i.name) == 1 else i.name + " " for i in index).strip()


def _add(e):
    shown = ""
    for child in _flat(e):
        part = _expr(child)
        shown += part if not shown or part.startswith("-") else "+" + part
    return shown or "0"


def _flat(e):
    for child in e.children:
        yield from _flat(child) if isinstance(child, Add) else (child,)


def _mul(e):
    sign, parts = "", []
    for child in e.children:
        if isinstance(child, Num) and child.value in (1, -1):
            sign = sign if child.value == 1 else ("" if sign else "-")
        elif isinstance(child, Num) and child.value < 0 and not parts:
            sign = "" if sign else "-"
            parts.append(_number(-child.value))
        else:
            parts.append(_wrapped(child))
    joined = ""
    for part in parts:
        joined += (r"\cdot " if joined and part[0].isdigit() else r"\," if joined else "") + part
    return sign + (joined or "1")


def _wrapped(e, power=False):
    negative = isinstance(e, Num) and (e.value < 0 or (power and e.value.denominator > 1))
    compound = isinstance(e, Add) or (power and isinstance(e, (Mul, Sum, Div, Pow)))
    inner = _expr(e)
    if isinstance(e, Mul) and inner.startswith("-"):
        compound = True
    return rf"\left({inner}\right)" if negative or compound else inner


def _sum(e):
    if not e.bound:
        return _expr(e.body)
    below = ",".join(i.name for i in e.bound)
    conditions = [rf"{a.name}\ne {b.name}" for a, b in e.different]
    if conditions:
        below = r"\substack{" + below + r"\\ " + ",\\ ".join(conditions) + "}"
    body = _expr(e.body)
    return rf"\sum_{{{below}}}" + (rf"\left({body}\right)" if isinstance(e.body, Add) else body)


def _component(e):
    if not e.index:
        return _array(e.tensor)
    if isinstance(e.tensor, Atom) and e.tensor.tensor:
        return f"{e.tensor.tensor.tex}_{{{_names(e.index)}}}"
    return rf"\left[{_array(e.tensor)}\right]_{{{_names(e.index)}}}"


def _array(a):
    if isinstance(a, Atom):
        if a.tensor is None:
            return r"\mathbf{1}"
        font = r"\boldsymbol" if len(a.kinds) == 1 else r"\mathbf"
        return rf"{font}{{{a.tensor.tex}}}"
    if isinstance(a, Identity):
        return r"\mathbf{I}"
    if isinstance(a, Product):
        first, *rest = a.parts
        head = _factor(first) + (r"^{T}" if len(first.kinds) == 1 else "")
        return head + "".join(map(_factor, rest))
    if isinstance(a, Transpose):
        inner = _factor(a.inner)
        wide = isinstance(a.inner, (Product, Power, Transpose, Outer))
        return (rf"\left({inner}\right)" if wide else inner) + "^{T}"
    if isinstance(a, Combination):
        return _combination(a)
    if isinstance(a, Hadamard):
        return r"\odot ".join(map(_factor, a.parts))
    if isinstance(a, Power):
        inner = _factor(a.inner)
        base = rf"\left({inner}\right)" if isinstance(a.inner, (Product, Power, Outer)) else inner
        return f"{{{base}}}^{{{a.exponent}}}"
    if isinstance(a, Diagonal):
        return rf"\operatorname{{diag}}\left({_array(a.inner)}\right)"
    assert isinstance(a, Outer)
    return rf"{_factor(a.parts[0])}{_factor(a.parts[1])}^{{T}}"


def _factor(a):
    inner = _array(a)
    return rf"\left({inner}\right)" if isinstance(a, (Combination, Hadamard)) else inner


def _combination(a):
    shown = ""
    for weight, part in a.terms:
        w = _expr(weight)
        plain = isinstance(weight, Mul) and w.startswith("-")
        factor = {"1": "", "-1": "-"}.get(w, w if plain else _wrapped(weight))
        term = factor + _factor(part)
        shown += term if not shown or term.startswith("-") else "+" + term
    return shown


def domain_tex(unknown):
    """Return what is assumed of a scalar or a tensor from the start, as LaTeX, or None."""
    if unknown.values is not None:
        bound = rf"\in\{{{', '.join(map(_number, unknown.values))}\}}"
    elif unknown.above is not None:
        bound = f"> {_number(unknown.above)}"
    elif unknown.at_least is not None:
        bound = rf"\ge {_number(unknown.at_least)}"
    else:
        bound = ""
    if getattr(unknown, "symmetric", False):
        bound += r"\ \text{symmetric}"
    return f"{unknown.tex}{bound}" if bound else None


def quotient_tex(above, below, scalars):
    """Return a quotient of two elements of one polynomial ring, cancelled and factored, as LaTeX.

    `scalars` are those that the ring's generators are named after.
    """
    letters = {scalar.name: Symbol(scalar.tex) for scalar in scalars}
    above, below = above.cancel(below)
    shown = [letters.get(str(s), s) for s in above.ring.symbols]
    (content, top), (divisor, bottom) = _factored(above, shown), _factored(below, shown)
    return latex(content / divisor * top / bottom)


def _factored(element, shown):
    """Return a ring element's content and the product of its factors, as SymPy expressions."""
    if not element:
        return Integer(0), Integer(1)
    content, factors = element.factor_list()
    powers = [factor.as_expr(*shown) ** power for factor, power in factors]
    return Rational(int(content.numerator), int(content.denominator)), prod(powers)

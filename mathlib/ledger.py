"""The ledger: every statement's verdict, read from the notebooks' stored outputs, never typed.

Reading runs nothing. What a notebook's output does not say is shown as not done yet.
"""

import json
from html import escape
from pathlib import Path

from .claims import MIME, html_card, html_row, inline, rows_of, witness_text
from .notebooks import BOOK, LAST, find, read
from .statements import find as find_statement
from .statements import load, titles

__all__ = ["records", "entries", "totals", "Ledger", "Errata", "show", "cite"]

VERDICTS = ("definition", "holds", "conditional", "wrong", "approximation", "open")


def records(book=BOOK):
    """Return {id: record} of every claim that a notebook of the book has stored.

    Each record gains ``page`` (path and anchor in the site) and ``notebook`` (its path).

    Raises
    ------
    ValueError
        If two cells claim one id, or a record has an id that no source has.
    """
    known, found = load(), {}
    for path in find(book):
        if path.name in LAST:
            continue
        for record in _stored(read(path)):
            name = record["id"]
            if name not in known:
                raise ValueError(f"{path}: a claim has the id {name!r}, which no source has")
            if name in found:
                raise ValueError(f"{path}: {name} is claimed in {found[name]['notebook']} already")
            if record["statement"] != known[name].tex:
                raise ValueError(f"{path}: {name} was run on another statement; run it again")
            record["witnesses"] = [_outcome_last(w) for w in record["witnesses"]]
            site = path.relative_to(book).with_suffix(".html").as_posix()
            found[name] = {**record, "page": f"{site}#{name}", "notebook": path.as_posix()}
    return {name: found[name] for name in known if name in found}


def _outcome_last(witness):
    """Return a counterexample with what it comes to at its end; storing sorts the names."""
    return dict(sorted(witness.items(), key=lambda item: item[0] == "then"))


def _stored(nb):
    for cell in nb.cells:
        for output in cell.get("outputs", ()):
            if MIME in output.get("data", {}):
                yield output["data"][MIME]


def entries(book=BOOK):
    """Return the ledger as a list of plain dicts, one an id, sorted by id."""
    done = records(book)
    return [_entry(statement, done.get(name)) for name, statement in sorted(load().items())]


def _entry(statement, record):
    record = record or {}
    empty = {"tried": 0, "refuted": 0, "equivalent": 0}
    return {
        "id": statement.id,
        "source": statement.source,
        "kind": statement.kind,
        "verdict": record.get("verdict"),
        "scope": record.get("scope"),
        "assumes": record.get("assumes", []),
        "routes": record.get("routes", []),
        "mutants": record.get("mutants", empty),
        "corrected": record.get("corrected"),
        "witness": record.get("witness"),
        "page": record.get("page"),
    }


def totals(rows):
    """Return {source: {verdict or "not yet": number}} over ledger entries."""
    counted = {}
    for row in rows:
        of_source = counted.setdefault(row["source"], dict.fromkeys((*VERDICTS, "not yet"), 0))
        of_source[row["verdict"] or "not yet"] += 1
    return counted


class Ledger:
    """The ledger as a page: totals, then a row for each statement."""

    def __init__(self, book=BOOK):
        order = list(load())
        self.rows = sorted(entries(book), key=lambda row: order.index(row["id"]))

    def __repr__(self):
        lines = [
            f"{r['id']:5} {r['verdict'] or 'not yet':13} {r['scope'] or '-':28} {_count(r)}"
            for r in self.rows
        ]
        return "\n".join([*_total_lines(self.rows), *lines])

    def _repr_html_(self):
        head = "".join(f"<th>{c}</th>" for c in ("id", "verdict", "scope", "routes", "mutants"))
        body = "".join(map(_row, self.rows))
        return (
            f"{_totals_table(self.rows)}"
            '<div class="ledger-scroll"><table class="ledger filtered tex2jax_process">'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def _repr_latex_(self):
        lines = [rf"{r['id']} & {r['verdict'] or 'not yet'} & {_count(r)} \\" for r in self.rows]
        return "\n".join(
            [r"\begin{longtable}{lll}", r"id & verdict & mutants \\ \hline", *lines]
            + [r"\end{longtable}"]
        )


def _count(row):
    m = row["mutants"]
    return f"{m['refuted']}/{m['tried']}" if m["tried"] else "-"


def _total_lines(rows):
    for source, counted in totals(rows).items():
        shown = ", ".join(f"{n} {verdict}" for verdict, n in counted.items() if n)
        yield f"{source}: {sum(counted.values())} statements: {shown}"


def _totals_table(rows):
    counted, names = totals(rows), titles()
    head = "".join(f'<th title="{escape(names[s])}">{s}</th>' for s in counted)
    body = ""
    for verdict in (*VERDICTS, "not yet"):
        numbers = [of_source[verdict] for of_source in counted.values()]
        if verdict == "not yet" and not any(numbers):
            continue
        cells = "".join(f'<td class="number">{n or "·"}</td>' for n in (*numbers, sum(numbers)))
        body += f"<tr><td>{_pill(verdict)}</td>{cells}</tr>"
    sums = [sum(of_source.values()) for of_source in counted.values()]
    cells = "".join(f'<td class="number">{n}</td>' for n in (*sums, sum(sums)))
    legend = "".join(f"<li>{s}: {escape(names[s])}</li>" for s in counted)
    return (
        f"<ul>{legend}</ul>"
        '<div class="ledger-scroll"><table class="ledger ledger-totals">'
        f"<thead><tr><th>verdict</th>{head}<th>all</th></tr></thead>"
        f"<tbody>{body}<tr><td>all</td>{cells}</tr></tbody></table></div>"
    )


def _pill(verdict):
    return f'<span class="claim-verdict verdict-{verdict.replace(" ", "-")}">{verdict}</span>'


def _row(row):
    verdict = row["verdict"] or "not yet"
    link = f'<a href="{row["page"]}">{row["id"]}</a>' if row["page"] else row["id"]
    notes = "".join(f'<div class="ledger-assumes">if {inline(a)}</div>' for a in row["assumes"])
    return (
        f'<tr data-source="{row["source"]}" data-verdict="{verdict}"><td>{link}</td>'
        f"<td>{_pill(verdict)}</td>"
        f"<td>{inline(row['scope'] or '')}{notes}</td>"
        f'<td>{", ".join(row["routes"])}</td><td class="number">{_count(row)}</td></tr>'
    )


class Errata:
    """What is wrong or incomplete in the sources, from the records of the claims."""

    def __init__(self, book=BOOK):
        # the b statements are this book's own, not the sources'
        done = [r for r in records(book).values() if r["source"] != "b"]
        self.wrong = [r for r in done if r["verdict"] == "wrong"]
        self.incomplete = [r for r in done if r["verdict"] == "conditional"]
        self.slips = [
            r for r in done if r["slips"] and r["verdict"] not in ("wrong", "conditional")
        ]

    def __repr__(self):
        lines = []
        for heading, found in self._parts():
            lines.append(f"{heading}: {len(found)}")
            lines += [f"  {r['id']}  {_what(r)}" for r in found]
        return "\n".join(lines)

    def _parts(self):
        yield "Wrong as written", self.wrong
        yield "True only with an assumption that the source leaves out", self.incomplete
        yield "True, with a slip on the way", self.slips

    def _repr_html_(self):
        return "".join(
            f'<h2 class="errata-part">{heading} ({len(found)})</h2>' + "".join(map(_erratum, found))
            for heading, found in self._parts()
        )

    def _repr_latex_(self):
        items = []
        for heading, found in self._parts():
            items.append(rf"\paragraph{{{heading}}}")
            items += [rf"\par {r['id']}: ${r['corrected'] or r['statement']}$" for r in found]
        return "\n".join(items)


def _what(record):
    if record["verdict"] == "wrong":
        return witness_text(record["witnesses"][0])
    return "; ".join(record["assumes"] + record["slips"])


ERRATA_ROWS = ("Source", "Counterexample", "Corrected", "Given", "Assumes", "Slip")


def _erratum(r):
    shown = [row for row in rows_of(r) if row[0] in ERRATA_ROWS]
    return html_card(r, [html_row(label, items) for label, items in shown])


def show(name, book=BOOK):
    """Return what the book says of one id, as plain text."""
    statement = find_statement(name)
    record = records(book).get(name)
    if record is None:
        return f"{name}  not done yet\n  Source: {statement.tex}"
    lines = [f"{name}  {record['verdict']}  {record['scope']}  -> {record['page']}"]
    for label, items in rows_of(record):
        lines += [f"  {label}: {text}" for _, text in items]
    return "\n".join(lines)


def cite(name, book=BOOK):
    """Return BibTeX for one id, and the LaTeX of the statement with its conditions."""
    statement = find_statement(name)
    record = records(book).get(name)
    verdict = record["verdict"] if record else "not done yet"
    where = record["page"] if record else "no page yet"
    entry = (
        f"@misc{{executable-derivations-{name},\n"
        f"  author = {{{{The contributors of the book of executable derivations}}}},\n"
        f"  title = {{Executable derivations, statement {name}}},\n"
        f"  note = {{Verdict: {verdict}. Page \\url{{{where}}}}},\n"
        f"  year = {{2026}}\n}}"
    )
    conditions = "; ".join(_conditions(record)) if record else ""
    if record and record["corrected"]:
        written = _equation(f"% {name} as its source has it, which is {verdict}", statement.tex)
        corrected = f"% {name} corrected" + (f"; if {conditions}" if conditions else "")
        return "\n\n".join([entry, written, _equation(corrected, record["corrected"])])
    head = f"% {name}, {verdict}; " + (f"if {conditions}" if conditions else "as stated")
    return "\n\n".join([entry, _equation(head, statement.tex)])


def _equation(head, formula):
    return f"{head}\n\\begin{{equation}}\n  {formula}\n\\end{{equation}}"


def _conditions(record):
    return [*record["assumes"], *(f"${c}\\ne 0$" for c in record["nonzero"])]


def as_json(book=BOOK):
    """Return the ledger as JSON text."""
    return json.dumps(entries(book), indent=1, ensure_ascii=False)


def notebook_of(name, book=BOOK):
    """Return the path of the notebook that claims `name`, or None."""
    record = records(book).get(name)
    return Path(record["notebook"]) if record else None

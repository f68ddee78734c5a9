/* Filters for the ledger: by words, by source and by verdict. Without scripts the table is whole. */
document.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector("table.ledger.filtered");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const bar = document.createElement("form");
  bar.className = "ledger-filter";
  bar.setAttribute("role", "search");
  bar.addEventListener("submit", (event) => event.preventDefault());

  const words = document.createElement("input");
  words.type = "search";
  words.placeholder = "Filter by id or words";
  words.setAttribute("aria-label", "Filter by id or words");
  const choose = (key, label) => {
    const select = document.createElement("select");
    select.setAttribute("aria-label", label);
    const values = [...new Set(rows.map((row) => row.dataset[key]))];
    for (const value of ["", ...values]) select.add(new Option(value || `every ${key}`, value));
    return select;
  };
  const source = choose("source", "Filter by source");
  const verdict = choose("verdict", "Filter by verdict");
  const count = document.createElement("output");
  bar.append(words, source, verdict, count);
  table.parentElement.before(bar);

  const apply = () => {
    const wanted = words.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits =
        (!source.value || row.dataset.source === source.value) &&
        (!verdict.value || row.dataset.verdict === verdict.value) &&
        (!wanted || row.textContent.toLowerCase().includes(wanted));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length}`;
  };
  bar.addEventListener("input", apply);
  apply();
});

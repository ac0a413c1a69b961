/* The search page: reads all entries (search-entries.js) for each question. See press/search.py. */
(() => {
  const asked = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  const results = document.getElementById("search-results");
  const field = document.querySelector(".bd-search-container input[name=q]");
  const mostShown = 50;
  const wordsOf = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").match(/[\p{L}\p{N}_]+/gu) ?? [];
  const words = wordsOf(asked);
  const entries = companionEntries.flatMap(([place, named, parts]) => parts.map(([kind, title, text, anchor, order]) =>
    ({kind, title, text, order, url: place + anchor, page: anchor ? parts[0][1] : named})));

  /* A word may be the beginning of another, but 3 is not of 31. */
  const begins = (own, word) => /\d$/.test(word) ? own === word : own.startsWith(word) || `${own}s` === word;

  /* How well words say what was asked: as it stands, begun, every word somewhere; 0 if one is missing. */
  function fit(text) {
    const padded = ` ${text.join(" ")} `, phrase = ` ${words.join(" ")}`;
    if (padded.includes(`${phrase} `)) return 4;
    if (padded.includes(phrase) && !/\d$/.test(phrase)) return 3;
    return words.every((word) => text.some((own) => begins(own, word))) ? 2 : 0;
  }

  /* A title weighs more than what stands around it, and a page more than its parts. The number of a
     statement of a source is what was asked for; what only describes the package comes last. */
  const weights = {page: 6, statement: 5, section: 4, result: 3, term: 3, figure: 2, package: -1000};
  function weigh(entry) {
    const [title, page, text] = [entry.title, entry.page, entry.text].map(wordsOf);
    const number = entry.kind === "statement" && /\d/.test(asked) ? fit(wordsOf(entry.title.split(":")[0])) : 0;
    const named = Math.max(fit(title), entry.kind === "page" ? fit(page) : 0);
    const said = named || fit([...title, ...page, ...text]);
    return said && 100 * (number > 2) + 10 * named + said + weights[entry.kind];
  }

  function element(name, text, parent, kind) {
    const made = parent.appendChild(document.createElement(name));
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  /* Some words around the first that was asked for; a formula is one word, so that none is cut. */
  function quote(text, parent) {
    const units = text.match(/\\\(.*?\\\)\S*|\\\[.*?\\\]\S*|\S+/gs) ?? [];
    const asks = (unit) => wordsOf(unit).some((own) => words.some((word) => begins(own, word)));
    const start = Math.max(0, units.findIndex(asks) - 8), end = start + 32;
    const told = element("p", start ? "… " : "", parent, "context");
    for (const unit of units.slice(start, end)) {
      element(asks(unit) && !unit.startsWith("\\") ? "mark" : "span", unit, told);
      told.append(" ");
    }
    if (end < units.length) told.append("…");
    return told.textContent.includes("\\(") || told.textContent.includes("\\[");
  }

  function typeset() {
    window.MathJax = {options: {enableMenu: false}};
    element("script", "", document.head).src = "vendor/mathjax/tex-svg-full.js";
  }

  if (field) field.value = asked;
  if (!words.length) return;
  const found = entries.map((entry) => ({entry, weight: weigh(entry)})).filter(({weight}) => weight)
    .sort((one, other) => other.weight - one.weight || one.entry.order - other.entry.order);
  const said = found.length ? `found ${found.length} place${found.length > 1 ? "s" : ""}` : "did not match anything";
  const more = found.length > mostShown ? `; the first ${mostShown} are shown` : "";
  element("p", `Your search for “${asked}” ${said}${more}.`, results, "search-summary").setAttribute("role", "status");
  if (!found.length) return;
  const list = element("ul", "", results, "search");
  let formulas = false;
  for (const {entry} of found.slice(0, mostShown)) {
    const item = element("li", "", list, `kind-${entry.kind}`);
    element("a", entry.title, item).href = entry.url;
    if (entry.kind !== "page" && entry.page !== entry.title) element("span", entry.page, item, "place");
    formulas = quote(entry.text, item) || /\\\(/.test(entry.title) || formulas;
  }
  if (formulas) typeset();
})();

/* The search page: reads all entries (search-entries.js) for each question. See sphinxext/search.py. */
(() => {
  const asked = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  const results = document.getElementById("search-results");
  const field = document.querySelector(".bd-search-container input[name=q]");
  const mostShown = 50;
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const wordsOf = (text) => plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const kinds = ["page", "statement", "section", "result", "term", "figure", "package"]; // as in search.py
  const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const whole = (anchor, title) => ({"#": `#${title}`, "#-": `#${slug(title)}`})[anchor] ?? anchor;
  const entries = bookSearch.entries.flatMap(([place, named, parts]) => parts.map((part) => {
    const [which, title, , anchor, order] = part, kind = kinds[which];
    const text = part[2].replaceAll("~", "…").replace(/`([^`]*)`/g, "\\($1\\)");
    const page = named, names = kind === "page" ? [title, named] : [title];
    const all = new Set(wordsOf(`${title} ${page} ${parts[0][1]} ${text}`));
    return {kind, title, page, text, order, names, url: place + whole(anchor, title), all};
  }));

  /* A word may be the beginning of another, but 3 not of 31, nor p of power. */
  const begins = (own, word) => own === word || `${own}s` === word
    || word.length > 1 && !/\d$/.test(word) && own.startsWith(word);
  const has = (texts, word) => [...texts].some((own) => begins(own, word));

  /* What has another name here is asked for by both; words that stand nowhere are passed over. */
  const named = bookSearch.synonyms.map(([theirs, ours]) => [new RegExp(theirs), ours]);
  const all = wordsOf(asked).join(" ");
  const here = named.reduce((text, [theirs, ours]) => text.replace(theirs, ours), all);
  const stands = (word) => entries.some((entry) => has(entry.all, word));
  const questions = [...new Set([all, here])].map((text) => text.split(" ").filter(stands));
  const words = questions.flat();

  /* How well words say what was asked: as it stands, begun, every word somewhere; 0 if one is missing. */
  const little = /^(an?|by|for|in|is|of|the)$/;
  function fit(text, words) {
    const own = wordsOf(text), padded = ` ${own.join(" ")} `, phrase = ` ${words.join(" ")}`;
    if (padded.includes(`${phrase} `)) return 4;
    if (padded.includes(phrase) && phrase.length > 2 && !/\d$/.test(phrase)) return 3;
    return words.every((word) => little.test(word) || has(own, word)) ? 2 : 0;
  }

  /* A title weighs more than what stands around it, and a page more than its parts; a title that begins with
     what was asked, or has it as a short form in capitals, more than one that goes on to it. The number of a
     statement of a source is what was asked for; what only describes the package comes last. */
  const weights = {page: 6, statement: 5, section: 4, result: 3, term: 3, figure: 2, package: -1000};
  const first = (name, words) =>
    ` ${wordsOf(name.replace(/^\d+\. /, "")).join(" ")} `.startsWith(` ${words.join(" ")} `);
  const capitals = (name) => /^\p{Lu}{2,}$/u.test(asked) && new RegExp(`\\b${asked}\\b`).test(name);
  function weigh({kind, title, page, text, names, all}, words) {
    if (!words.length || !words.every((word) => has(all, word))) return -Infinity;
    const head = title.split(":")[0], counted = kind === "statement" && /\d/.test(asked);
    const own = () => head.split(", ").some((part) => first(part, words));
    const number = counted && fit(head, words) > 2 ? 1 + own() : 0;
    const named = Math.max(...names.map((name) => fit(name, words)));
    const begun = names.filter((name) => first(name, words)).length;
    const rest = named ? begun + 3 * names.some(capitals) : fit(`${title} ${page} ${text}`, words);
    return 100 * number + 10 * named + rest + weights[kind];
  }

  const element = (name, textContent, parent, className = "") =>
    parent.appendChild(Object.assign(document.createElement(name), {textContent, className}));

  /* Some words around the first that was asked for; a formula is one word, so that none is cut. */
  function quote(text, parent) {
    const units = text.match(/\\\(.*?\\\)\S*|\\\[.*?\\\]\S*|\S+/gs) ?? [];
    const asks = (unit) => wordsOf(unit).some((own) => words.some((word) => begins(own, word)));
    const start = Math.max(0, units.findIndex(asks) - 8), end = start + 32;
    const quoted = element("p", start ? "… " : "", parent, "context");
    for (const unit of units.slice(start, end))
      quoted.append(element(asks(unit) && !unit.startsWith("\\") ? "mark" : "span", unit, quoted), " ");
    if (end < units.length) quoted.append("…");
  }

  if (field) field.value = asked;
  if (!all.length) return;
  /* A question in capitals, such as MAP, may have another answer than the same word in small letters. */
  const answer = bookSearch.answers.find(([question]) =>
    [all, asked].some((text) => new RegExp(`^(?:${question})$`).test(text)))?.[1];
  const weight = (entry) =>
    entry.url === answer ? Infinity : Math.max(...questions.map((words) => weigh(entry, words)));
  const best = (weight) => entries.map((entry) => ({entry, weight: weight(entry)}))
    .filter(({weight}) => weight > -Infinity)
    .sort((one, other) => other.weight - one.weight || one.entry.order - other.entry.order);
  /* Where no place has all words, those that have most of them. */
  const held = (entry) => words.filter((word) => !little.test(word) && has(entry.all, word));
  const exact = best(weight);
  const most = exact.length ? 0 : Math.max(...entries.map((entry) => held(entry).length));
  const partly = (entry) => (held(entry).length === most ? weigh(entry, held(entry)) : -Infinity);
  const found = most ? best(partly) : exact;
  const places = `${found.length} place${found.length > 1 ? "s" : ""}`;
  const part = most ? ", none with all of the words" : "";
  const outcome = found.length ? `found ${places}${part}` : "did not match anything";
  const absent = words.length ? here.split(" ").filter((word) => !words.includes(word)) : [];
  const also = here === all ? "" : ` (here also: “${here}”)`;
  const without = absent.length ? ` without “${absent.join(" ")}”, which stands nowhere` : "";
  const more = found.length > mostShown ? `; the first ${mostShown} are shown` : "";
  const summary = `Your search for “${asked}”${also} ${outcome}${without}${more}.`;
  element("p", summary, results, "search-summary").setAttribute("role", "status");
  if (!found.length) return;
  const list = element("ul", "", results, "search");
  for (const {entry} of found.slice(0, mostShown)) {
    const item = element("li", "", list, `kind-${entry.kind}`);
    element("a", entry.title, item).href = entry.url;
    if (entry.page !== entry.title) element("span", entry.page, item, "place");
    quote(entry.text, item);
  }
  if (!/\\[([]/.test(list.textContent)) return; // no formula to draw
  window.MathJax = {options: {enableMenu: false}};
  element("script", "", document.head).src = "vendor/mathjax/tex-svg-full.js";
})();

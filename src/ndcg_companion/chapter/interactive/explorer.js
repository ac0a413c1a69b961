// The explorer: NDCG of two rankers, by discount, cut-off and number of items. Every number was computed in Python
// (numbers.py, beside this file) and is only looked up here: controls stop where numbers are.
(() => {
  "use strict";

  const STYLE = `
    .explorer { --a: #0072b2; --b: #b34f00; margin-block: 1rem; }
    html[data-theme="dark"] .explorer { --a: #6bb8ec; --b: #ff9d57; }
    html[data-theme="dark"] .bd-content div.cell_output .text_html:has(.explorer):not(:has(table.dataframe)) {
      background: none; color: inherit; padding: 0;
    }
    .explorer sup { line-height: 0; }
    .explorer .of-a { color: var(--a); accent-color: var(--a); }
    .explorer .of-b { color: var(--b); accent-color: var(--b); }
    .explorer :is(input, select, a):focus-visible {
      outline: 3px solid var(--pst-color-primary); outline-offset: 2px; border-radius: 0.2rem;
    }

    .explorer .tries { margin: 0 0 1rem; padding-inline-start: 1.4rem; }
    .explorer .tries li { margin-block: 0.25rem; }
    .explorer .tries a { font-weight: 600; }
    .explorer .tries a[aria-current] { text-decoration-thickness: 3px; }

    .explorer form, .explorer .sliders {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15.5rem), 1fr)); gap: 0.75rem;
    }
    .explorer .sliders { gap: 0 1.5rem; }
    .explorer .measure { grid-column: 1 / -1; }
    .explorer fieldset {
      min-width: 0; margin: 0; padding: 0.2rem 0.9rem 0.7rem; border: 1px solid var(--pst-color-border);
      border-radius: 0.4rem; background: var(--pst-color-surface); color: var(--pst-color-text-base);
    }
    .explorer legend {
      float: none; width: auto; margin: 0; padding: 0 0.3rem; font-size: 1rem; font-weight: 600;
      background: var(--pst-color-background); border-radius: 0.3rem;
    }
    .explorer label { display: block; margin-block-start: 0.35rem; font-size: 0.9rem; }
    .explorer output { display: block; font-size: 0.9rem; font-weight: 600; overflow-wrap: anywhere; }
    .explorer label output { display: inline; }
    .explorer select {
      width: 100%; min-height: 2.2rem; padding: 0.2rem 0.4rem; color: var(--pst-color-text-base);
      background: var(--pst-color-background); border: 1px solid var(--pst-color-text-muted); border-radius: 0.3rem;
    }
    .explorer input[type="range"] { display: block; width: 100%; height: 2rem; margin: 0; }
    .explorer .cuts { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; font-size: 0.9rem; }
    .explorer .cuts label { display: inline-flex; align-items: center; gap: 0.35rem; min-height: 1.75rem; margin: 0; }

    .explorer .told {
      margin: 1rem 0 0.5rem; padding: 0.6rem 0.9rem; border-inline-start: 4px solid var(--pst-color-primary);
      background: var(--pst-color-surface); color: var(--pst-color-text-base);
    }
    .explorer table { width: auto; margin: 0.5rem auto; font-variant-numeric: tabular-nums; }
    .explorer caption {
      caption-side: top; padding: 0; text-align: center; font-weight: 600; color: var(--pst-color-text-base);
    }
    .explorer thead { border-bottom: 2px solid var(--pst-color-border); }
    .explorer th, .explorer td { padding: 0.25rem 0.7rem; text-align: right; }
    .explorer thead th { text-align: center; }

    .explorer .panels {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1rem 1.25rem;
      margin-block: 1rem 0;
    }
    .explorer figure { min-width: 0; margin: 0; }
    .explorer figcaption { max-width: none; margin: 0 0 0.2rem; font-size: 0.9rem; font-weight: 600; }
    .explorer svg { display: block; width: 100%; height: auto; overflow: visible; }
    .explorer svg text { font-size: 12px; fill: var(--pst-color-text-muted); }
    .explorer svg .grid { stroke: var(--pst-color-border); }
    .explorer svg .here { stroke: var(--pst-color-text-muted); stroke-width: 1.5; }
    .explorer svg .uncounted { fill: var(--pst-color-text-muted); fill-opacity: 0.14; }
    .explorer svg .a { --ink: var(--a); }
    .explorer svg .b { --ink: var(--b); }
    .explorer svg .line { stroke: var(--ink); stroke-width: 2.2; fill: none; }
    .explorer svg .limit { stroke: var(--ink); stroke-width: 1.6; stroke-dasharray: 1.5 4; stroke-linecap: round; }
    .explorer svg .mark { fill: var(--ink); stroke: var(--ink); stroke-width: 1.6; }
    .explorer svg .exact { fill: var(--pst-color-background); }
    .explorer svg text.end { fill: var(--ink); font-size: 14px; font-weight: 700; }
    .explorer .note { margin: 0.75rem 0 0; font-size: 0.85rem; color: var(--pst-color-text-muted); }

    @media (max-width: 30rem) { .explorer th, .explorer td { padding-inline: 0.3rem; } }
    @media print { .explorer form, .explorer .tries { display: none; } }`;

  // ---- the numbers ----

  const root = document.getElementById("explorer");
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const { alphabet, betas, cutoffs, short, long } = data;
  const lengths = [...new Set([...short, ...long])].sort((one, other) => one - other);
  const LOG = 0; // the first of the discounts; those with a beta follow
  const LIMIT = short.length + long.length;

  function decode(text) {
    const units = (word) => [...word].reduce((sum, letter) => sum * alphabet.length + alphabet.indexOf(letter), 0);
    return text.match(/.../g).map((word) => (word === "   " ? NaN : units(word) * data.unit));
  }

  const curves = data.curves.map(([family, parameter, formula, line]) => {
    return { family, parameter, formula, line: decode(line) };
  });
  const placesOf = (family) => curves.flatMap((curve, i) => (curve.family === family ? [i] : []));

  const power = (state) => 1 + state.beta;
  const row = (state, discount, curve) => decode(data.values[state.cut][discount][curve]);
  const limitOf = (state, discount, curve) => row(state, discount, curve)[LIMIT];

  /** The exact expectation as far as there is one, then the pseudo-expectation. */
  function valueOf(state, discount, curve) {
    const n = lengths[state.n];
    const place = short.includes(n) ? short.indexOf(n) : short.length + long.indexOf(n);
    return row(state, discount, curve)[place];
  }

  // ---- words ----

  const SUPERSCRIPT = /\^(−?(?:\d+(?:\.\d+)?|β))/g;
  const raised = (text) => text.replace(SUPERSCRIPT, "<sup>$1</sup>");
  const raisedInSvg = (text) => text.replace(SUPERSCRIPT, '<tspan dy="-5" font-size="9">$1</tspan>');
  const small = (x) => Math.abs(x) < 5e-5;
  const fixed = (x) => (small(x) ? 0 : x).toFixed(4).replace("-", "−");
  const size = (x) => fixed(Math.abs(x));
  const discountName = (beta) => (beta === 1 ? "1/r" : beta === 0 ? "r^0" : `r^−${beta}`);
  const lengthName = (n) => (n < 1e4 ? n.toLocaleString("en-US") : `10^${Math.round(Math.log10(n))}`);
  const measureName = (state) => (cutoffs[state.cut] === 1 ? "NDCG" : `NDCG@${cutoffs[state.cut]}n`);

  function sentence(state) {
    if (state.a === state.b) return "A and B are the same curve: no discount tells them apart.";
    const gap = (of, discount) => of(state, discount, state.a) - of(state, discount, state.b);
    const ahead = (x) => (small(x) ? "puts neither ahead by 0.0001" : `puts ${x > 0 ? "A" : "B"} ahead by ${size(x)}`);
    const left = (x) => `leaves ${x === 0 ? "nothing" : small(x) ? "less than 0.0001" : size(x)}`;
    const name = discountName(betas[state.beta]);
    return `At n = ${lengthName(lengths[state.n])} the log discount ${ahead(gap(valueOf, LOG))}, `
      + `${name} ${ahead(gap(valueOf, power(state)))}. In the limit the log discount ${left(gap(limitOf, LOG))} `
      + `between them, ${name} ${left(gap(limitOf, power(state)))}.`;
  }

  // ---- the state, and its name in the address ----

  function nearest(list, value) {
    return list.reduce((best, x, i) => (Math.abs(x - value) < Math.abs(list[best] - value) ? i : best), 0);
  }

  function fromTry([, , { a, b, beta, n, cut }]) {
    return { a, b, beta: betas.indexOf(beta), n: lengths.indexOf(n), cut: cutoffs.indexOf(cut) };
  }

  function toHash(state) {
    const named = ({ family, parameter }) =>
      family === "constant" ? family : `${family}:${Number(parameter.toPrecision(6))}`;
    const n = lengths[state.n].toExponential().replace("e+", "e");
    const [a, b] = [named(curves[state.a]), named(curves[state.b])];
    return `#a=${a}&b=${b}&beta=${betas[state.beta]}&n=${n}&cut=${cutoffs[state.cut]}`;
  }

  /** The state that an address names, snapped to the nearest stops; what it does not name stays as it is. */
  function fromHash(hash, before) {
    const after = { ...before };
    const read = new URLSearchParams(hash.slice(1).replaceAll("+", "%2B")); // the + of 1e+10
    for (const which of ["a", "b"]) {
      const [family, parameter] = (read.get(which) ?? "").split(":");
      const places = placesOf(family);
      if (places.length) after[which] = places[nearest(places.map((i) => curves[i].parameter), Number(parameter))];
    }
    const number = (name) => (read.get(name) ? Number(read.get(name)) : NaN);
    if (Number.isFinite(number("beta"))) after.beta = nearest(betas, number("beta"));
    if (Number.isFinite(number("cut"))) after.cut = nearest(cutoffs, number("cut"));
    if (number("n") > 0) after.n = nearest(lengths.map(Math.log), Math.log(number("n")));
    return after;
  }

  // ---- the controls ----

  function skeleton() {
    const tries = data.tries.map((one) => {
      return `<li><a href="${toHash(fromTry(one))}">${one[0]}</a>: ${raised(one[1])}</li>`;
    });
    const options = Object.entries(data.families).map(([key, label]) => `<option value="${key}">${label}</option>`);
    const ranker = (which, name) => `
      <fieldset><legend class="of-${which}">Ranker ${name}</legend>
        <label for="explorer-family-${which}">Relevance curve</label>
        <select id="explorer-family-${which}" name="family-${which}">${options.join("")}</select>
        <label for="explorer-shape-${which}">Its shape</label>
        <input type="range" id="explorer-shape-${which}" name="shape-${which}" class="of-${which}" min="0" step="1">
        <output for="explorer-family-${which} explorer-shape-${which}" class="of-${which}"></output>
      </fieldset>`;
    const slider = (name, stops, before, after) => `
      <div><label for="explorer-${name}">${before}
          <output for="explorer-${name}" id="explorer-${name}-now"></output>${after}</label>
        <input type="range" id="explorer-${name}" name="${name}" min="0" max="${stops.length - 1}" step="1"></div>`;
    const counts = (share) => (share === 1 ? "the full list" : `the top ${100 * share} %`);
    const cuts = cutoffs.map((share, i) => {
      return `<label><input type="radio" name="cut" value="${i}">${counts(share)}</label>`;
    });
    const panels = ["curves", "limits", "log", "power"].map((name) => {
      return `<figure data-panel="${name}"><figcaption></figcaption></figure>`;
    });
    return `
      <ol class="tries">${tries.join("")}</ol>
      <form>${ranker("a", "A")}${ranker("b", "B")}
        <fieldset class="measure"><legend>Measure and list</legend>
          <div class="sliders">${slider("beta", betas, "Discount", ", beside the log discount")}
            ${slider("n", lengths, "Items in the list: n =", "")}</div>
          <div class="cuts" role="radiogroup" aria-labelledby="explorer-cuts">
            <span id="explorer-cuts">What counts:</span>${cuts.join("")}</div>
        </fieldset>
      </form>
      <p class="told" role="status"></p>
      <table></table>
      <div class="panels">${panels.join("")}</div>
      <p class="note">Hollow marks: the exact expectation, up to 10<sup>4</sup> items. Lines: the pseudo-expectation,
        computed at the small dots, straight between them. Dotted: the limit. The sliders stop only where numbers were
        computed. The address bar names what you see: copy it to share.</p>`;
  }

  document.head.insertAdjacentHTML("beforeend", `<style>${STYLE}</style>`);
  root.classList.add("explorer");
  root.innerHTML = skeleton();
  const form = root.querySelector("form");
  const field = (name) => form.elements[name];

  function syncControls(state) {
    for (const which of ["a", "b"]) {
      const { family, formula } = curves[state[which]];
      const places = placesOf(family);
      const slider = field(`shape-${which}`);
      field(`family-${which}`).value = family;
      slider.max = places.length - 1;
      slider.value = places.indexOf(state[which]);
      slider.disabled = places.length === 1;
      slider.setAttribute("aria-valuetext", `relevance ${formula}`);
      root.querySelector(`output.of-${which}`).innerHTML = `ȳ(s) = ${raised(formula)}`;
    }
    for (const [name, text] of [["beta", discountName(betas[state.beta])], ["n", lengthName(lengths[state.n])]]) {
      field(name).value = state[name];
      field(name).setAttribute("aria-valuetext", text);
      root.querySelector(`#explorer-${name}-now`).innerHTML = raised(text);
    }
    field("cut").value = state.cut;
    for (const link of root.querySelectorAll(".tries a")) {
      if (link.getAttribute("href") === toHash(state)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  function fromControls(changed) {
    const chosen = (name) => Number(field(name).value);
    const after = { beta: chosen("beta"), n: chosen("n"), cut: chosen("cut") };
    for (const which of ["a", "b"]) {
      const places = placesOf(field(`family-${which}`).value);
      // A family that was just chosen starts at its strongest.
      after[which] = changed === `family-${which}` ? places.at(-1) : places[chosen(`shape-${which}`)];
    }
    return after;
  }

  // ---- the table ----

  function drawTable(state) {
    const values = (curve) => [LOG, power(state)].flatMap((d) => [valueOf(state, d, curve), limitOf(state, d, curve)]);
    const [a, b] = [values(state.a), values(state.b)];
    const gaps = a.map((x, i) => x - b[i]);
    const line = (name, style, numbers) =>
      `<tr><th scope="row" class="${style}">${name}</th>${numbers.map((x) => `<td>${fixed(x)}</td>`).join("")}</tr>`;
    const group = (name) => `<th scope="colgroup" colspan="2">${raised(name)}</th>`;
    const here = `<th scope="col">n = ${raised(lengthName(lengths[state.n]))}</th><th scope="col">limit</th>`;
    root.querySelector("table").innerHTML = `
      <caption>${measureName(state)}</caption>
      <thead><tr><td rowspan="2"></td>${group("log discount")}${group(discountName(betas[state.beta]))}</tr>
        <tr>${here}${here}</tr></thead>
      <tbody>${line("A", "of-a", a)}${line("B", "of-b", b)}${line("A − B", "", gaps)}</tbody>`;
  }

  // ---- the pictures ----

  const HEIGHT = 236, LEFT = 36, RIGHT = 20, TOP = 8, BOTTOM = HEIGHT - 40; // of a panel and its frame, in pixels

  /** Lengths of lists on an axis on which every step to the right squares n. */
  const along = (n) => Math.log2(Math.log10(n)) / Math.log2(Math.log10(lengths.at(-1)));

  /**
   * Draws one panel.
   * @param {object} is
   * @param {Array} is.lines [which, points] of A and B; points are [x, y], with x from 0 to 1
   * @param {Array} is.marks [which, points, radius, kind]
   * @param {Array} is.limits [which, y]
   * @param {Array} is.ticks [x, text]
   * @param {number} is.here x of the present state
   * @param {Array} is.stops x that a click can choose, handed to is.choose by their place
   */
  function drawPanel(name, is) {
    const figure = root.querySelector(`[data-panel="${name}"]`);
    const width = Math.max(240, Math.round(figure.clientWidth));
    const right = width - RIGHT;
    const px = (x) => Number((LEFT + x * (right - LEFT)).toFixed(1));
    const py = (y) => Number((BOTTOM - ((y - is.low) / (is.high - is.low)) * (BOTTOM - TOP)).toFixed(1));
    const level = (style, y) => `<line class="${style}" x1="${LEFT}" x2="${right}" y1="${py(y)}" y2="${py(y)}"/>`;
    const text = (x, y, anchor, words) => `<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
    const parts = [];

    const range = is.high - is.low;
    const step = range > 0.5 ? 0.2 : range > 0.2 ? 0.1 : 0.05;
    for (let y = Math.ceil(is.low / step - 1e-9) * step; y <= is.high + 1e-9; y += step) {
      parts.push(level("grid", y), text(LEFT - 6, py(y) + 4, "end", Number(y.toFixed(2))));
    }
    for (const [x, words] of is.ticks) {
      parts.push(`<line class="grid" x1="${px(x)}" x2="${px(x)}" y1="${BOTTOM}" y2="${BOTTOM + 5}"/>`);
      parts.push(text(px(x), BOTTOM + 18, "middle", raisedInSvg(words)));
    }
    parts.push(text((LEFT + right) / 2, HEIGHT - 4, "middle", is.axis));

    if (is.uncounted) {
      const wide = px(is.uncounted) - LEFT;
      parts.push(`<rect class="uncounted" x="${LEFT}" y="${TOP}" width="${wide}" height="${BOTTOM - TOP}"/>`);
    }
    if (is.here !== undefined) {
      parts.push(`<line class="here" x1="${px(is.here)}" x2="${px(is.here)}" y1="${TOP}" y2="${BOTTOM}"/>`);
    }
    for (const [which, y] of is.limits ?? []) parts.push(level(`limit ${which}`, y));
    for (const [which, points] of is.lines) {
      parts.push(`<path class="line ${which}" d="M${points.map(([x, y]) => `${px(x)} ${py(y)}`).join("L")}"/>`);
    }
    for (const [which, points, radius, kind = ""] of is.marks ?? []) {
      for (const [x, y] of points) parts.push(mark(which, px(x), py(y), radius, kind));
    }
    for (const [which, y] of apart(is.lines.map(([which, points]) => [which, py(points.at(-1)[1])]))) {
      parts.push(`<text class="end ${which}" x="${right + 6}" y="${y + 5}">${which.toUpperCase()}</text>`);
    }

    figure.querySelector("figcaption").innerHTML = raised(is.title);
    figure.querySelector("svg")?.remove();
    const svg = `<svg role="img" aria-label="${is.label}" viewBox="0 0 ${width} ${HEIGHT}">${parts.join("")}</svg>`;
    figure.insertAdjacentHTML("beforeend", svg);
    if (is.choose) {
      figure.lastElementChild.style.cursor = "pointer";
      figure.lastElementChild.addEventListener("click", (event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * width;
        is.choose(nearest(is.stops, (x - LEFT) / (right - LEFT)));
      });
    }
  }

  /** A is round and B is square, for those who do not see the colours. */
  function mark(which, x, y, radius, kind) {
    return which === "a" ? `<circle class="mark a ${kind}" cx="${x}" cy="${y}" r="${radius}"/>`
      : `<rect class="mark b ${kind}" x="${x - radius}" y="${y - radius}" width="${2 * radius}"`
        + ` height="${2 * radius}"/>`;
  }

  /** Two heights of labels, moved a line of type apart if they are closer. */
  function apart(ends) {
    const [upper, lower] = ends.sort((one, other) => one[1] - other[1]);
    if (lower[1] - upper[1] >= 15) return ends;
    const middle = Math.min((upper[1] + lower[1]) / 2, BOTTOM - 8);
    return [[upper[0], middle - 7.5], [lower[0], middle + 7.5]];
  }

  const heights = (series) => series.flatMap(([, points]) => points.map(([, y]) => y));
  const floor = (values) => Math.min(0.9, Math.floor(Math.min(...values) * 10 - 1e-6) / 10);

  function drawPanels(state) {
    const both = [["a", state.a], ["b", state.b]];
    const told = (of) => both.map(([which, curve]) => `${which.toUpperCase()} ${of(curve)}`).join(", ");
    drawCurves(state, both, told);
    drawLimits(state, both, told);
    const panels = [["log", LOG, "the log discount"], ["power", power(state), discountName(betas[state.beta])]]
      .map(([name, discount, called]) => [name, byLength(state, both, told, discount, called)]);
    // One scale for the two, so that they can be compared.
    const shown = panels.flatMap(([, is]) => [...heights([...is.lines, ...is.marks]), ...is.limits.map(([, y]) => y)]);
    for (const [name, is] of panels) drawPanel(name, { ...is, low: floor(shown), high: Math.max(1, ...shown) });
  }

  function drawCurves(state, both, told) {
    const cut = cutoffs[state.cut];
    drawPanel("curves", {
      title: "Relevance ȳ(s); s = 1 is the top",
      label: `Relevance curves: ${told((curve) => `is ${curves[curve].formula}`)}.`,
      axis: `canonical score s${cut < 1 ? " (grey: does not count)" : ""}`,
      ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((s) => [s, String(s)]),
      low: 0,
      high: 1,
      uncounted: 1 - cut,
      lines: both.map(([which, curve]) => [which, data.scores.map((s, i) => [s, curves[curve].line[i]])]),
    });
  }

  function drawLimits(state, both, told) {
    const lines = both.map(([which, curve]) => [which, betas.map((x, i) => [x, limitOf(state, 1 + i, curve)])]);
    const at = (discount) => told((curve) => fixed(limitOf(state, discount, curve)));
    drawPanel("limits", {
      title: `The limit of ${measureName(state)} under r^−β`,
      label: `Limits under ${discountName(betas[state.beta])}: ${at(power(state))}; the log discount: ${at(LOG)}.`,
      axis: "exponent β (at 0 also the log discount, at 1 Zipf's)",
      ticks: [0, 0.25, 0.5, 0.75, 1].map((x) => [x, String(x)]),
      low: floor(heights(lines)),
      high: 1,
      here: betas[state.beta],
      lines,
      marks: lines.flatMap(([which, points]) => [[which, points, 1], [which, [points[state.beta]], 4]]),
      stops: betas,
      choose: (beta) => change({ ...current, beta }),
    });
  }

  /** What to draw of NDCG against the number of items; the scale is the caller's. */
  function byLength(state, both, told, discount, called) {
    const rows = both.map(([which, curve]) => [which, row(state, discount, curve)]);
    const points = (list, values) => list.map((n, i) => [along(n), values[i]]).filter(([, y]) => !Number.isNaN(y));
    const lines = rows.map(([which, values]) => [which, points(long, values.slice(short.length))]);
    const n = lengths[state.n];
    const now = told((curve) => fixed(valueOf(state, discount, curve)));
    const then = told((curve) => fixed(limitOf(state, discount, curve)));
    return {
      title: `${measureName(state)} under ${called}`,
      label: `${measureName(state)} under ${called} for n = ${lengthName(n)} items: ${now}; its limits: ${then}.`,
      axis: "items n (each tick squares the last)",
      ticks: [1, 2, 4, 8, 16, 32, 64].map((k) => [along(10 ** k), k === 1 ? "10" : `10^${k}`]),
      here: along(n),
      lines,
      marks: [
        ...lines.map(([which, stops]) => [which, stops, 1]),
        ...rows.map(([which, values]) => [which, points(short, values), 2.6, "exact"]),
        ...both.map(([which, curve]) => [which, [[along(n), valueOf(state, discount, curve)]], 4]),
      ],
      limits: rows.map(([which, values]) => [which, values[LIMIT]]),
      stops: lengths.map(along),
      choose: (place) => change({ ...current, n: place }),
    };
  }

  // ---- together ----

  let current, pending;

  function change(state, remember = true) {
    current = state;
    syncControls(state);
    root.querySelector(".told").innerHTML = raised(sentence(state));
    drawTable(state);
    drawPanels(state);
    clearTimeout(pending); // browsers limit how often an address may change
    if (remember) pending = setTimeout(() => history.replaceState(null, "", toHash(state)), 150);
  }

  change(fromHash(location.hash, { ...fromTry(data.tries[0]), n: lengths.indexOf(1e6) }), false);
  form.addEventListener("input", (event) => change(fromControls(event.target.name)));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => change(fromHash(location.hash, current), false));
  new ResizeObserver(() => requestAnimationFrame(() => drawPanels(current))).observe(root.querySelector(".panels"));
})();

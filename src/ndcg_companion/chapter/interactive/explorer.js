// The explorer: NDCG of two rankers, by discount, cut-off and number of items. Every number was computed in Python
// (numbers.py, beside this file) and is only looked up here: controls stop where numbers are.
(() => {
  "use strict";

  // ---- the numbers ----

  const { data, one, build, raised, options, remember, markTry, rule, stroke, text, picture, endNames,
    whenWidthChanges } = companionWidget("explorer");
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

  const raisedInSvg = (words) => raised(words, '<tspan dy="-5" font-size="9">$1</tspan>');
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
    const tries = data.tries.map((known) => {
      return `<li><a href="${toHash(fromTry(known))}">${known[0]}</a>: ${raised(known[1])}</li>`;
    });
    const families = options(Object.entries(data.families));
    const ranker = (which, name) => `
      <fieldset><legend class="of-${which}">Ranker ${name}</legend>
        <label for="explorer-family-${which}">Relevance curve</label>
        <select id="explorer-family-${which}" name="family-${which}">${families}</select>
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
    const panels = ["curves", "limits", "log", "power"].map((name) => `<figure data-panel="${name}"></figure>`);
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

  build(skeleton());
  const form = one("form");
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
      one(`output.of-${which}`).innerHTML = `ȳ(s) = ${raised(formula)}`;
    }
    for (const [name, text] of [["beta", discountName(betas[state.beta])], ["n", lengthName(lengths[state.n])]]) {
      field(name).value = state[name];
      field(name).setAttribute("aria-valuetext", text);
      one(`#explorer-${name}-now`).innerHTML = raised(text);
    }
    field("cut").value = state.cut;
    markTry(toHash(state));
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
    one("table").innerHTML = `
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
    const figure = one(`[data-panel="${name}"]`);
    const width = Math.max(240, Math.round(figure.clientWidth));
    const right = width - RIGHT;
    const px = (x) => Number((LEFT + x * (right - LEFT)).toFixed(1));
    const py = (y) => Number((BOTTOM - ((y - is.low) / (is.high - is.low)) * (BOTTOM - TOP)).toFixed(1));
    const level = (style, y) => rule(style, LEFT, right, py(y));
    const upright = (style, x, y1, y2) => rule(style, px(x), px(x), y1, y2);
    const parts = [];

    const range = is.high - is.low;
    const step = range > 0.5 ? 0.2 : range > 0.2 ? 0.1 : 0.05;
    for (let y = Math.ceil(is.low / step - 1e-9) * step; y <= is.high + 1e-9; y += step) {
      parts.push(level("grid", y), text("", LEFT - 6, py(y) + 4, "end", Number(y.toFixed(2))));
    }
    for (const [x, words] of is.ticks) {
      parts.push(upright("grid", x, BOTTOM, BOTTOM + 5), text("", px(x), BOTTOM + 18, "middle", raisedInSvg(words)));
    }
    parts.push(text("", (LEFT + right) / 2, HEIGHT - 4, "middle", is.axis));

    if (is.uncounted) {
      const wide = px(is.uncounted) - LEFT;
      parts.push(`<rect class="uncounted" x="${LEFT}" y="${TOP}" width="${wide}" height="${BOTTOM - TOP}"/>`);
    }
    if (is.here !== undefined) parts.push(upright("here", is.here, TOP, BOTTOM));
    for (const [which, y] of is.limits ?? []) parts.push(level(`limit ${which}`, y));
    for (const [which, points] of is.lines) parts.push(stroke(which, points.map(([x, y]) => [px(x), py(y)])));
    for (const [which, points, radius, kind = ""] of is.marks ?? []) {
      for (const [x, y] of points) parts.push(mark(which, px(x), py(y), radius, kind));
    }
    parts.push(endNames(right + 6, is.lines.map(([which, points]) => [which, py(points.at(-1)[1])]), BOTTOM - 8));

    figure.innerHTML = `<figcaption>${raised(is.title)}</figcaption>${picture(is.label, width, HEIGHT, parts)}`;
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

  let current;

  function change(state, keep = true) {
    current = state;
    syncControls(state);
    one(".told").innerHTML = raised(sentence(state));
    drawTable(state);
    drawPanels(state);
    if (keep) remember(toHash(state));
  }

  change(fromHash(location.hash, { ...fromTry(data.tries[0]), n: lengths.indexOf(1e6) }), false);
  form.addEventListener("input", (event) => change(fromControls(event.target.name)));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => change(fromHash(location.hash, current), false));
  whenWidthChanges(one(".panels"), () => drawPanels(current));
})();

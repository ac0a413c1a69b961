// The explorer: NDCG of two rankers, by discount, cut-off and number of items. Every number was computed in
// Python (numbers.py, beside this file) and is only looked up here: controls stop where numbers are.

// ---- the numbers ----

const { alphabet, betas, cutoffs, short, long } = data;
const lengths = [...new Set([...short, ...long])].sort((one, other) => one - other);
const LOG = 0; // the first of the discounts; those with a beta follow
const LIMIT = short.length + long.length;

function decode(text) {
  const add = (sum, letter) => sum * alphabet.length + alphabet.indexOf(letter);
  const units = (word) => [...word].reduce(add, 0);
  return text.match(/.../g).map((word) => (word === "   " ? NaN : units(word) * data.unit));
}

const curves = data.curves.map(([family, parameter, formula, line]) =>
  ({ family, parameter, formula, line: decode(line) }));
const placesOf = (family) => curves.flatMap((curve, i) => (curve.family === family ? [i] : []));

const power = (state) => 1 + state.beta;
/** A row of the table; values that repeat the last one were left out. */
function row(state, discount, curve) {
  const known = decode(data.values[state.cut][discount][curve]);
  return Array.from({ length: LIMIT + 1 }, (_, place) => known[place] ?? known.at(-1));
}
const limitOf = (state, discount, curve) => row(state, discount, curve)[LIMIT];

/** The exact expectation as far as there is one, then the pseudo-expectation. */
function valueOf(state, discount, curve) {
  const n = lengths[state.n];
  const place = short.includes(n) ? short.indexOf(n) : short.length + long.indexOf(n);
  return row(state, discount, curve)[place];
}

// ---- words ----

const raisedInSvg = (words) => raised(words, '<tspan dy="-5" font-size="9">$1</tspan>');
const small = (x) => Math.abs(x) < 5e-4;
const fixed = (x) => (small(x) ? 0 : x).toFixed(3).replace("-", "−");
const size = (x) => fixed(Math.abs(x));
const discountName = (beta) => (beta === 1 ? "1/r" : beta === 0 ? "r^0" : `r^−${beta}`);
const lengthName = (n) => (n < 1e4 ? n.toLocaleString("en-US") : `10^${Math.round(Math.log10(n))}`);
const measureNames = ["NDCG", ...cutoffs.slice(1, -1).map((c) => `NDCG@${c}n`), "mean NDCG@10"];
const measureName = ({ cut }) => measureNames[cut];

function sentence(state) {
  if (state.a === state.b) return "A and B are the same curve: no discount tells them apart.";
  const gap = (of, discount) => of(state, discount, state.a) - of(state, discount, state.b);
  const by = (x) => (small(x) ? "neither ahead by 0.001" : `${x > 0 ? "A" : "B"} ahead by ${size(x)}`);
  const left = (x) => `leaves ${x === 0 ? "nothing" : small(x) ? "less than 0.001" : size(x)}`;
  const name = discountName(betas[state.beta]);
  return `At n = ${lengthName(lengths[state.n])} the log discount puts ${by(gap(valueOf, LOG))}, `
    + `${name} puts ${by(gap(valueOf, power(state)))}. In the limit the log discount `
    + `${left(gap(limitOf, LOG))} between them, ${name} ${left(gap(limitOf, power(state)))}.`;
}

// ---- the state, and its name in the address ----

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
    const parameters = places.map((i) => curves[i].parameter);
    if (places.length) after[which] = places[nearest(parameters, Number(parameter))];
  }
  const number = (name) => (read.get(name) ? Number(read.get(name)) : NaN);
  if (Number.isFinite(number("beta"))) after.beta = nearest(betas, number("beta"));
  if (Number.isFinite(number("cut"))) after.cut = nearest(cutoffs, number("cut"));
  if (number("n") > 0) after.n = nearest(lengths.map(Math.log), Math.log(number("n")));
  return after;
}

// ---- the controls ----

all(".tries a").forEach((link, i) => link.setAttribute("href", toHash(fromTry(data.tries[i]))));
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
    one(`output.of-${which}`).innerHTML = `share relevant at s: ${raised(formula)}`;
  }
  const said = { beta: discountName(betas[state.beta]), n: lengthName(lengths[state.n]) };
  for (const [name, text] of Object.entries(said)) {
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

function fillTable(state) {
  const both = (curve) => (discount) => [valueOf(state, discount, curve), limitOf(state, discount, curve)];
  const values = (curve) => [LOG, power(state)].flatMap(both(curve));
  const [a, b] = [values(state.a), values(state.b)];
  const numbers = [...a, ...b, ...a.map((x, i) => x - b[i])];
  one("caption").textContent = measureName(state);
  one("th.power").innerHTML = raised(discountName(betas[state.beta]));
  for (const head of all("th.length")) head.innerHTML = `n = ${raised(lengthName(lengths[state.n]))}`;
  for (const [i, cell] of all("tbody td").entries()) cell.textContent = fixed(numbers[i]);
}

// ---- the pictures ----

const HEIGHT = 236, LEFT = 36, RIGHT = 20, TOP = 8, BOTTOM = HEIGHT - 40; // of a panel, in pixels

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
    parts.push(upright("grid", x, BOTTOM, BOTTOM + 5));
    parts.push(text("", px(x), BOTTOM + 18, "middle", raisedInSvg(words)));
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
  const ends = is.lines.map(([which, points]) => [which, py(points.at(-1)[1])]);
  parts.push(endNames(right + 6, ends, BOTTOM - 8));

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
  const limits = panels.flatMap(([, is]) => is.limits.map(([, y]) => y));
  const shown = [...panels.flatMap(([, is]) => heights([...is.lines, ...is.marks])), ...limits];
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
    uncounted: Math.max(0, 1 - cut),
    lines: both.map(([which, curve]) => [which, data.scores.map((s, i) => [s, curves[curve].line[i]])]),
  });
}

function drawLimits(state, both, told) {
  const lines = both.map(([which, curve]) => [which, betas.map((x, i) => [x, limitOf(state, 1 + i, curve)])]);
  const at = (discount) => told((curve) => fixed(limitOf(state, discount, curve)));
  const name = discountName(betas[state.beta]);
  drawPanel("limits", {
    title: `The limit of ${measureName(state)} under r^−β`,
    label: `Limits under ${name}: ${at(power(state))}; the log discount: ${at(LOG)}.`,
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
  const points = (list, values) =>
    list.map((n, i) => [along(n), values[i]]).filter(([, y]) => !Number.isNaN(y));
  const lines = rows.map(([which, values]) => [which, points(long, values.slice(short.length))]);
  const n = lengths[state.n], title = `${measureName(state)} under ${called}`;
  const now = told((curve) => fixed(valueOf(state, discount, curve)));
  const then = told((curve) => fixed(limitOf(state, discount, curve)));
  return {
    title,
    label: `${title} for n = ${lengthName(n)} items: ${now}; its limits: ${then}.`,
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
  fillTable(state);
  drawPanels(state);
  if (keep) remember(toHash(state));
}

change(fromHash(location.hash, { ...fromTry(data.tries[0]), n: lengths.indexOf(1e6) }), false);
form.addEventListener("input", (event) => change(fromControls(event.target.name)));
window.addEventListener("hashchange", () => change(fromHash(location.hash, current), false));
whenWidthChanges(one(".panels"), () => drawPanels(current));

// The race: two rankers on a list that grows, drawn here; how likely A is ahead was computed in Python
// (race.py, beside this file) on a grid of sizes, and is read off straight strokes between its stops.

const START = { a: "clear", b: "random", discount: "log", k: "all", n: 10_000, races: 8, seed: 1 };
const MOST = 12; // races that are shown at once, the newest; all are counted
const STOPS = 120; // sizes at which a race looks who is ahead
const place = (list, name) => list.findIndex(([known]) => known === name);

// ---- a race ----

/** Numbers in (0, 1) that a whole number determines (mulberry32). */
function numbers(seed) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x ^= x + Math.imul(x ^ (x >>> 7), 61 | x);
    return (((x ^ (x >>> 14)) >>> 0) + 0.5) / 4_294_967_296;
  };
}

const WEIGHT = {
  log: (r) => 1 / Math.log(1 + r),
  root: (r) => r ** -0.5,
  steep: (r) => r ** -0.75,
  zipf: (r) => 1 / r,
  halves: (r) => 2 ** -r,
};

/** The items in the order of a ranker: label first, then a depth by rejection. */
function ranked(labels, g, random) {
  const relevance = (u) => g.reduceRight((sum, coefficient) => sum * u + coefficient, 0);
  const depths = Float64Array.from(labels, (label) => {
    for (;;) {
      const u = random();
      if (random() < (label ? relevance(u) : 1 - relevance(u))) return u;
    }
  });
  return Uint32Array.from(labels.keys()).sort((one, other) => depths[one] - depths[other]);
}

const positions = (k, n) => (k === null ? n : k < 1 ? Math.max(1, Math.floor(k * n + 1e-9)) : Math.min(k, n));

/** NDCG of both rankers on the first items of one list, at growing sizes. */
function run(state, seed) {
  const random = numbers(seed);
  const labels = Uint8Array.from({ length: state.n }, () => (random() < 0.5 ? 1 : 0));
  const known = (list, name) => list[place(list, name)][2];
  const orders = [state.a, state.b].map((name) => ranked(labels, known(data.rankers, name), random));
  const k = known(data.cutoffs, state.k);
  const weights = Float64Array.from({ length: state.n }, (_, i) => WEIGHT[state.discount](i + 1));
  const ideal = new Float64Array(state.n + 1);
  const relevant = new Uint32Array(state.n + 1);
  for (let i = 0; i < state.n; i++) {
    ideal[i + 1] = ideal[i] + weights[i];
    relevant[i + 1] = relevant[i] + labels[i];
  }
  const sizes = [...new Set(Array.from({ length: STOPS }, (_, i) => {
    return Math.round(10 * (state.n / 10) ** (i / (STOPS - 1)));
  }))];
  const scores = orders.map((order) => sizes.map((n) => {
    const most = positions(k, n);
    let rank = 0, sum = 0;
    for (let i = 0; rank < most && i < order.length; i++) {
      if (order[i] < n) sum += labels[order[i]] * weights[rank++];
    }
    return relevant[n] ? sum / ideal[Math.min(relevant[n], most)] : 0;
  }));
  return { sizes, scores };
}

const leader = (race, i = -1) => {
  const gap = race.scores[0].at(i) - race.scores[1].at(i);
  return Math.abs(gap) < 1e-12 ? "tie" : gap > 0 ? "a" : "b";
};

/** How likely A is ahead at each size of the grid; 1/2 for a ranker against its like. */
function chances(state) {
  const [a, b] = [state.a, state.b].map((name) => place(data.rankers, name));
  if (a === b) return data.sizes.map(() => 0.5);
  const [first, second] = [Math.min(a, b), Math.max(a, b)];
  let pair = second - first - 1;
  for (let i = 0; i < first; i++) pair += data.rankers.length - 1 - i;
  const row = data.chances[pair][place(data.discounts, state.discount)][place(data.cutoffs, state.k)];
  return a < b ? row : row.map((chance) => 1 - chance);
}

// ---- the state, and its name in the address ----

/** The state with the races that are shown alone. */
const seen = ({ races, seed, ...chosen }, shown = Math.min(races, MOST)) =>
  ({ ...chosen, races: shown, seed: seed + races - shown });

const toHash = (state) => `#${new URLSearchParams(seen(state))}`;

/** The state that an address names; what it does not name, or names wrongly, stays as it is. */
function fromHash(hash, before) {
  const read = new URLSearchParams(hash.slice(1));
  const known = { a: data.rankers, b: data.rankers, discount: data.discounts, k: data.cutoffs };
  const after = { ...before };
  for (const [name, list] of Object.entries(known)) {
    if (place(list, read.get(name)) >= 0) after[name] = read.get(name);
  }
  const [n, races, seed] = ["n", "races", "seed"].map((name) => Number(read.get(name)));
  if (place(data.lengths, n) >= 0) after.n = n;
  if (Number.isInteger(races) && races >= 1 && races <= MOST) after.races = races;
  if (Number.isSafeInteger(seed) && seed >= 1 && seed < 2 ** 31) after.seed = seed;
  return after;
}

// ---- words ----

const count = (n) => n.toLocaleString("en-US");
const of100 = (chance, share = Math.round(100 * chance)) =>
  share === 100 ? "more than 99 in 100" : share === 0 ? "fewer than 1 in 100" : `${share} in 100`;

function sentence(state, races) {
  const race = races.at(-1), leads = race.sizes.map((_, i) => leader(race, i));
  const turns = leads.flatMap((who, i) => (i && who !== leads[i - 1] ? [race.sizes[i]] : []));
  const ndcg = race.scores.map((scores) => scores.at(-1).toFixed(3)).sort().reverse(); // the leader's first
  const who = { a: "A is ahead", b: "B is ahead", tie: "neither is ahead" }[leads.at(-1)];
  const times = turns.length === 1 ? "once" : `${turns.length} times`;
  const changed = turns.length === 0 ? "The lead never changed."
    : `The lead was seen to change ${times}, last near ${count(turns.at(-1))} items.`;
  const [won, drawn] = [races.filter((one) => leader(one) === "a"), races].map((some) => count(some.length));
  const all = races.length > 1 ? ` Of these ${drawn} races A is ahead at the end of ${won}.` : "";
  return `The newest list: at ${count(state.n)} items ${who}, NDCG ${ndcg.join(" against ")}. ${changed}`
    + `${all} Of many such lists, A would be ahead on ${of100(chances(state)[data.sizes.indexOf(state.n)])}.`;
}

// ---- the picture ----

const canvas = one(".picture");
const wide = () => Math.max(280, Math.round(canvas.clientWidth));

const LEFT = 44, RIGHT = 26, TALL = 150, STRIP = 13;

function draw(state, races, fresh) {
  const width = wide(), right = width - RIGHT, parts = [];
  const along = (n) => Math.log10(n / 10) / Math.log10(state.n / 10);
  const px = (n) => Number((LEFT + along(n) * (right - LEFT)).toFixed(1));
  let top = 0;
  const frame = (heading, low, high, ticks) => {
    parts.push(text("head", 0, top + 13, "start", heading));
    const from = top + 22;
    const y = (value) => Number((from + TALL * (1 - (value - low) / (high - low))).toFixed(1));
    for (const tick of ticks) {
      parts.push(rule("grid", LEFT, right, y(tick)));
      parts.push(text("", LEFT - 6, y(tick) + 4, "end", Number(tick.toFixed(2))));
    }
    top = from + TALL + 8;
    return y;
  };

  // One strip for each race.
  const [a, b] = ["a", "b"].map((name) => `<tspan fill="var(--${name})">${name.toUpperCase()}</tspan>`);
  parts.push(text("head", 0, top + 13, "start", `Who is ahead, list by list: ${a} or ${b}`));
  top += 20;
  races.forEach((one, row) => {
    const strips = [];
    for (let i = 0, start = 0; i < one.sizes.length; i++) {
      if (i + 1 === one.sizes.length || leader(one, i + 1) !== leader(one, start)) {
        const [from, to] = [px(one.sizes[start]), i + 1 === one.sizes.length ? right : px(one.sizes[i + 1])];
        const size = `width="${Math.max(0, to - from)}" height="${STRIP - 3}"`;
        strips.push(`<rect class="${leader(one, start)}" x="${from}" y="${top}" ${size}/>`);
        start = i + 1;
      }
    }
    parts.push(`<g class="${fresh > races.length - 1 - row ? "fresh" : ""}">${strips.join("")}</g>`);
    top += STRIP;
  });
  top += 10;

  // The chance.
  const p = frame("How likely A is ahead", 0, 1, [0, 0.5, 1]);
  const known = chances(state).map((chance, i) => [data.sizes[i], chance]).filter(([n]) => n <= state.n);
  parts.push(rule("half", LEFT, right, p(0.5)));
  parts.push(stroke("chance", known.map(([n, chance]) => [px(n), p(chance)])));
  for (const [n, chance] of known) parts.push(`<circle cx="${px(n)}" cy="${p(chance)}" r="3"/>`);
  top += 6;

  // NDCG of the newest race.
  const race = races.at(-1), all = race.scores.flat();
  const low = Math.max(0, Math.floor(Math.min(...all) * 10 - 0.5) / 10);
  const high = Math.min(1, Math.ceil(Math.max(...all) * 10) / 10);
  const y = frame("NDCG of the newest list, while it grows", low, high, [low, (low + high) / 2, high]);
  const points = (scores) => scores.map((score, i) => [px(race.sizes[i]), y(score)]);
  const lines = race.scores.map((scores, i) => stroke("ab"[i], points(scores)));
  const names = endNames(right + 6, race.scores.map((scores, i) => ["ab"[i], y(scores.at(-1))]));
  parts.push(`<g class="${fresh ? "fresh" : ""}">${lines.join("")}${names}</g>`); // names tell who wins
  for (let n = 10; n <= state.n; n *= 10) parts.push(text("", px(n), top + 8, "middle", count(n)));
  parts.push(text("", (LEFT + right) / 2, top + 24, "middle", "items in the list"));

  const label = `The chance that A is ahead goes from ${known[0][1].toFixed(2)} at 10 items to `
    + `${known.at(-1)[1].toFixed(2)} at ${count(state.n)}.`;
  canvas.innerHTML = picture(label, width, top + 28, parts);
}

// ---- together ----

const CHOSEN = ["a", "b", "discount", "k", "n"];
let current, races;

/** Draws the races of a state, and says who won when the strips have run to their ends. */
async function show(state, fresh = 0, keep = true) {
  const same = current && [...CHOSEN, "seed"].every((name) => current[name] === state[name]);
  races = Array.from({ length: state.races }, (_, i) => (same && races[i]) || run(state, state.seed + i));
  current = state;
  for (const name of CHOSEN) form.elements[name].value = state[name];
  one(".told").textContent = "The lists are growing.";
  draw(state, races.slice(-MOST), fresh);
  if (keep) remember(toHash(state));
  await Promise.allSettled(canvas.getAnimations({ subtree: true }).map((strip) => strip.finished));
  if (state === current) one(".told").textContent = sentence(state, races);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const more = Number(event.submitter?.value ?? 1);
  show({ ...current, races: current.races + more }, more);
});
form.addEventListener("input", () => {
  const chosen = Object.fromEntries(CHOSEN.map((name) => [name, form.elements[name].value]));
  show({ ...seen(current), ...chosen, n: Number(chosen.n) }, MOST); // another choice is another tally
});
form.querySelector('button[type="button"]').addEventListener("click", () => {
  show({ ...current, races: 1, seed: current.seed + current.races }, 1);
});
window.addEventListener("hashchange", () => {
  if (location.hash !== toHash(current)) show(fromHash(location.hash, current), 0, false);
});
whenWidthChanges(canvas, () => { // a new strip makes the picture taller, which is no reason
  if (canvas.firstChild.viewBox.baseVal.width !== wide()) draw(current, races.slice(-MOST), 0);
});
show(fromHash(location.hash, START), 0, false);
root.race = run; // for whoever wants to look at a list's numbers

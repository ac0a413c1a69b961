// The race: two rankers on lists that grow, drawn here; how likely A is ahead was computed in Python
// (race.py, beside this file) on a grid of sizes, and is read off straight strokes between its stops.

const START = { ...data.bets[0][1], races: 0, seed: 1 };
const MOST = 12; // races that are shown at once, the newest; all are counted
const STOPS = 120; // sizes at which a race looks who is ahead, and at which one of many queries does
const FEWER_STOPS = 40;
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
  const keys = new Float64Array(labels.length);
  for (let i = 0; i < keys.length; i++) {
    for (let kept = false; !kept;) {
      const u = random();
      let relevance = 0;
      for (let power = g.length - 1; power >= 0; power--) relevance = relevance * u + g[power];
      kept = random() < (labels[i] ? relevance : 1 - relevance);
      keys[i] = Math.floor(u * 2 ** 32) * 2 ** 17 + i;
    }
  }
  keys.sort(); // as numbers, which is much faster than by a function of two items
  return Uint32Array.from(keys, (key) => key % 2 ** 17);
}

const positions = (k, n) => (k === null ? n : k < 1 ? Math.max(1, Math.floor(k * n + 1e-9)) : Math.min(k, n));

/** NDCG of both rankers on the first items of a list, at growing sizes: its mean over the queries. */
function run(state, seed) {
  const random = numbers(seed), known = (list, name) => list[place(list, name)][2];
  const curves = [state.a, state.b].map((name) => known(data.rankers, name));
  const k = known(data.cutoffs, state.k);
  const weights = Float64Array.from({ length: state.n }, (_, i) => WEIGHT[state.discount](i + 1));
  const labels = new Uint8Array(state.n), relevant = new Uint32Array(state.n + 1);
  const ideal = new Float64Array(state.n + 1);
  for (let i = 0; i < state.n; i++) ideal[i + 1] = ideal[i] + weights[i];
  const stops = state.queries > 1 ? FEWER_STOPS : STOPS;
  const sizes = [...new Set(Array.from({ length: stops }, (_, i) => {
    return Math.round(10 * (state.n / 10) ** (i / (stops - 1)));
  }))];
  const scores = curves.map(() => sizes.map(() => 0));
  for (let query = 0; query < state.queries; query++) {
    for (let i = 0; i < state.n; i++) labels[i] = random() < 0.5 ? 1 : 0;
    for (let i = 0; i < state.n; i++) relevant[i + 1] = relevant[i] + labels[i];
    curves.map((g) => ranked(labels, g, random)).forEach((order, which) => sizes.forEach((n, at) => {
      const most = positions(k, n);
      let rank = 0, sum = 0;
      for (let i = 0; rank < most && i < order.length; i++) {
        if (order[i] < n) sum += labels[order[i]] * weights[rank++];
      }
      scores[which][at] += relevant[n] ? sum / ideal[Math.min(relevant[n], most)] / state.queries : 0;
    }));
  }
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
  const by = data.chances[pair][place(data.discounts, state.discount)][place(data.cutoffs, state.k)];
  const row = by[place(data.queries, state.queries)];
  return a < b ? row : row.map((chance) => 1 - chance);
}

// ---- the state, and its name in the address ----

/** The state with the races that are shown alone. */
const seen = ({ races, seed, ...chosen }, shown = Math.min(races, MOST)) =>
  ({ ...chosen, races: shown, seed: seed + races - shown });

const toHash = (state) => `#${new URLSearchParams(seen(state))}`;

/** Lists that are too long for so many queries are cut to the longest that are not. */
const fits = (n, queries) => n * queries <= data.mostItems;
function cut(state) {
  const short = data.lengths.map(([n]) => n).filter((n) => n <= state.n && fits(n, state.queries));
  return { ...state, n: Math.max(...short) };
}

/** The state that an address names; what it does not name, or names wrongly, stays as it is. */
function fromHash(hash, before) {
  const read = new URLSearchParams(hash.slice(1));
  const known = { a: data.rankers, b: data.rankers, discount: data.discounts, k: data.cutoffs };
  const after = { ...before };
  const named = Object.entries(known).filter(([name, list]) => place(list, read.get(name)) >= 0);
  for (const [name] of named) after[name] = read.get(name);
  const [n, queries, races, seed] = ["n", "queries", "races", "seed"].map((name) => Number(read.get(name)));
  if (place(data.lengths, n) >= 0) after.n = n;
  if (place(data.queries, queries) >= 0) after.queries = queries;
  else if (named.length) after.queries = 1; // as before there were several
  if (Number.isInteger(races) && races >= 1 && races <= MOST) after.races = races;
  if (Number.isSafeInteger(seed) && seed >= 1 && seed < 2 ** 31) after.seed = seed;
  return cut(after);
}

// ---- words ----

const count = (n) => n.toLocaleString("en-US");
const of100 = (chance, share = Math.round(100 * chance)) =>
  share === 100 ? "more than 99 in 100" : share === 0 ? "fewer than 1 in 100" : `${share} in 100`;
const chance = (state) => chances(state)[data.sizes.indexOf(state.n)];
const wins = (races) => races.filter((one) => leader(one) === "a").length;
const betAbout = (state) =>
  data.bets.findIndex(([, bet]) => CHOSEN.every((name) => bet[name] === state[name]));
const betOn = (state) => bets[betAbout(state)]; // undefined without one
/** Whether the reader has yet to bet on these races; an address that was shared has no secrets. */
const isSecret = (state) => !SHARED && betAbout(state) >= 0 && betOn(state) === undefined;

function sentence(state, races) {
  const race = races.at(-1), leads = race.sizes.map((_, i) => leader(race, i));
  const turns = leads.flatMap((who, i) => (i && who !== leads[i - 1] ? [race.sizes[i]] : []));
  const ndcg = race.scores.map((scores) => scores.at(-1).toFixed(3)).sort().reverse(); // the leader's first
  const who = { a: "A is ahead", b: "B is ahead", tie: "neither is ahead" }[leads.at(-1)];
  const times = turns.length === 1 ? "once" : `${turns.length} times`;
  const changed = turns.length === 0 ? "The lead never changed."
    : `The lead was seen to change ${times}, last near ${count(turns.at(-1))} items.`;
  const all = `A is ahead at the end of ${count(wins(races))} of these ${count(races.length)} races; `
    + `its computed chance is ${of100(chance(state))}.`;
  const off = Math.abs(betOn(state) - Math.round(100 * chance(state))); // not a number without a bet
  const bet = off >= 0 ? ` You bet on ${betOn(state)}${off ? `, ${off} off that chance` : ": just so"}.` : "";
  const mean = state.queries > 1 ? `mean NDCG over ${state.queries} queries` : "NDCG";
  const newest = `The newest: at ${count(state.n)} items ${who}, ${mean} ${ndcg.join(" against ")}.`;
  if (isSecret(state)) return `${newest} ${changed} Now bet: how often is A ahead?`;
  return `${races.length > 1 ? `${all}${bet} ${newest}` : `${newest} ${all}${bet}`} ${changed}`;
}

// ---- the pictures ----

const [upper, lower] = all(".picture"), tally = one(".tally");
const wide = () => Math.max(280, Math.round(upper.clientWidth));
const moves = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

const LEFT = 44, RIGHT = 26, TALL = 150, STRIP = 11;

/** How often A was ahead, as a bar, with a mark where its chance is. */
function drawTally(state, races) {
  const share = races.length ? wins(races) / races.length : 0, at = chance(state), late = at > 0.5;
  const percent = (part) => `${(100 * part).toFixed(1)}%`;
  one("i", tally).style.width = percent(share);
  one("b", tally).style.left = percent(at);
  one("b", tally).hidden = !races.length;
  const [a, b, mark] = all("span", tally);
  a.textContent = races.length ? `A ahead: ${count(wins(races))} of ${count(races.length)}` : "";
  b.textContent = races.length ? "B" : "";
  const edge = `calc(${percent(late ? 1 - at : at)} - 0.4em)`, words = `computed chance: ${of100(at)}`;
  mark.style.inset = late ? `1.5rem ${edge} auto auto` : `1.5rem auto auto ${edge}`; // where there is room
  mark.textContent = !races.length ? "" : late ? `${words} ▲` : `▲ ${words}`;
}

function draw(state, races, fresh) {
  const secret = isSecret(state);
  drawTally(state, secret ? [] : races);
  const shown = races.slice(-MOST), width = wide(), right = width - RIGHT;
  const along = (n) => Math.log10(n / 10) / Math.log10(state.n / 10);
  const px = (n) => Number((LEFT + along(n) * (right - LEFT)).toFixed(1));
  const sizes = (top, words) => {
    const ticks = [];
    for (let n = 10; n <= state.n; n *= 10) ticks.push(text("", px(n), top + 10, "middle", count(n)));
    return [...ticks, text("", (LEFT + right) / 2, top + 25, "middle", words)].join("");
  };

  // One strip for each race.
  const [a, b] = ["a", "b"].map((name) => `<tspan fill="var(--${name})">${name.toUpperCase()}</tspan>`);
  const heading = `Who is ahead while the lists grow: ${a} or ${b}`;
  const strips = Array.from({ length: MOST }, (_, row) => {
    const one = shown[row], top = 20 + row * STRIP, pieces = [];
    const piece = (style, from, to) => {
      const size = `width="${Math.max(0, to - from).toFixed(1)}" height="${STRIP - 3}"`;
      pieces.push(`<rect class="${style}" x="${from}" y="${top}" ${size}/>`);
    };
    if (!one) piece("none", LEFT, right);
    else for (let i = 0, start = 0; i < one.sizes.length; i++) {
      const last = i + 1 === one.sizes.length;
      if (last || leader(one, i + 1) !== leader(one, start)) {
        piece(leader(one, start), px(one.sizes[start]), last ? right : px(one.sizes[i + 1]));
        start = i + 1;
      }
    }
    return `<g class="${one && fresh > shown.length - 1 - row ? "fresh" : ""}">${pieces.join("")}</g>`;
  });
  const many = state.queries > 1 ? `items in the list of each of ${state.queries} queries`
    : "items in the list";
  const foot = 20 + MOST * STRIP;
  const told = shown.length ? `${shown.length} strips: who is ahead at each size.`
    : "No race has been run yet.";
  upper.innerHTML = picture(told, width, foot + 30, [
    text("head", 0, 13, "start", heading), ...strips, sizes(foot, many)]);
  lower.hidden = !shown.length || secret;
  if (!lower.hidden) drawCurves(state, shown.at(-1), fresh, { width, right, px, sizes });
}

function drawCurves(state, race, fresh, { width, right, px, sizes }) {
  const parts = [];
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

  const p = frame("How likely A is ahead", 0, 1, [0, 0.5, 1]);
  const known = chances(state).map((chance, i) => [data.sizes[i], chance]).filter(([n]) => n <= state.n);
  parts.push(rule("half", LEFT, right, p(0.5)));
  parts.push(stroke("chance", known.map(([n, chance]) => [px(n), p(chance)])));
  for (const [n, chance] of known) parts.push(`<circle cx="${px(n)}" cy="${p(chance)}" r="3"/>`);
  top += 6;

  const every = race.scores.flat();
  const low = Math.max(0, Math.floor(Math.min(...every) * 10 - 0.5) / 10);
  const high = Math.min(1, Math.ceil(Math.max(...every) * 10) / 10);
  const y = frame("NDCG in the newest race, while it grows", low, high, [low, (low + high) / 2, high]);
  const points = (scores) => scores.map((score, i) => [px(race.sizes[i]), y(score)]);
  const lines = race.scores.map((scores, i) => stroke("ab"[i], points(scores)));
  const names = endNames(right + 6, race.scores.map((scores, i) => ["ab"[i], y(scores.at(-1))]));
  parts.push(`<g class="${fresh ? "fresh" : ""}">${lines.join("")}${names}</g>`); // names tell who wins
  parts.push(sizes(top - 2, "items in the list"));

  const label = `The chance that A is ahead goes from ${known[0][1].toFixed(2)} at 10 items to `
    + `${known.at(-1)[1].toFixed(2)} at ${count(state.n)}.`;
  lower.innerHTML = picture(label, width, top + 28, parts);
}

// ---- together ----

const CHOSEN = ["a", "b", "discount", "k", "queries", "n"], NUMBERS = ["queries", "n"];
const bets = data.bets.map(() => undefined); // what the reader bet, of 100 races
const SHARED = Boolean(location.hash);
let current, races = [];

/** Runs what is missing of a state, and says who won when the strips have come to their ends. */
async function show(state, fresh = 0, keep = true) {
  const same = current && [...CHOSEN, "seed"].every((name) => current[name] === state[name]);
  const own = same ? races.slice(0, state.races) : [];
  [current, races] = [state, own];
  for (const name of CHOSEN) form.elements[name].value = state[name];
  for (const option of form.elements.n.options) option.disabled = !fits(Number(option.value), state.queries);
  const told = one(".told");
  told.textContent = state.races ? "The lists are growing." : told.dataset.first;
  for (let rested = performance.now(); own.length < state.races;) {
    own.push(run(state, state.seed + own.length));
    const watched = fresh > 1 && moves();
    if (watched) draw(state, own, 0);
    if (watched || performance.now() - rested > 50) {
      await new Promise((resume) => setTimeout(resume, watched ? 16 : 0));
      if (current !== state) return;
      rested = performance.now();
    }
  }
  draw(state, own, fresh > 1 ? 0 : fresh);
  if (keep) remember(toHash(state));
  const running = [upper, lower].flatMap((canvas) => canvas.getAnimations({ subtree: true }));
  await Promise.allSettled(running.map((strip) => strip.finished));
  if (state === current && state.races) told.textContent = sentence(state, own);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const more = Number(event.submitter?.value ?? 1);
  show({ ...current, races: current.races + more }, more);
});
form.addEventListener("input", ({ target }) => {
  if (target.type === "range") {
    target.nextElementSibling.value = target.value;
    return;
  }
  const chosen = Object.fromEntries(CHOSEN.map((name) => [name, form.elements[name].value]));
  for (const name of NUMBERS) chosen[name] = Number(chosen[name]);
  const before = seen(current); // another choice is another tally
  show(cut({ ...before, ...chosen, races: before.races || 1 }), 1);
});
for (const [which, button] of all("[data-bet]").entries()) {
  button.addEventListener("click", () => {
    bets[which] = Number(one("input", button.parentElement).value);
    show({ ...data.bets[which][1], races: 100, seed: Math.ceil(Math.random() * 2 ** 30) }, 100);
  });
}
one("[data-clear]").addEventListener("click", () => {
  show({ ...current, races: 1, seed: current.seed + current.races }, 1);
});
window.addEventListener("hashchange", () => {
  if (location.hash !== toHash(current)) show(fromHash(location.hash, current), 0, false);
});
whenWidthChanges(upper, () => { // a new strip makes the picture taller, which is no reason
  if (upper.firstChild?.viewBox.baseVal.width !== wide()) draw(current, races, 0);
});
show(fromHash(location.hash, START), 0, false);
if (!SHARED && moves()) { // once, when it is seen
  const watch = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    watch.disconnect();
    if (!current.races) show({ ...current, races: MOST }, MOST, false);
  }, { threshold: 0.6 });
  watch.observe(upper);
}
root.race = run; // for whoever wants to look at a list's numbers

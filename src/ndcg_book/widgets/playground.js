// The playground: ten graded documents to drag, and what four measures make of their order. The measures are
// those of ndcg_companion.measures, written a second time for the browser; a test compares the two.

// ---- the measures ----

const DISCOUNTS = {
  log: (r) => 1 / Math.log1p(r),
  power: (r, beta) => r ** -beta,
  geometric: (r) => 2 ** -r,
};
const GAINS = { linear: (label) => label, exponential: (label) => 2 ** label - 1 };
const TIES = {
  average: (group) => group.map(() => total(group) / group.length),
  best: (group) => bestFirst(group),
  worst: (group) => bestFirst(group).reverse(),
  stable: (group) => group,
};
const total = (values) => values.reduce((sum, value) => sum + value, 0);
const dot = (values, weights) => total(values.map((value, i) => value * weights[i]));
const bestFirst = (values) => [...values].sort((one, other) => other - one);

/** The values by decreasing score, those with equal scores settled by the rule for ties. */
function ranked(values, scores, ties) {
  const order = scores.map((_, i) => i).sort((i, j) => scores[j] - scores[i]);
  const groups = [];
  order.forEach((i, place) => {
    if (place === 0 || scores[i] !== scores[order[place - 1]]) groups.push([]);
    groups[groups.length - 1].push(values[i]);
  });
  return groups.flatMap(TIES[ties]);
}

/** What each document is worth and each place weighs; the lowest sum, where the scale does not begin at 0. */
const PARTS = {
  ndcg: (labels, { discount, beta, gain, k }) => ({
    values: labels.map(GAINS[gain]),
    weights: labels.map((_, i) => (i < k ? DISCOUNTS[discount](i + 1, beta) : 0)),
  }),
  rankdcg(labels) {
    const grades = bestFirst([...new Set(labels)]).reverse();
    const values = labels.map((label) => grades.indexOf(label) + 1);
    const weights = bestFirst(values).map((place) => 1 / (grades.length + 1 - place));
    return { values, weights, lowest: dot(bestFirst(values).reverse(), weights) };
  },
  linear: (labels) => ({ values: labels, weights: labels.map((_, i) => labels.length - 1 - i) }),
};

/** A measure as (sum − lowest) / (highest − lowest), NaN if not defined, with what stands at each rank. */
function workings(measure, labels, scores, options) {
  const { values, weights, lowest = 0 } = PARTS[measure](labels, options);
  const [placed, ideal] = [ranked(values, scores, options.ties), bestFirst(values)];
  const [sum, highest] = [dot(placed, weights), dot(ideal, weights)];
  return { placed, ideal, weights, sum, lowest, highest, value: (sum - lowest) / (highest - lowest) };
}

/**
 * All measures of a list, as ndcg_companion.measures has them.
 * @param {number[]} labels
 * @param {number[]} scores the highest ranks first
 * @param {object} options discount (log, power with its beta, geometric), gain (linear, exponential), k, and
 *   ties (average, best, worst, stable)
 */
function measures(labels, scores, options) {
  const [ndcg, rankdcg, linear] = Object.keys(PARTS).map((name) => workings(name, labels, scores, options));
  return { dcg: ndcg.sum, ndcg: ndcg.value, rankdcg: rankdcg.value, linear: linear.value };
}

window.companionPlayground = { measures };

// ---- the state, and its address ----

const LETTERS = [..."ABCDEFGHIJ"];
const N = LETTERS.length;
const HIGHEST = 3;
const among = (name, known) => (text) => (Object.hasOwn(known, text) ? { [name]: text } : null);
const READERS = {
  documents(text) {
    if (!/^([A-J][0-3][.~]){9}[A-J][0-3]$/.test(text) || new Set(text.match(/[A-J]/g)).size < N) return null;
    const documents = text.match(/[A-J]\d/g).map((one) => ({ name: one[0], grade: Number(one[1]) }));
    return { documents, tied: text.match(/[.~]/g).map((mark) => mark === "~") }; // with the next
  },
  discount(text) {
    const beta = /^power:(\d+(\.\d+)?)$/.exec(text)?.[1];
    if (beta && Number(beta) <= 2) return { discount: "power", beta: Number(beta) };
    if (text === "log") return { discount: "log" };
    return text === "geometric:0.5" ? { discount: "geometric" } : null;
  },
  gain: among("gain", GAINS),
  k: (text) => (/^([1-9]|10)$/.test(text) ? { k: Number(text) } : null),
  ties: among("ties", TIES),
  shown: among("shown", PARTS),
};

function toAddress({ documents, tied, discount, beta, gain, k, ties, shown }) {
  const marks = [...tied.map((one) => (one ? "~" : ".")), ""];
  const row = documents.map(({ name, grade }, i) => name + grade + marks[i]).join("");
  const named = { log: "log", power: `power:${beta}`, geometric: "geometric:0.5" }[discount];
  return `#documents=${row}&discount=${named}&gain=${gain}&k=${k}&ties=${ties}&shown=${shown}`;
}

/** The state that an address names, the rest as it is in `state`; or the first part that cannot be read. */
function fromAddress(address, state) {
  const found = { ...state };
  for (const [name, text] of new URLSearchParams(address.slice(1))) {
    const read = Object.hasOwn(READERS, name) ? READERS[name](text) : null;
    if (!read) return { refused: text ? `${name}=${text}` : name };
    Object.assign(found, read);
  }
  return { state: found };
}

const labelsOf = (state) => state.documents.map(({ grade }) => grade);

/** The scores belong to the places; those of tied places are equal. */
function scoresOf(state) {
  const scores = [N];
  for (const tied of state.tied) scores.push(scores[scores.length - 1] - (tied ? 0 : 1));
  return scores;
}

const measured = (state) => measures(labelsOf(state), scoresOf(state), state);

function moved(state, from, to) {
  const documents = [...state.documents];
  documents.splice(to, 0, ...documents.splice(from, 1));
  return { ...state, documents };
}

const changedAt = (list, place, value) => list.map((one, i) => (i === place ? value : one));
const graded = (state, place, grade) =>
  ({ ...state, documents: changedAt(state.documents, place, { ...state.documents[place], grade }) });
const untied = (state, documents) => ({ ...state, documents, tied: Array(N - 1).fill(false) });
const sorted = (state, sign) =>
  untied(state, [...state.documents].sort((one, other) => sign * (other.grade - one.grade)));

function random(state) {
  const draw = () => LETTERS.map((name) => ({ name, grade: Math.floor(Math.random() * (HIGHEST + 1)) }));
  let documents = draw();
  while (new Set(documents.map(({ grade }) => grade)).size < 2) documents = draw();
  return untied(state, documents);
}

// ---- words ----

const NAMES = {
  dcg: ({ k }) => `DCG@${k}`,
  ndcg: ({ k }) => `NDCG@${k}`,
  rankdcg: () => "RankDCG",
  linear: () => "linear NDCG",
};
const KEYS = Object.keys(NAMES).slice(0, data.measures); // the first so many, or all
const SAYS = {
  up: { one: "rises", many: "rise", would: "would rise", sign: "▲" },
  down: { one: "falls", many: "fall", would: "would fall", sign: "▼" },
  same: { one: "does not change", many: "do not change", would: "would not change", sign: "–" },
  none: { one: "has no value", many: "have no value", would: "would have no value", sign: "?" },
};
const GAIN_NAMES = { linear: "y", exponential: "2^y − 1" };
/** Three decimals, and more of what would be 0. */
const digits = (x) => (x && Math.abs(x) < 5e-4 ? x.toPrecision(1) : x.toFixed(3)).replace(/^-/, "−");
const short = (x) => (Number.isInteger(x) ? String(x) : digits(x));
const listed = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");

/** Means of whole numbers are shown as fractions. */
function fraction(x) {
  const below = 1 + LETTERS.findIndex((_, i) => Math.abs(x * (i + 1) - Math.round(x * (i + 1))) < 1e-9);
  if (!below) return digits(x);
  return below === 1 ? String(Math.round(x)) : `${Math.round(x * below)}/${below}`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const discountName = (discount, beta) =>
  ({ log: "1/log(1 + r)", power: `r^${Number(beta) ? `−${beta}` : 0}`, geometric: "2^−r" })[discount];

function reaction(before, after) {
  if (Number.isNaN(before) || Number.isNaN(after)) return "none";
  return Math.abs(after - before) < 1e-12 ? "same" : after > before ? "up" : "down";
}

/** Which measures change, in a sentence. */
function told(from, to, would = false) {
  const [before, after] = [measured(from), measured(to)];
  const parts = Object.entries(SAYS).flatMap(([kind, says]) => {
    const keys = KEYS.filter((key) => reaction(before[key], after[key]) === kind);
    const none = would ? "would change" : "changes";
    if (kind === "same" && keys.length === KEYS.length) return [`no measure ${none}`];
    const verb = would ? says.would : keys.length > 1 ? says.many : says.one;
    return keys.length ? [`${listed(keys.map((key) => NAMES[key](to)))} ${verb}`] : [];
  });
  return `${parts.join("; ")}.`;
}

/** What became of each measure, with numbers, for those who hear it. */
function report(from, to) {
  const [before, after] = [measured(from), measured(to)];
  return KEYS.map((key) => {
    const kind = reaction(before[key], after[key]);
    const by = kind === "up" || kind === "down" ? ` by ${digits(Math.abs(after[key] - before[key]))}` : "";
    const now = Number.isNaN(after[key]) ? "" : `: ${digits(after[key])}`;
    return `${NAMES[key](to)} ${SAYS[kind].one}${by}${now}`;
  }).join("; ");
}

// ---- the page ----

const list = one(".places");
const places = all(".place");
const cards = all(".handle");
const boxes = all(".document");
const swaps = all(".swap");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

all("dl > div").slice(KEYS.length).forEach((tile) => tile.remove());
for (const swap of swaps) all(".who", swap).slice(KEYS.length - 1).forEach((who) => who.remove());
if (data.measures) form.elements.shown[0].closest("fieldset").hidden = true;

one(".settings").open = matchMedia("(min-width: 40rem)").matches;
const start = fromAddress(data.start, { beta: 0.5 }).state;
let state = start;
let before = null; // the state before the last move, and which control made it
let preview = null; // the state after the swap that is pointed at
let drag = null;

const pair = (i) => `${state.documents[i].name} and ${state.documents[i + 1].name}`;

function renderTiles() {
  const [from, to] = preview ? [state, preview] : [before?.state ?? state, state];
  const [was, is, now] = [from, to, state].map(measured);
  const { highest } = workings("ndcg", labelsOf(state), scoresOf(state), state);
  all("dl > div").forEach((tile, i) => {
    const key = KEYS[i];
    const share = (values) => `${100 * (values[key] / (key === "dcg" ? highest : 1) || 0)}%`;
    one("dt", tile).textContent = NAMES[key](state);
    one(".value", tile).textContent = Number.isNaN(now[key]) ? "no value" : digits(now[key]);
    one(".fill", tile).style.width = share(now);
    one(".ghost", tile).hidden = !preview;
    one(".ghost", tile).style.left = share(is);
    const kind = reaction(was[key], is[key]);
    const size = kind === "up" || kind === "down" ? digits(Math.abs(is[key] - was[key])) : "";
    const words = { up: `▲ ${size}`, down: `▼ ${size}`, same: "does not change", none: "" }[kind];
    one(".change", tile).className = `change ${kind}`;
    one(".change", tile).textContent = preview || before ? (preview && size ? `would ${words}` : words) : "";
  });
}

function renderPlaces() {
  const now = measured(state), shown = workings(state.shown, labelsOf(state), scoresOf(state), state);
  const { placed, ideal, weights, sum, lowest, highest, value } = shown;
  const part = (weight) => (weight === 1 ? "1" : `1/${Math.round(1 / weight)}`);
  const weigh = { ndcg: digits, rankdcg: part, linear: String }[state.shown];
  const share = (x) => `${highest ? (100 * x) / highest : 0}%`;
  let [earned, idealEarned] = [0, 0];
  places.forEach((place, i) => {
    const { name, grade } = state.documents[i];
    const counts = state.shown !== "ndcg" || i < state.k;
    const earns = placed[i] * weights[i];
    idealEarned += ideal[i] * weights[i];
    place.classList.toggle("beyond", !counts);
    place.classList.toggle("cut", state.k === i + 1 && state.k < N);
    one(".document", place).style.setProperty("--grade", grade);
    one(".handle b", place).textContent = name;
    one(".title", place).textContent = data.titles[name];
    cards[i].setAttribute("aria-label", `${name}, grade ${grade}, rank ${i + 1} of ${N}`);
    one(".grade", place).textContent = grade;
    for (const step of all(".step", place)) {
      const by = Number(step.dataset.by);
      step.setAttribute("aria-label", `${by > 0 ? "Raise" : "Lower"} the grade of ${name}, now ${grade}`);
      step.setAttribute("aria-disabled", grade + by < 0 || grade + by > HIGHEST);
    }
    one(".product", place).textContent =
      counts ? `${weigh(weights[i])} × ${fraction(placed[i])} = ${short(earns)}` : "does not count";
    one(".so-far", place).innerHTML = `<span class="unseen">, sum </span>${short(earned + earns)}`;
    one(".before", place).style.width = share(earned);
    one(".now", place).style.left = share(earned);
    one(".now", place).style.width = share(earns);
    one(".ideal", place).style.left = share(idealEarned);
    earned += earns;
    if (i === N - 1) return;
    one(".tie", place).setAttribute("aria-label", `Tie ${pair(i)}`);
    one(".tie", place).setAttribute("aria-pressed", state.tied[i]);
    const would = measured(moved(state, i, i + 1));
    const spoken = all(".who", swaps[i]).map((who, place) => {
      const key = KEYS[1 + place], kind = reaction(now[key], would[key]);
      const name = NAMES[key](state);
      who.className = `who ${kind}`;
      who.textContent = `${name.replace(" NDCG", "")} ${SAYS[kind].sign}`;
      return `${name} ${SAYS[kind].would}`;
    });
    swaps[i].setAttribute("aria-label", `Swap ${pair(i)}: ${spoken.join(". ")}.`);
  });
  const [above, below] = [sum, highest].map((x) => (lowest ? `(${short(x)} − ${short(lowest)})` : short(x)));
  const name = NAMES[state.shown](state);
  const why = state.shown === "rankdcg" ? "it needs two different grades" : "no document is relevant";
  one(".fraction").textContent = Number.isNaN(value) ? `${name} has no value: ${why}.`
    : `${name} = ${above} / ${below} = ${digits(value)}`;
}

function renderSettings() {
  for (const name of [...Object.keys(SETTINGS), "shown"]) form.elements[name].value = state[name];
  const [beta, k] = all("output");
  beta.textContent = `β = ${state.beta}`;
  k.textContent = `k = ${state.k}`;
  const discount = discountName(state.discount, state.beta);
  one("summary").innerHTML =
    raised(`Discount ${discount}, gain ${GAIN_NAMES[state.gain]}, k = ${state.k}, ties: ${state.ties}`);
  one(".hint").textContent = state.tied.some(Boolean) ? "" : "(none now: press =)";
  markTry(toAddress(state));
}

function renderTold() {
  if (preview) one(".told").textContent = `Swap ${pair(preview.gap)}? ${capital(told(state, preview, true))}`;
  else if (before) one(".told").innerHTML = raised(`${before.what}: ${told(before.state, state)}`);
  else one(".told").textContent = "Point at an arrow pair to see what a swap would change.";
}

function render() {
  renderTiles();
  renderPlaces();
  renderSettings();
  renderTold();
}

// ---- moves ----

function say(text) {
  one(".told").textContent = text;
  one("[role=status]").textContent = text;
}

/** Makes a move. What one control does without interruption (`by`) counts as one. */
function perform(next, what, by = "") {
  const was = state;
  before = { state: by && before?.by === by ? before.state : state, what, by };
  state = next;
  preview = null;
  one(".refused").hidden = true;
  one(".link").hidden = true;
  render();
  slide(was);
  remember(toAddress(state), () => {
    one("[role=status]").textContent = `${before.what}: ${report(before.state, state)}.`;
  });
}

/** Lets documents glide from where they were. */
function slide(was) {
  if (calm.matches) return;
  const top = (i) => places[i].getBoundingClientRect().top;
  state.documents.forEach(({ name }, i) => {
    const from = was.documents.findIndex((document) => document.name === name);
    if (from === i || drag?.at === i) return;
    const glide = [{ transform: `translateY(${top(from) - top(i)}px)` }, { transform: "none" }];
    boxes[i].animate(glide, { duration: 160, easing: "ease-out" });
  });
}

function move(from, to, by) {
  perform(moved(state, from, to), `${state.documents[from].name} to rank ${to + 1}`, by);
}

function grade(place, to) {
  if (to < 0 || to > HIGHEST || to === state.documents[place].grade) return;
  perform(graded(state, place, to), `${state.documents[place].name} graded ${to}`);
}

function visit() {
  const address = location.hash;
  if (address === toAddress(state) || all("[id]", document).some(({ id }) => `#${id}` === address)) return;
  clearTimeout(pending);
  letGo();
  const found = fromAddress(address, start);
  one(".refused").hidden = !found.refused;
  if (found.refused) {
    const said = found.refused.length > 80 ? `${found.refused.slice(0, 80)}…` : found.refused;
    one(".refused").textContent = `This link’s “${said}” cannot be read: here is the list to start from.`;
  }
  state = found.state ?? start;
  before = preview = null;
  render();
}

async function copy() {
  write(toAddress(state));
  const link = one(".link");
  link.value = location.href;
  try {
    await navigator.clipboard.writeText(link.value);
    say("The link to what you see is copied.");
  } catch {
    link.hidden = false;
    link.select();
    say("Here is the link to what you see, ready to be copied.");
  }
}

const TOOLS = {
  reset: () => perform(start, "Reset"),
  random: () => perform(random(state), "New documents"),
  best: () => perform(sorted(state, 1), "Best first"),
  worst: () => perform(sorted(state, -1), "Worst first"),
  copy,
};

const SETTINGS = {
  discount: (value) => [{ discount: value }, `Discount ${discountName(value, state.beta)}`],
  beta: (value) => [{ discount: "power", beta: Number(value) }, `Discount ${discountName("power", value)}`],
  gain: (value) => [{ gain: value }, `Gain ${GAIN_NAMES[value]}`],
  k: (value) => [{ k: Number(value) }, `k = ${value}`],
  ties: (value) => [{ ties: value }, `Ties: ${value}`],
};

// ---- swapping, tying, grading, settings ----

const pointed = { hover: null, focus: null };

function point(how, gap) {
  pointed[how] = gap;
  const at = pointed.hover ?? pointed.focus;
  preview = at === null || drag ? null : { ...moved(state, at, at + 1), gap: at };
  renderTiles();
  renderTold();
}

swaps.forEach((button, i) => {
  button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && point("hover", i));
  button.addEventListener("pointerleave", () => point("hover", null));
  button.addEventListener("focus", () => button.matches(":focus-visible") && point("focus", i));
  button.addEventListener("blur", () => point("focus", null));
  button.addEventListener("click", () => {
    pointed.hover = pointed.focus = null;
    perform(moved(state, i, i + 1), `${pair(i)} swapped`);
  });
});

places.forEach((place, i) => {
  one(".tie", place)?.addEventListener("click", () => {
    const tied = changedAt(state.tied, i, !state.tied[i]);
    perform({ ...state, tied }, `${pair(i)} ${tied[i] ? "tied" : "no longer tied"}`);
  });
  for (const step of all(".step", place)) {
    step.addEventListener("click", () => grade(i, state.documents[i].grade + Number(step.dataset.by)));
  }
});

form.addEventListener("input", ({ target: { name, value } }) => {
  if (name === "shown") {
    state = { ...state, shown: value };
    render();
    write(toAddress(state));
    return;
  }
  const [setting, what] = SETTINGS[name](value);
  perform({ ...state, ...setting }, what, name);
});
for (const button of all("[data-do]")) button.addEventListener("click", TOOLS[button.dataset.do]);

// ---- moving by keyboard ----

cards.forEach((card, i) => card.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || drag) return;
  const to = { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: N - 1 }[event.key];
  const by = { "+": 1, "=": 1, "-": -1, "−": -1 }[event.key];
  if (to === undefined && !by && !/^[0-9]$/.test(event.key)) return;
  event.preventDefault();
  if (by) grade(i, state.documents[i].grade + by);
  else if (to === undefined) grade(i, Number(event.key));
  else if (to >= 0 && to < N && to !== i) {
    move(i, to);
    cards[to].focus();
  }
}));

// ---- dragging, by mouse, pen or finger ----

const SLACK = 4; // pixels that a click may slip
const EDGE = 56; // pixels from the end of the window where it begins to scroll
const SPEED = 14; // pixels that it scrolls at a time, at most
let justDragged = false;

function letGo() {
  for (const box of boxes) {
    box.classList.remove("dragged");
    box.style.transform = "";
  }
  list.classList.remove("dragging");
  drag = null;
}

/** Puts the dragged document under the pointer and at the rank nearest to it. */
function follow() {
  const height = list.getBoundingClientRect().top;
  const tops = places.map((place) => place.getBoundingClientRect().top - height);
  const wanted = Math.min(Math.max(drag.y - drag.grip - height, tops[0]), tops[N - 1]);
  const at = nearest(tops, wanted);
  if (at !== drag.at) {
    boxes[drag.at].classList.remove("dragged");
    boxes[drag.at].style.transform = "";
    const last = drag.at;
    drag.at = at;
    move(last, at, drag);
  }
  boxes[at].classList.add("dragged");
  boxes[at].style.transform = `translateY(${wanted - tops[at]}px)`;
}

function scrollAlong() {
  if (!drag?.moving) return;
  const [above, below] = [one(".top").getBoundingClientRect().bottom + EDGE / 2, innerHeight - EDGE];
  const { top, bottom } = list.getBoundingClientRect();
  const up = top < above ? Math.min(drag.y - above, 0) : 0;
  const down = bottom > below ? Math.max(drag.y - below, 0) : 0;
  if (up || down) {
    scrollBy(0, Math.max(up / 4, -SPEED) + Math.min(down / 4, SPEED));
    follow();
  }
  requestAnimationFrame(scrollAlong);
}

list.addEventListener("pointerdown", (event) => {
  const from = cards.indexOf(event.target.closest(".handle"));
  justDragged = false;
  if (from < 0 || drag || !event.isPrimary || event.button) return;
  cards[from].setPointerCapture(event.pointerId);
  const grip = event.clientY - places[from].getBoundingClientRect().top;
  drag = { pointer: event.pointerId, at: from, grip, y: event.clientY, begun: event.clientY, before, state };
});

list.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag?.pointer) return;
  drag.y = event.clientY;
  if (!drag.moving) {
    if (Math.abs(drag.y - drag.begun) < SLACK) return;
    drag.moving = true;
    list.classList.add("dragging");
    requestAnimationFrame(scrollAlong);
  }
  follow();
});

function cancel() {
  const { state: was, before: earlier } = drag;
  letGo();
  state = was;
  before = earlier;
  render();
  write(toAddress(state));
}

list.addEventListener("pointerup", (event) => {
  if (event.pointerId !== drag?.pointer) return;
  const { at, moving } = drag;
  letGo();
  justDragged = Boolean(moving);
  if (moving) cards[at].focus({ preventScroll: true });
});
list.addEventListener("pointercancel", (event) => event.pointerId === drag?.pointer && cancel());
document.addEventListener("keydown", (event) => event.key === "Escape" && drag && cancel());

cards.forEach((card, i) => card.addEventListener("click", () => {
  if (!justDragged) say(`To move ${state.documents[i].name}, drag it, or press ↑ or ↓.`);
  justDragged = false;
}));

// ---- together ----

const header = document.querySelector(".bd-header-article");
const stick = () => root.style.setProperty("--header", `${header?.offsetHeight ?? 0}px`);
stick();
addEventListener("resize", stick);
addEventListener("hashchange", visit);
render();
visit();

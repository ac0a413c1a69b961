// What the widgets of this book do alike. Each stands below, in one module with this, and WIDGET is its name.
const root = document.getElementById(WIDGET);
const part = (name) => document.getElementById(`${WIDGET}-${name}`).textContent;
const one = (selector, within = root) => within.querySelector(selector);
const all = (selector, within = root) => [...within.querySelectorAll(selector)];
const data = JSON.parse(part("data"));

// It takes the place of what is said without JavaScript.
document.head.appendChild(document.createElement("style")).textContent = part("style");
root.classList.add(WIDGET);
const fallback = [...root.childNodes];
root.innerHTML = part("frame");
const form = one("form");

const raised = (text, as = "<sup>$1</sup>") => text.replace(/\^(−?(?:\d+(?:\.\d+)?|[βyr]))/g, as);

/** The place in a list of the number that is nearest to a value. */
const nearest = (list, value) =>
  list.reduce((best, x, i) => (Math.abs(x - value) < Math.abs(list[best] - value) ? i : best), 0);

// ---- what is seen, and its address ----

let pending;

function write(address) {
  clearTimeout(pending);
  try {
    history.replaceState(null, "", address);
  } catch {
    location.replace(address); // where a page from the file system may not rewrite its history
  }
}

/** The address follows when a move has settled: browsers limit how often it may change. */
function remember(address, then = () => {}) {
  clearTimeout(pending);
  pending = setTimeout(() => {
    write(address);
    then();
  }, 150);
}

/** Says which of the things to try is the one that is seen. */
function markTry(address) {
  for (const link of all(".tries a")) {
    if (link.getAttribute("href") === address) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// ---- pictures ----

const rule = (style, x1, x2, y1, y2 = y1) =>
  `<line class="${style}" x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}"/>`;
const stroke = (style, points) =>
  `<path class="line ${style}" d="M${points.map((point) => point.join(" ")).join("L")}"/>`;
const text = (style, x, y, anchor, words) =>
  `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
const picture = (label, width, height, parts) =>
  `<svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>`;

/** Names at the right ends of two curves, a line of type apart if they are closer. */
function endNames(x, ends, lowest = Infinity) {
  const [upper, lower] = ends.sort((first, second) => first[1] - second[1]);
  if (lower[1] - upper[1] < 15) {
    const middle = Math.min((upper[1] + lower[1]) / 2, lowest);
    [upper[1], lower[1]] = [middle - 7.5, middle + 7.5];
  }
  return ends.map(([which, y]) => text(`end ${which}`, x, y + 5, "start", which.toUpperCase())).join("");
}

const whenWidthChanges = (element, redraw) =>
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(element);

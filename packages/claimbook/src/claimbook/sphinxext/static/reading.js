/* Formulas are read, not operated: without MathJax's menu, none is a stop on the way of the Tab key. */
if (window.MathJax) MathJax.options.enableMenu = false;

/* What scrolls sideways is a stop, and fades where there is more of it. The theme lets the keyboard into code
   and tables, this into formulas, whenever the window changes; unfolding shows more of all. */
const SCROLLING = "mjx-container[display], span.math.wide, .pst-scrollable-table-container";
const fade = (box) => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 4);
addEventListener("resize", () => {
  // Those in a line are measured as if all were wide: by what is drawn, since what is read aloud is wider.
  const inLine = [...document.querySelectorAll("span.math")];
  for (const formula of inLine) formula.classList.add("wide");
  const drawn = (formula) => formula.querySelector("svg")?.getBoundingClientRect().width;
  const wide = inLine.filter((formula) => drawn(formula) > formula.clientWidth + 1);
  for (const formula of inLine) formula.classList.toggle("wide", wide.includes(formula));
  for (const formula of [...inLine, ...document.querySelectorAll("mjx-container[display]")]) {
    const scrolls = formula.matches(SCROLLING) && formula.scrollWidth > formula.clientWidth;
    if (scrolls) formula.setAttribute("tabindex", 0);
    else { formula.removeAttribute("tabindex"); formula.classList.remove("more"); }
  }
  document.querySelectorAll(SCROLLING).forEach(fade);
});
document.addEventListener("scroll", ({target}) => target.matches?.(SCROLLING) && fade(target), true);
let due = 0; // a frame, at which all folds that opened together are measured once
const changed = () => due ||= requestAnimationFrame(() => { due = 0; dispatchEvent(new Event("resize")); });
addEventListener("load", () => window.MathJax?.startup.promise.then(changed));
document.addEventListener("toggle", changed, true);

/* What an address names; one that is no name, such as "%", names nothing. */
const named = (text) => { try { return decodeURIComponent(text); } catch { return ""; } };

/* One button for the code of all pages: it is remembered. A link into a fold opens it; one to the evidence
   on a statement opens its checks. */
addEventListener("DOMContentLoaded", () => {
  const folds = document.querySelectorAll("details.code"), key = "all-code-shown";
  const button = document.querySelector(".all-code");
  const show = (open) => {
    for (const fold of folds) fold.open = open;
    if (!button) return;
    button.textContent = open ? "Fold all code" : "Show all code";
    button.setAttribute("aria-pressed", open);
  };
  const reveal = () => {
    const target = document.getElementById(named(location.hash.slice(1)));
    for (const fold of document.querySelectorAll("details"))
      fold.open ||= fold.contains(target) || fold.matches(".evidence") && fold.parentNode === target;
    if (target?.closest("details, .about-one")) target.scrollIntoView();
  };
  if (button && folds.length) button.hidden = false;
  if (localStorage.getItem(key)) show(true);
  button?.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    if (open) localStorage.setItem(key, "shown"); else localStorage.removeItem(key);
    show(open);
  });
  addEventListener("hashchange", reveal);
  reveal();
});

/* The reading path that was chosen on the map is remembered, and Next follows it. */
addEventListener("DOMContentLoaded", () => {
  const key = "path", choices = [...document.querySelectorAll(".choice")];
  const named = (choice) => [...choice.classList].find((name) => name.startsWith("path-")).slice(5);
  const mark = () => choices.forEach((choice) =>
    choice.firstChild.setAttribute("aria-pressed", named(choice) === localStorage.getItem(key)));
  for (const choice of choices) {
    choice.innerHTML = `<button>${choice.innerHTML}</button>`;
    choice.firstChild.addEventListener("click", () => {
      localStorage.setItem(key, localStorage.getItem(key) === named(choice) ? "" : named(choice));
      mark();
    });
  }
  mark();
  const chosen = localStorage.getItem(key), next = document.querySelector("a.right-next");
  const link = chosen && document.querySelector(`.reading-path .path-${CSS.escape(chosen)} a`);
  if (!link || !next) return;
  next.href = link.href;
  next.querySelector(".prev-next-title").textContent = link.textContent;
});

/* A page opened from a file may not fetch the pages that it found, so their summaries stay out. */
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

/* A theorem, a term or a reference is shown where it is linked: on hover and on focus. Escape closes it. */
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  let note, owner, timer, loading;

  const previews = () => loading ??= new Promise((resolve) => {
    const settled = {onload: () => resolve(window.bookPreviews), onerror: () => resolve({})};
    const script = Object.assign(document.createElement("script"), settled);
    document.head.append(Object.assign(script, {src: new URL("previews.js", root)}));
  });

  const key = ({href}) => (href.startsWith(root.href) ? named(href.slice(root.href.length)) : "");

  function hide() {
    clearTimeout(timer);
    owner?.removeAttribute("aria-describedby");
    note?.remove();
    note = owner = undefined;
  }

  async function show(link) {
    const text = (await previews())[key(link)];
    if (!text || owner === link || !link.matches(":hover, :focus")) return;
    hide();
    owner = link;
    const contents = {className: "preview", id: "preview", role: "tooltip", innerHTML: text};
    note = Object.assign(document.createElement("div"), contents);
    note.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
    note.querySelectorAll("a, summary").forEach((one) => one.setAttribute("tabindex", "-1"));
    document.querySelector("main").append(note);
    link.setAttribute("aria-describedby", "preview");
    await window.MathJax?.typesetPromise?.([note]);
    if (!note) return;
    const at = link.getClientRects()[0], from = note.offsetParent.getBoundingClientRect(), margin = 8;
    const left = Math.min(at.left, document.documentElement.clientWidth - note.offsetWidth - margin);
    const needed = note.offsetHeight + margin, below = at.bottom + needed <= innerHeight || at.top < needed;
    note.style.left = `${Math.max(margin, left) - from.left}px`;
    note.style.top = `${(below ? at.bottom + 4 : at.top - note.offsetHeight - 4) - from.top}px`;
    note.style.visibility = "visible";
  }

  const linkOf = (event) => event.target.closest?.('article a[href*="#"]:not(.headerlink, .verdict, svg *)');
  const later = (act, wait) => { clearTimeout(timer); timer = setTimeout(act, wait); };
  const leave = () => note?.matches(":hover") || owner?.matches(":hover, :focus") || hide();

  document.addEventListener("mouseover", (event) => {
    const link = linkOf(event);
    if (link) later(() => show(link), 150);
    else if (!event.target.closest?.(".preview")) later(leave, 200);
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.closest?.(".preview")) return;
    const link = linkOf(event);
    if (link !== owner) hide();  // at once: it may lie over what has the focus now
    if (link) show(link);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();

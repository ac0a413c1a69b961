/* A theorem, a term or a reference is shown where it is linked: on hover and on keyboard focus. Escape closes it. */
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  let note, owner, timer, loading;

  const previews = () => loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = new URL("previews.js", root);
    script.onload = () => resolve(window.companionPreviews);
    script.onerror = () => resolve({});
    document.head.append(script);
  });

  const key = (link) => {
    const target = new URL(link.href);
    return target.href.startsWith(root.href) ? decodeURIComponent(target.href.slice(root.href.length)) : "";
  };

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
    note = document.createElement("div");
    note.className = "preview";
    note.id = "preview";
    note.setAttribute("role", "tooltip");
    note.innerHTML = text;
    note.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
    note.querySelectorAll("a, summary").forEach((one) => one.setAttribute("tabindex", "-1"));
    document.body.append(note);
    link.setAttribute("aria-describedby", "preview");
    await window.MathJax?.typesetPromise?.([note]);
    if (!note) return;
    const at = link.getClientRects()[0], margin = 8;
    const left = Math.min(at.left, document.documentElement.clientWidth - note.offsetWidth - margin);
    const below = at.bottom + note.offsetHeight + margin <= innerHeight || at.top < note.offsetHeight + margin;
    note.style.left = `${scrollX + Math.max(margin, left)}px`;
    note.style.top = `${scrollY + (below ? at.bottom + 4 : at.top - note.offsetHeight - 4)}px`;
    note.style.visibility = "visible";
  }

  const linkOf = (event) => event.target.closest?.('article a[href*="#"]:not(.headerlink, .verdict)');
  const leave = () => { clearTimeout(timer); timer = setTimeout(() => { if (!note?.matches(":hover") && !owner?.matches(":hover, :focus")) hide(); }, 200); };

  document.addEventListener("mouseover", (event) => {
    const link = linkOf(event);
    if (link) { clearTimeout(timer); timer = setTimeout(() => show(link), 150); } else if (!event.target.closest?.(".preview")) leave();
  });
  document.addEventListener("focusin", (event) => { const link = linkOf(event); if (link) show(link); else leave(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();

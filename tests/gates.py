"""The checks of every page of the site. Each gate takes a page and reports
what is wrong with it, if anything.

The first gates read the file; the others look at the page in a browser, which opens it once. None of them
needs the network.
"""

import re
from collections import Counter
from contextlib import suppress
from urllib.parse import unquote, urlsplit

import html5lib
from axe_playwright_python.base import AXE_SCRIPT
from lxml import html
from playwright.sync_api import TimeoutError

WIDE, NARROW = 1280, 390  # pixels of a desktop and of a phone
# Milliseconds: 300 after the window last changed, the theme looks for what has come to scroll, and lets the
# keyboard in.
SETTLED = 350
SHARED = (
    "_static/",
    "vendor/",
    "searchindex.js",
    "previews.js",
)  # the theme's and the book's, loaded once for all pages
LARGEST = 1_000_000  # bytes of a page's own

# Of the rules of HTML, those that a parser does not tell.
WORDS_ONLY = set(
    "p pre h1 h2 h3 h4 h5 h6 span em strong b i u s small sub sup code kbd samp var cite q abbr dfn mark "
    "time summary button label legend output".split()
)
BLOCKS = set(
    "div p pre ul ol dl table section article aside nav header footer main figure blockquote form fieldset "
    "details hr address".split()
)
OPERATED = {"a", "button", "input", "select", "textarea", "details"}
CHILDREN = {"ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd", "div"}, "tr": {"td", "th"}}
GONE = {"center", "font", "tt", "big", "strike", "acronym"}
REFERRING = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")


class Document:
    """A file as browsers parse it, with its errors; or, if these are not asked for, parsed in no time."""

    def __init__(self, text, strict=True):
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        self.root = parser.parse(text) if strict else html.document_fromstring(text.encode())
        self.errors = parser.errors
        self.size = len(text.encode())
        self.elements = list(_walk(self.root))
        self.ids = Counter(element.get("id") for element, _ in self.elements if "id" in element.attrib)

    def all(self, *tags):
        return [element for element, _ in self.elements if element.tag in tags]


def _walk(element, above=()):
    if isinstance(element.tag, str):
        yield element, above
        for child in element:
            yield from _walk(child, (*above, element))


def read(path, strict=True):
    return Document(path.read_text(encoding="utf-8"), strict)


def invalid(document):
    """Errors of HTML: what the parser tells, and the commonest that it does not."""
    faults = [f"line {line}: {code} {data or ''}" for (line, *_), code, data in document.errors]
    faults += [
        f"id {name!r} stands {times} times"
        for name, times in document.ids.items()
        if times > 1 or not name.strip()
    ]
    for element, above in document.elements:
        tag, outer = element.tag, {ancestor.tag for ancestor in above}
        if tag in BLOCKS and (holders := outer & WORDS_ONLY):
            faults.append(f"<{tag} class={element.get('class')!r}> inside <{min(holders)}>")
        if tag in OPERATED and outer & {"a", "button"}:
            faults.append(f"<{tag}> inside a link or a button: {_words(element)!r}")
        if tag in CHILDREN and (
            strangers := {child.tag for child in element if isinstance(child.tag, str)}
            - CHILDREN[tag]
            - {"script"}
        ):
            faults.append(f"<{min(strangers)}> as a child of <{tag}>")
        if tag in GONE or {"align", "bgcolor", "valign"} & set(element.attrib):
            faults.append(f"<{tag}> with looks in it, or of an older HTML: {element.attrib}")
        if tag == "img" and "alt" not in element.attrib:
            faults.append(f"an image without alt: {element.get('src')!r}")
        for name in REFERRING:
            faults += [
                f"{name} of <{tag}> refers to {name_used!r}: no such id"
                for name_used in element.get(name, "").split()
                if name_used not in document.ids
            ]
    if not document.root.get("lang"):
        faults.append("no language")
    if len(document.all("title")) != 1 or not _words(document.all("title")[0]):
        faults.append("no title")
    return faults


def _words(element):
    return " ".join("".join(element.itertext()).split())


def broken_links(path, document, documents, site):
    """Links and anchors into the site, and files that the page is made of, that lead nowhere."""
    faults = []
    for link in (
        address
        for element, _ in document.elements
        for name in ("href", "src")
        if (address := element.get(name))
    ):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file() or not target.is_relative_to(site):
            faults.append(f"{link}: no such file")
        elif parts.fragment and target in documents and unquote(parts.fragment) not in documents[target].ids:
            faults.append(f"{link}: no such anchor")
    return faults


def external_links(document):
    """Addresses outside the site that the page links to."""
    links = [element.get("href", "") for element in document.all("a")]
    return [link for link in links if urlsplit(link).scheme in ("http", "https") or link.startswith("//")]


def disordered_headings(document):
    """One heading of the first level, at the top; from there steps down by one, and none empty."""
    shown = [
        element
        for element, above in document.elements
        if re.fullmatch("h[1-6]", element.tag)
        and not any("onlyprint" in ancestor.get("class", "").split() for ancestor in above)
    ]
    levels = [int(element.tag[1]) for element in shown]
    faults = [f"an empty {element.tag}" for element in shown if not _words(element).strip("# ¶")]
    if levels[:1] != [1] or levels.count(1) > 1:
        faults.append(f"{levels.count(1)} headings of the first level, and the page opens with {levels[:1]}")
    for (above, below), element in zip(zip(levels, levels[1:], strict=False), shown[1:], strict=True):
        if below > above + 1:
            faults.append(f"h{below} after h{above}: {_words(element)!r}")
    return faults


def speechless_images(document):
    """Images without a sentence for those who do not see them."""
    alts = [element.get("alt", "") for element in document.all("img")]
    return [
        f"alt text {alt!r} is no sentence" for alt in alts if len(alt.split()) < 5 or not alt.endswith(".")
    ]


def own_files(path, document, site):
    """The files that this page, and not the whole site, is made of."""
    links = [
        element.get(name)
        for element in document.all("img", "script", "source", "link", "object", "iframe", "video", "audio")
        for name in ("src", "href", "data")
        if element.get(name) and element.get("rel") not in ("index", "search", "next", "prev")
    ]
    targets = {
        (path.parent / unquote(urlsplit(link).path)).resolve() for link in links if not urlsplit(link).scheme
    }
    return {
        target
        for target in targets
        if target.is_file() and not target.relative_to(site).as_posix().startswith(SHARED)
    }


def too_heavy(path, document, site):
    """A page's HTML, images and data."""
    weight = document.size + sum(file.stat().st_size for file in own_files(path, document, site))
    return [f"{weight:,} bytes of its own, more than {LARGEST:,}"] if weight > LARGEST else []


class Visit:
    """A page in a browser, with what it asked for and what it said since it was opened."""

    def __init__(self, context, address=None):
        self.page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self._note("error", str(error)))
        if address:
            self.open(address)

    def open(self, address):
        """Open a page, in the place of the one before."""
        self.requests, self.said = [], []
        self.page.goto(address, wait_until="load")
        # What fades and slides is looked at when it has arrived.
        self.page.add_style_tag(
            content="*, ::before, ::after { transition: none !important; animation: none !important; }"
        )
        self.page.wait_for_function(DRAWN)

    def _note(self, kind, text):
        if kind in ("error", "warning"):
            self.said.append(f"{kind}: {text}")


DRAWN = """async () => {
  if (document.querySelector(".math") && window.MathJax) await MathJax.startup.promise;
  return true;
}"""
# In place of MathJax, where formulas are not looked at: drawing them takes a page longest.
NO_FORMULAS = "MathJax.startup = {promise: Promise.resolve()};"
# A key pressed before the browser has shown the page may be lost: the second frame comes after the first.
SHOWN = "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))"


# A transition of what is folded makes no progress, and would be waited for without end.
ARRIVED = """() => {
  const moving = document.getAnimations();
  for (const one of moving) if (one instanceof CSSTransition) one.finish();
  return Promise.allSettled(moving.map((one) => one.finished));
}"""


def widen(page, width):
    """Make the window so wide; what follows its width has then arrived and been drawn anew."""
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("width => innerWidth === width", arg=width)
    page.evaluate(SHOWN)
    page.evaluate(ARRIVED)
    page.evaluate(SHOWN)


def asks_elsewhere(visit, site):
    """Requests for anything but files of the site."""
    allowed = (site.as_uri(), "data:", "blob:file:", "blob:null")
    return [f"asked for {url[:200]}" for url in visit.requests if not url.startswith(allowed)]


def complains(visit):
    """Errors and warnings in the console."""
    return visit.said


def scrolls_sideways(visit):
    """Wider than the window, and what makes it so."""
    return visit.page.evaluate("""() => {
      const {scrollWidth, clientWidth} = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.body.querySelectorAll("*")]
        .filter(one => one.getBoundingClientRect().right > clientWidth + 1);
      const names = wide.slice(0, 3).map(one => `<${one.localName} class="${one.className}">`);
      return [`scrolls sideways, ${scrollWidth} in ${clientWidth} pixels: ${names}`];
    }""")


def undrawn_formulas(visit):
    """Formulas that MathJax did not draw or could not read."""
    # What it cannot read, it draws all the same: commands it does not know in red, the rest as a node that
    # says so.
    return visit.page.evaluate("""() => [...document.querySelectorAll(".math")].flatMap(one => {
      const said = one.textContent.trim().slice(0, 60);
      if (!one.querySelector("mjx-container svg")) return [`not drawn: ${said}`];
      const unread = one.querySelector("[data-mjx-error], merror, mtext[mathcolor=red]");
      return unread ? [`could not be read: ${said}`] : [];
    })""")


def wrong_colours(visit, scheme):
    """Not in the colours that were asked for, or with figures that are not shown or on a wrong ground.

    In the dark one that knows both schemes stands on the page's own ground, any other on white.
    """
    return visit.page.evaluate(
        """scheme => {
      const told = [];
      const {theme} = document.documentElement.dataset;
      if (theme !== scheme) told.push(`${theme} instead of ${scheme}`);
      for (const image of document.querySelectorAll("article img")) {
        if (!image.complete || !image.naturalWidth) told.push(`not shown: ${image.src}`);
        const ground = getComputedStyle(image).backgroundColor;
        const wanted = image.closest("figure.in-both") ? "rgba(0, 0, 0, 0)" : "rgb(255, 255, 255)";
        if (scheme === "dark" && ground !== wanted) told.push(`on ${ground}: ${image.src}`);
      }
      return told;
    }""",
        scheme,
    )


def unfold(visit):
    """Open all that a reader could open."""
    opened = visit.page.evaluate("""() => {
      const folded = [...document.querySelectorAll("details:not([open])")];
      for (const one of folded) one.open = true;
      return folded.length;
    }""")
    if opened:
        visit.page.evaluate(SHOWN)  # what a page does at its next frame
        visit.page.wait_for_timeout(SETTLED)


def inaccessible(page, part="html", rules=()):
    """Violations of axe-core's rules, or of some of them, of whatever impact, in a part of the page."""
    # Sooner, and the same is found: the strokes of formulas are taken out, and for contrast, which takes axe
    # nearly all its time, it is shown one element of each kind, colours and ground, and none of the hidden
    # MathML.
    return page.evaluate(
        """async ([script, part, rules]) => {
      window.axe ?? (0, eval)(script);
      for (const drawing of document.querySelectorAll("mjx-container svg")) drawing.replaceChildren();
      const kinds = new Set(), grounds = new Map([[null, ""]]);
      const ground = one => {
        if (!grounds.has(one)) {
          const {backgroundColor, backgroundImage, opacity} = getComputedStyle(one);
          const clear = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none";
          const own = clear ? ground(one.parentElement) : backgroundColor + backgroundImage;
          grounds.set(one, own + (opacity === "1" ? "" : opacity));
        }
        return grounds.get(one);
      };
      for (const one of document.body.querySelectorAll(":not(svg *, mjx-container *)")) {
        const {color, fontSize, fontWeight} = getComputedStyle(one);
        const kind = [one.localName, one.className, color, fontSize, fontWeight, ground(one)].join();
        one.toggleAttribute("data-again", kinds.has(kind));
        kinds.add(kind);
      }
      axe.configure({rules: [{id: "color-contrast", selector: ":not([data-again], mjx-assistive-mml *)"}]});
      // Preloading would fetch the stylesheets anew, which no page may do from a file.
      const options = {preload: false, resultTypes: ["violations"]};
      if (rules.length) options.runOnly = rules;
      const {violations} = await axe.run(part, options);
      return violations.map(({id, impact, nodes}) => `${id} (${impact}) ${nodes.length} times: `
        + `${nodes[0].html.slice(0, 150)} ${nodes[0].failureSummary.split("\\n").slice(1).join(" ")}`);
    }""",
        [AXE_SCRIPT, part, rules],
    )


# What the Tab key should stop at; each stop is looked at when it is reached, and again at the next key,
# having come to rest. If one of each kind will do, the others are only known to be there.
STOPS = """oneOfEachKind => {
  const look = one => [one, one.parentElement].flatMap(node => [null, "::before", "::after"].map(part => {
    const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(node, part);
    return outlineStyle === "none" ? boxShadow : outlineWidth + boxShadow;
  })).join();
  const inGroup = one => {
    const group = `input[type=radio][name="${one.name}"]`;
    return one.type !== "radio" || one.checked
      || !document.querySelector(`${group}:checked`) && one === document.querySelector(group);
  };
  const operated = "a[href], button, summary, input, select, textarea, iframe, audio, video, "
    + "[tabindex], [contenteditable]";
  const kinds = new Set();
  const kind = one => [one.localName, one.type, one.className, one.parentElement.className].join();
  window.stops = new Map();
  for (const one of document.querySelectorAll(operated))
    if (one.tabIndex >= 0 && !one.matches(":disabled, [inert] *") && inGroup(one)
        && one.checkVisibility({visibilityProperty: true})) {
      const again = oneOfEachKind && kinds.has(kind(one));
      kinds.add(kind(one));
      stops.set(one, again ? {again} : {before: look(one)});
    }
  window.leave = one => {
    const stop = stops.get(one), box = one?.getClientRects()[0];
    if (!stop || !box) return;
    const middle = (low, high, end) => (Math.max(low, 0) + Math.min(high, end - 1)) / 2;
    const across = middle(box.left, box.right, innerWidth), down = middle(box.top, box.bottom, innerHeight);
    const top = document.elementFromPoint(across, down);
    if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth)
      stop.hidden = "outside the window";
    else if (top && !one.contains(top) && !top.contains(one))
      stop.hidden = `behind <${top.localName} class="${top.className}">`;
  };
  document.addEventListener("keydown", () => leave(document.activeElement), true);
  document.addEventListener("focusin", ({target}) => {
    const stop = stops.get(target);
    if (stop && !stop.again) [stop.reached, stop.marked] = [true, look(target) !== stop.before];
  }, true);
  return stops.size;
}"""
REACHED = """() => {
  leave(document.activeElement);
  const words = one => (one.getAttribute("aria-label") || one.textContent).trim().slice(0, 40);
  const name = one => `<${one.localName} class="${one.className}"> ${words(one)}`;
  const told = [];
  for (const [one, {again, reached, marked, hidden}] of stops) {
    if (again) continue;
    // The contents of a page unfold and fold with where one reads.
    if (!reached && !one.checkVisibility({visibilityProperty: true})) continue;
    if (!reached) told.push(`the Tab key does not reach ${name(one)}`);
    else if (!marked) told.push(`nothing shows that the focus is on ${name(one)}`);
    else if (hidden) told.push(`focused ${hidden}: ${name(one)}`);
  }
  for (const one of document.querySelectorAll("[onclick]:not(a[href], button, summary, [tabindex])"))
    told.push(`for the mouse only: ${name(one)}`);
  const reached = [...stops.keys()];
  for (const one of document.body.querySelectorAll(":not(svg *, mjx-container *)"))
    if (one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)
        && one.checkVisibility({visibilityProperty: true}) && !reached.some(stop => one.contains(stop)))
      told.push(`scrolls sideways, but for the mouse only: ${name(one)}`);
  return told;
}"""


def out_of_reach(visit):
    """What the Tab key does not reach, or reaches without showing it."""
    stops = visit.page.evaluate(STOPS)
    for _ in range(stops):
        visit.page.keyboard.press("Tab")
    for _ in range(stops):  # past what became a stop on the way, unless the keyboard is caught
        if visit.page.evaluate("document.activeElement === document.body"):
            break
        visit.page.keyboard.press("Tab")
    return visit.page.evaluate(REACHED)


# In place of the Tab key, where many pages are visited: for each key the page is laid out and drawn,
# which takes most of the time. What can have the focus and is not reached by the key, only the key finds.
FOCUS_ONE_OF_EACH_KIND = """() => {
  for (const [one, {again}] of stops) {
    if (again) continue;
    leave(document.activeElement);
    one.focus({focusVisible: true});
  }
}"""


def unmarked(visit):
    """What cannot have the focus although it should, or does not show it; one of each kind is tried."""
    visit.page.evaluate(STOPS, True)
    visit.page.evaluate(FOCUS_ONE_OF_EACH_KIND)
    return visit.page.evaluate(REACHED)


def cut_off_code(visit):
    """Lines of code that do not fit: who reads them has to scroll."""
    return visit.page.evaluate("""() => [...document.querySelectorAll(".cell_input pre")]
      .filter(code => code.scrollWidth > code.clientWidth + 1)
      .map(code => `cut off, ${code.scrollWidth} in ${code.clientWidth} pixels: `
        + code.textContent.slice(0, 60))""")


def recolour(page, scheme):
    """Ask for light or dark, and wait until the page has followed, if it does."""
    page.emulate_media(color_scheme=scheme)
    with suppress(TimeoutError):
        page.wait_for_function(
            "scheme => document.documentElement.dataset.theme === scheme", arg=scheme, timeout=1_000
        )
    page.evaluate(ARRIVED)


def wrong_on_a_phone(visit, site):
    """What is wrong with a page that was opened narrow, as far as it is found within a second."""
    seen = {"folded": scrolls_sideways(visit)}
    unfold(visit)
    seen["unfolded"] = [*scrolls_sideways(visit), *unmarked(visit)]
    return _listed(seen, visit, site)


def _listed(seen, visit, site):
    """One line for each finding, and for each that the page asked or complained in the meantime."""
    seen["at any time"] = [*asks_elsewhere(visit, site), *complains(visit)]
    return [f"{state}: {finding}" for state, findings in seen.items() for finding in findings]


def wrong(visit, site, themed=True):
    """All that is wrong with a page that was opened wide and light: also unfolded, narrow, in the dark.

    A page that is not ``themed`` leaves its colours to the browser.

    What does not change with width or colours is looked at once: the Tab key goes through the narrow page,
    where something is sooner in its way, and of axe's rules the dark is held to that of contrast alone.
    """
    seen = {"folded": [*(wrong_colours(visit, "light") if themed else ()), *scrolls_sideways(visit)]}
    unfold(visit)
    seen["wide"] = [*scrolls_sideways(visit), *cut_off_code(visit), *undrawn_formulas(visit)]
    seen["wide"] += inaccessible(visit.page)
    widen(visit.page, NARROW)
    visit.page.wait_for_timeout(SETTLED)
    seen["narrow"] = [*scrolls_sideways(visit), *cut_off_code(visit), *out_of_reach(visit)]
    recolour(visit.page, "dark")
    seen["dark"] = [*(wrong_colours(visit, "dark") if themed else ())]
    seen["dark"] += inaccessible(visit.page, rules=("color-contrast",))
    return _listed(seen, visit, site)

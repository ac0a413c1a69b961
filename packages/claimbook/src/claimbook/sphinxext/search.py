"""Entries for the search page: pages, sections, statements, figures, terms and names of the package.

Sphinx's own search drops numbers, so that "Theorem 8" finds every page with the word "theorem", and fetches
what it quotes, which a page opened from the file system may not do. The book is small: its text is one
script, and ``search.js`` reads all of it for each question, without an index, in some milliseconds. A reader
loads it with every search, so it holds no text twice, and none in which nobody looks for words: code,
displayed formulas and long ones, exercises, proofs, how findings are checked, more of a name of the package
than how it begins.
"""

import re

from bs4 import NavigableString

_BLOCKS = ("p", "li", "td", "th", "dt", "dd", "div", "figcaption", "summary")
# Titles, which entries have already; code, symbols and what is made for running a page again.
_UNREAD = {
    "name": set("h1 h2 h3 h4 h5 h6 script style pre".split()),
    "class": set(
        "headerlink code cell_input verdict symbols stamp facts status to-foot rubric reading-path judged "
        "onlyprint exercise solution evidence viewcode-link".split()
    ),
}
_UNREAD_THERE = (
    ".proof > .admonition-title, div.math, .dependencies, .filters, .statements :is(th, td + td), "
    ".statements details > :not(.erratum), #evidence > :not(.about-one, h2), #evidence td, "
    "#code-of-this-page details"
)
_UNREAD_FOLDS = re.compile(r"(full |short |complete )?proof\b|what (is|the) check|[■●✕□◐]", re.IGNORECASE)
KINDS = ("page", "statement", "section", "result", "term", "figure", "package")
_AGAIN = "#code-of-this-page"  # ends each page: a question how to cite finds the first
_LONGEST = 7  # characters of a formula in a line, with its marks; in place of others stands "…"
_BEGINNING = 40  # characters of the text about a name of the package


def entries_of(page, place):
    """The entries of a page of the site: its address, what the sidebar calls it, and its parts.

    Parameters
    ----------
    page : BeautifulSoup
        Not changed.
    place : str
        Its address from the root of the site.

    Returns
    -------
    list or None
        Of a part the kind, the title, the text, in which formulas stand between backticks, and the anchor,
        which is "#" where the title is its rest and "#-" where that is the title in lower case with hyphens;
        the page itself comes first. None for no page.
    """
    article, heading = page.select_one("article.bd-article"), page.select_one("article h1")
    if article is None or heading is None:
        return None
    current = page.select_one(".bd-links .current.active > a")
    named, package = _text(current) if current else "", article.select_one("dt.sig") is not None
    names_all = article.select_one("table.map") is not None  # it is found by its own title alone
    parts = [{"kind": "page", "title": _text(heading), "text": "", "anchor": ""}]
    _gather(article, parts, parts[0], {id(tag) for tag in article.select(_UNREAD_THERE)})
    for part in parts:
        text = " ".join(part["text"].replace("`", "'").split())
        part["text"] = text.replace("\\(", "`").replace("\\)", "`")
        if part["anchor"] == f"#{_slug(part['title'])}":
            part["anchor"] = "#-"
        if names_all:
            part["text"] = ""
        if package:
            part |= {"kind": "package", "text": part["text"][:_BEGINNING].rpartition(" ")[0]}
            if part["anchor"] == f"#{part['title']}":
                part["anchor"] = "#"  # of which the title is the rest
    return [place, f"API: {named}" if package else named, [[*part.values()] for part in parts]]


def _slug(title):
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")


def _text(tag):
    return " ".join(tag.get_text().replace("#", "").split())


def _gather(tag, parts, part, unread):
    """Add text to the part that it belongs to: the innermost one with an address."""
    for child in tag.children:
        if isinstance(child, NavigableString):
            part["text"] += child if type(child) is NavigableString else ""  # and no comment
        elif id(child) in unread or _is_unread(child):
            continue
        elif child.name == "span" and "math" in child.get("class", ()):
            formula = child.get_text()
            part["text"] += formula if len(formula) <= _LONGEST else "…"
        elif head := _titled(child):
            own = dict(zip(("kind", "title"), head)) | {"text": "", "anchor": f"#{child['id']}"}
            parts.append(own)
            _gather(child, parts, own, unread)
            if child.name == "dt":
                part = own  # of which the next dd says more
                part["text"] += " "
        else:
            _gather(child, parts, part, unread)
            part["text"] += " " if child.name in _BLOCKS else ""


def _is_unread(tag):
    if tag.name == "details" and tag.summary and _UNREAD_FOLDS.match(_text(tag.summary)):
        return True
    return tag.name in _UNREAD["name"] or _UNREAD["class"].intersection(tag.get("class", ()))


def _titled(tag):
    """Kind and title of a part that is found by itself, or None."""
    if not tag.get("id"):
        return None
    classes = tag.get("class", [])
    if tag.name == "section" and (heading := tag.find(re.compile("h[2-6]"), recursive=False)):
        return "section", _text(heading)
    if "proof" in classes:
        return ("result" if "own" in classes else "statement"), _text(tag.p)
    if tag.name == "figure" and (number := tag.select_one(".caption-number")):
        return "figure", _text(number)
    if tag.name == "dt":
        return ("package", tag["id"]) if "sig" in classes else ("term", _text(tag))
    return None


def with_order(entries, labels):
    """The entries of all pages, each part with its order among equals; `_AGAIN` of the first page only.

    A kind is its place in `KINDS` from here on.

    Of two parts that are found alike that one goes first whose label comes first in ``labels``.
    """
    order = {f"#{label}": at for at, label in enumerate(labels)}
    ordered = []
    for page, (place, named, parts) in enumerate(entries):
        own = [part for part in parts if page == 0 or f"#{_slug(part[1])}" != _AGAIN]
        rows = [[KINDS.index(kind), *rest, order.get(rest[-1], len(order))] for kind, *rest in own]
        ordered.append([place, named, rows])
    return ordered

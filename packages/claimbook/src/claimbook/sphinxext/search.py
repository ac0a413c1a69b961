"""Entries for the search page: pages, sections, statements, figures and terms.

Names in the package also have entries.

Sphinx's own search ignores numbers, so that "Theorem 8" finds every page with the word "theorem". Sphinx's
search also fetches the text that it quotes, which a page opened from the file system is not allowed to do.
Because the book is small, its text is a single script. For each search, ``search.js`` reads the whole script
in a few milliseconds, without an index. Every search loads this script, so it contains no text twice. The
script leaves out text in which nobody searches for words: code, long or displayed formulas, exercises,
proofs, the checks of findings, and docstrings after their beginning.
"""

import re

from bs4 import NavigableString

_BLOCKS = ("p", "li", "td", "th", "dt", "dd", "div", "figcaption", "summary")
# These are titles, which entries have already, code, symbols, and the instructions for running a page again.
_UNREAD = {
    "name": set("h1 h2 h3 h4 h5 h6 script style pre".split()),
    "class": set(
        "headerlink code cell_input verdict symbols stamp facts status to-foot rubric reading-path judged "
        "onlyprint exercise solution evidence viewcode-link dependencies filters".split()
    ),
}
_UNREAD_SELECTORS = (
    ".proof > .admonition-title, div.math, .statements :is(th, td + td), "
    ".statements details > :not(.erratum), #evidence > :not(.about-one, h2), #evidence td, "
    "#evidence figcaption, #code-of-this-page details"
)
_UNREAD_FOLDS = re.compile(r"(full |short |complete )?proof\b|what (is|the) check|[■●✕□◐]", re.IGNORECASE)
KINDS = ("page", "statement", "section", "result", "term", "figure", "package")
_CODE_SECTION = "#code-of-this-page"  # the last section of each page, an entry only for the first page
_LONGEST_FORMULA = 7  # the most characters of an inline formula with its marks; "…" replaces longer formulas
_LONGEST_PACKAGE_TEXT = 40  # the most characters of the text about a name in the package


def entries_of(page, page_address):
    """Return the search entry of a page: its address, its name, and its parts.

    Parameters
    ----------
    page : BeautifulSoup
        The page, which is not changed.
    page_address : str
        The address of the page from the root of the site.

    Returns
    -------
    list or None
        The value is None if the HTML is not a page. Each part is a list of kind, title, text and anchor, and
        the first part is the page itself. Formulas in the text are between backticks. The anchor is
        abbreviated to "#" if it equals the title, and to "#-" if it equals the title in lower case with
        hyphens.
    """
    article, heading = page.select_one("article.bd-article"), page.select_one("article h1")
    if article is None or heading is None:
        return None
    link_in_sidebar = page.select_one(".bd-links .current.active > a")
    name = _text(link_in_sidebar) if link_in_sidebar else ""
    is_package = article.find("dt", class_="sig") is not None
    is_map = article.find("table", class_="map") is not None  # the map is found only by its own title
    parts = [{"kind": "page", "title": _text(heading), "text": "", "anchor": ""}]
    _collect_parts(article, parts, parts[0], {id(tag) for tag in article.select(_UNREAD_SELECTORS)})
    for part in parts:
        text = " ".join(part["text"].replace("`", "'").split())
        part["text"] = text.replace("\\(", "`").replace("\\)", "`")
        if part["anchor"] == f"#{_slug(part['title'])}":
            part["anchor"] = "#-"
        if is_map:
            part["text"] = ""
        if is_package:
            part |= {"kind": "package", "text": part["text"][:_LONGEST_PACKAGE_TEXT].rpartition(" ")[0]}
            if part["anchor"] == f"#{part['title']}":
                part["anchor"] = "#"
    return [page_address, f"API: {name}" if is_package else name, [[*part.values()] for part in parts]]


def _slug(title):
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")


def _text(tag):
    """Return the text of a tag without the sign "#", by which a heading links to itself."""
    return " ".join(tag.get_text().replace("#", "").split())


def _collect_parts(tag, parts, part, unread):
    """Add the text in a tag to ``part``, and the parts inside the tag to ``parts``.

    Text belongs to the innermost part with an address. The set ``unread`` has the ``id()`` of tags to skip.
    """
    for child in tag.children:
        if isinstance(child, NavigableString):
            part["text"] += child if type(child) is NavigableString else ""  # comments are not searched
        elif id(child) in unread or _is_unread(child):
            continue
        elif child.name == "span" and "math" in child.get("class", ()):
            formula = child.get_text()
            part["text"] += formula if len(formula) <= _LONGEST_FORMULA else "…"
        elif kind_and_title := _kind_and_title(child):
            kind, title = kind_and_title
            new_part = {"kind": kind, "title": title, "text": "", "anchor": f"#{child['id']}"}
            parts.append(new_part)
            _collect_parts(child, parts, new_part, unread)
            if child.name == "dt":
                part = new_part  # the dd that follows belongs to this term
                part["text"] += " "
        else:
            _collect_parts(child, parts, part, unread)
            part["text"] += " " if child.name in _BLOCKS else ""


def _is_unread(tag):
    if tag.name == "details" and tag.summary and _UNREAD_FOLDS.match(_text(tag.summary)):
        return True
    return tag.name in _UNREAD["name"] or _UNREAD["class"].intersection(tag.get("class", ()))


def _kind_and_title(tag):
    """Return the kind and title of a part that forms its own entry, or None."""
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


def addresses_in(entries):
    """Return the set of addresses that the entries of all pages have on the site."""
    return {
        address + {"#": f"#{title}", "#-": f"#{_slug(title)}"}.get(anchor, anchor)
        for address, _, parts in entries
        for _, title, _, anchor in parts
    }


def with_order(entries, labels):
    """Return the entries of all pages, with a rank added to each part.

    Notes
    -----
    In the result, each kind is represented by its index in ``KINDS``, and ``…`` in a text by ``~``, one byte
    instead of three. Of two equally good results, the search first shows the result whose label comes first
    in ``labels``. Only the first page keeps the section ``_CODE_SECTION``.
    """
    rank_of_anchor = {f"#{label}": rank for rank, label in enumerate(labels)}
    entries_with_ranks = []
    for page_number, (address, name, parts) in enumerate(entries):
        rows = [
            [
                KINDS.index(kind),
                title,
                text.replace("~", "∼").replace("…", "~"),  # a tilde in the text becomes a similar sign
                anchor,
                rank_of_anchor.get(anchor, len(rank_of_anchor)),
            ]
            for kind, title, text, anchor in parts
            if page_number == 0 or f"#{_slug(title)}" != _CODE_SECTION
        ]
        entries_with_ranks.append([address, name, rows])
    return entries_with_ranks

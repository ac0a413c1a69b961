"""What the search page looks through: pages, sections, statements, figures, terms and names of the package.

Sphinx's own search drops numbers, so that "Theorem 8" finds every page with the word "theorem", and fetches
what it quotes, which a page opened from the file system may not do. The book is small: its text is one
script, and ``search.js`` reads all of it for each question, without an index, in some milliseconds. A reader
loads it with every search, so it holds no text twice, and none in which nobody looks for words: code,
displayed formulas, solutions, the numbers of findings, more of a name of the package than how it begins.
"""

import json
import re

from bs4 import NavigableString

ENTRIES = "search-entries.js"
_ASSIGNED = "window.companionEntries = "
_BLOCKS = ("p", "li", "td", "th", "dt", "dd", "div", "figcaption", "summary")
# Titles, which entries have already; code, symbols and what is made for running a page again.
_UNREAD = (
    "h1, h2, h3, h4, h5, h6, .proof > .admonition-title, .headerlink, .cell_input, .verdict, .symbols, "
    ".stamp, .facts, .walk, .judged, script, style, .onlyprint, pre, div.math, .solution, .evidence, "
    ".viewcode-link, #the-ledger td:not(:first-child), "
    "#the-sources-statement-by-statement table"
)
_AGAIN = "#this-page-run-it-again-cite-it"  # ends each page: who asks how to cite is led to the first
_BEGINNING = 160  # characters of what is said of a name of the package


def entries_of(page, place):
    """The entries of a page of the site.

    Parameters
    ----------
    page : BeautifulSoup
        Not changed.
    place : str
        Its address from the root of the site.

    Returns
    -------
    list of dict
        With ``url``, ``kind``, ``title``, ``page`` (its title) and ``text``; the page itself comes first.
    """
    article, heading = page.select_one("article.bd-article"), page.select_one("article h1")
    if article is None or heading is None:
        return []
    current = page.select_one(".bd-links .current.active > a")
    named = _text(current) if current else ""
    entry = {"url": place, "kind": "page", "title": _text(heading), "page": named, "text": ""}
    if place.partition("/")[2].startswith("api-"):
        entry |= {"kind": "package", "page": f"API: {named}"}
    found = [entry]
    _read(article, found, entry, {id(tag) for tag in article.select(_UNREAD)})
    for part in found:
        part["text"] = " ".join(part["text"].split())
        if entry["kind"] == "package":
            part["text"] = part["text"][:_BEGINNING].rpartition(" ")[0]
    return found


def _text(tag):
    return " ".join(tag.get_text().replace("#", "").split())


def _read(tag, found, entry, unread):
    """Add text to the entry that it belongs to: the innermost part of the page with an address."""
    for child in tag.children:
        if isinstance(child, NavigableString):
            entry["text"] += child if type(child) is NavigableString else ""  # and no comment
        elif id(child) in unread:
            continue
        elif head := _head(child):
            kind = "package" if entry["kind"] == "package" else head[0]
            part = {"url": f"{found[0]['url']}#{child['id']}", "kind": kind, "title": head[1]}
            found.append(part | {"page": found[0]["title"], "text": ""})
            _read(child, found, found[-1], unread)
            if child.name == "dt":
                entry = found[-1]  # of which the next dd says more
                entry["text"] += " "
        else:
            _read(child, found, entry, unread)
            entry["text"] += " " if child.name in _BLOCKS else ""


def _head(tag):
    """Kind and title of a part that is found by itself, or None."""
    if not tag.get("id"):
        return None
    classes = tag.get("class", [])
    if tag.name == "section" and (heading := tag.find(re.compile("h[2-6]"), recursive=False)):
        return "section", _text(heading)
    if "proof" in classes:
        return ("result" if re.match(r"C\d", _text(tag.p)) else "statement"), _text(tag.p)
    if tag.name == "figure" and (number := tag.select_one(".caption-number")):
        return "figure", _text(number)
    if tag.name == "dt":
        return ("package", tag["id"]) if "sig" in classes else ("term", _text(tag))
    return None


def read_entries(site):
    """The entries that a site has, by the place of their page."""
    if not (site / ENTRIES).exists():
        return {}
    text = (site / ENTRIES).read_text(encoding="utf-8").removeprefix(_ASSIGNED).rstrip(";\n")
    entries = {}
    for place, named, parts in json.loads(text):
        entries[place] = []
        for kind, title, said, anchor, order in parts:
            page = entries[place][0]["title"] if anchor else named
            entry = {"url": place + anchor, "kind": kind, "title": title, "page": page, "text": said}
            entries[place].append(entry | {"order": order})
    return entries


def write_entries(site, entries, labels):
    """Write what the search page looks through: of each page its place, its name in the sidebar, its parts.

    Parameters
    ----------
    site : Path
    entries : dict
        Lists of entries by place, in reading order.
    labels : list of str
        Of statements, in the order of their sources: of two that are found alike the first goes first.
    """
    order = {f"#{label}": at for at, label in enumerate(labels)}
    listed = []
    for place, own in entries.items():
        parts = []
        for part in own:
            anchor = part["url"].removeprefix(place)
            if anchor != _AGAIN or not listed:
                at = order.get(anchor, len(order))
                parts.append([part["kind"], part["title"], part["text"], anchor, at])
        listed.append([place, own[0]["page"], parts])
    text = json.dumps(listed, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    (site / ENTRIES).write_text(f"{_ASSIGNED}{text};\n", encoding="utf-8")

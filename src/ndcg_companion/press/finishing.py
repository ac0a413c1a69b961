"""The last hand on the rendered site: previews of links, what the search page reads, and repairs.

Works on the HTML that Jupyter Book wrote. Previews are one script that pages load when a link is first
pointed at or focused (``_static/reading.js``), and so is what is searched: a page opened from the file system
may load a script, and may not fetch anything else. The repairs are of what the theme and its extensions leave
against the rules of HTML or of accessibility; the site's tests hold all pages to those rules. A page that was
finished says so at its end, so that only those that were written since are looked at.
"""

import json
import os

from bs4 import BeautifulSoup

from ndcg_companion.press.search import entries_of, in_reading_order
from ndcg_companion.press.symbols import tokens_of
from ndcg_companion.press.template import filled

_FINISHED = "<!-- finished by ndcg-companion -->\n"


def finish(site, moved, places, found, labels=()):
    """Repair the pages that were written since they were finished, and note what searches and previews need.

    Parameters
    ----------
    site : Path
        Folder of the site.
    moved : dict
        Names of pages that only lead on, to where they lead.
    places : list of str
        The addresses of the book's pages, in reading order.
    found : dict
        What was noted of each page, by its address, when it was finished; completed here.
    labels : list of str
        Of the statements, in the order of their sources.

    Returns
    -------
    set of str
        The addresses of the pages that were finished.
    """
    new = {}
    for path in sorted(site.rglob("*.html")):
        place = path.relative_to(site).as_posix()
        if not place.startswith("_static/") and not is_finished(path):
            page = _parsed(path)
            repair(page)
            previews = {f"{place}#{anchor}": text for anchor, text in _worth_a_preview(page)}
            new[place] = {"entries": entries_of(page, place), "previews": previews}
            path.write_text(str(page) + _FINISHED, encoding="utf-8")
    found |= new
    known = [found[place] for place in places if place in found]
    previews = {address: text for page in known for address, text in page["previews"].items()}
    _assign(site / "previews.js", "companionPreviews", previews)
    entries = in_reading_order([page["entries"] for page in known if page["entries"]], labels)
    _assign(site / "search-entries.js", "companionEntries", entries)
    for name, to in moved.items():
        address = os.path.relpath(f"{to}.html", os.path.dirname(name))
        title = _parsed(site / f"{to}.html").title.get_text().partition(" — ")[0]
        text = filled("press/fragments/moved.html", address=address, title=title)
        (site / f"{name}.html").write_text(f"{text}\n{_FINISHED}", encoding="utf-8")
    return set(new)


def _assign(path, name, data):
    """Write a script that gives data their name."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"window.{name} = {text};\n", encoding="utf-8")


def is_finished(path):
    """Whether a page is there and was finished."""
    return path.exists() and path.read_bytes().endswith(_FINISHED.encode())


def _parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def repair(page):
    """Mend what the theme and its extensions leave undone, in place."""
    for content in page.select("#proof-content, #exercise-content, #solution-content"):
        del content["id"]  # all boxes of a page get the same
    for title in page.select(".admonition > .admonition-title[id]"):
        if title["id"] == title.parent.get("id"):
            del title["id"]
    for block in page.select("summary > p, pre div.viewcode-block"):
        block.name = "span"  # neither a summary nor code may hold a block
    for title in page.select(".onlyprint:has(> h1:empty)"):
        title.decompose()  # the title of a page that has none but its own
    for title in page.select("article > h1"):
        title.replace_with(
            BeautifulSoup(str(title).replace(".", "<wbr/>."), "html.parser")
        )  # names of modules break at their dots
    for field in page.select("input[autocorrect]"):
        del field["autocorrect"]  # one browser's own
    for parameter in page.select("dt.sig dl, dt.sig dl dd"):
        parameter["class"] = ["sig-line" if parameter.name == "dd" else "sig-lines"]
        parameter.name = "span"  # a list of definitions without terms is none
    for paragraph in page.select("p:has(> ul, > ol)"):
        paragraph.unwrap()
    for head in page.select("th"):
        formulas = head.select("span.math")
        if not head.get_text(strip=True):
            head.name = "td"
        elif head.get_text(strip=True) == "".join(one.get_text(strip=True) for one in formulas):
            _say(head, formulas)
    for work in page.select("div.citation"):
        work["role"] = "listitem"  # which is what a role of list, around them, asks for
    for sidebar in page.select("div.bd-sidebar-primary"):
        sidebar["role"], sidebar["aria-label"] = "complementary", "The book"


def _say(head, formulas):
    """Put a header that is only formulas into words: what MathJax draws counts as no text."""
    words = " ".join(token.lstrip("\\") for one in formulas for token in tokens_of(one.get_text()[2:-2]))
    head.append(BeautifulSoup(f'<span class="visually-hidden">{words}</span>', "html.parser"))
    for one in formulas:
        one["aria-hidden"] = "true"


def _worth_a_preview(page):
    """Anchor and HTML of theorem boxes, terms of the glossary and references."""
    for box in page.select("div.proof[id]"):
        yield box["id"], box.decode_contents()
    for term in page.select("dl.glossary dt[id]"):
        name, meaning = term.get_text(strip=True).rstrip("#"), term.find_next("dd").decode_contents()
        yield term["id"], f"<p><strong>{name}</strong></p>{meaning}"
    for work in page.select("div.citation[id]"):
        yield work["id"], work.find("p").decode()

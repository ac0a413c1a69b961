"""The last hand on the rendered site: previews of links, and repairs.

Works on the HTML that Jupyter Book wrote. Previews are
one script that pages load when a link is first pointed at or focused (``_static/reading.js``): a script,
because a page opened from the file system may load one, and may not fetch anything else. The repairs are
of what the theme and its extensions leave against the rules of HTML or of accessibility; the site's tests
hold all pages to those rules. A page that was finished says so at its end, so that only those that were
written since are looked at.
"""

import json
import os

from bs4 import BeautifulSoup

from ndcg_companion.press.search import entries_of, read_entries, write_entries
from ndcg_companion.press.symbols import tokens_of
from ndcg_companion.press.template import filled

PREVIEWS = "previews.js"
_FINISHED = "<!-- finished by ndcg-companion -->\n"
_ASSIGNED = "window.companionPreviews = "


def finish(site, moved, places=(), labels=()):
    """Give the pages that were written since they were finished their previews, and repair them.

    Parameters
    ----------
    site : Path
        Folder of the site.
    moved : dict
        Names of pages that only lead on, to where they lead.
    places : iterable of str
        The pages that can be searched for, in reading order, by their addresses.
    labels : list of str
        Of the statements, in the order of their sources.

    Returns
    -------
    set of Path
        The pages that were finished.
    """
    paths = sorted(path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts)
    places_of = {path: path.relative_to(site).as_posix() for path in paths}
    new = {path: _parsed(path) for path in paths if not is_finished(path)}
    previews = _known_previews(site, {place for path, place in places_of.items() if path not in new})
    entries = read_entries(site)
    for path, page in new.items():
        repair(page)
        place = places_of[path]
        previews |= {f"{place}#{anchor}": text for anchor, text in _worth_a_preview(page)}
        entries[place] = entries_of(page, place)
        path.write_text(str(page) + _FINISHED, encoding="utf-8")
    data = json.dumps(previews, ensure_ascii=False, sort_keys=True).replace("</", "<\\/")
    (site / PREVIEWS).write_text(f"{_ASSIGNED}{data};\n", encoding="utf-8")
    write_entries(site, {place: entries[place] for place in places if place in entries}, labels)
    for name, to in moved.items():
        address = os.path.relpath(f"{to}.html", os.path.dirname(name))
        title = _parsed(site / f"{to}.html").title.get_text().partition(" — ")[0]
        text = filled("press/fragments/moved.html", address=address, title=title)
        (site / f"{name}.html").write_text(f"{text}\n{_FINISHED}", encoding="utf-8")
    return set(new)


def is_finished(path):
    """Whether a page is there and was finished."""
    return path.exists() and path.read_bytes().endswith(_FINISHED.encode())


def _parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def _known_previews(site, places):
    """The previews of pages that were finished before."""
    if not (site / PREVIEWS).exists():
        return {}
    text = (site / PREVIEWS).read_text(encoding="utf-8").removeprefix(_ASSIGNED).rstrip(";\n")
    return {key: preview for key, preview in json.loads(text).items() if key.partition("#")[0] in places}


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

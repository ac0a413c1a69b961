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
from collections import defaultdict

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
    tags = defaultdict(list)  # by name, in one walk: a selector would walk through the page for each repair
    for tag in page.find_all(True):
        tags[tag.name].append(tag)
    for content in tags["section"]:
        if content.get("id") in ("proof-content", "exercise-content", "solution-content"):
            del content["id"]  # all boxes of a page get the same
    for title in tags["p"]:
        if _has(title, "admonition-title") and title.get("id") == title.parent.get("id"):
            del title["id"]
        if title.parent.name == "summary":
            title.name = "span"  # a summary may hold no block
        elif title.find(("ul", "ol"), recursive=False):
            title.unwrap()
    for block in tags["div"]:
        if _has(block, "viewcode-block") and block.find_parent("pre"):
            block.name = "span"  # nor may code
        elif _has(block, "citation"):
            block["role"] = "listitem"  # which is what a role of list, around them, asks for
        elif _has(block, "bd-sidebar-primary"):
            block["role"], block["aria-label"] = "complementary", "The book"
        elif _has(block, "onlyprint") and (title := block.find("h1", recursive=False)) and not title.contents:
            block.extract()  # the title of a page that has none but its own
    for title in tags["h1"]:
        if title.parent and title.parent.name == "article":  # names of modules break at their dots
            title.replace_with(BeautifulSoup(str(title).replace(".", "<wbr/>."), "html.parser"))
    for field in tags["input"]:
        del field["autocorrect"]  # one browser's own
    for signature in filter(lambda term: _has(term, "sig"), tags["dt"]):
        for parameter in signature.select("dl, dl dd"):
            parameter["class"] = ["sig-line" if parameter.name == "dd" else "sig-lines"]
            parameter.name = "span"  # a list of definitions without terms is none
    for head in tags["th"]:
        formulas, said = head.select("span.math"), head.get_text(strip=True)
        if not said:
            head.name = "td"
        elif said == "".join(formula.get_text(strip=True) for formula in formulas):
            _say(head, formulas)


def _has(tag, name):
    return name in tag.get("class", ())


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

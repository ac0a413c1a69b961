"""Post-processing of the rendered site: previews of links, what the search page reads, and repairs.

Works on the HTML that Jupyter Book wrote. Previews are one script that pages load when a link is first
pointed at or focused (``reading.js``), and so is what is searched: a page opened from the file system
may load a script, and may not fetch anything else. The repairs are of what the theme and its extensions leave
against the rules of HTML or of accessibility; the site's tests hold all pages to those rules. A page that was
processed ends with a comment that marks it, so that only those that were written since are looked at.
"""

import json
import os
import re
from collections import defaultdict

from bs4 import BeautifulSoup, NavigableString
from joblib import Parallel, delayed

from claimbook.sphinxext.search import entries_of, with_order
from claimbook.sphinxext.symbols import tokens_of
from claimbook.templates import filled

_DONE = "<!-- post-processed -->\n"
_FOR_A_WORKER = 20  # pages that are worth the start of another process
_BEFORE_A_FORMULA = re.compile(r"[(\[“‘]+$")
_AFTER_A_FORMULA = re.compile(r"^(?:-\w+)?[.,;:!?)\]”’]*")


def post_process(site, moved, places, found, labels=(), synonyms=(), answers=()):
    """Post-process the pages that were written anew: repair their HTML, note what search and previews need.

    Parameters
    ----------
    site : Path
        Folder of the site.
    moved : dict
        Names of pages that only lead on, to the pages that they lead to, or to places on these, as
        ``page#place``. An anchor in the address of a reader is kept.
    places : list of str
        The addresses of the book's pages, in reading order.
    found : dict
        What was noted of each page, by its address, when it was processed; completed here.
    labels : list of str
        Of the statements, in the order of their sources.
    synonyms : mapping of str
        ``Book.synonyms``.
    answers : mapping of str
        Regular expressions for searches to addresses on the site.

    Returns
    -------
    set of str
        The addresses of the pages that were processed.
    """
    paths = sorted(site.rglob("*.html"))
    names = {path.relative_to(site).as_posix(): path for path in paths if not is_post_processed(path)}
    new = {place: path for place, path in names.items() if not place.startswith("_static/")}
    workers = min(os.cpu_count() or 1, 1 + len(new) // _FOR_A_WORKER)
    noted = Parallel(workers)(delayed(_process_page)(path, place) for place, path in new.items())
    found |= zip(new, noted, strict=True)
    known = [found[place] for place in places if place in found]
    previews = {address: text for page in known for address, text in page["previews"].items()}
    _assign(site / "previews.js", "bookPreviews", previews)
    entries = with_order([page["entries"] for page in known if page["entries"]], labels)
    known_words = {"synonyms": [*dict(synonyms).items()], "answers": [*dict(answers).items()]}
    _assign(site / "search-entries.js", "bookSearch", {"entries": entries, **known_words})
    for name, to in moved.items():
        file, mark, anchor = to.partition("#")
        address = os.path.relpath(f"{file}.html", os.path.dirname(name))
        title = _parsed(site / f"{file}.html").title.get_text().partition(" — ")[0]
        text = filled("fragments/moved.html", page=address, anchor=mark + anchor, title=title)
        (site / f"{name}.html").write_text(f"{text}\n{_DONE}", encoding="utf-8")
    return set(new)


def _process_page(path, place):
    page = _parsed(path)
    repair(page)
    path.write_text(str(page) + _DONE, encoding="utf-8")
    previews = {f"{place}#{anchor}": text for anchor, text in _worth_a_preview(page)}
    return {"entries": entries_of(page, place), "previews": previews}


def _assign(path, name, data):
    """Write a script that assigns data to a global variable of this name."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"window.{name} = {text};\n", encoding="utf-8")


def is_post_processed(path):
    """Whether a page is there and was post-processed."""
    return path.exists() and path.read_bytes().endswith(_DONE.encode())


def _parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def repair(page):
    """Mend what the theme and its extensions leave undone, in place."""
    _fold_parts(page)
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
        formulas, text = head.select("span.math"), head.get_text(strip=True)
        if not text:
            head.name = "td"
        elif text == "".join(formula.get_text(strip=True) for formula in formulas):
            _say(head, formulas)
    for formula in filter(lambda span: _has(span, "math"), tags["span"]):
        _keep_together(formula)


def _fold_parts(page):
    """Fold the parts of the book in the side bar, but for the one that holds this page."""
    for caption in page.select("nav.bd-links p.caption"):
        pages = caption.find_next_sibling("ul")
        part = page.new_tag("details", attrs={"class": "part"})
        if pages.select_one(".current"):
            part["open"] = ""
        caption.insert_before(part)
        caption.name = "summary"
        del caption["role"], caption["aria-level"]
        part.extend([caption.extract(), pages.extract()])


def _keep_together(formula):
    """Move the signs beside a formula into its box, so that no line begins with a full stop.

    A browser may break a line on both sides of a box, and no character that forbids it is heeded there.
    """
    for text, signs, place in (
        (formula.previous_sibling, _BEFORE_A_FORMULA, formula.contents[0].insert_before),
        (formula.next_sibling, _AFTER_A_FORMULA, formula.append),
    ):
        found = signs.search(text) if type(text) is NavigableString else None
        if found and found[0]:
            place(found[0])
            text.replace_with(signs.sub("", text))
    formula.smooth()


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

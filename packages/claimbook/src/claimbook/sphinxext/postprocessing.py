"""Post-process the site: add link previews and search data, and repair the HTML.

This module changes the HTML that Jupyter Book wrote. The previews are in a script that ``reading.js`` loads
when the reader first points at a link or focuses it. The search data are in another script, because a page
opened from the file system may load scripts but not fetch anything else. The repairs correct errors in HTML
and accessibility that the theme and its extensions cause. The site's tests check all pages. A processed page
ends with a comment that marks it, so that later builds process only new pages.
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
_FOR_A_WORKER = 20  # the number of pages from which starting another process saves time
_BEFORE_A_FORMULA = re.compile(r"[(\[“‘]+$")
_AFTER_A_FORMULA = re.compile(r"^(?:-\w+)?[.,;:!?)\]”’]*")


def post_process(site, redirects, places, page_data, labels=(), synonyms=(), answers=()):
    """Repair the HTML of new pages, and write the data for search and previews.

    Parameters
    ----------
    site : Path
        The folder of the site.
    redirects : dict
        The targets of redirecting pages, by the name of the old page. A target is a page, or a position on a
        page in the form ``page#place``. The redirect keeps the anchor of the address that the reader opened.
    places : list of str
        The addresses of the book's pages, in reading order.
    page_data : dict
        The data of pages that were processed earlier, by address. This call adds the new pages.
    labels : list of str
        The labels of the statements, in the order of their sources.
    synonyms : mapping of str
        ``Book.synonyms``.
    answers : mapping of str
        Regular expressions for searches, each with the address on the site where the answer is.

    Returns
    -------
    set of str
        The addresses of the processed pages.
    """
    paths = sorted(site.rglob("*.html"))
    new_files = {path.relative_to(site).as_posix(): path for path in paths if not is_post_processed(path)}
    new_pages = {address: path for address, path in new_files.items() if not address.startswith("_static/")}
    workers = min(os.cpu_count() or 1, 1 + len(new_pages) // _FOR_A_WORKER)
    processed = Parallel(workers)(
        delayed(_process_page)(path, address) for address, path in new_pages.items()
    )
    page_data |= zip(new_pages, processed, strict=True)
    pages = [page_data[address] for address in places if address in page_data]
    previews = {address: text for page in pages for address, text in page["previews"].items()}
    _assign(site / "previews.js", "bookPreviews", previews)
    entries = with_order([page["entries"] for page in pages if page["entries"]], labels)
    word_rules = {"synonyms": [*dict(synonyms).items()], "answers": [*dict(answers).items()]}
    _assign(site / "search-entries.js", "bookSearch", {"entries": entries, **word_rules})
    for name, target in redirects.items():
        file, sign, anchor = target.partition("#")
        address = os.path.relpath(f"{file}.html", os.path.dirname(name))
        title = _parsed(site / f"{file}.html").title.get_text().partition(" — ")[0]
        text = filled("fragments/moved.html", page=address, anchor=sign + anchor, title=title)
        (site / f"{name}.html").write_text(f"{text}\n{_DONE}", encoding="utf-8")
    return set(new_pages)


def _process_page(path, address):
    """Repair a page, and return its search entry and its previews."""
    page = _parsed(path)
    repair(page)
    path.write_text(str(page) + _DONE, encoding="utf-8")
    previews = {f"{address}#{anchor}": text for anchor, text in _previews(page)}
    return {"entries": entries_of(page, address), "previews": previews}


def _assign(path, name, data):
    """Write a script that assigns data to a global variable."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"window.{name} = {text};\n", encoding="utf-8")


def is_post_processed(path):
    """Return whether a page exists and has been post-processed."""
    return path.exists() and path.read_bytes().endswith(_DONE.encode())


def _parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def repair(page):
    """Repair the HTML of a page in place."""
    _fold_parts(page)
    tags = defaultdict(list)  # found by name in one pass, because each selector would traverse the page again
    for tag in page.find_all(True):
        tags[tag.name].append(tag)
    for content in tags["section"]:
        if content.get("id") in ("proof-content", "exercise-content", "solution-content"):
            del content["id"]  # all boxes of a page have the same id
    for title in tags["p"]:
        if _has_class(title, "admonition-title") and title.get("id") == title.parent.get("id"):
            del title["id"]
        if title.parent.name == "summary":
            title.name = "span"  # a summary must not contain a block
        elif title.find(("ul", "ol"), recursive=False):
            title.unwrap()
    for block in tags["div"]:
        if _has_class(block, "viewcode-block") and block.find_parent("pre"):
            block.name = "span"  # code must not contain a block
        elif _has_class(block, "citation"):
            block["role"] = "listitem"  # required by the role "list" of the element around it
        elif _has_class(block, "bd-sidebar-primary"):
            block["role"], block["aria-label"] = "complementary", "The book"
        elif (
            _has_class(block, "onlyprint")
            and (title := block.find("h1", recursive=False))
            and not title.contents
        ):
            block.extract()  # this is an empty second title for print
    for title in tags["h1"]:
        if title.parent and title.parent.name == "article":  # lets module names break at their dots
            title.replace_with(BeautifulSoup(str(title).replace(".", "<wbr/>."), "html.parser"))
    for field in tags["input"]:
        del field["autocorrect"]  # only one browser supports this attribute
    for signature in filter(lambda term: _has_class(term, "sig"), tags["dt"]):
        for parameter in signature.select("dl, dl dd"):
            parameter["class"] = ["sig-line" if parameter.name == "dd" else "sig-lines"]
            parameter.name = "span"  # a definition list without terms is invalid
    for head in tags["th"]:
        formulas, text = head.select("span.math"), head.get_text(strip=True)
        if not text:
            head.name = "td"
        elif text == "".join(formula.get_text(strip=True) for formula in formulas):
            _add_words(head, formulas)
    for formula in filter(lambda span: _has_class(span, "math"), tags["span"]):
        _keep_together(formula)


def _fold_parts(page):
    """Fold all parts of the book in the side bar, except the part with this page."""
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
    """Move the punctuation beside a formula into the formula's box.

    Notes
    -----
    As a result, no line can begin with this punctuation. A browser may break a line on either side of a box,
    and it ignores characters that forbid a break there.
    """
    for text, punctuation, insert in (
        (formula.previous_sibling, _BEFORE_A_FORMULA, formula.contents[0].insert_before),
        (formula.next_sibling, _AFTER_A_FORMULA, formula.append),
    ):
        match = punctuation.search(text) if type(text) is NavigableString else None
        if match and match[0]:
            insert(match[0])
            text.replace_with(punctuation.sub("", text))
    formula.smooth()


def _has_class(tag, name):
    return name in tag.get("class", ())


def _add_words(head, formulas):
    """Add words to a table header that consists of formulas, which do not count as text."""
    tokens = [token for formula in formulas for token in tokens_of(formula.get_text()[2:-2])]
    words = " ".join(token.lstrip("\\") for token in tokens)
    head.append(BeautifulSoup(f'<span class="visually-hidden">{words}</span>', "html.parser"))
    for formula in formulas:
        formula["aria-hidden"] = "true"


def _previews(page):
    """Yield the anchor and HTML of theorem boxes, glossary terms and references."""
    for box in page.select("div.proof[id]"):
        yield box["id"], box.decode_contents()
    for term in page.select("dl.glossary dt[id]"):
        name, meaning = term.get_text(strip=True).rstrip("#"), term.find_next("dd").decode_contents()
        yield term["id"], f"<p><strong>{name}</strong></p>{meaning}"
    for work in page.select("div.citation[id]"):
        yield work["id"], work.find("p").decode()

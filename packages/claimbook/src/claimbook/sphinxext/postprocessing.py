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

from claimbook.sphinxext.search import addresses_in, entries_of, with_order
from claimbook.sphinxext.symbols import tokens_of
from claimbook.templates import filled
from claimbook.text import nearest

_MARK_AT_END = "<!-- post-processed -->\n"
_PAGES_PER_WORKER = 20  # the number of pages from which starting another process saves time
# In the theme's styles, names, punctuation and spaces have the colour of the code around them. Their tags
# would be a fifth of a page.
_UNCOLOURED = re.compile(r'<span class="[npw]">([^<]*)</span>')
_PUNCTUATION_BEFORE_FORMULA = re.compile(r"[(\[“‘]+$")
_PUNCTUATION_AFTER_FORMULA = re.compile(r"^(?:-\w+)?[.,;:!?)\]”’]*")


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

    Raises
    ------
    ValueError
        If an answer is not in the search index.
    """
    files = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*.html"))}
    new_pages = {
        address: path
        for address, path in files.items()
        if not address.startswith("_static/") and not is_post_processed(path)
    }
    workers = min(os.cpu_count() or 1, 1 + len(new_pages) // _PAGES_PER_WORKER)
    data_of_new_pages = Parallel(workers)(
        delayed(_process_page)(path, address) for address, path in new_pages.items()
    )
    page_data |= zip(new_pages, data_of_new_pages, strict=True)  # changes the caller's dict
    pages = [page_data[address] for address in places if address in page_data]
    previews = {address: text for page in pages for address, text in page["previews"].items()}
    _write_script(site / "previews.js", "bookPreviews", previews)
    entries = [page["entries"] for page in pages if page["entries"]]
    _check_answers(dict(answers), addresses_in(entries))
    entries = with_order(entries, labels)
    word_rules = {"synonyms": [*dict(synonyms).items()], "answers": [*dict(answers).items()]}
    _write_script(site / "search-entries.js", "bookSearch", {"entries": entries, **word_rules})
    for old_page, target in redirects.items():
        page, sign, anchor = target.partition("#")
        address = os.path.relpath(f"{page}.html", os.path.dirname(old_page))
        title, _, _book_title = _parsed(site / f"{page}.html").title.get_text().partition(" — ")
        html = filled("fragments/moved.html", page=address, anchor=sign + anchor, title=title)
        (site / f"{old_page}.html").write_text(f"{html}\n{_MARK_AT_END}", encoding="utf-8")
    return set(new_pages)


def _check_answers(answers, addresses):
    for pattern, answer in answers.items():
        if answer not in addresses:
            raise ValueError(
                f"answers: {pattern!r}: expected the address of an entry of the search index, got {answer!r}"
                f"{nearest(answer, addresses)}"
            )


def _process_page(path, address):
    """Repair a page, and return a dict with its search entry and its previews by address."""
    page = _parsed(path)
    repair(page)
    path.write_text(str(page) + _MARK_AT_END, encoding="utf-8")
    previews = {f"{address}#{anchor}": text for anchor, text in _previews(page)}
    return {"entries": entries_of(page, address), "previews": previews}


def _write_script(path, name, data):
    """Write a script that assigns data to a global variable."""
    # The escape keeps a browser from ending the script at a tag in a text.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"window.{name} = {text};\n", encoding="utf-8")


def is_post_processed(path):
    """Return whether a page exists and has been post-processed."""
    return path.exists() and path.read_bytes().endswith(_MARK_AT_END.encode())


def _parsed(path):
    html = path.read_text(encoding="utf-8")
    return BeautifulSoup(_UNCOLOURED.sub(r"\1", html), "html.parser")


def repair(page):
    """Repair the HTML of a page in place."""
    _fold_parts(page)
    tags = defaultdict(list)  # found by name in one pass, because each selector would traverse the page again
    for tag in page.find_all(True):
        tags[tag.name].append(tag)
    for section in tags["section"]:
        if section.get("id") in ("proof-content", "exercise-content", "solution-content"):
            del section["id"]  # all boxes of a page have the same id
    for paragraph in tags["p"]:
        if _has_class(paragraph, "admonition-title") and paragraph.get("id") == paragraph.parent.get("id"):
            del paragraph["id"]
        if paragraph.parent.name == "summary":
            paragraph.name = "span"  # a summary must not contain a block
        elif paragraph.find(("ul", "ol"), recursive=False):
            paragraph.unwrap()  # a paragraph must not contain a list
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
    for header_cell in tags["th"]:
        formulas, text = header_cell.select("span.math"), header_cell.get_text(strip=True)
        if not text:
            header_cell.name = "td"  # a header must not be empty
        elif text == "".join(formula.get_text(strip=True) for formula in formulas):
            _add_words(header_cell, formulas)
    for formula in filter(lambda span: _has_class(span, "math"), tags["span"]):
        _keep_together(formula)


def _fold_parts(page):
    """Fold all parts of the book in the side bar, except the part with this page."""
    navigation = page.find("nav", class_="bd-links")
    for caption in navigation.find_all("p", class_="caption") if navigation else ():
        page_list = caption.find_next_sibling("ul")
        fold = page.new_tag("details", attrs={"class": "part"})
        if page_list.select_one(".current"):
            fold["open"] = ""
        caption.insert_before(fold)
        caption.name = "summary"
        del caption["role"], caption["aria-level"]
        fold.extend([caption.extract(), page_list.extract()])


def _keep_together(formula):
    """Move the punctuation beside a formula into the formula's box.

    Notes
    -----
    As a result, no line can begin with this punctuation. A browser may break a line on either side of a box,
    and it ignores characters that forbid a break there.
    """
    for text, pattern, insert_into_formula in (
        (formula.previous_sibling, _PUNCTUATION_BEFORE_FORMULA, formula.contents[0].insert_before),
        (formula.next_sibling, _PUNCTUATION_AFTER_FORMULA, formula.append),
    ):
        match = pattern.search(text) if type(text) is NavigableString else None
        if match and (punctuation := match[0]):
            insert_into_formula(punctuation)
            text.replace_with(pattern.sub("", text))
    formula.smooth()  # joins texts that are now next to each other


def _has_class(tag, name):
    return name in tag.get("class", ())


def _add_words(header_cell, formulas):
    """Add words to a table header that consists of formulas, which do not count as text."""
    formula_texts = [formula.get_text().removeprefix("\\(").removesuffix("\\)") for formula in formulas]
    tokens = [token for text in formula_texts for token in tokens_of(text)]
    words = " ".join(token.lstrip("\\") for token in tokens)
    header_cell.append(BeautifulSoup(f'<span class="visually-hidden">{words}</span>', "html.parser"))
    for formula in formulas:
        formula["aria-hidden"] = "true"


def _previews(page):
    """Yield the anchor and HTML of theorem boxes, glossary terms and references."""
    for tag in page.find_all(["div", "dt"], id=True):
        if _has_class(tag, "proof"):
            yield tag["id"], tag.decode_contents()
        elif _has_class(tag, "citation"):
            yield tag["id"], tag.find("p").decode()
        elif tag.name == "dt" and tag.find_parent("dl", class_="glossary"):
            # A heading ends with "#", the text of the link to itself.
            name, meaning = tag.get_text(strip=True).rstrip("#"), tag.find_next("dd").decode_contents()
            yield tag["id"], f"<p><strong>{name}</strong></p>{meaning}"

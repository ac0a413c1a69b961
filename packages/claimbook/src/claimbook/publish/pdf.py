"""Print the finished site as one PDF with headless Chromium.

Parts that only work on a screen are left out: code and the links to it, buttons, and pages about the package.
All folds are open. The numbered chapters and the pages before them form the division *Main line*, and the
pages after them form the *Appendix*. The evidence of all pages is collected in a final division, *Evidence*.
Links between pages become links within the file, and links to omitted parts become plain text. The browser
prints the book twice, because the page numbers in the contents are known only after the first print.
"""

# Written by hand, because Sphinx prints through LaTeX, which has neither the boxes nor the verdicts of a
# page.

import os
import re
import shutil
import subprocess
import tempfile
from html import escape
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup

from claimbook.build import build, note_printed, remove_printed
from claimbook.templates import filled

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_NOT_PRINTED = (
    "details.code, .cell_output details:not(.evidence), .sd-summary-state-marker, .cell_input, .headerlink, "
    "button, script, .filters, a.to-foot, p.reading-path, .toctree-wrapper, #code-of-this-page"
)
_MATHJAX = "tex-chtml-full.js"  # sets formulas as text, because drawings take three times the space


def browser():
    """Return the path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def build_and_print(project, profile="book", workers=2):
    """Build the book, print it into ``_build/<profile>``, and return the problems.

    The PDF file is named after the book.

    Raises
    ------
    ValueError
        If no suitable browser is installed on the machine. In that case nothing is built, and a PDF from an
        earlier build is removed.
    """
    book = project.book
    if browser() is None:
        project.overrides(profile)  # raises ValueError for an unknown profile
        remove_printed(project, profile)
        expectation = f"expected one of {', '.join(BROWSERS)} on this machine"
        raise ValueError(
            f"a PDF needs a browser: {expectation}; '{book.command} build' makes the site without it"
        )

    def print_finished(executed):
        output = executed.with_name(book.pdf)
        version = f"Version {book.version}, commit {project.commit}"
        troubles = print_book(executed.with_name("html"), project.chapters[0].file, output, version)
        if not troubles:
            note_printed(output)
            print(f"printed {output}")
        return troubles

    return build(project, profile, workers, print_finished)


def print_book(site, home, output, version_text):
    """Print a finished site as a PDF, and return the problems.

    Parameters
    ----------
    site : Path
        The folder of the site.
    home : str
        The file name of the first page, without a suffix.
    output : Path
        The path of the PDF file. An earlier PDF is replaced only when the new one is complete.
    version_text : str
        The version and the commit from which the site was made.
    """
    import pikepdf

    fields = fields_for_paper(site, f"{home}.html") | {"made": version_text}
    with tempfile.TemporaryDirectory(dir=output.parent, prefix="pdf-") as scratch:
        page, printed_pdf, packed_pdf = (
            Path(scratch, name) for name in ("book.html", "book.pdf", "packed.pdf")
        )
        numbers, last_numbers = {}, None
        # The contents show the page numbers of the previous print. Two prints are enough, unless these
        # numbers themselves change the page breaks.
        while numbers != last_numbers:
            page.write_text(filled("publish/book.html", **fields, numbers=numbers), encoding="utf-8")
            if troubles := _print(page, printed_pdf):
                return troubles
            with pikepdf.open(printed_pdf) as pdf:
                last_numbers, numbers = numbers, page_numbers(pdf)
                clear_repeated_titles(pdf)
                pdf.save(packed_pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        packed_pdf.replace(output)
    return []


def _print(page, printed_pdf):
    """Print a page as a PDF with Chromium, and return the lines of any error."""
    printed_pdf.unlink(missing_ok=True)  # remove the previous print
    command = [
        browser(),
        "--headless",
        "--disable-gpu",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
        # The time is in milliseconds. MathJax must finish all formulas before the print.
        "--virtual-time-budget=600000",
        f"--user-data-dir={page.parent}/profile",
        f"--print-to-pdf={printed_pdf}",
        page.resolve().as_uri(),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium's sandbox does not start for root
        command.insert(1, "--no-sandbox")
    process = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if process.returncode or not printed_pdf.exists():
        return ["Chromium printed nothing:", *process.stderr.splitlines()[-3:]]
    return []


def clear_repeated_titles(pdf):
    """Remove repeated words from the bookmarks of a PDF.

    Notes
    -----
    In the bookmarks, Chromium repeats the words of a heading that it moved to the top of the next page.
    """
    with pdf.open_outline() as outline:
        bookmarks = list(outline.root)
        for bookmark in bookmarks:  # grows by the bookmarks below each bookmark
            bookmarks += bookmark.children
            half = bookmark.title[: len(bookmark.title) // 2]
            if half and bookmark.title == 2 * half:
                bookmark.title = half


def page_numbers(pdf):
    """Return the page number, counted from 1, of each link target in the PDF."""
    # The first entry of a destination is its page, which `objgen` identifies.
    numbers = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    destinations = pdf.Root.Dests.items()
    return {name.removeprefix("/"): numbers[destination[0].objgen] for name, destination in destinations}


def fields_for_paper(site, home):
    """Return the fields of the template ``book.html``, for all pages in the side bar of ``home``.

    Parameters
    ----------
    site : Path
        The folder of the site.
    home : str
        The file of the first page on the site.
    """
    first_page = _read_page(site / home)
    side_bar = _parts_of_side_bar(first_page, home)
    pages = {file: _read_page(site / file) for _, headings in side_bar for file in headings}
    # Pages with signatures (of classes and functions) are about the package and are not printed.
    names = {file: Path(file).stem for file, page in pages.items() if not page.select_one("dt.sig")}
    articles = {file: for_paper(pages[file], file, names, site) for file in names}
    _unwrap_broken_links(articles.values(), names.values())
    evidence_of_page = {
        names[file]: moved_evidence(article, names[file]) for file, article in articles.items()
    }
    parts = []
    for caption, headings in side_bar:
        printed_files = [file for file in headings if file in names]
        chapters = [(names[file], headings[file], str(articles[file])) for file in printed_files]
        if chapters:
            parts.append((caption, chapters))
    evidence_sections = [
        (_anchor(name, "evidence"), heading, f"<h2>{escape(heading)}: evidence</h2>{evidence_of_page[name]}")
        for _, chapters in parts
        for name, heading, _ in chapters
        if evidence_of_page[name]
    ]
    mathjax = next(file for file in distribution("sphinx-mathjax-offline").files if file.name == _MATHJAX)
    return {
        "title": first_page.title.get_text().rpartition(" — ")[2],  # after the name of the page
        "sheets": [
            urljoin((site / home).resolve().as_uri(), sheet["href"])
            for sheet in first_page.select("link[rel=stylesheet]")
        ],
        "mathjax": mathjax.locate().resolve().as_uri(),
        "divisions": divisions(parts, evidence_sections),
    }


def _parts_of_side_bar(page, home):
    """Return the parts of a page's side bar as pairs of a caption and its headings.

    The caption is None for a part without one. The headings are by file on the site.
    """
    parts = []
    for page_list in page.select("nav.bd-docs-nav ul"):
        summary = page_list.find_previous_sibling("summary")
        links = page_list.select("a")
        # Python 3.14 keeps the sign "#" of an address without an anchor.
        headings = {urldefrag(urljoin(home, link["href"])).url: link.get_text(strip=True) for link in links}
        parts.append((summary and summary.get_text(strip=True), headings))
    return parts


def _unwrap_broken_links(articles, names):
    """Turn links to parts that are not printed into plain text."""
    anchors = {tag["id"] for article in articles for tag in article.select("[id]")} | {*names}
    for article in articles:
        for link in article.select('a[href^="#"]'):
            if link["href"].removeprefix("#") not in anchors:
                link.unwrap()


def divisions(parts, evidence):
    """Return the main line, the appendix and the evidence as named lists of parts.

    Parameters
    ----------
    parts : list of (str or None, list)
        The parts of the side bar, each with its chapters as (name, heading, article).
    evidence : list
        The evidence of each chapter, as (name, heading, section).
    """
    # The main line ends with the last part that has a numbered chapter.
    ends_of_numbered_parts = [
        end
        for end, (_, chapters) in enumerate(parts, 1)
        if any(re.match(r"\d", heading) for _, heading, _ in chapters)
    ]
    end_of_main_line = max(ends_of_numbered_parts, default=len(parts))
    all_divisions = [
        ("Main line", parts[:end_of_main_line]),
        ("Appendix", parts[end_of_main_line:]),
        ("Evidence", [(None, evidence)]),
    ]
    return [
        (name, division_parts)
        for name, division_parts in all_divisions
        if any(chapters for _, chapters in division_parts)
    ]


def moved_evidence(article, name):
    """Remove the section *Evidence* from an article and return it, or None if absent.

    Notes
    -----
    A link to the section stands below the title of the chapter, because a link at the chapter's end could be
    alone on a page. The section's heading is left out, because the division *Evidence* shows the heading of
    the chapter.
    """
    section = article.select_one(f'section[id="{_anchor(name, "evidence")}"]')
    if section is None:
        return None
    text = f'<p><a href="#{section["id"]}">Evidence of this chapter</a></p>'
    section.extract()
    article.find(re.compile("h[1-6]")).insert_after(BeautifulSoup(text, "html.parser"))
    del section["id"]
    section.find(re.compile("h[1-6]")).decompose()
    return str(section)


def for_paper(page, address, names, site):
    """Return the article of a page, prepared for printing.

    All folds are open, buttons and code are left out, and anchors are unique in the book.

    Parameters
    ----------
    page : BeautifulSoup
        The page.
    address : str
        The path of the page on the site.
    names : dict
        The names of the printed pages, by file.
    site : Path
        The folder of the site.
    """
    article = page.select_one("article")
    for part in article.select(_NOT_PRINTED):
        part.decompose()
    for fold in article.select("details"):
        summary = fold.summary
        fold.name, summary.name, summary["class"] = "div", "p", ["fold-title"]
    for heading in article.select("h1, h2, h3, h4"):
        heading.name = f"h{int(heading.name[1]) + 1}"  # headings are one level below that of their part
    for cell in article.select(".cell"):
        if not cell.get_text(strip=True):  # its output was left out
            following = cell.find_next_sibling()
            if not following or following.name not in ("figure", "div"):  # nothing follows a colon any more
                _replace_colon(cell.find_previous_sibling())
            cell.decompose()
    for code in article.select(".highlight-python"):  # the sentence that introduces code is removed as well
        _remove_last_sentence(code.find_previous_sibling())
        code.decompose()
    for tag in article.select("[id]"):
        tag["id"] = _anchor(names[address], tag["id"])
    for image in article.select("img"):
        image["src"] = urljoin((site / address).resolve().as_uri(), image["src"])
    for link in article.select("a[href]"):
        target, _, anchor = urljoin(address, link["href"]).partition("#")
        if not urlsplit(target).scheme:
            # `_unwrap_broken_links` removes links to pages that are not printed, which have no anchor.
            link["href"] = f"#{_anchor(names.get(target), unquote(anchor))}"
    return article


def _ends_with_colon(element):
    """Return whether an element, which may be None, is a paragraph that introduces what follows it."""
    return element and element.name == "p" and element.get_text().rstrip().endswith(":")


def _replace_colon(paragraph):
    """Replace the final colon of a paragraph, if it has one, by a full stop."""
    if _ends_with_colon(paragraph):
        *_, last_text = paragraph.find_all(string=True)
        last_text.replace_with(last_text.rstrip()[:-1] + ".")


def _remove_last_sentence(paragraph):
    """Remove the last sentence of a paragraph if it ends with a colon."""
    if not _ends_with_colon(paragraph):
        return
    for part in reversed(list(paragraph.children)):
        # The part up to its last end of a sentence, if it is text and has one, stays.
        earlier_sentences = re.match(r".*[.!?](?=\s)", part, re.DOTALL) if isinstance(part, str) else None
        if earlier_sentences:
            part.replace_with(earlier_sentences[0])
            return
        part.extract()
    paragraph.decompose()


def _anchor(name, anchor):
    """Return the anchor in the printed book for an anchor of a page, or for the page itself."""
    return f"{name}--{anchor}" if anchor else name


def _read_page(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")

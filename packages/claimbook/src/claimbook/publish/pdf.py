"""The book as one PDF: the pages of the finished site, joined for paper and printed by headless Chromium.

What belongs to a screen or to a keyboard stays out: code with the words that lead to it, buttons, pages about
the package. Nothing is folded. The numbered chapters, with what comes before them, are the main line; the
pages after them are the appendix; the evidence of all pages follows as a part of its own. Links between pages
become links within the file; one to what was left out becomes plain text. The browser prints twice, since the
first print tells the page numbers that the contents name.
"""

# By hand, because Sphinx prints by way of LaTeX, which knows neither the boxes nor the verdicts of a page.

import os
import re
import shutil
import subprocess
import tempfile
from html import escape
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup, NavigableString

from claimbook.build import build, note_printed, remove_printed
from claimbook.templates import filled

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_LEFT_OUT = (
    "details.code, .cell_output details:not(.evidence), .sd-summary-state-marker, .cell_input, .headerlink, "
    "button, script, a.to-foot, p.reading-path, .toctree-wrapper, #code-of-this-page"
)
_MATHJAX = "tex-chtml-full.js"  # formulas as text in fonts; as drawings they take three times the space


def browser():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def build_and_print(project, profile="book", workers=2):
    """Build the book and print it into ``_build/<profile>``, named as the book; returns the problems.

    Raises
    ------
    ValueError
        Before any work, without a browser on the machine; no PDF of an earlier build is left then.
    """
    book = project.book
    if browser() is None:
        project.overrides(profile)  # refuses a profile that is none
        remove_printed(project, profile)
        wanted = f"expected one of {', '.join(BROWSERS)} on this machine"
        raise ValueError(f"no PDF: {wanted}; '{book.command} build' makes the site without it")

    def print_finished(executed):
        output = executed.with_name(book.pdf)
        made = f"Version {book.version}, commit {project.commit}"
        troubles = print_book(executed.with_name("html"), project.chapters[0].file, output, made)
        if not troubles:
            note_printed(output)
            print(f"printed {output}")
        return troubles

    return build(project, profile, workers, print_finished)


def print_book(site, home, output, made):
    """Print a finished site; returns troubles, none if ``output`` was written.

    Parameters
    ----------
    site : Path
    home : str
        The file of its first page, without a suffix.
    output : Path
        The PDF; replaced only by a whole one.
    made : str
        What the site was made of: version and commit.
    """
    import pikepdf

    about = fields_for_paper(site, f"{home}.html") | {"made": made}
    with tempfile.TemporaryDirectory(dir=output.parent, prefix="pdf-") as scratch:
        page, printed, whole = (Path(scratch, name) for name in ("book.html", "book.pdf", "whole.pdf"))
        numbers, before = {}, None
        while numbers != before:  # twice, unless the numbers move what they count
            page.write_text(filled("publish/book.html", **about, numbers=numbers), encoding="utf-8")
            if troubles := _print(page, printed):
                return troubles
            with pikepdf.open(printed) as pdf:
                numbers, before = page_numbers(pdf), numbers
                pdf.save(whole, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        whole.replace(output)
    return []


def _print(page, printed):
    """Let Chromium print a page into a PDF; returns the lines of its complaint, none if it is written."""
    printed.unlink(missing_ok=True)  # of the print before
    command = [
        browser(),
        "--headless",
        "--disable-gpu",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
        "--virtual-time-budget=600000",  # milliseconds: MathJax has to set all formulas first
        f"--user-data-dir={page.parent}/profile",
        f"--print-to-pdf={printed}",
        page.resolve().as_uri(),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # as which Chromium refuses to start in its sandbox
        command.insert(1, "--no-sandbox")
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode or not printed.exists():
        return ["Chromium printed nothing:", *done.stderr.splitlines()[-3:]]
    return []


def page_numbers(pdf):
    """The page, counted from 1, on which each address that is linked stands."""
    numbers = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    return {name.removeprefix("/"): numbers[place[0].objgen] for name, place in pdf.Root.Dests.items()}


def fields_for_paper(site, home):
    """The fields of the template: all pages that the side bar of ``home`` lists, in its order, for paper."""
    first = _read(site / home)
    contents = [
        (
            pages.find_previous_sibling("summary"),
            {urljoin(home, link["href"]): link for link in pages.select("a")},
        )
        for pages in first.select("nav.bd-docs-nav ul")
    ]
    pages = {place: _read(site / place) for _, links in contents for place in links}
    names = {place: Path(place).stem for place, page in pages.items() if not page.select_one("dt.sig")}
    articles = {place: for_paper(pages[place], place, names, site) for place in names}
    anchors = {tag["id"] for article in articles.values() for tag in article.select("[id]")} | {
        *names.values()
    }
    for article in articles.values():
        for link in article.select('a[href^="#"]'):
            if link["href"][1:] not in anchors:
                link.unwrap()
    evidence = {names[place]: moved_evidence(article, names[place]) for place, article in articles.items()}
    parts = [
        (
            caption and caption.get_text(strip=True),
            [
                (names[place], link.get_text(strip=True), str(articles[place]))
                for place, link in pages.items()
                if place in names
            ],
        )
        for caption, pages in contents
    ]
    headings = [(name, heading) for _, chapters in parts for name, heading, _ in chapters]
    moved = [
        (_anchor(name, "evidence"), heading, f"<h2>{escape(heading)}: evidence</h2>{evidence[name]}")
        for name, heading in headings
        if evidence[name]
    ]
    mathjax = next(file for file in distribution("sphinx-mathjax-offline").files if file.name == _MATHJAX)
    return {
        "title": first.title.get_text().rpartition(" — ")[2],
        "sheets": [
            urljoin((site / home).resolve().as_uri(), sheet["href"])
            for sheet in first.select("link[rel=stylesheet]")
        ],
        "mathjax": mathjax.locate().resolve().as_uri(),
        "divisions": divisions([(part, chapters) for part, chapters in parts if chapters], moved),
    }


def divisions(parts, evidence):
    """Return the main line, the appendix and the evidence, each with its name and its parts.

    Parameters
    ----------
    parts : list of (str or None, list)
        The parts of the side bar with their chapters: name, heading, article.
    evidence : list
        The evidence of all chapters: name, heading, section.
    """
    numbered = [
        number
        for number, (_, chapters) in enumerate(parts)
        if any(re.match(r"\d", row[1]) for row in chapters)
    ]
    end = numbered[-1] + 1 if numbered else len(parts)
    whole = [("Main line", parts[:end]), ("Appendix", parts[end:]), ("Evidence", [(None, evidence)])]
    return [(name, inner) for name, inner in whole if any(chapters for _, chapters in inner)]


def moved_evidence(article, name):
    """Take the section *Evidence* out of the article of a page; returns it for a part of its own, or None.

    A link takes its place. Its heading is left out: that of its chapter stands above it in the new part.
    """
    section = article.select_one(f'section[id="{_anchor(name, "evidence")}"]')
    if section is None:
        return None
    link = BeautifulSoup(f'<p><a href="#{section["id"]}">Evidence of this chapter</a></p>', "html.parser")
    section.replace_with(link)
    del section["id"]
    section.find(re.compile("h[1-6]")).decompose()
    return str(section)


def for_paper(page, place, names, site):
    """The article of a page for paper: unfolded, without buttons and code, with anchors of its own.

    Parameters
    ----------
    page : BeautifulSoup
    place : str
        Its place on the site.
    names : dict
        The names of pages that are printed, by their places.
    site : Path
    """
    article = page.select_one("article")
    for part in article.select(_LEFT_OUT):
        part.decompose()
    for fold in article.select("details"):
        fold.name, fold.summary["class"] = "div", ["fold-title"]
        fold.summary.name = "p"
    for heading in article.select("h1, h2, h3, h4"):
        heading.name = f"h{int(heading.name[1]) + 1}"  # below that of its part
    for cell in article.select(".cell"):
        if not cell.get_text(strip=True):
            after = cell.find_next_sibling()
            if not after or after.name not in ("figure", "div"):
                _end(cell.find_previous_sibling(), ".")
            cell.decompose()
    for code in article.select(".highlight-python"):
        _end(code.find_previous_sibling(), None)
        code.decompose()
    for tag in article.select("[id]"):
        tag["id"] = _anchor(names[place], tag["id"])
    for image in article.select("img"):
        image["src"] = urljoin((site / place).resolve().as_uri(), image["src"])
    for link in article.select("a[href]"):
        to, _, anchor = urljoin(place, link["href"]).partition("#")
        if not urlsplit(to).scheme:
            link["href"] = f"#{_anchor(names.get(to), unquote(anchor))}"
    return article


def _end(paragraph, end):
    """Let a paragraph lead to nothing: its colon becomes ``end``; without one its last sentence goes."""
    if not paragraph or paragraph.name != "p" or not paragraph.get_text().rstrip().endswith(":"):
        return
    if end:
        last = list(paragraph.find_all(string=True))[-1]
        last.replace_with(last.rstrip()[:-1] + end)
        return
    for part in reversed(list(paragraph.children)):
        before = re.match(r".*[.!?](?=\s)", part, re.DOTALL) if isinstance(part, NavigableString) else None
        part.replace_with(*([before[0]] if before else []))
        if before:
            return
    paragraph.decompose()


def _anchor(name, anchor):
    return f"{name}--{anchor}" if anchor else name


def _read(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")

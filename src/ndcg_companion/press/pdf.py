"""The book as one PDF: Jupyter Book's single page, printed by headless Chromium."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from bs4 import BeautifulSoup

from ndcg_companion.press.build import build, render

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_PRINT = """
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-center { content: counter(page); font: 9pt sans-serif; } }
@media print {
  html, body { background: #fff; }
  .bd-header, .bd-sidebar-primary, .bd-sidebar-secondary, .bd-header-article, .prev-next-footer, .bd-footer,
  .skip-link, .headerlink, .copybtn, .toggle-button, #pst-back-to-top { display: none !important; }
  .bd-main, .bd-content, .bd-article-container, .bd-article {
    max-width: none !important; padding: 0 !important; }
  h1 { break-before: page; }
  details.code > summary, .all-code { display: none; }
  figure, table tr, .proof, div.cell_input pre, .MathJax { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .bd-article { font-size: 10pt; }
}
"""


def browser():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_edition(project, profile="book", workers=2, quiet=False, say=print):
    """Build the book and print it into ``_build/<profile>/companion.pdf``; returns the problems.

    Without a browser on the machine nothing is printed, which is said and no problem.
    """

    def print_executed(executed):
        if browser() is None:
            say(f"no PDF: found none of {', '.join(BROWSERS)} on this machine")
            return []
        output = executed.parent / "companion.pdf"
        troubles = print_book(project, executed, output)
        if not troubles:
            say(f"printed {output}")
        return troubles

    return build(project, profile, workers, quiet, say, print_executed)


def print_book(project, executed, output):
    """Render executed chapters as one page and print it; returns troubles, none if ``output`` was written.

    Parameters
    ----------
    project : Project
    executed : Path
        The folder of the executed notebooks.
    output : Path
        The PDF; replaced only by a whole one. What the renderer said is beside it, in ``pdf.log``.
    """
    with tempfile.TemporaryDirectory(dir=output.parent, prefix="pdf-") as scratch:
        if troubles := render(
            project, executed, Path(scratch), output.with_name("pdf.log"), builder="singlehtml"
        ):
            return troubles
        site, root = Path(scratch, "_build", "singlehtml"), project.chapters[0].file
        # The single page refers to everything from the top folder, wherever its root stands.
        page, printed = site / "all.html", Path(scratch, "book.pdf")
        page.write_text(unfolded((site / f"{root}.html").read_text(encoding="utf-8")), encoding="utf-8")
        command = [
            browser(),
            "--headless",
            "--disable-gpu",
            "--no-pdf-header-footer",
            "--virtual-time-budget=120000",
            f"--user-data-dir={scratch}/profile",
            f"--print-to-pdf={printed}",
            page.resolve().as_uri(),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # as which Chromium refuses to start in its sandbox
            command.insert(1, "--no-sandbox")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or not printed.exists():
            return ["Chromium printed nothing:", *done.stderr.splitlines()[-3:]]
        printed.replace(output)
    return []


def unfolded(page):
    """The HTML of a page with everything open that a reader could fold, and the rules for paper.

    >>> 'open=""' in unfolded("<html><head></head><details><p>x</p></details></html>")
    True
    """
    html = BeautifulSoup(page, "html.parser")
    html.html["data-theme"] = html.html["data-mode"] = "light"
    for folded in html.find_all("details"):
        folded["open"] = ""
    for folded in html.select(".dropdown, .toggle"):
        folded["class"] = [name for name in folded["class"] if name not in ("dropdown", "toggle")]
    rules = html.new_tag("style")
    rules.string = _PRINT
    html.head.append(rules)
    return str(html)

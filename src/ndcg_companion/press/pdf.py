"""The book as one PDF: Jupyter Book's single page, printed by headless Chromium."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from ndcg_companion.press.site import render

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_PRINT = """
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-center { content: counter(page); font: 9pt sans-serif; } }
@media print {
  html, body { background: #fff; }
  .bd-header, .bd-sidebar-primary, .bd-sidebar-secondary, .bd-header-article, .prev-next-footer, .bd-footer,
  .skip-link, .headerlink, .copybtn, .toggle-button, #pst-back-to-top { display: none !important; }
  .bd-main, .bd-content, .bd-article-container, .bd-article { max-width: none !important; padding: 0 !important; }
  h1 { break-before: page; }
  details.hide > summary { display: none; }
  figure, table tr, .proof, div.cell_input pre, .MathJax { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .bd-article { font-size: 10pt; }
}
"""


def browser():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_book(stage, output, log):
    """Render a staged book as one page and print it; returns the troubles, none when ``output`` was written.

    Parameters
    ----------
    stage : Path
        As `ndcg_companion.press.site.stage` laid it out.
    output : Path
        The PDF; replaced only by a whole one.
    log : Path
        What the renderer said.
    """
    with tempfile.TemporaryDirectory(dir=output.parent, prefix="pdf-") as scratch:
        copy, site = Path(scratch) / "stage", Path(scratch) / "html"
        shutil.copytree(stage, copy)
        config = yaml.safe_load((copy / "_config.yml").read_text(encoding="utf-8"))
        config["sphinx"]["config"]["extensions"].append(__name__)
        (copy / "_config.yml").write_text(
            yaml.safe_dump(config, sort_keys=False, allow_unicode=True), encoding="utf-8"
        )
        if troubles := render(copy, site, log, builder="singlehtml"):
            return troubles
        toc = yaml.safe_load((copy / "_toc.yml").read_text(encoding="utf-8"))
        page = (
            site / "all.html"
        )  # the single page refers to everything from the top folder, wherever its root stands
        page.write_text(
            unfolded((site / f"{toc['root']}.html").read_text(encoding="utf-8")), encoding="utf-8"
        )
        printed = Path(scratch) / "book.pdf"
        command = [
            browser(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            "--virtual-time-budget=120000",
            f"--user-data-dir={scratch}/profile",
            f"--print-to-pdf={printed}",
            page.resolve().as_uri(),
        ]
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


def setup(app):
    """As a Sphinx extension: what knows how to write HTML knows how to write it on a single page."""

    def borrow(app):
        handlers = app.registry.translation_handlers
        handlers["singlehtml"] = handlers.get("html", {}) | handlers.get("singlehtml", {})

    app.connect("builder-inited", borrow)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}

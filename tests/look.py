"""Count what is visible on each page of a built site: ``make look``, or ``look.py SITE``.

The columns are pixels above the first figure, words without formulas, formulas, and lines of code, in a
window of 1280 by 900 pixels.
"""

import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from claimbook.publish import pdf

COUNT = """() => {
  const article = document.querySelector("article"), figure = article.querySelector("figure, canvas, .race");
  const visible = (one) => one.checkVisibility({visibilityProperty: true});
  const seen = (selector) => [...article.querySelectorAll(selector)].filter(visible);
  const words = (one) => {
    const prose = one.cloneNode(true);
    prose.querySelectorAll(".math").forEach((formula) => formula.replaceWith(" "));
    return prose.textContent.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length;
  };
  const texts = seen("p, li, td, th").filter((one) => !one.parentElement.closest("p, li, td"));
  const lines = seen(".cell_input pre").map((one) => one.textContent.trim().split("\\n").length);
  return [figure ? Math.round(figure.getBoundingClientRect().top + scrollY) : NaN,
    texts.reduce((sum, one) => sum + words(one), 0), seen("span.math, div.math").length,
    lines.reduce((sum, one) => sum + one, 0)];
}"""


def look(site):
    """Print a line for each page, and the medians."""
    rows = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=pdf.browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for notebook in sorted((site / "_sources" / "chapters").glob("*.ipynb")):
            page.goto((site / "chapters" / f"{notebook.stem}.html").absolute().as_uri())
            rows[notebook.stem] = page.evaluate(COUNT)
        browser.close()
    rows["median"] = [median(x for x in column if x == x) for column in zip(*rows.values(), strict=True)]
    print(f"{'page':45}{'figure at':>10}{'words':>8}{'formulas':>10}{'code lines':>12}")
    for name, (figure, *others) in rows.items():
        words, formulas, lines = map(round, others)
        print(f"{name:45}{f'{figure:.0f} px':>10}{words:>8}{formulas:>10}{lines:>12}")


if __name__ == "__main__":
    look(Path(sys.argv[1]))

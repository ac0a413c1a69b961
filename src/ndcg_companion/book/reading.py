"""Reading aids on the rendered site: symbols explained inside theorem boxes, and previews of what links lead to.

Works on the HTML that Jupyter Book wrote. Symbols are folded into each box as plain HTML. Previews are one script that
pages load when a link is first pointed at or focused (``_static/reading.js``): a script, because a page opened from the
file system may load one, and may not fetch anything else.
"""

import json
import re

from bs4 import BeautifulSoup

PREVIEWS = "previews.js"
_TOKEN = re.compile(r"\\(?:mathrm|text|operatorname)\{[^}]*\}|\\[a-zA-Z]+|[A-Za-z]|\S")


def add_reading_aids(site):
    """Give the boxes of a rendered site their symbols and write its previews.

    Parameters
    ----------
    site : Path
        Folder of the site; its pages are changed in place.
    """
    chapters = sorted((site / "chapters").glob("*.html"))
    pages = {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in chapters}
    notation = next((table_of_symbols(page) for path, page in pages.items() if path.stem == "notation"), [])
    previews = {}
    for path, page in pages.items():
        for content in page.select("section#proof-content"):
            del content["id"]  # sphinx-proof gives all boxes of a page the same
        previews |= {f"chapters/{path.name}#{key}": text for key, text in _worth_a_preview(page)}
        for box in page.select("div.proof"):
            _explain(box, notation)
        path.write_text(str(page), encoding="utf-8")
    data = json.dumps(previews, ensure_ascii=False)
    (site / PREVIEWS).write_text(f"window.companionPreviews = {data};\n", encoding="utf-8")


def table_of_symbols(page):
    """Rows of the notation table: for each the token sequences of its symbols, their HTML and what they mean."""
    rows = []
    for row in page.select("table tbody tr"):
        cells = row.find_all("td")
        symbols = [_symbol(math.get_text()) for math in cells[0].select("span.math")]
        rows.append(([symbol for symbol in symbols if symbol], cells[0].decode_contents(), cells[-1].decode_contents()))
    return rows


def _symbol(tex):
    r"""What to look for: the symbol's tokens without the argument in parentheses.

    >>> print(*_symbol(r"\(\bar y(s)\)"))
    \bar y
    """
    tokens = tokens_of(tex)
    return tokens[: tokens.index("(")] if "(" in tokens else tokens


def tokens_of(tex):
    r"""Commands and single characters of a formula; upright words are one token, braces none.

    >>> print(*tokens_of(r"\(\mathrm{DCG}(S_{n})\)"))
    \mathrm{DCG} ( S _ n )
    """
    inner = tex.strip().removeprefix("\\(").removesuffix("\\)").removeprefix("\\[").removesuffix("\\]")
    return [token for token in _TOKEN.findall(inner) if token not in ("{", "}")]


def contains(tokens, symbol):
    """Whether the symbol occurs in a formula."""
    size = len(symbol)
    return any(tokens[i : i + size] == symbol for i in range(len(tokens) - size + 1))


def _explain(box, notation):
    """Fold the meaning of the symbols of a theorem box into it."""
    formulas = [tokens_of(math.get_text()) for math in box.select(".math")]
    used = [
        f"<dt>{name}</dt><dd>{meaning}</dd>"
        for symbols, name, meaning in notation
        if any(contains(formula, symbol) for formula in formulas for symbol in symbols)
    ]
    if used:
        text = f'<details class="symbols"><summary>Symbols</summary><dl>{"".join(used)}</dl></details>'
        box.append(BeautifulSoup(text, "html.parser"))


def _worth_a_preview(page):
    """Anchor and HTML of theorem boxes, terms of the glossary and references."""
    for box in page.select("div.proof[id]"):
        yield box["id"], box.decode_contents()
    for term in page.select("dl.glossary dt[id]"):
        yield term["id"], f"<p><strong>{term.get_text(strip=True).rstrip('#')}</strong></p>{term.find_next('dd').decode_contents()}"
    for work in page.select("div.citation[id]"):
        yield work["id"], work.find("p").decode()

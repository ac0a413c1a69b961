"""A small book with a cell, a box and a link of each kind, for tests of building and of commands."""

import os
import shutil

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell
from support import PAGE, companion, jupyter_book, small_book_in, write_notebook

FINDING = """\
from ndcg_book import Page
page = Page("first")
page.numbers({{"seed": seed}})
seen, tolerance = {observed}, {tolerance}
page.finding("{name}", claim=("low", 0.0, seen, 0.8), control=("high", 2.0, seen, tolerance),
    unequal="the verdict is to be another", risk=0);"""
PLACE = "(a-place)=\n## A place\n\nThe seed is {glue:text}`seed`."
SOMEWHERE = "https://github.com/someone/book"
OURS = "```{{prf:lemma}} {title}\n:label: lemma-{name}\n\nIt holds.\n```"
SOURCE = "```{prf:theorem} Limits $r^{-1}$\n:label: wang-theorem-8-2\n:nonumber:\n\nThey tie.\n```"
LINKS = "By {prf:ref}`wang-theorem-8-2`, {prf:ref}`a word <wang-theorem-8-2>`, {prf:ref}`lemma-last`."
PAGES = {
    "third": "No box.",
    "api-chapter": "```{eval-rst}\n.. autofunction:: ndcg_companion.measures.rankdcg\n```",
    "what-your-library-computes": "<a href='../conformance/cases.json'>cases</a>",
    "notation": "{.notation}\n| a | b |\n|--|--|\n| $n$ | *number* |",
    "evidence": "```{generated} statements\n```",
}
BOX = r"""```{prf:theorem} A title
:label: theorem-x
:symbols: n; g_0 = curve of the *first*

Let $g_0 > n$.
```"""
FOUND = """```{prf:theorem} Limits
:label: wang-theorem-7

It holds.
```"""
LEMMAS = """## Two lemmas

```{prf:lemma} First
:label: lemma-first

It is so.
```

```{prf:lemma} Second
:label: lemma-second

It is so, too.
```

The second is easy.

:::{dropdown} Proof of the second
Clear.
:::

:::{dropdown} What both rest on
On nothing.
:::

:::{dropdown} An example of the first
:class-container: of-lemma-first
One.
:::

## Evidence

What is checked is short.

:::{dropdown} How it is checked
By hand.
:::
"""
CHECK = (
    'page.finding("wang/theorem-7", claim=("low", 0.0, 0.5, 0.8), control=("high", 2.0, 0.5, 0.8), risk=0);'
)
LONG = "line_between_two_points_that_are_not_far_from_each_other"
DRAWN = """import matplotlib.pyplot as plt
figure = plt.figure(figsize=(1, 1))
figure.alt, figure.drawn_by = "A 'line': it <rises>.", "mine.LONG"
page.figure(figure, "figure-line")""".replace("LONG", LONG)
SHOWN = """```{glue:figure} figure-line
:name: figure-line

It *rises* by {glue:text}`half`.
```

```{glue:figure} figure-lost
:optional: it needs data that may not be installed

Its data are not installed.
```"""
IN_SHORT = """:::{in-short}
:statements: wang/theorem-7
:first: second

*Question.* How many are <b>drawn</b>?

*Answer.* {glue:text}`lists`.
:::"""


NUMBERED = """```{{exercise}} Of {name}
:label: exercise-{name}
Why?
```

$$x_{name}=1$$ (eq-{name})

```{{figure}} dot.svg
:name: figure-{name}

The figure {name}.
```
"""
FOLDED = """:::::{dropdown} More
INSIDE
:::::

::::{dropdown} Proof
$$y=1$$ (eq-proof)
::::

See {ref}`exercise-b`, {eq}`eq-b`, {numref}`figure-b`, {eq}`eq-proof`; {ref}`exercise-c`, {eq}`eq-c`,
{numref}`figure-c`.
""".replace("INSIDE", NUMBERED.format(name="b"))


def add(root, name, source, cell_id="added"):
    """A cell of Markdown at the end of a chapter."""
    path = root / "chapters" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != cell_id]
    notebook.cells.append(new_markdown_cell(source, id=cell_id))
    nbformat.write(notebook, path)


def page(root, name, site="_build/html"):
    return (root / site / "chapters" / f"{name}.html").read_text(encoding="utf-8")


def build(home):
    """Make the book below a folder, and what both commands say when they build it.

    In ``book`` later calls may be tried; ``kept`` is as it was built first.
    """
    root = home / "book"
    root.mkdir()
    small_book_in(root, "wang/theorem-8-2", pages={"wang/theorem-7": "folded"})
    _write_chapters(root)
    config = root / "_config.yml"
    text = config.read_text(encoding="utf-8")
    assert text.count('  url: ""') == 1
    config.write_text(text.replace('  url: ""', f'  url: "{SOMEWHERE}"'), encoding="utf-8")
    with open(root / "_toc.yml", "a", encoding="utf-8") as toc:
        toc.write("- file: chapters/folded\n  title: Every kind of cell\n")
        toc.write("".join(f"- file: chapters/{name}\n" for name in PAGES))
    commands = {
        "plain": lambda: jupyter_book(root, "-W", "-n", "--keep-going"),
        "own": lambda: companion("build", cwd=root),
    }
    for name, command in commands.items():
        done = command()
        assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
        (home / name).write_text(done.stdout, encoding="utf-8")
    if hasattr(os, "mkfifo"):
        (root / "notes.ipynb").unlink()
    shutil.copytree(root, home / "kept")


def _write_chapters(root):
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "notes.ipynb")  # no page, and nothing to wait for
    source = FINDING.format(name="wang/theorem-8-2", observed=1.0, tolerance=1.8)
    write_notebook(root / "chapters" / "first.ipynb", source)
    add(root, "first", f"{SOURCE}\n\n{LINKS}", "boxes")
    add(root, "second", OURS.format(title="Last", name="last") + f"\n\n{LINKS}", "boxes")
    add(root, "first", PLACE)
    add(root, "second", "See [](#a-place). {{ 7 * 7 }}")
    for name, text in PAGES.items():
        path = root / "chapters" / f"{name}.md"
        path.write_text(f"# The page {name}\n\n{text}\n", encoding="utf-8")
    _write_folded(root / "chapters" / "folded.ipynb")


def _code(cell_id, source="pass", **metadata):
    return new_code_cell(source, id=cell_id, metadata=metadata)


def _write_folded(path):
    """A chapter with a cell of each kind."""
    write_notebook(path, PAGE.format(name="folded"))
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].metadata["fold"] = "Set <up>"
    notebook.cells += [
        new_markdown_cell(IN_SHORT, id="in-short"),
        _code("draw", "page.numbers({'lists': 400})\n'an output'", fold="Draw 400 lists"),
        _code("count", "'another'"),
        _code("other", fold="Draw others"),
        _code("half", "half = 200", fold="Halve them"),
        _code("show-half", "page.numbers({'half': half})"),
        new_markdown_cell("All {glue:text}`lists` of them, or {glue:text}`half`.", id="text"),
        _code("shown", **{"in-sight": True}),
        _code("unnamed"),
        new_markdown_cell(f"{BOX}\n\n{FOUND}", id="box"),
        _code("find", CHECK, fold="Find"),
        new_markdown_cell(LEMMAS, id="lemmas"),
        new_markdown_cell("## More\n\n" + NUMBERED.format(name="a"), id="numbered"),
        new_markdown_cell(FOLDED, id="folded"),
        new_markdown_cell(NUMBERED.format(name="c"), id="last"),
        _code("line", DRAWN, fold="Draw a line"),
        new_markdown_cell(SHOWN, id="captions"),
    ]
    nbformat.write(notebook, path)
    dot = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>'
    (path.parent / "dot.svg").write_text(dot, encoding="utf-8")

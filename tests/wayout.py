"""Render an executed book without Jupyter Book: python tests/wayout.py _build/quick, or ``make wayout``.

Run it in an environment with the newest Sphinx, MyST-NB and theme. The exit code is 0 if there is no warning
and the pages are those of the site in that folder, and 1 otherwise; the differences are printed.
"""

import os
import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from claimbook import sphinx_alone
from claimbook.build import RENDERED

NAMED = ("sphinx", "docutils", "myst-parser", "myst-nb", "sphinx-book-theme", "sphinx-proof", "sphinx-design")


def main(home):
    """Render into ``_build/wayout``, and compare the pages with those of ``home``; return the exit code."""
    if find_spec("jupyter_book"):
        sys.exit("jupyter_book is installed here: expected an environment without it")
    home, out = Path(home).resolve(), Path("_build/wayout").resolve()
    print(", ".join(f"{name} {version(name)}" for name in NAMED))
    shutil.rmtree(out, ignore_errors=True)
    os.environ[RENDERED] = str(home / "executed")
    if code := sphinx_alone.main(["build", ".", "--path-output", str(out), "-W", "-n", "--keep-going"]):
        return code
    expected, rendered = pages(home / "html"), pages(out / "_build" / "html")
    for name in sorted(expected - rendered):
        print(f"missing without Jupyter Book: {name}")
    for name in sorted(rendered - expected):
        print(f"only without Jupyter Book: {name}")
    print(f"{len(rendered)} pages, {len(expected & rendered)} of them on the site in {home.name}/html")
    return 1 if expected != rendered else 0


def pages(site):
    """Return the relative paths of a site's pages."""
    return {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Renders an executed book without Jupyter Book: python tests/wayout.py _build/quick, or ``make wayout``.

In an environment with the newest Sphinx, MyST-NB and theme. Exit codes: 0 the pages are those of the site in
that folder, without a warning; 1 they are not, with what differs.
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
    """Render beside the site of ``home``, and compare which pages there are."""
    if find_spec("jupyter_book"):
        sys.exit("jupyter_book is installed here: expected an environment without it")
    home, out = Path(home).resolve(), Path("_build/wayout").resolve()
    print(", ".join(f"{name} {version(name)}" for name in NAMED))
    shutil.rmtree(out, ignore_errors=True)
    os.environ[RENDERED] = str(home / "executed")
    if code := sphinx_alone.main(["build", ".", "--path-output", str(out), "-W", "-n", "--keep-going"]):
        return code
    before, now = pages(home / "html"), pages(out / "_build" / "html")
    for name in sorted(before - now):
        print(f"missing without Jupyter Book: {name}")
    for name in sorted(now - before):
        print(f"only without Jupyter Book: {name}")
    print(f"{len(now)} pages, {len(before & now)} of them on the site in {home.name}/html")
    return 1 if before != now else 0


def pages(site):
    """The addresses of a site's pages."""
    return {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""``new``: begin a book: one chapter, a true and a false statement, which builds at once.

The folder's name is the book's; it must be new or empty.

  claimbook new first-digits
  cd first-digits
  claimbook build
"""

import re
from pathlib import Path

from claimbook.text import escaped, shell

OPTIONS = {"folder": {"metavar": "FOLDER", "help": "a new folder, or an empty one"}}
SKELETON = Path(__file__).parents[1] / "skeleton"


def call(options):
    folder = Path(options.folder)
    title, package = names(folder.resolve().name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{escaped(str(folder))}: expected a new or an empty folder")
    for path in sorted(path for path in SKELETON.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        place = folder / path.relative_to(SKELETON).as_posix().replace("my_book", package)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8").replace("my_book", package).replace("My book", title)
        place.write_text(text, encoding="utf-8")
    print(f"wrote {escaped(str(folder))}; next: {shell('cd', str(folder))}; claimbook build")
    return 0


def names(folder):
    """The title and the package of a book, from the name of its folder.

    >>> names("first-digits")
    ('First digits', 'first_digits')
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,60}", folder):
        raise ValueError(f"{escaped(folder)}: expected a name of letters, digits, - and _, a letter first")
    package = folder.replace("-", "_").lower()
    return folder.replace("-", " ").replace("_", " ").capitalize(), package

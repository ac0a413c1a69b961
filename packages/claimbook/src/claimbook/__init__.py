"""Provide the public names for chapters and for the description of a book."""

from importlib import import_module

__version__ = "0.1.0.dev0"
__all__ = ["RISK_BUDGET", "Book", "Case", "Finding", "Page", "Source", "minus"]
_MODULES = {"Book": "book", "Source": "book", "Page": "page", "minus": "text"}


def __getattr__(name):
    """Import a public name on first use.

    Commands that only read parameters and records therefore do not load Matplotlib, SciPy or IPython.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"claimbook.{_MODULES.get(name, 'evidence')}"), name)


def __dir__():
    return __all__

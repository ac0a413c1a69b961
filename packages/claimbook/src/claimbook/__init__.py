"""Provide the public names for chapters and for the description of a book."""

__version__ = "0.1.0.dev0"
__all__ = ["RISK_BUDGET", "Book", "Case", "Finding", "Page", "Source", "minus"]


def __getattr__(name):
    """Import a public name on first use.

    Commands that only read parameters and records therefore do not load Matplotlib, SciPy or IPython.
    """
    if name == "Page":
        from claimbook import page as module
    elif name == "minus":
        from claimbook import text as module
    elif name in ("Book", "Source"):
        from claimbook import book as module
    elif name in __all__:
        from claimbook import evidence as module
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module, name)


def __dir__():
    return __all__

"""The interface for chapters: pages with numbers, figures and findings; and the description of a book."""

__version__ = "0.1.0.dev0"
__all__ = ["RISK_BUDGET", "Book", "Case", "Finding", "Page", "Source", "minus"]


def __getattr__(name):
    """Import on demand: commands read parameters and records without Matplotlib, SciPy and IPython."""
    if name == "Page":
        from claimbook import page as home
    elif name == "minus":
        from claimbook import text as home
    elif name in ("Book", "Source"):
        from claimbook import book as home
    elif name in __all__:
        from claimbook import evidence as home
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(home, name)


def __dir__():
    return __all__

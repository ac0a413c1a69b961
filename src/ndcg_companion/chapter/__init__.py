"""What a chapter calls: its page with parameters, numbers, figures and findings; and what a book is."""

__all__ = ["RISK_BUDGET", "Book", "Case", "Finding", "Page", "Source", "minus"]


def __getattr__(name):
    """Import on demand: commands read parameters and records without Matplotlib, SciPy and IPython."""
    if name in ("Page", "minus"):
        from ndcg_companion.chapter import page as home
    elif name in ("Book", "Source"):
        from ndcg_companion.chapter import book as home
    elif name in __all__:
        from ndcg_companion.chapter import evidence as home
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(home, name)

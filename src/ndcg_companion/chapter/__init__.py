"""What a chapter calls: its page with parameters, numbers, figures and findings."""

from ndcg_companion.chapter.evidence import RISK_BUDGET, Case, Finding

__all__ = ["RISK_BUDGET", "Case", "Finding", "Page", "minus"]


def __getattr__(name):
    """What needs a kernel and Matplotlib, when it is asked for: a registry is read without them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ndcg_companion.chapter import page

    return getattr(page, name)

"""What a chapter calls: its page with parameters, numbers, figures and findings."""

from ndcg_companion.chapter.evidence import RISK_BUDGET, Case, Finding
from ndcg_companion.chapter.page import Page, minus

__all__ = ["RISK_BUDGET", "Case", "Finding", "Page", "minus"]

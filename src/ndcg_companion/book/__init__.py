"""Turn chapters into a book: parameters, evidence and figures for the chapters; execution and rendering behind them."""

from .evidence import RISK_BUDGET, Case, Finding
from .page import Page

__all__ = ["RISK_BUDGET", "Case", "Finding", "Page"]

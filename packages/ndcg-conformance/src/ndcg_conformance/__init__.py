"""Lists on which implementations of NDCG disagree, and the answers of libraries.

``cases.json`` contains the lists with their values under named conventions, and ``results.json`` contains the
answers of libraries. ``python -m ndcg_conformance MODULE:FUNCTION`` tests a function of your own.
"""

from .conventions import Reading, cases, classify, standard, value

__all__ = ["Reading", "cases", "classify", "standard", "value"]

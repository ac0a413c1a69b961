"""What does your library compute? Lists on which implementations of NDCG disagree, and their answers.

``cases.json`` has the lists and their values under named conventions, ``results.json`` what libraries
answered. ``python -m ndcg_conformance MODULE:FUNCTION`` asks a function of your own.
"""

from .conventions import Reading, cases, classify, standard, value

__all__ = ["Reading", "cases", "classify", "standard", "value"]

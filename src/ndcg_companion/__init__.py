"""An executable companion to the theory of NDCG ranking measures."""

__version__ = "0.1.0"

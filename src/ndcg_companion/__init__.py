"""An executable companion to the theory of NDCG ranking measures."""

__version__ = "1.0.0.dev0"

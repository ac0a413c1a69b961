"""The commands of this project beside those of every book: ``report`` and ``power``."""

"""The commands of ``ranking-report``: ``compare`` and ``power``."""

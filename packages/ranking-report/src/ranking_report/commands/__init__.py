"""The commands of ``ranking-report``: ``compare``, ``power`` and ``example``."""

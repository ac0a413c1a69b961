"""The version of the package, which reports name."""

__version__ = "0.1.0.dev0"

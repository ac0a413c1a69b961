"""The version of the package, which is named in reports."""

__version__ = "0.1.0.dev0"

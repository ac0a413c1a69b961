"""The Sphinx extension that renders a book: its directives, its roles, its pages and its search."""


def setup(app):
    """Connect the extension to a Sphinx application."""
    # Imported here, so that the modules of this package for symbols can be used without Sphinx.
    from claimbook.sphinxext.extension import setup

    return setup(app)

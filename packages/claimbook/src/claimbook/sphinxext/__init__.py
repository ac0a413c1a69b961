"""The Sphinx extension that renders a book: directives, pages and search."""


def setup(app):
    """Connect the extension to a Sphinx application."""
    # Imported here, so that the modules of this package that read symbols can be used without Sphinx.
    from claimbook.sphinxext.extension import setup

    return setup(app)

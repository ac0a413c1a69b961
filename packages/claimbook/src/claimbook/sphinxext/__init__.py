"""The Sphinx extension that renders a book: its directives, its roles, its pages and its search."""


def setup(app):
    """Sphinx's entry point."""
    # Imported here, so that modules of this package that read symbols alone can be used without Sphinx.
    from claimbook.sphinxext.extension import setup

    return setup(app)

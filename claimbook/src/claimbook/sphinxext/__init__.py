"""The Sphinx extension that renders a book: its directives, its roles, its pages and its search."""


def setup(app):
    """Sphinx's entry point."""
    from claimbook.sphinxext.extension import setup  # here, for what only reads symbols needs no Sphinx

    return setup(app)

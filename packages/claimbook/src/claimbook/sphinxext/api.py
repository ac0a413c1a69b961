"""Make reference pages with each package's public names and their docstrings."""

import inspect
import pkgutil
from importlib import import_module

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from claimbook.templates import filled


def package_markdown(package):
    """Return the public names of a package as Markdown, grouped by their modules."""
    module = import_module(package)
    directives_of_modules = {}
    # The names are in the order of their definition. Names that are not loaded yet come last.
    for name in sorted(module.__all__, key=[*vars(module), *module.__all__].index):
        member = getattr(module, name)
        directives = directives_of_modules.setdefault(getattr(member, "__module__", package), [])
        directives.append(_directive(package, name, member))
    return _sections(directives_of_modules)


def figures_markdown(figures):
    """Return, as Markdown by module, the functions that draw the book's figures.

    Figures link to these functions.
    """
    directives_of_modules = {}
    for module in pkgutil.iter_modules(import_module(figures).__path__, f"{figures}."):
        directives_of_modules[module.name] = [
            _directive(module.name, name, member)
            for name, member in vars(import_module(module.name)).items()
            # A decorator wraps the functions that draw figures.
            if hasattr(member, "__wrapped__") and member.__module__ == module.name
        ]
    return _sections(directives_of_modules)


def _sections(directives_of_modules):
    """Return a section for each module, with the module's docstring and directives."""
    sections = []
    for module, directives in directives_of_modules.items():
        title, _, text = inspect.getdoc(import_module(module)).partition("\n")
        sections.append((title, text, directives))
    return filled("fragments/api.md", modules=sections)


def _directive(package, name, member):
    """Return the directive of Sphinx's autodoc that documents a public name."""
    if inspect.isclass(member):
        return f".. autoclass:: {package}.{name}\n   :members:\n   :exclude-members: function\n"
    return f".. {'autofunction' if inspect.isroutine(member) else 'autodata'}:: {package}.{name}\n"


class _Dashes(SphinxPostTransform):
    """Replace Sphinx's two hyphens between a parameter and its meaning with a dash."""

    default_priority = 600

    def run(self, **kwargs):
        for text in [*self.document.findall(nodes.Text)]:
            if text == " -- ":
                text.parent.replace(text, nodes.Text(" – "))


def setup(app):
    """Register the transform for the dashes with a Sphinx application."""
    app.add_post_transform(_Dashes)

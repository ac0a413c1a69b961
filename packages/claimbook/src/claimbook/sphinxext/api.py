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
    modules = {}
    # The names are in the order of their definition.
    for name in sorted(module.__all__, key=[*vars(module), *module.__all__].index):
        member = getattr(module, name)
        directives = modules.setdefault(getattr(member, "__module__", package), [])
        directives.append(_directive(package, name, member))
    return _sections(modules)


def figures_markdown(figures):
    """Return, as Markdown by module, the functions that draw the book's figures.

    Figures link to these functions.
    """
    modules = {}
    for module in pkgutil.iter_modules(import_module(figures).__path__, f"{figures}."):
        modules[module.name] = [
            _directive(module.name, name, member)
            for name, member in vars(import_module(module.name)).items()
            if hasattr(member, "__wrapped__") and member.__module__ == module.name
        ]
    return _sections(modules)


def _sections(modules):
    """Return a section for each module, with the module's docstring and directives."""
    texts = [inspect.getdoc(import_module(module)).partition("\n")[::2] for module in modules]
    titled = [(*text, directives) for text, directives in zip(texts, modules.values(), strict=True)]
    return filled("fragments/api.md", modules=titled)


def _directive(package, name, member):
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

"""The reference pages: what each package offers, for Sphinx to fill from the docstrings."""

import inspect
import pkgutil
from importlib import import_module

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from claimbook.templates import filled


def package_markdown(package):
    """The public names of a package, under a heading for each module that they live in."""
    home = import_module(package)
    modules = {}
    for name in sorted(home.__all__, key=[*vars(home), *home.__all__].index):  # as the package names them
        member = getattr(home, name)
        own = modules.setdefault(getattr(member, "__module__", package), [])
        own.append(_directive(package, name, member))
    return _sections(modules)


def figures_markdown(figures):
    """Every function of the package that draws a figure of the book, by module: figures link to them."""
    modules = {}
    for found in pkgutil.iter_modules(import_module(figures).__path__, f"{figures}."):
        modules[found.name] = [
            _directive(found.name, name, member)
            for name, member in vars(import_module(found.name)).items()
            if hasattr(member, "__wrapped__") and member.__module__ == found.name
        ]
    return _sections(modules)


def _sections(modules):
    """A section for each module, from its docstring and the directives for what it holds."""
    texts = [inspect.getdoc(import_module(module)).partition("\n")[::2] for module in modules]
    titled = [(*text, directives) for text, directives in zip(texts, modules.values(), strict=True)]
    return filled("fragments/api.md", modules=titled)


def _directive(package, name, member):
    if inspect.isclass(member):
        return f".. autoclass:: {package}.{name}\n   :members:\n   :exclude-members: function\n"
    return f".. {'autofunction' if inspect.isroutine(member) else 'autodata'}:: {package}.{name}\n"


class _Dashes(SphinxPostTransform):
    """Sphinx's two hyphens between a parameter and its meaning, as a dash."""

    default_priority = 600

    def run(self, **kwargs):
        for text in [*self.document.findall(nodes.Text)]:
            if text == " -- ":
                text.parent.replace(text, nodes.Text(" – "))


def setup(app):
    """Add the dashes."""
    app.add_post_transform(_Dashes)

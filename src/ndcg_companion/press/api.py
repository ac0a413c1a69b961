"""The reference pages: what each room of the package offers, for Sphinx to fill from the docstrings."""

import inspect
import pkgutil
from importlib import import_module

from ndcg_companion.press.template import filled

FIGURES = "ndcg_companion.chapter.figures"


def room_markdown(room):
    """The public names of a room, under a heading for each module that they live in.

    >>> room_markdown("simulation").count("autofunction:: ndcg_companion.simulation.ndcg_curve")
    1
    """
    package = f"ndcg_companion.{room}"
    home = import_module(package)
    modules = {}
    for name in sorted(home.__all__, key=[*vars(home), *home.__all__].index):  # as the room names them
        member = getattr(home, name)
        own = modules.setdefault(getattr(member, "__module__", package), [])
        own.append(_directive(package, name, member))
    return _sections("##", modules)


def figures_markdown():
    """Every function that draws a figure of the book, by module: links from figures lead to them.

    >>> figures_markdown().count("autofunction:: ndcg_companion.chapter.figures.index.who_is_ahead")
    1
    """
    modules = {}
    for found in pkgutil.iter_modules(import_module(FIGURES).__path__, f"{FIGURES}."):
        modules[found.name] = [
            _directive(found.name, name, member)
            for name, member in vars(import_module(found.name)).items()
            if hasattr(member, "__wrapped__") and member.__module__ == found.name
        ]
    return _sections("###", modules)


def _sections(heading, modules):
    """A section for each module, from its docstring and the directives for what it holds."""
    texts = [inspect.getdoc(import_module(module)).partition("\n")[::2] for module in modules]
    titled = [(*text, directives) for text, directives in zip(texts, modules.values(), strict=True)]
    return filled("press/fragments/api.md", heading=heading, modules=titled)


def _directive(package, name, member):
    if inspect.isclass(member):
        return f".. autoclass:: {package}.{name}\n   :members:\n   :exclude-members: function\n"
    return f".. {'autofunction' if inspect.isroutine(member) else 'autodata'}:: {package}.{name}\n"

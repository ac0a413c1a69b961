"""The reference pages: what each room of the package offers, for Sphinx to fill from the docstrings."""

import inspect
import pkgutil
from importlib import import_module

ROOMS = ("measures", "theory", "simulation", "data", "evaluation", "chapter")
FIGURES = "ndcg_companion.chapter.figures"


def room_markdown(room):
    """The public names of a room, under a heading for each module that they live in.

    >>> room_markdown("simulation").count("autofunction:: ndcg_companion.simulation.ndcg_curve")
    1
    """
    package = f"ndcg_companion.{room}"
    home = import_module(package)
    by_module = {}
    for name in sorted(home.__all__, key=[*vars(home), *home.__all__].index):  # as the room names them
        one = getattr(home, name)
        by_module.setdefault(getattr(one, "__module__", package), []).append((name, one))
    parts = []
    for module, members in by_module.items():
        title, _, rest = inspect.getdoc(import_module(module)).partition("\n")
        directives = "\n".join(_directive(package, *member) for member in members)
        parts.append(f"## {title.rstrip('.')}\n\n```{{eval-rst}}\n{rest.strip()}\n\n{directives}```\n")
    return "\n".join(parts)


def figures_markdown():
    """Every function that draws a figure of the book, by module: links from figures lead to them.

    >>> figures_markdown().count("autofunction:: ndcg_companion.chapter.figures.index.who_is_ahead")
    1
    """
    parts = []
    for found in pkgutil.iter_modules(import_module(FIGURES).__path__, f"{FIGURES}."):
        module = import_module(found.name)
        title, _, rest = inspect.getdoc(module).partition("\n")
        drawings = [
            name
            for name, one in vars(module).items()
            if hasattr(one, "__wrapped__") and one.__module__ == found.name
        ]
        directives = "\n".join(f".. autofunction:: {found.name}.{name}\n" for name in drawings)
        parts.append(f"### {title.rstrip('.')}\n\n```{{eval-rst}}\n{rest.strip()}\n\n{directives}```\n")
    return "\n".join(parts)


def _directive(package, name, one):
    if inspect.isclass(one):
        return f".. autoclass:: {package}.{name}\n   :members:\n   :exclude-members: function\n"
    return f".. {'autofunction' if inspect.isroutine(one) else 'autodata'}:: {package}.{name}\n"

"""The pages that commands write, from templates beside this module: every value is text, escaped there."""

from functools import cache

from ndcg_companion.text import shown


@cache
def _environment():
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("ndcg_companion", "commands")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=_shown)
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "default": str}
    return environment


def _shown(value):
    """What could act in a page without being markup (line ends, controls, turned lines) is escaped too."""
    return value if hasattr(value, "__html__") else shown(value, most=10_000_000)


def page(template, **values):
    """The text of a page; values in a script go through ``tojson``, which leaves no ``<`` there."""
    return _environment().get_template(template).render(values)

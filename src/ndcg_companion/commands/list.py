"""``companion list``: the chapters and their parameters."""

from ndcg_companion.commands.options import find_project
from ndcg_companion.text import shown


def add_parser(commands):
    add = commands.add_parser("list", help="the chapters and their parameters")
    add.add_argument("--names", action="store_true", help="the names alone, one a line, for scripts")
    add.set_defaults(command=call)
    return add


def call(options):
    for chapter in find_project().notebooks:
        if options.names:
            print(chapter.name)
            continue
        print(shown(f"{chapter.name} – {chapter.title}", most=300))
        for parameter in chapter.parameters:
            allowed = f"  [{parameter.allowed}]" if parameter.allowed else ""
            reason = f" ({parameter.reason})" if parameter.reason else ""
            declared = f"{parameter.name}: {parameter.type.__name__} = {parameter.default}"
            print(shown(f"    {declared}{allowed}{reason}  {parameter.help}", most=1000))
    return 0

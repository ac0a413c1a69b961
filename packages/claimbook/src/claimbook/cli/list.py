"""``list``: list the chapters and their parameters."""

from claimbook.cli.options import find_project
from claimbook.text import escaped

OPTIONS = {"--names": {"action": "store_true", "help": "print only the names, one per line, for scripts"}}


def call(options):
    """Print the chapters with their parameters, and return the exit code."""
    for chapter in find_project().notebooks:
        print(escaped(chapter.name if options.names else f"{chapter.name} – {chapter.title}", most=300))
        for parameter in chapter.parameters if not options.names else ():
            allowed = f"  [{parameter.allowed}]" if parameter.allowed else ""
            reason = f" ({parameter.reason})" if parameter.reason else ""
            declaration = f"{parameter.name}: {parameter.type.__name__} = {parameter.default}"
            print(escaped(f"    {declaration}{allowed}{reason}  {parameter.help}", most=1000))
    return 0

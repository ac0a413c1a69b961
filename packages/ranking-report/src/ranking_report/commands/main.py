"""The command ``ranking-report``."""

from ranking_report.commands.line import CommandLine
from ranking_report.extras import lacking
from ranking_report.version import __version__

main = CommandLine(
    "ranking-report",
    "Which of several rankings is better, and how sure the answer is.",
    f"ranking-report {__version__}",
    {name: f"ranking_report.commands.{name}" for name in ("compare", "power")},
    lacking,
)

"""Limits on what a chapter may take, which ``execute:`` of ``_config.yml`` sets."""

from dataclasses import dataclass

_NAMES = {"timeout": "seconds for a cell, or -1 for no limit", "output_limit": "MB, more than 0"}


@dataclass(frozen=True)
class Limits:
    """What a chapter may take: it fails beyond.

    Parameters
    ----------
    timeout : float
        Seconds for one cell; -1 for no limit.
    output_limit : float
        Megabytes of all outputs of a chapter.
    """

    timeout: float = 600
    output_limit: float = 20


def read_limits(settings):
    """The `Limits` that ``execute:`` of a ``_config.yml`` sets; ValueError for one that is no limit.

    >>> read_limits({"execute": {"timeout": 60}})
    Limits(timeout=60, output_limit=20)
    """
    given = settings.get("execute") or {}
    found = {name: given[name] for name in _NAMES if name in given}
    for name, value in found.items():
        is_number = type(value) in (int, float)
        if not (is_number and value > 0 or name == "timeout" and value == -1):
            raise ValueError(f"_config.yml: execute: {name}={value!r}: expected {_NAMES[name]}")
    return Limits(**found)

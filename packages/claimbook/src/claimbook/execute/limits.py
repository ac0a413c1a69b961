"""Read the limits on the resources of a chapter from ``execute:`` of ``_config.yml``."""

from dataclasses import dataclass

_EXPECTATIONS = {"timeout": "seconds for a cell, or -1 for no limit", "output_limit": "MB, more than 0"}


@dataclass(frozen=True)
class Limits:
    """Limits on the resources of a chapter. Exceeding one makes the chapter fail.

    Parameters
    ----------
    timeout : float
        The time for one cell in seconds, or -1 for no limit.
    output_limit : float
        The size of all outputs of a chapter in megabytes.
    """

    timeout: float = 600
    output_limit: float = 20


def read_limits(settings):
    """Return the `Limits` that ``execute:`` in a ``_config.yml`` sets.

    Raises
    ------
    ValueError
        If a value is not a valid limit.

    Examples
    --------
    >>> read_limits({"execute": {"timeout": 60}})
    Limits(timeout=60, output_limit=20)
    """
    execute = settings.get("execute") or {}
    limits = {name: execute[name] for name in _EXPECTATIONS if name in execute}
    for name, value in limits.items():
        is_positive = type(value) in (int, float) and value > 0
        means_no_limit = name == "timeout" and value == -1
        if not (is_positive or means_no_limit):
            raise ValueError(f"_config.yml: execute: {name}={value!r}: expected {_EXPECTATIONS[name]}")
    return Limits(**limits)

"""What a history says, for the page and for JSON: the line of each system, night after night."""

from math import inf

from ndcg_companion.text import escaped
from ranking_report.scale import Scale
from ranking_report.sentences import counted

_MOST_PANELS = 8  # of systems; all are in history.csv


def record(over):
    """An `OverTime` as dictionaries and lists; None without a history.

    On few queries the ends of intervals are infinite; `as_record` writes them as null.
    """
    if over is None:
        return None
    tables = {"line": over.line.to_dict("records"), "changes": over.changes.to_dict("records")}
    return {"nights": over.nights, "new": over.new, "gone": over.gone, "level": over.level} | tables


def figure(over):
    """The figure of an `OverTime`: a panel for each system, with its means and intervals by night.

    An interval is the system's mean on its first night plus the interval of the change since then. ``left``
    counts the systems without a panel.
    """
    number = {night: at for at, night in enumerate(over.nights, 1)}
    across = Scale(1, max(len(number), 2), 430, 70)
    panels = [
        _panel(name, rows, [across(number[night]) for night in rows["night"]])
        for name, rows in over.line.groupby("system", sort=False)
    ]
    drawn = panels[:_MOST_PANELS]
    ends = [
        f"{escaped(panel['system'], 24)} ends at {panel['last']:.3f}, with "
        f"{counted(len(panel['apart']), 'night', 'nights')} apart from its first"
        for panel in drawn
    ]
    return {
        "panels": drawn,
        "left": len(panels) - len(drawn),
        "first": over.nights[0],
        "last": over.nights[-1],
        "changes": over.changes.to_dict("records"),
        "alt": f"Lines over {len(number)} nights, one for a system, with intervals: {', '.join(ends)}.",
    }


def _panel(name, rows, places):
    """What the template draws of one system over the nights: its means, band and distinguishable nights."""
    means, began = rows["mean"], rows["mean"].iloc[0]
    ends = rows[["low", "high"]]  # of the change since the first night; infinite on few queries
    finite = ends.where(ends.abs() < inf).abs().max().max()
    reach = 1.0 if means.between(0, 1).all() else max(1.0, finite)  # a measure may leave 0 to 1
    low, high = (began + ends[end].clip(-reach, reach) for end in ends)
    up = Scale(min(means.min(), low.min()), max(means.max(), high.max()), -90, 100)
    path = lambda values: [f"{x},{up(value)}" for x, value in zip(places, values)]
    distinguishable = (rows["low"] > 0) | (rows["high"] < 0)
    return {
        "system": name,
        "up": up,
        "began": up(began),
        "means": " ".join(path(means)),
        "band": " ".join(path(low) + path(high)[::-1]),
        "apart": [(x, up(mean)) for x, mean, away in zip(places, means, distinguishable) if away],
        "last": means.iloc[-1],
    }

"""What the drawings show of the numbers they are given, computed from their arguments.

`LOOKS` has the colours and marks of a drawing, `SERIES` the numbers that are drawn other than as they are
given, and `SAYS` what stands in the sentence that describes it or among its words; what begins with a # must
be among its words.
"""

import numpy as np
from scipy.stats import norm

from ndcg_book.axes import spoken
from ndcg_book.figures.linear_ndcg import fewest_exchanges
from ndcg_book.figures.rival_curves import areas
from ndcg_book.figures.scoring_a_ranking import block_shares

LOG10 = np.log(10)


def per(form, *columns, sep=", "):
    """One phrase for each row of the columns, or for each name and value of a mapping."""
    rows = columns[0].items() if isinstance(columns[0], dict) else zip(*columns)
    return sep.join(form.format(*row) for row in rows)


def last(values, form=".2f", at=-1):
    """The last of each, or that at a place, as a sentence says it."""
    return ", ".join(f"{np.ravel(value)[at]:{form}} ({spoken(name)})" for name, value in values.items())


def each(by, values):
    return {name: by(value) for name, value in values.items()}


def both(*values):
    """The curves of several mappings, or lists of them."""
    return [one for some in values for one in (some.values() if isinstance(some, dict) else some)]


def positive(values):
    return np.where(values > 0, values, np.nan)


def minus(text):
    return text.replace("-", "−")


def percent(share):
    return f"{100 * share:.0f} %"


def left_over(share):
    return "less than a thousandth of a per cent" if share < 1e-5 else f"{100 * share:.2g} %"


def number(n):
    return f"{n:,}" if n < 1e6 else f"10^{np.log10(n):g}"


def binned(scores, labels):
    """The share of relevant items in each of 24 bins; there is none where there is no item."""
    count, edges = np.histogram(scores, 24, (0.0, 1.0))
    with np.errstate(invalid="ignore"):
        return np.histogram(scores, edges, weights=labels)[0] / count


def queries_until(chances, queries, sure):
    enough = chances >= sure
    return f"at {queries[enough.argmax()]:g}" if enough.any() else f"not by {queries[-1]:g}"


def passes(strip, first):
    leaders = [leader for _, end, leader in strip if leader is not None and end > first]
    return sum(one != other for one, other in zip(leaders, leaders[1:]))


def last_root(x, y):
    at = np.flatnonzero(np.diff(np.sign(y)) < 0)[-1]
    return x[at] + y[at] / (y[at] - y[at + 1]) * (x[at + 1] - x[at])


def held(values, factors, exact):
    return np.sum((factors[0] * values <= exact) & (exact <= factors[1] * values))


def travelled(values):
    return np.abs(np.diff(values)).sum()


def direction(values):
    return "is level" if np.isclose(values[0], values[-1]) else "rises" if values[-1] > values[0] else "falls"


def costs_of(target):
    current, costs = sorted(target, reverse=True), []
    for i, j in fewest_exchanges(target):
        costs.append(f"{(current[i] - current[j]) * (j - i)}")
        current[i], current[j] = current[j], current[i]
    return " + ".join(costs)


def ends_of(panel):
    return per("{} {:.2f}", {name: values[:, -1].mean() for name, values in panel.curves.items()})


def crossing(panel):
    at, pair = panel.crossing
    return f"last crossing at {at} ({' and '.join(pair)})" if at else "no crossing"


SERIES = {
    "a_population_of_items.ties_and_tosses": lambda edges, relevance, curve, scores, labels, _: [
        edges[1:],
        relevance,
        binned(scores, labels),
    ],
    "a_population_of_items.duels": lambda values, mean: [
        part for each_ in values.values() for part in (each_[each_ > 0], each_[each_ < 0])
    ],
    "cutoffs_that_cannot_see.border": lambda sizes, cutoffs, scores, slope, shift: [
        sizes[0],
        shift + slope * sizes[0],
    ],
    "everything_tends_to_one.squeeze": lambda log_n, curves, sizes, dots: [
        log_n / LOG10,
        np.log10(sizes),
        *both(curves, dots),
    ],
    "everything_tends_to_one.missing": lambda log_n, curves, sizes, dots: [
        log_n / LOG10,
        np.log10(sizes),
        *(1.0 - y for y in both(curves, dots) if (y < 1.0).all()),
    ],
    "everything_tends_to_one.rate": lambda log_n, curves, limits, sizes, dots: [
        1.0 / log_n,
        1.0 / np.log(sizes),
        *((1.0 - y) * log_n for y in curves.values()),
        *((1.0 - y) * np.log(sizes) for y in dots.values()),
        *([[limit]] for limit in limits.values()),
    ],
    "everything_tends_to_one.spreads": lambda sizes, scaled, factors, exact: [
        sizes,
        exact,
        *(factor * y for y in scaled.values() for factor in (1.0, *factors)),
    ],
    "everything_tends_to_one.signed_labels": lambda log_n, curves, limits, sizes, dots, lopsided: [
        log_n / LOG10,
        np.log10(sizes),
        lopsided,
        *both(curves, dots),
        *([limit, limit] for limit in limits.values()),
    ],
    "four_tools.price": lambda ranks, paid, m: [
        np.append(np.minimum(paid, paid[m - 1]), paid - np.minimum(paid, paid[m - 1]))
    ],
    "four_tools.bounds": lambda ranks, exponents, normal: [
        part for y in exponents.values() for part in (ranks[y > 0], y[y > 0], [ranks[y.argmax()]], [y.max()])
    ],
    "graded_relevance.stack": lambda depths, layers, gains, shares: [
        depths,
        gains @ layers,
        [0.0, *np.sort(shares), 1.0],
        [*np.cumsum(gains)[::-1], 0.0],
    ],
    "graded_relevance.approach": lambda sizes, curves, limits, places, seen, margins: [
        sizes,
        places,
        *both(curves, seen),
        *(abs(y - limits[name]) for name, y in curves.items() if (y != limits[name]).any()),
        *(y + sign * margins[name] for name, y in seen.items() for sign in (-1, 1)),
        *([limit, limit] for limit in limits.values()),
    ],
    "graded_relevance.rare_top": lambda sizes, values, top, limit, share: [
        sizes,
        values,
        [top, top],
        [limit, limit],
        [share**-2, share**-2],
    ],
    "how_many_items_are_enough.chance_map": lambda measures, sizes, chances: [chances.ravel()],
    "index.who_is_ahead": lambda sizes, leads, names: [],
    "inside_the_proofs_i.distances": lambda sizes, lines, rates, seen=(): [
        sizes,
        *(np.where(y == 0, np.nan, abs(y)) for y in lines.values() if y.any()),
        *rates.values(),
        *(part for x, y in dict(seen).values() for part in (x, abs(y))),
    ],
    "inside_the_proofs_i.scaled_distances": lambda log_n, scaled, limits: [
        1.0 / log_n,
        *scaled.values(),
        *([limit] for limit in limits.values()),
    ],
    "inside_the_proofs_ii.errors": lambda lines, *_: [],
    "inside_the_proofs_ii.integral_shares": lambda log_n, shares: [1.0 / log_n, *shares.values(), [1.0]],
    "inside_the_proofs_ii.tolerances": lambda sizes, promised, needed, proved, seen: [
        *(y * sizes ** (3 / 8) for y in (*promised.values(), needed, proved)),
        seen[1] * seen[0] ** (3 / 8),
        seen[0],
    ],
    "linear_ndcg.against_auc": lambda shares, lists: [
        *([share, 1.0] for share in shares.values()),
        *both(*lists.values()),
    ],
    "linear_ndcg.approach": lambda sizes, values, limits: [
        sizes,
        *values.values(),
        *([limit, limit] for limit in limits.values()),
    ],
    "linear_ndcg.family": lambda b, odds, zeros: [b, *odds.values(), *([zero] for zero in zeros.values())],
    "linear_ndcg.two_distances": lambda exchanged, misordered, *_: [exchanged, misordered],
    "polynomial_discounts_keep_the_difference.settling": lambda n, curves, limits, sizes, seen, margins: [
        n,
        sizes,
        *both(curves, seen),
        *(y + sign * margins[name] for name, y in seen.items() for sign in (-1, 1)),
        *([limit, limit] for limit in limits.values()),
    ],
    "polynomial_discounts_keep_the_difference.closing_in": lambda n, curves, limits, predicted, bound: [
        n,
        bound,
        *predicted.values(),
        *(abs(y - limits[name]) for name, y in curves.items()),
    ],
    "polynomial_discounts_keep_the_difference.signal": lambda *_: [],
    "polynomial_discounts_keep_the_difference.two_noises": lambda _, places, law, normal, *__: [
        places,
        law,
        normal,
    ],
    "proportional_cutoffs.by_share": lambda shares, limits, places, told, p, *_: [
        shares,
        places,
        *both(limits, told[1]),
        [p, p],
    ],
    "proportional_cutoffs.four_edges": lambda shares, betas, values, p: [[p, p]],
    "proportional_cutoffs.distances": lambda scaled, missing, _: [
        1.0 / scaled[0],
        missing[0],
        *both(scaled[1], *missing[1:]),
        *([limit] for limit in scaled[2].values()),
    ],
    "rankdcg.scales": lambda ranges: [
        part for rows in ranges.values() for part in np.transpose([*rows.values()])
    ],
    "rankdcg.two_readings": lambda *_: [],
    "rankdcg.two_measures": lambda one, other, marks: [*([x] for x, _ in marks.values())],
    "rankdcg.bills": lambda costs, values: [
        np.where(paid > 0, 25 + 330 * paid / max(paid.max(), 1e-9), 9) for paid in costs.values()
    ],
    "scoring_a_ranking.all_orders": lambda values, ranking: [
        *([one] for one in ranking.values()),
        *([some.mean()] * 2 for some in values.values()),
    ],
    "short_cutoffs.bands": lambda lists, expected, level: [
        *(row for some in lists.values() for row in some[1:]),
        *(row for some in expected.values() for row in some),
        [level, level],
    ],
    "short_cutoffs.valley": lambda errors, paths, dots: [
        row for some in both(errors, paths, dots) if (some[1] > 0).all() for row in some
    ],
    "short_cutoffs.laws": lambda seen, exact: [],
    "summable_discounts.two_clouds": lambda scores: [
        row[which]
        for one, other in scores.values()
        for which in (one > other, one < other)
        for row in (one, other)
    ],
    "summable_discounts.passes": lambda sizes, means, slopes: [
        sizes,
        *means.values(),
        *(slope * np.log(sizes / sizes[0]) for slope in slopes.values()),
    ],
    "the_log_discount_still_decides.race": lambda sizes, scores, gaps, lead: [
        sizes,
        lead,
        *gaps,
        *(1.0 - y for y in scores if (y < 1).all()),
    ],
    "the_log_discount_still_decides.constants": lambda log_n, scaled, true, printed: [
        1.0 / log_n,
        *(y / true[name] for name, y in scaled.items()),
        *([printed[name] / true[name]] for name in true),
        [1.0],
    ],
    "the_log_discount_still_decides.late": lambda log_n, gaps, change, to: [
        log_n / LOG10,
        gaps,
        [change],
        [to, to],
    ],
    "the_papers_experiment.four_figures": lambda rows: [],
    "the_papers_experiment.three_rankers": lambda *panels: [
        [panel.crossing[0]] * 2 for panel in panels if panel.crossing[0]
    ],
    "the_papers_experiment.two_orders": lambda orders: [
        part
        for sizes, own, shuffled in orders.values()
        for part in (sizes, own, shuffled.mean(axis=0), shuffled.min(axis=0), shuffled.max(axis=0))
    ],
    "the_zipfian_border.paths": lambda sizes, values, limits: [
        sizes,
        *values.values(),
        *([limit, limit] for limit in limits.values()),
    ],
    "the_zipfian_border.distances": lambda log_n, exact, predicted, sizes, means, margins, limits: [
        log_n / LOG10,
        np.log10(sizes),
        *(
            part
            for name, limit in limits.items()
            if (exact[name] != limit).all()
            for part in (
                abs(exact[name] - limit),
                abs(predicted[name] - limit),
                *(abs(means[name] - limit) + sign * margins[name] for sign in (-1, 0, 1)),
            )
        ),
    ],
    "the_zipfian_border.border": lambda x, bias, noise, seen, far: [
        x,
        seen[0],
        *both(bias, noise, seen[1], *seen[3:], far[1]),
        *(y + sign * seen[2][name] for name, y in seen[1].items() for sign in (-1, 1)),
    ],
    "the_zipfian_border.waves": lambda log_n, relevance, exact, sizes, dots: [
        log_n / LOG10,
        np.log10(sizes),
        *both(relevance, exact, dots),
    ],
    "the_zipfian_question.race": lambda sizes, gaps: [],
    "what_telling_apart_means.paths": lambda sizes, gaps, _: [sizes, *gaps],
    "what_telling_apart_means.guarantees": lambda gaps, looks: [gaps, *([n] for n, *_ in looks)],
    "what_telling_apart_means.failures": lambda sizes, ever, alone, intervals, bound: [
        sizes,
        *map(positive, both(ever, alone)),
        np.where(bound > 1e-3, bound, np.nan),
    ],
    "when_limits_tie.chances": lambda lines, dots, squares: [
        *(part for x, y in lines.values() for part in (np.log10(x), y)),
        *both(*(some[1:] for some in both(dots, squares))),
        *(np.log10(x) for x, *_ in dots.values()),
    ],
    "when_limits_tie.strips": lambda *_: [],
    "when_limits_tie.correlated": lambda ways, limit, lengths, common: [
        *(part for x, y, seen in ways.values() for part in (np.log10(x), y, *seen[1:])),
        np.log10(lengths),
        common,
        [limit, limit],
    ],
    "when_limits_tie.law_of_the_gap": lambda edges, density, *_: [(edges[1:] + edges[:-1]) / 2, density],
    "which_discounts_are_feasible.blindness": lambda exponents, paid, shares: [
        exponents,
        *paid.values(),
        *(part for x, *ys in shares.values() for part in (np.log10(x), *ys)),
    ],
    "which_discounts_are_feasible.feasibility": lambda *_: [],
    "your_own_rankings.by_query": lambda rows: [
        part for values, mean, low, high in rows.values() for part in (np.sort(values), [mean], [low, high])
    ],
    "your_own_rankings.leaderboard": lambda board, _: [
        *np.array(board[["low", "high"]]),
        *([mean] for mean in board["mean"]),
    ],
    "your_own_rankings.errors": lambda alarms, power, _: [
        part
        for (share, low, high), found in zip(alarms, power)
        for part in ([share], [low, high], [0, found])
    ],
    "your_own_rankings.splits": lambda told, whole: [np.unique(told, return_counts=True)[1], [whole, whole]],
    "discounts_that_decay_too_fast.wandering": lambda sizes, paths, edges, shares, intervals, exact, _: [
        sizes,
        *paths.values(),
        *(y / np.diff(edges) for y in both(shares, *intervals.values(), exact)),
    ],
    "discounts_that_decay_too_fast.behind": lambda lengths, shares: [
        part for y in shares.values() if y.any() for part in (lengths[y > 0], y[y > 0])
    ],
    "systems_that_share_results.two_pages": lambda *_: [],
    "systems_that_share_results.weight_beside_overlap": lambda common, low, high, random, marks: [
        common,
        random,
        1 - common / common[-1],
        *([y] for _, y in marks.values()),
    ],
    "beyond_the_model.drifting": lambda sizes, leaders, where: [[n, n] for n in where],
    "which_measures_tell_rankers_apart.worth": lambda pairs: [np.transpose([*pairs.values()]).T.ravel()],
}
SAYS = {
    "a_population_of_items.ties_and_tosses": lambda edges, relevance, curve, scores, labels, distance: [
        f"a staircase with {len(edges) - 1} steps that lies below the diagonal by up to "
        f"{np.diff(edges).max():.2f},",
        f"within {distance:.4f} of the diagonal. Below, steps at the heights",
        per("{:.2f}", relevance) + " with" if len(edges) < 9 else "",
    ],
    "a_population_of_items.crossing_curves": lambda pair, start, gaps: [
        f"one on the other from {start:.2f} on;" if start < 1 else "",
        f"are {gaps[0]:.4f} where the solid one is higher and {gaps[1]:.4f} where the dashed one is.",
    ],
    "a_population_of_items.couplings": lambda samples, agree: [
        per("{1} ({0})", each(percent, agree)) + ".",
        *(f"{name}\nagree: {percent(share)}" for name, share in agree.items()),
    ],
    "a_population_of_items.duels": lambda values, mean: [
        minus(f"around a dashed line at {mean:.4f}, with standard deviations "),
        last(each(lambda some: np.std(some, ddof=1), values), ".2g"),
        *(f"#{name}: first ahead on {percent(np.mean(some > 0))}" for name, some in values.items()),
    ],
    "conventions.one_list_many_numbers": lambda choices, usual, combined: [
        "; ".join(f"{name}: {per('{} {:.3f}', of)}" for name, of in choices.items()) + ".",
        f"#all {len(combined)} combinations",
        *(f"#{value:.3f}" for of in choices.values() for value in of.values()),
    ],
    "cutoffs_that_cannot_see.seen": lambda depths, pair, shared, lines, whole, own: [
        f"two curves that coincide down to depth {shared:g}.",
        *(
            f"from {np.interp(shared, *line):.2f} to {line[1][-1]:.2f} ({n:,} items)"
            for n, line in lines.items()
        ),
        f"Simulated: {whole[1][0]:.2f} at the share {whole[0][0]:g} and {whole[1][-1]:.2f} on the full list.",
    ],
    "cutoffs_that_cannot_see.failures": lambda failing, limits: [
        f"at 10^{max(x[-1] for x, _ in failing.values()):g} items they are ",
        ", ".join(f"10^{y[-1]:.0f} (k = {spoken(name)})" for name, (_, y) in failing.items()),
    ],
    "cutoffs_that_cannot_see.border": lambda sizes, cutoffs, scores, slope, shift: [
        f"slope {slope:.2f} on two logarithmic scales. At 10^{sizes[0, 3]:g} items the chance",
        per("{:.2f} at k = 10^{:.1f}", norm.cdf(scores[:, 3]), cutoffs[:, 3]),
    ],
    "everything_tends_to_one.short_lists": lambda sizes, values: [
        f"from n = {sizes[0]} to {sizes[-1]:,}, ending at {last(values)}."
    ],
    "everything_tends_to_one.squeeze": lambda log_n, curves, *_: [last(curves, ".4f")],
    "everything_tends_to_one.missing": lambda log_n, curves, *_: [
        last({name: 1 - y for name, y in curves.items() if (y < 1).all()}, ".4f")
    ],
    "everything_tends_to_one.rate": lambda log_n, curves, limits, *_: [
        "at " + last(limits, ".3f"),
        "∞",
        "$10^{6}$",
    ],
    "everything_tends_to_one.spreads": lambda sizes, scaled, factors, exact: [
        ", ".join(f"{y[0]:.2f} to {y[-1]:.2f} ({name})" for name, y in scaled.items()),
        f"through {held(scaled['random'], factors, exact)} of its {len(sizes)} bars",
    ],
    "everything_tends_to_one.signed_labels": lambda log_n, curves, limits, *rest: [
        f"at {last(limits, '.3f')}; a dashed curve rises to {rest[-1][-1]:.3f} at a googol"
    ],
    "four_tools.price": lambda ranks, paid, m: [
        f"fall from {paid[0]:g} at rank 1 to {paid[-1]:.2f} at rank {ranks[-1]}. Of the first {m} only",
        f"{paid[m - 1]:.2f} each is left; what is given up adds up to {np.sum(paid[:m] - paid[m - 1]):.3f}.",
    ],
    "four_tools.top_labels": lambda names, seen, free, alike: [
        "; ".join(
            f"{name} seen {per('{:.3f}', shares)}, {one:.2f} if independent, {other:.2f} if as alike as "
            "can be"
            for name, shares, one, other in zip(names, seen.T, free, alike)
        )
    ],
    "four_tools.tilt": lambda counts, ours, other, most: [
        f"At most {most} of them have the probability {ours[: most + 1].sum():.2f} in our world and ",
        f"{other[: most + 1].sum():.2f} in the other; the peaks are at {ours.argmax()} and {other.argmax()}.",
    ],
    "four_tools.bounds": lambda ranks, exponents, normal: [
        *(f"{name}, highest with {y.max():.1f} at m = {ranks[y.argmax()]}" for name, y in exponents.items()),
        f"A line at {normal:g}.",
    ],
    "graded_relevance.stack": lambda depths, layers, gains, shares: [
        f"A stack of {len(layers)} bands over the depth, {gains @ layers[:, 0]:.2f} high at the top of the "
        "list",
        f"{gains @ layers[:, -1]:.2f} at the bottom, and a staircase from {gains.sum():g} that steps down "
        "at depths ",
        per("{:.2f}", np.sort(shares)) + ".",
    ],
    "graded_relevance.layers_by_exponent": lambda betas, layers, totals, names: [
        f"At β = {betas[6]:.2f} the layers are at {per('{:.3f}', layers[:, 6])}, the graded limit at ",
        f"{totals[0][6]:.3f} with {names[0]} and {totals[1][6]:.3f} with {names[1]}.",
        *(f"layer ≥ {grade}" for grade in range(1, len(layers) + 1)),
        "graded",
    ],
    "graded_relevance.approach": lambda sizes, curves, limits, *_: [
        per("{1:.3f} (theorem {0})", limits),
        f"at n = {sizes[-1]:g} are "
        f"{per('{:.2f}', [abs(y[-1] - limits[name]) for name, y in curves.items()])}.",
        *(f"theorem {name}" for name in limits),
    ],
    "graded_relevance.rare_top": lambda sizes, values, top, limit, share: [
        f"starts at {values[0]:.2f}, is {values[4]:.2f} at a million items, {values[4]:.2f} at {share**-2:g}",
        f"and {values[-1]:.3f} at the end; the limit is {limit:.3f}.",
    ],
    "how_many_items_are_enough.chance_map": lambda measures, sizes, chances: [
        f"At {sizes[0]} items the chances are "
        f"{per('{} ({})', map(percent, chances[:, 0]), map(spoken, measures))};",
        f"at {sizes[-1]:,} between {percent(chances[:, -1].min())} and {percent(chances[:, -1].max())}.",
        *("$10^{2}$", "1,500", "$10^{4}$"),
    ],
    "how_many_items_are_enough.signal_to_noise": lambda sizes, ratios, _: [
        f"at 10^{np.log10(sizes[-1]):g} items they are at {last(ratios, '.3g')}."
    ],
    "how_many_items_are_enough.efficiencies": lambda exponents, curves, logs, n: [
        ", ".join(
            f"{exponents[y.argmax()]:.2f} ({name}, {y.max():.2g}; log discount {logs[name]:g})"
            for name, y in curves.items()
        ),
    ],
    "how_many_queries_are_enough.chance_by_queries": lambda queries, chances, seen, sure: [
        f"They reach {sure:.0%} ",
        ", ".join(f"{queries_until(y, queries, sure)} for @{k}" for k, y in chances.items()) + ".",
        *(f"@{k}" for k in chances),
        f"{sure:.0%} sure",
    ],
    "how_many_queries_are_enough.more_documents": lambda sizes, needed, seen, uncut: [
        f"From {sizes[0]:g} to {sizes[-1]:,.0f} documents the queries needed go from "
        f"{seen['flat'][1][0]:.0f} to ",
        f"to {needed['flat'][-1]:.0f} (flat), from {needed['worse'][0]:.0f} to more than a billion "
        "(worse), from ",
        f"from {uncut[1][0]:.0f} to {uncut[1][-1]:.0f} ({uncut[0]}).",
    ],
    "how_many_queries_are_enough.differences_seen": lambda queries, values: [
        f"On 50 queries the differences are {last(each(lambda y: np.interp(50, queries, y), values), '.2g')}."
    ],
    "index.promised_and_found": lambda sizes, share, low, high, promised, found: [
        per("{:.2f} at {:,}", share, sizes)
        + f" items; {promised:g} is promised for long lists, and {found:.2f} is",
    ],
    "index.queries_or_items": lambda queries, rising, sizes, flat, at_hand: [
        f"With {queries[-1]:,.0f} queries: {last(rising)}. With lists of {sizes[-1]:,.0f} items and "
        f"{at_hand} ",
        f"queries: {last(flat)}, with lists of {sizes[0]:,.0f} {last(flat, at=0)}.",
    ],
    "index.who_is_ahead": lambda sizes, leads, names: [
        f"{len(leads)} panels of {len(leads[0])} two-coloured strips",
        f"is {per('{:.0%}', leads[:, :, -1].mean(axis=1))}.",
        f"{len(leads[0])} data sets, one strip each",
    ],
    "inside_the_proofs_i.stacked_densities": lambda n: [
        f"{n} bands, alternately blue and white, from rank 1 at the upper end of the list to rank {n} at",
        f"At depth 0.1 the band of rank 1 is {n * 0.9 ** (n - 1):.2f} high.",
        f"all {n} together: {n} everywhere",
    ],
    "inside_the_proofs_i.distances": lambda sizes, lines, rates, seen=(): [
        f"{len(lines) - sum(not y.any() for y in lines.values())} falling curves",
        *(f"{abs(y[-1]):.1e} ({name})" for name, y in lines.items() if y.any()),
        *(f"a dashed line for {name} is at {y[-1]:.1e}" for name, y in rates.items()),
        *(f"; {name} is not off at all, and has none;" for name, y in lines.items() if not y.any()),
    ],
    "inside_the_proofs_i.scaled_distances": lambda log_n, scaled, limits: [
        f"from 100 items to the diamonds at infinity, which stand at {last(limits, '.3f')}."
    ],
    "inside_the_proofs_ii.projections": lambda depths, target, near, left: [
        f"from {depths[0]:g} to {depths[-1]:g}, a thick line between ",
        minus(f"between {target.min():.2f} and {target.max():.2f},"),
        f"of its norm, power {per('{} leaves {}', each(left_over, left))}.",
        *(f"power {power}" for power in near),
    ],
    "inside_the_proofs_ii.errors": lambda lines, what, scale="log": [
        f"are left {last(lines, '.3f')}."
        if scale == "linear"
        else per("{1} ({0})", {name: left_over(y[-1]) for name, y in lines.items()}) + ".",
        f"is {len([*lines.values()][0]) - 1}, are left",
    ],
    "inside_the_proofs_ii.integral_shares": lambda log_n, shares: [
        f"At {np.exp(log_n[0]):,.0f} items they stand at {last(shares, at=0)}."
    ],
    "inside_the_proofs_ii.tolerances": lambda sizes, promised, needed, proved, seen: [
        per("{} {}", each(lambda y: direction(y * sizes ** (3 / 8)), promised)) + ".",
        f"The thick line goes from {(needed * sizes ** (3 / 8))[0]:.2f} to "
        f"{(needed * sizes ** (3 / 8))[-1]:.2f},",
        f"from {(proved * sizes ** (3 / 8))[0]:.3g} to {(proved * sizes ** (3 / 8))[-1]:.3g}.",
        "needed",
        "proved",
    ],
    "linear_ndcg.triangle": lambda grades: [
        f"A triangle of {len(grades) * (len(grades) - 1) // 2} cells, of which",
        f"which {sum(b > a for at, a in enumerate(grades) for b in grades[at:])} are misordered; the rows "
        "are paid ",
        per("{}", [grade * (len(grades) - 1 - at) for at, grade in enumerate(grades)]) + ".",
        *(f"{grade} · {len(grades) - 1 - at}" for at, grade in enumerate(grades)),
        *(f"{a}+{b - a}" for at, a in enumerate(grades) for b in grades[at:] if b > a),
    ],
    "linear_ndcg.exchanges": lambda lists, columns=1: [
        f"{len(lists)} rows of discs: {'; '.join(' '.join(map(str, one)) for one in lists)}.",
        *map(costs_of, lists),
    ],
    "linear_ndcg.against_auc": lambda shares, lists: [f"they start at {per('{1:.2f} for {0}', shares)}."],
    "linear_ndcg.approach": lambda sizes, values, limits: [
        "; ".join(f"{name} ends at {y[-1]:.3f}, limit {limits[name]:.3f}" for name, y in values.items()) + "."
    ],
    "linear_ndcg.two_areas": lambda depths, lead, net: [
        f"Net area {net[0]:.3f} on the even scale, {net[1]:.3f} on the logarithmic one.",
        *(minus(f"net area {one:+.3f}") for one in net),
        f"crosses it at depth {last_root(depths, lead):.2f},",
    ],
    "linear_ndcg.disagreement": lambda sizes, gaps, certain: [
        f"from {sizes[0]:,} to {sizes[-1]:,} items; they end at ",
        ", ".join(f"{y[-1]:+.4f} for {name}" for name, y in gaps.items()) + ".",
    ],
    "linear_ndcg.family": lambda b, odds, zeros: [
        f"at b = {b[0]:g}, {b[len(b) // 2]:g} and {b[-1]:g} they are at ",
        "; ".join(f"{y[0]:g}, {y[len(b) // 2]:g} and {y[-1]:g} for {name}" for name, y in odds.items()) + ".",
    ],
    "linear_ndcg.two_distances": lambda exchanged, misordered, *_: [
        f"at 0 to {exchanged.max()} exchanges; the misordered pairs reach ",
        ", ".join(
            f"from {misordered[exchanged == x].min()} to {misordered[exchanged == x].max()} at {x}"
            for x in np.unique(exchanged)
        ),
    ],
    "polynomial_discounts_keep_the_difference.settling": lambda n, curves, limits, *_: [
        f"{len(curves)} curves from",
        f"run into dotted lines at {last(limits, '.3f')}.",
    ],
    "polynomial_discounts_keep_the_difference.closing_in": lambda n, curves, limits, *_: [
        ", ".join(f"at {abs(y[-1] - limits[name]):.0e} ({name})" for name, y in curves.items())
        + " for the longest",
    ],
    "polynomial_discounts_keep_the_difference.fan": lambda betas, values, *_: [
        f"{len(values)} curves fan out from 1 at β = 0; at β = 1 they are at {last(values)}."
    ],
    "polynomial_discounts_keep_the_difference.signal": lambda betas, kept, values: [
        f"from {values.min():.2f} to {values.max():.2f}; on the left edge",
        f"from {values[0, -1]:.2f} at the bottom over {values[2, -1]:.2f} in the middle to "
        f"{values[-1, -1]:.2f} at",
    ],
    "polynomial_discounts_keep_the_difference.constants": lambda betas, zetas, measured: [
        minus(f"from {zetas[0]:.1f} at β = 0 to {zetas[-1]:.1f} at β = 1"),
        per(
            "those for {:,} items within {:.2f}",
            each(lambda at: abs(at[1] - np.interp(at[0], betas, zetas)).max(), measured),
        ),
        *(f"$10^{{{np.log10(n):g}}}$ items" for n in measured),
    ],
    "polynomial_discounts_keep_the_difference.two_noises": lambda values, places, law, normal, lower, names: [
        f"of {len(values):,} lists",
        f"its peak is at {law.max():.2f}, that of the normal law at {normal.max():.2f}.",
        f"has the standard deviation {np.std(lower, ddof=1):.2f}.",
    ],
    "polynomial_discounts_keep_the_difference.broken": lambda sizes, kinds, limits, level, restless, names: [
        last(each(lambda some: np.mean([y[-1] for y in some]), kinds), ".3f"),
        f"with a dashed line at {level:.3f}. Below, {len(restless)} curves that are between ",
        f"{restless[:, -2:].min():.2f} and {restless[:, -2:].max():.2f} over the last power of ten.",
        "theorem 7",
    ],
    "proportional_cutoffs.by_share": lambda shares, limits, places, told, p, at, _: [
        f"At c = {at:g} the limits are {last(told[0])}; at c = 1 they are {last(limits)}.",
        f"at most {max(np.abs(y - told[1][name]).max() for name, y in told[0].items()):.3f} from the curves.",
        "c = p",
    ],
    "proportional_cutoffs.four_edges": lambda shares, betas, values, p: [
        f"it is {values[0, 0]:.2f} on the left and top edges, {values[0, -1]:.2f} in the bottom right "
        "corner, between ",
        f"between {values[:, 1:].min():.2f} and {values.max():.2f} overall; a dashed line marks c = p = "
        f"{p:.2f}.",
    ],
    "proportional_cutoffs.distances": lambda scaled, missing, _: [
        f"three curves end in diamonds at {last(scaled[2])}.",
        f"at {missing[0][-1]:,} items the distances are {last(missing[1], '.1g')}.",
    ],
    "proportional_cutoffs.wandering": lambda sizes, values, tracked, share, p: [
        f"between {values[-3:].min():.3f} and {values[-3:].max():.3f} for the longest lists, at most ",
        f"at most {np.abs(values - tracked).max():.1g} from",
    ],
    "rankdcg.scales": lambda ranges: [
        f"{name}: bars that end at 1 and begin at {last(rows, at=0)}; chance at {last(rows)}."
        for name, rows in ranges.items()
    ],
    "rankdcg.switchboard": lambda cells, printed, names: [
        per("{} {} of 6", each(lambda rows: np.sum(np.array(rows) == np.array(printed)), cells), sep="; ")
        + ".",
        *(f"{np.sum(np.array(rows) == np.array(printed))}" for rows in cells.values()),
        "of 6",
    ],
    "rankdcg.two_readings": lambda counts, reference, results: [
        f"Two tables of {len(counts['as a list'])} by {len(counts['as a list'])} counts. ",
        per(
            "the item of value {} stands in block {}", reference[:1], [counts["as a list"][:, 0].argmax() + 1]
        ),
        f"read as scores, in block {counts['as scores'][:, 0].argmax() + 1}.",
        "One is the transpose of the other." if (counts["as a list"] == counts["as scores"].T).all() else "",
    ],
    "rankdcg.report_card": lambda passes, groups: [
        "Ticks: "
        + per("{}: {}", "AB", [per("{}", [n for n, row in passes.items() if row[m]]) for m in "AB"], sep="; ")
    ],
    "rankdcg.two_measures": lambda one, other, marks: [
        f"at {len(set(one.round(9)))} values of RankDCG from {one.min():g} to {one.max():g}; together they "
        "rise from ",
        f"rise from {other.min():.2f} to {other.max():g}. Near the middle the stroke reaches from ",
        f"from {other[1:-1].min():.2f} to {other[1:-1].max():.2f}.",
    ],
    "rankdcg.bills": lambda costs, values: [
        per(
            "{}: {}",
            {
                name: ", ".join(f"{values[at]}|{values[at + 1]}" for at in np.flatnonzero(paid)) or "none"
                for name, paid in costs.items()
            },
            sep="; ",
        )
        + "."
    ],
    "rival_curves.rival_curves": lambda depths, *curves: [
        f"to {y[-1]:.2g} at the bottom, area above {areas(depths, y)[0]:.3g}, below {areas(depths, y)[1]:.3g}"
        for y in curves[:2]
    ],
    "scoring_a_ranking.weight_by_depth": lambda discounts, sizes: [
        "hold, in per cent: ",
        per("{} {:.3g}", each(lambda one: 100 * block_shares(one, sizes[1])[:3].sum(), discounts)) + ".",
    ],
    "scoring_a_ranking.all_orders": lambda values, ranking: [
        "; ".join(f"{name} {y.min():.2f}, {y.mean():.2f}, {ranking[name]:.2f}" for name, y in values.items())
        + "."
    ],
    "short_cutoffs.bands": lambda lists, expected, level: [
        f"{y[3, 0] - y[1, 0]:.3f} to {y[3, -1] - y[1, -1]:.3f} (k = {name})" for name, y in lists.items()
    ],
    "short_cutoffs.valley": lambda errors, paths, dots: (
        [
            per("k = {1:,.0f} (n = 10 to the {0})", each(lambda y: y[0][y[1].argmin()], errors)),
            per("{1:.2g} (k = {0})", each(lambda y: y[1][-1], paths)),
        ]
        if all((y[1] > 0).all() for y in both(errors, paths))
        else ["no error at all"]
    ),
    "short_cutoffs.counted": lambda k, counts: [f"at k = {k[-1]:,.0f} they are at {last(counts, '.1f')}."],
    "short_cutoffs.laws": lambda seen, exact: [
        f"at most {last(each(lambda y: np.sort(y)[(len(y) - 1) // 2], seen))}."
    ],
    "summable_discounts.leads": lambda cases, first, until: [
        f"from {first} to {until} items",
        *(
            f"{spoken(name)}: {len(some)} strips, on which the lead passes over "
            f"{np.mean([passes(strip, first) for strip in some]):.1f} times on average and at whose end "
            "f_0 is ahead on "
            f"{sum(strip[-1][2] == 0 for strip in some)} and f_1 on "
            f"{sum(strip[-1][2] == 1 for strip in some)}"
            for name, some in cases.items()
        ),
    ],
    "summable_discounts.two_clouds": lambda scores: [
        f"{name}: {np.sum(y >= x)} of {len(x)} points on or above the diagonal, none further from it than "
        f"{abs(x - y).max():.1g}, from {x.min():.2f} to {x.max():.2f}"
        for name, (x, y) in scores.items()
    ],
    "summable_discounts.chances": lambda tops, lines, dots, p: [
        f"which pass {np.interp(p, tops, lines['fast']):.2f} at the top relevance {p:g}. At 0.8 they are at ",
        last(each(lambda y: np.interp(0.8, tops, y), lines)) + ".",
        f"at most "
        f"{max(abs(y - np.interp(x, tops, lines[name])).max() for name, (x, y, *_) in dots.items()):.3f}.",
    ],
    "summable_discounts.passes": lambda sizes, means, slopes: [
        "; ".join(f"{y[-1]:.2f} ({' '.join(name.split())})" for name, y in means.items()) + ".",
        f"have the slopes {per('{:.2f}', slopes.values())}.",
    ],
    "the_log_discount_still_decides.race": lambda sizes, scores, gaps, lead: [
        f"from n = {sizes[0]} to {sizes[-1]:,}, at {per('{:.3f}', 1 - scores[:, -1], sep=' and ')} in the "
        "end.",
        f"{len(gaps)} grey lines around a thick one that goes from {lead[0]:.1f} to {lead[-1]:.0f} "
        "standard deviations.",
    ],
    "the_log_discount_still_decides.constants": lambda log_n, scaled, true, printed: [
        f"at 10^{log_n[-1] / LOG10:.0f} items they stand at ",
        last({name: y / true[name] for name, y in scaled.items()}) + ".",
        f"Crosses at {per('{:.2f}', sorted(printed[name] / true[name] for name in true))}.",
    ],
    "the_log_discount_still_decides.late": lambda log_n, gaps, change, to: [
        f"at {gaps[0]:.2f} at 10^{log_n[0] / LOG10:.0f} items, which crosses zero at 10^{change:.0f} and "
        "is at ",
        f"is at {gaps[-1]:.2f} at 10^{log_n[-1] / LOG10:.0f}; a dashed line at 10^{to:.0f}",
    ],
    "the_papers_experiment.four_figures": lambda rows: [
        "; ".join(f"{name}, {panel.title}: {ends_of(panel)}" for name, row in rows.items() for panel in row)
        + "."
    ],
    "the_papers_experiment.three_rankers": lambda *panels: [
        f"{panel.title}, from {panel.start} to 200 documents: at the end {ends_of(panel)}; {crossing(panel)}."
        for panel in panels
    ],
    "the_papers_experiment.long_road": lambda roads: [
        f"from {road['RankSVM'][0][0]} to {road['RankSVM'][2][-1]:.0e} documents: "
        f"RankSVM from {road['RankSVM'][3][0]:.2f} to {road['RankSVM'][3][-1]:.2f}."
        for road in roads.values()
    ],
    "the_papers_experiment.two_orders": lambda orders: [
        f"as it arrived {own[0]:.3f} at {n[0]} documents and {own[-1]:.3f} at {n[-1]}; in {len(mixed)} "
        "shuffled orders, "
        f"on average, {mixed.mean(axis=0)[0]:.3f} and {mixed.mean(axis=0)[-1]:.3f}."
        for n, own, mixed in orders.values()
    ],
    "the_zipfian_border.paths": lambda sizes, values, limits: [
        ", ".join(f"{y[-1]:.2f} ({name}; limit {limits[name]:.2f})" for name, y in values.items())
    ],
    "the_zipfian_border.distances": lambda log_n, exact, predicted, sizes, means, margins, limits: [
        last({name: abs(y - limits[name]) for name, y in exact.items()}, ".5f"),
        f"at most about {max(abs(y[-1] - predicted[name][-1]) for name, y in exact.items()):.0e} off",
    ],
    "the_zipfian_border.border": lambda x, bias, noise, *_: [
        ", ".join(f"{name} {y[0]:.2f}, {y[3]:.2f}, {y[-1]:.2f}" for name, y in values.items()) + "."
        for values in (bias, noise)
    ],
    "the_zipfian_border.waves": lambda log_n, relevance, exact, *_: [
        f"settles ends at {exact['settles'][-1]:.3f}; the other keeps swinging between about ",
        f"{exact['wanders'].min():.2f} and {exact['wanders'].max():.2f}.",
    ],
    "the_zipfian_question.race": lambda sizes, gaps: [
        f"{len(gaps)} panels of the difference h at {len(sizes)} list lengths from {sizes[0]} to "
        f"{sizes[-1]:,}",
        *(
            f"under {spoken(name)} the lead changes {np.count_nonzero(np.diff(np.sign(y)))} times and h "
            f"ends at {y[-1]:.2f}"
            for name, y in gaps.items()
        ),
    ],
    "the_zipfian_question.ahead_by_length": lambda lines, dots, squares=None: [
        "; ".join(
            f"{name} from {y[0]:.2f} at 10^{x[0]:g} items to {y[-1]:.2f} at 10^{x[-1]:g}"
            for name, (x, y) in lines.items()
        ),
        *(f"Simulated: {name} {per('{:.2f}', y)}" for name, (_, y, *_) in dots.items()),
        *(f"on lists of up to 10^{x[-1]:g} items." for x, *_ in dots.values() if lines),
    ],
    "the_zipfian_question.slow_failure": lambda pairs, longest: [
        f"at 10^{longest:g} items it is "
        f"{per('10^{1:.1f} ({0})', each(lambda xy: np.interp(longest, *xy), pairs))}."
    ],
    "the_zipfian_question.price": lambda differences, needed: [
        per("10^{1:.1f} ({0})", each(lambda y: y[-1], needed), sep=" and ")
        + f" items for δ = {differences[-1]:g}."
    ],
    "what_telling_apart_means.paths": lambda sizes, gaps, ends: [
        f"{len(gaps)} jagged curves around zero from n = {sizes[0]} to {sizes[-1]:,}; at the end they are "
        "between ",
        f"between {gaps[:, -1].min():.3f} and {gaps[:, -1].max():.3f}. Their last failures, in order: ",
        per("{}", ["none" if n == 0 else f"{n:g}" if n < np.inf else "not yet over" for n in np.sort(ends)])
        + ".",
    ],
    "what_telling_apart_means.guarantees": lambda gaps, looks: [
        f"n = 1 to {len(gaps)}, {gaps[-1]:.2f} at its end, with {len(looks)} dots on it",
        f"the widest spans {max(len(ends) for *_, ends in looks)} items.",
    ],
    "what_telling_apart_means.failures": lambda sizes, ever, *_: [
        "; ".join(f"{spoken(name)} from {y[0]:.2f} to {y[-1]:.2f}" for name, y in ever.items()) + "."
    ],
    "when_limits_tie.chances": lambda lines, dots, _: [
        "; ".join(
            f"{spoken(name)} from {y[0]:.2f} at {number(x[0])} items to {y[-1]:.2f} at {number(x[-1])}"
            for name, (x, y) in lines.items()
        ),
        *(f"{name} {y[-1]:.2f} of the lists of {x[-1]:,} items" for name, (x, y, *_) in dots.items()),
    ],
    "when_limits_tie.strips": lambda sizes, leads: [
        f"{len(leads)} panels of 4 strips, coloured by who is ahead at {len(sizes)} list lengths from "
        f"{sizes[0]} to ",
        *(
            f"under {spoken(name)} the lead changes {np.count_nonzero(np.diff(signs)) / 4:.1f} times on "
            "the average list "
            f"and the first ranker is ahead on {np.sum(signs[:, -1] > 0)} of them"
            for name, signs in leads.items()
        ),
    ],
    "when_limits_tie.correlated": lambda ways, limit, lengths, common: [
        *(
            f"{name} from {y[0]:.3f} at {number(x[0])} items to {y[-1]:.3f} at {number(x[-1])}, simulated "
            f"{seen[1][-1]:.3f}"
            for name, (x, y, seen) in ways.items()
        ),
        f"the limit of both is {limit:.3f}",
        f"from {common[0]:.1f} at 10^2 items to {common[-1]:.2f}",
    ],
    "when_limits_tie.law_of_the_gap": lambda edges, density, chance, samples: [
        f"from {edges[0]:.2f} to {edges[-1]:.2f}, of which {chance:.3f} lies above zero; it is highest at ",
        f"at {((edges[1:] + edges[:-1]) / 2)[density.argmax()]:.2f}.",
        per("{}, of mean {:.2f}", each(np.mean, samples), sep=" and "),
        f"second ahead\n{1 - chance:.3f}",
        f"first ahead\n{chance:.3f}",
    ],
    "when_limits_tie.exponents": lambda betas, chance, finite: [
        f"at {np.interp(0.5, betas, chance):.2f} up to the exponent 0.5, then down to ",
        f"to {np.interp(2 / 3, betas, chance):.2f} at two thirds and {chance[-1]:.2f} in the end.",
        *(f"for {name} at {y[-1]:.2f}" for name, (_, y) in finite.items()),
    ],
    "which_discounts_are_feasible.blindness": lambda exponents, paid, shares: [
        f"at rank 10^{exponents[-1]:g} they are {last(paid, '.2g')}.",
        *(
            f"under {spoken(name)} from {y[0]:.2f} at {x[0]:,} items to {y[-1]:.2f} at {x[-1]:,}"
            for name, (x, y, *_) in shares.items()
        ),
    ],
    "which_discounts_are_feasible.feasibility": lambda blocks, rows, chances, laws: [
        f"{name.capitalize()}: "
        + "; ".join(
            f"{spoken(row)} "
            + per(
                "{:.0f} ({})",
                *zip(*[(100 * y, column) for y, column in zip(line, columns) if np.isfinite(y)]),
            )
            for row, line in zip(rows, chances[name])
        )
        + "."
        for name, columns in blocks.items()
    ],
    "what_your_library_computes.one_set_of_lists": lambda values, usual: [
        f"a line at {usual:.3f}",
        per("{} {:.3f}", dict(sorted(values.items(), key=lambda item: item[1]))) + ".",
    ],
    "your_own_rankings.by_query": lambda rows: [
        minus(
            f"{np.sum(values < 0)} of {len(values)} below 0, mean {mean:+.2f}, interval {low:+.2f} to "
            f"{high:+.2f}"
        )
        for values, mean, low, high in rows.values()
    ],
    "your_own_rankings.leaderboard": lambda board, _: [
        per("{} {:.3f} ({})", board["system"], board["mean"], board["group"]) + "."
    ],
    "your_own_rankings.errors": lambda alarms, power, names: [
        per("{} {:.1f} % and {:.0f} %", names, 100 * alarms[:, 0], 100 * power, sep="; ") + "."
    ],
    "your_own_rankings.splits": lambda told, whole: [
        f"{len(told)} random splits tell between {min(told)} and {max(told)} pairs apart, most often ",
        f"most often {np.bincount(told).argmax()}; a line stands at {whole},",
    ],
    "discounts_that_decay_too_fast.wandering": lambda sizes, paths, *_: [
        f"{spoken(name)}{'' if name == 'NDCG@10' else ' NDCG'} goes between {y.min():.2f} and "
        f"{y.max():.2f}, and travels "
        f"{travelled(y[:3]):.1f} up and down over the first half of the axis, {travelled(y[2:]):.1f} over "
        "the second"
        for name, y in paths.items()
    ],
    "discounts_that_decay_too_fast.laws": lambda x, laws, densities, band: [
        f"0 between {band[0]:.2f} and {band[1]:.2f}; the one for steep climbs to "
        f"{densities['steep'].max():.0f} near 0.99.",
        f"at {laws['low'][100]:.2f} in the middle",
    ],
    "discounts_that_decay_too_fast.two_orders": lambda sizes, fates, _: [
        f"one of them moves by {max(np.ptp(y[-2:]) for y in fates['by score']):.2f}",
        f"none moves by more than {max(np.ptp(y[-2:]) for y in fates['by arrival']):.3g}.",
        *(f"ranked {name}" for name in fates),
    ],
    "discounts_that_decay_too_fast.behind": lambda lengths, shares: [
        f"for {name} tops it is {y[0]:.2f} at n = {lengths[0]} and {y[-1]:.2f} at n = {lengths[-1]}"
        for name, y in shares.items()
        if y.all()
    ],
    "systems_that_share_results.two_pages": lambda first, second, weights: [
        f"Two columns of {len(first)} documents with lines between the {len({*first} & {*second})} that "
        "both show.",
        "alone add ",
    ],
    "systems_that_share_results.weight_beside_overlap": lambda common, low, high, random, marks: [
        f"with {common[2]} common results the weight that is not shared may be {low[2]:.2f} to "
        f"{high[2]:.2f},",
        f"{random[2]:.2f} with ranks at random. Dots: {per('{1:.2f} ({0})', each(lambda at: at[1], marks))}.",
    ],
    "systems_that_share_results.ahead_by_sharing": lambda shares, values, places, seen: [
        f"At {shares[-1]:g} they are at {last(values)}; lists that were drawn: {per('{:.2f}', seen[0])}."
    ],
    "beyond_the_model.drifting": lambda sizes, leaders, where: [
        f"{len(leaders)} strips over {sizes[0]} to {sizes[-1]:,} items, coloured by who is ahead. Dashed: ",
        f"{per('{:,}', where)} items, where the other kind begins",
        f"ahead on {np.mean(leaders[:, -1] > 0):.2f} of the lists.",
    ],
    "beyond_the_model.planted": lambda share, price, lead: [
        f"from 0 to {price[-1]:.2f} with the planted share, and meets the lead of {lead[0]:.2f} at a share "
        "of ",
    ],
    "when_may_i_stop.false_alarms": lambda looks, shares, _: [
        f"By query {looks[-1]:,} a false alarm was raised in a share of {last(shares)}."
    ],
    "when_may_i_stop.one_study": lambda test, mean: [
        f"reaches {test.needed:g} at query {test.stopped_at}" if test.stopped_at else "not by query",
        f"{test.low[-1]:.3f} to {test.high[-1]:.3f}",
    ],
    "which_measures_tell_rankers_apart.ahead_by_length": lambda sizes, shares: [
        f"At {sizes[-1]:,} items they are at {last(shares)}."
    ],
    "which_measures_tell_rankers_apart.worth": lambda pairs: [
        "; ".join(f"{name} {a:.1f} and {b:.1f}" for name, (a, b) in pairs.items()) + "."
    ],
}
LOOKS = {
    "a_population_of_items.ties_and_tosses": "1- 0- (01) | 2- 0o 1D 0# (201)",
    "a_population_of_items.crossing_curves": "g: 0- 1-- 0~ 1~ (01g)",
    "a_population_of_items.couplings": "0~ | ?~ | ?~",
    "a_population_of_items.duels": "k- g-- 0. 1. g. 0. 1. g. 0. 1. g. (kkk)",
    "conventions.one_list_many_numbers": "g-*2 go g- go g- go 1- 1o 1- 1o 1- 1o 1- 1o 0| (kggkg11k11k)",
    "cutoffs_that_cannot_see.seen": "0- 1- g# (01) | 2- 3- ko ks k!*2 g# (23g)",
    "cutoffs_that_cannot_see.failures": "1-- 1o- 3o- (13)",
    "cutoffs_that_cannot_see.border": "g- k-- w~ (kkkgk)",
    "everything_tends_to_one.short_lists": "0- 2- 1- 3- (0213)",
    "everything_tends_to_one.squeeze": "k- 0o 2o 1o 3o 0- 2- 1- 3- g: g~ (kk0213)",
    "everything_tends_to_one.missing": "0o 2o 1o 3o 0- 2- 1- 3- (0213)",
    "everything_tends_to_one.rate": "0o 2o 1o 3o 0- 2- 1- 3- 0D 2D 1D 3D (0213)",
    "everything_tends_to_one.spreads": "2- 0o 2o 1o 3o 0! 2! 1! 3! (0213)",
    "everything_tends_to_one.signed_labels": "k- 0: 2: 1: 0o 2o 1o 0- 2- 1- 0-- (0021k)",
    "four_tools.price": "0#*8 1#*8 (10)",
    "four_tools.top_labels": "1x ko*2 0#*4 (0k1)",
    "four_tools.tilt": "0- 1- g# (01g)",
    "four_tools.bounds": "g-- 0- 0o 1- 1o (g01)",
    "graded_relevance.stack": "0- ?~*2 0# (k)",
    "graded_relevance.layers_by_exponent": "?- 0- 1- (?01) | ?- 0- 1- (?01)",
    "graded_relevance.approach": "0- 1- 2- 3- 0o 1o 2o 3o 0: 1: 2: 3: 0! 1! 2! 3! (0123) | 0- 1- 2- 3-",
    "graded_relevance.rare_top": "0- g-- g:*2 (gg)",
    "how_many_items_are_enough.chance_map": "?~ (?w?w??)",
    "how_many_items_are_enough.signal_to_noise": "g-- 0- 1- (01g)",
    "how_many_items_are_enough.efficiencies": "0- 1- 0D 1D g-- 0o 1o (01)",
    "how_many_queries_are_enough.chance_by_queries": "g-- 0- 1- 1o 1! (01g)",
    "how_many_queries_are_enough.more_documents": "0- 1- 0o: g-- (0g1)",
    "how_many_queries_are_enough.differences_seen": "0- (0)",
    "index.promised_and_found": "1-- 0- ko k! (10)",
    "index.queries_or_items": "g- 0- 1- | 0- 1- (01)",
    "index.who_is_ahead": "0~ 1~ 0~ 1~ 0~ 1~ 0~ 1~ | 0~ 1~ 0~ 1~ 0~ 1~ 0~ 1~",
    "inside_the_proofs_i.stacked_densities": "0-*2 k- ?~ w~ (kkk)",
    "inside_the_proofs_i.distances": "g-- 0- 1- 1o (01g)",
    "inside_the_proofs_i.scaled_distances": "g- 0- 1- 0D 1D (01)",
    "inside_the_proofs_ii.projections": "k- 0- 1- (01)",
    "inside_the_proofs_ii.errors": "0- 1- (01)",
    "inside_the_proofs_ii.integral_shares": "g- 0- 1- kD (01)",
    "inside_the_proofs_ii.tolerances": "0- 1- k-- k- ko (01kk)",
    "linear_ndcg.triangle": "0# k# 1# k# 0# k# 1# k# 0# k# 0# k# (kkkkkkk0k0k0k00)",
    "linear_ndcg.exchanges": "?# w#*2 ?#*2 w# 1#*2 w# ?# 1# (kkkkkk1kk1)",
    "linear_ndcg.against_auc": "0- 0o 1- 1o (01)",
    "linear_ndcg.approach": "0- 1- 0: 1: (01)",
    "linear_ndcg.two_areas": "g- k- 0~ 1~ | g- k- 0~ 1~",
    "linear_ndcg.disagreement": "g- 3- 2- g# (32)",
    "linear_ndcg.family": "g- 3- 2- 3o 2o g# (32)",
    "linear_ndcg.two_distances": "0~*2",
    "polynomial_discounts_keep_the_difference.settling": "0- 2- 1- 0o 2o 1o 0: 2: 1: 0! 2! 1! (021)",
    "polynomial_discounts_keep_the_difference.closing_in": "g-- 0o 2o 1o 0- 2- 1- (021)",
    "polynomial_discounts_keep_the_difference.fan": "0- 1- k-*2 k-- (01k)",
    "polynomial_discounts_keep_the_difference.signal": "k-- 0~ k!",
    "polynomial_discounts_keep_the_difference.constants": "g-- 0- 1v 2s (g0)",
    "polynomial_discounts_keep_the_difference.two_noises": "0- g-- 0#*19 | 1- 1#*19",
    "polynomial_discounts_keep_the_difference.broken": "0-*2 1- g-- (01g) | 0- 1-",
    "proportional_cutoffs.by_share": "g-- 0- 2- 1- 0o 2o 1o (021g)",
    "proportional_cutoffs.four_edges": "k-- 0~ k! (kk)",
    "proportional_cutoffs.distances": "0- 2- 1- 0D 2D 1D (021) | 0o 2o 1o 0- 2- 1- (021)",
    "proportional_cutoffs.wandering": "g-- 0- (0) | 1- g--",
    "rankdcg.scales": "kD 0! | kD 0!",
    "rankdcg.switchboard": "?#*8 1# ?#*2 1# (kkkkk)",
    "rankdcg.two_readings": "w# 1#*2 ?# (gwwk) | w# 1#*2 ?# (gwwk)",
    "rankdcg.report_card": "?# 1#*3 ?#*2 (kkwkwwkk)",
    "rankdcg.two_measures": "1o*2 0! (11)",
    "rankdcg.bills": "0~ g~ (kkkk)",
    "rival_curves.rival_curves": "g-*2 g~ (g) | g- k- k~ (k)",
    "scoring_a_ranking.weight_by_depth": "0#*4 ?#*8 (wkk) | 0#*4 ?#*28 (wkkkk)",
    "scoring_a_ranking.all_orders": "g- 0- 1o g- 0- 1o g- 0- 1o g- 0- 1o ?#*4 (g10)",
    "short_cutoffs.bands": "g: 3o 1o 0o 2o 3- 1- 0- 2- 3! 1! 0! 2! (3102)",
    "short_cutoffs.valley": "g-*2 3- 1- 0- 2- 3o 1o 0o 2o (gg3102)",
    "short_cutoffs.counted": "0- 2- 1- (021)",
    "short_cutoffs.laws": "k- 0- k- 2- (02)",
    "summable_discounts.leads": "0~ 1~ 0~ 1~ 0~ 1~ (kk01)",
    "summable_discounts.two_clouds": "g- 0. 1. | g- 0. 1.",
    "summable_discounts.chances": "g-*2 3- 2- 4- 3o 2s 3! 2! (324)",
    "summable_discounts.passes": "k-- 3- 2- (32)",
    "the_log_discount_still_decides.race": "0- 1- (01) | g-*2 k-*2",
    "the_log_discount_still_decides.constants": "0- 0x 2- 2x kD (02)",
    "the_log_discount_still_decides.late": "k-*2 0o g-- 0~ 1~ (001g)",
    "the_papers_experiment.four_figures": "0- 3-- 2- k: 0~ 3~ 2~ (02k) | 0- 3-- 2- k: 0~ 3~ 2~ (02k) | "
    "0- 3-- 2- k: 0~ 3~ 2~ (02) | 0- 3-- 2- k: 0~ 3~ 2~ (02)",
    "the_papers_experiment.three_rankers": "0- 3-- 2- k: g- 0~ 3~ 2~ (230) | 0- 3-- 2- k: 0~ 3~ 2~ (230)",
    "the_papers_experiment.long_road": "0- 0-- g: (0)",
    "the_papers_experiment.two_orders": "g-- 0- g~ (0g)",
    "the_zipfian_border.paths": "0: 2: 1: 0- 2- 1- (021)",
    "the_zipfian_border.distances": "0- 2- 1- k-- 0o k-- 2o k-- 1o 0! 2! 1! (021)",
    "the_zipfian_border.border": "g-*2 0- 2- 1- 0- 2- 1- 0D 2D 1D 0o 2o 1o 0! 2! 1! g# (gg021) | "
    "g-*2 0o 2o 1o 0- 2- 1- g#",
    "the_zipfian_border.waves": "3- 4- | 3o 4o 3- 4- (34)",
    "the_zipfian_question.race": "g- 0~ 1~ (1) | g- 0~ 1~ (0)",
    "the_zipfian_question.ahead_by_length": "g- 0- 2- 0o 0s 0!*2 (02)",
    "the_zipfian_question.slow_failure": "g-- 0- 2- g# (g02g)",
    "the_zipfian_question.price": "3o- 2o- (32)",
    "what_telling_apart_means.paths": "k- 0- 1- 2- | g: 0- 0o g: 1- 1o g:",
    "what_telling_apart_means.guarantees": "k- g- 0o 1o ko 0~ 1~ (01)",
    "what_telling_apart_means.failures": "0- 0o 3- 3o 0-- 0~ 3~ (03)",
    "when_limits_tie.chances": "3- k- ko ks k!*2 (3k)",
    "when_limits_tie.strips": "0~ 1~ 0~ 1~ 0~ 1~ 0~ 1~ (01) | 0~ 1~ 0~ 1~ 0~ 1~ 0~ 1~",
    "when_limits_tie.correlated": "k-- 2- 3- 2o 3o 2! 3! (23) | 3o-",
    "when_limits_tie.law_of_the_gap": "k- 1~ 0~ 2# 3# (2310)",
    "when_limits_tie.exponents": "g- 2- k- g# (gk2)",
    "which_discounts_are_feasible.blindness": "1- 0- (10) | g- 1- 1o 1! (1g)",
    "which_discounts_are_feasible.feasibility": "?#*3 (kkkkkk) | ?#*2 (kkkk)",
    "what_your_library_computes.one_set_of_lists": "g- 1- 1o 0- 0o 1- 1o (101)",
    "your_own_rankings.by_query": "g- 0o 0- kD 1o 1- kD (01)",
    "your_own_rankings.leaderboard": "1- 1o 0- 0o (kk)",
    "your_own_rankings.errors": "g-- 0- 0o 1- 1o | 0- 1-",
    "your_own_rankings.splits": "1- 0#*3 (1)",
    "discounts_that_decay_too_fast.wandering": "2- | 2! 2#*5 0# | 0- | 0! 0#*6 | 1- ?# | 1! ?# 1#*5 0# (g)",
    "discounts_that_decay_too_fast.laws": "0- 3- 2- (032) | ?# 0#*2 (g15)",
    "discounts_that_decay_too_fast.two_orders": "0- 1- ?# | 0- 1- ?#",
    "discounts_that_decay_too_fast.behind": "3- 2- (32)",
    "systems_that_share_results.two_pages": "2-*6 (22222233332222233233) | 2#*6 3#*8",
    "systems_that_share_results.weight_beside_overlap": "0- g: 2o*2 0~ (22)",
    "systems_that_share_results.ahead_by_sharing": "g- 3o 2- 3- 3! (23)",
    "beyond_the_model.drifting": "k--*2 0~ 1~ 0~ 1~ (01)",
    "beyond_the_model.planted": "1- 0- g-- (0)",
    "when_may_i_stop.false_alarms": "g-- 1- 4- 0- (140g)",
    "when_may_i_stop.one_study": "0- 1- g-- g: (g01) | 0- k: g- g: 0~ (k)",
    "which_measures_tell_rankers_apart.ahead_by_length": "g- 0- 1- 2- 3- 4- 5- (012345)",
    "which_measures_tell_rankers_apart.worth": "g-- 0# 1# 0# 1# 0# 1# (01010101)",
}

"""The rows of numbers that a drawing shows, where they are not those that it is given."""

import numpy as np

LOG10 = np.log(10)


def both(*values):
    """The curves of several mappings, or lists of them."""
    return [item for some in values for item in (some.values() if isinstance(some, dict) else some)]


def positive(values):
    return np.where(values > 0, values, np.nan)


def binned(scores, labels):
    """The share of relevant items in each of 24 bins; there is none where there is no item."""
    count, edges = np.histogram(scores, 24, (0.0, 1.0))
    with np.errstate(invalid="ignore"):
        return np.histogram(scores, edges, weights=labels)[0] / count


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
    "graded_relevance.by_gain": lambda places, limits, marked, seen, highest, ylabel: [
        places,
        *both(limits),
        *([x, x] for x in marked.values()),
        *([value] for value in seen.values()),
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
    "short_cutoffs.by_share": lambda shares, limits, places, at_dots, p, *_: [
        shares,
        places,
        *both(limits, at_dots[1]),
        [p, p],
    ],
    "short_cutoffs.four_edges": lambda shares, betas, values, p: [[p, p]],
    "short_cutoffs.distances": lambda scaled, missing, _: [
        1.0 / scaled[0],
        missing[0],
        *both(scaled[1], *missing[1:]),
        *([limit] for limit in scaled[2].values()),
    ],
    "rankdcg.scales": lambda ranges: [
        part for rows in ranges.values() for part in np.transpose([*rows.values()])
    ],
    "rankdcg.two_readings": lambda *_: [],
    "rankdcg.two_measures": lambda first, other, marks: [*([x] for x, _ in marks.values())],
    "rankdcg.bills": lambda costs, values: [
        np.where(paid > 0, 25 + 330 * paid / max(paid.max(), 1e-9), 9) for paid in costs.values()
    ],
    "scoring_a_ranking.all_orders": lambda values, ranking: [
        *([value] for value in ranking.values()),
        *([some.mean()] * 2 for some in values.values()),
    ],
    "short_cutoffs.bands": lambda lists, expected, level: [
        *(some[0] for some in lists.values()),
        *(row for some in lists.values() for row in some[1:]),
        *(row for some in expected.values() for row in some),
        [level, level],
    ],
    "short_cutoffs.by_cutoff": lambda cutoffs, means, strays, _: [
        cutoffs,
        *means.values(),
        *(means[name] + sign * stray for name, stray in strays.items() for sign in (-1, 1)),
    ],
    "short_cutoffs.valley": lambda errors, paths, dots: [
        row for some in both(errors, paths, dots) if (some[1] > 0).all() for row in some
    ],
    "short_cutoffs.laws": lambda seen, exact: [],
    "summable_discounts.two_clouds": lambda scores: [
        row[which]
        for first, other in scores.values()
        for which in (first > other, first < other)
        for row in (first, other)
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
    "the_papers_experiment.four_figures": lambda rows: (
        [
            part
            for panels in zip(*rows.values())
            for values in zip(*([curves[:, -1] for curves in panel.curves.values()] for panel in panels))
            for part in (np.mean(values, axis=1), *np.quantile(values, [0.1, 0.9], axis=1))
        ]
        + [[panel.expected[-1] for panel in panels] for panels in zip(*rows.values())]
    ),
    "the_papers_experiment.three_rankers": lambda *panels: [
        [panel.crossing[0]] * 2 for panel in panels if panel.crossing[0]
    ],
    "the_papers_experiment.two_orders": lambda orders: [
        part
        for sizes, arrived, shuffled in orders.values()
        for part in (sizes, arrived, shuffled.mean(axis=0), shuffled.min(axis=0), shuffled.max(axis=0))
    ],
    "the_zipfian_border.approach": lambda places, means, sizes, values, _: [
        places,
        1 / np.log(sizes),
        *means.values(),
        *values.values(),
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
        *(np.log10(x) + 0.09 * (i - (len(dots) - 1) / 2) for i, (x, *_) in enumerate(dots.values())),
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
        for (share, low, high), detected in zip(alarms, power)
        for part in ([share], [low, high], [0, detected])
    ],
    "your_own_rankings.splits": lambda counts, whole: [
        np.unique(counts, return_counts=True)[1],
        [whole, whole],
    ],
    "discounts_that_decay_too_fast.wandering": lambda sizes, paths, edges, shares, intervals, exact, *_: [
        sizes,
        *paths.values(),
        *(y / np.diff(edges) for y in both(shares, *intervals.values(), exact)),
    ],
    "discounts_that_decay_too_fast.behind": lambda lengths, shares: [
        part for y in shares.values() if y.any() for part in (lengths[y > 0], y[y > 0])
    ],
    "systems_that_share_results.two_pages": lambda *_: [],
    "mean_of_ratios.two_queries": lambda *_: [],
    "mean_of_ratios.how_often": lambda numbers, expected, some, observed, margins: [
        numbers,
        100 * expected,
        100 * observed,
    ],
    "systems_that_share_results.weight_beside_overlap": lambda common, low, high, random, marks: [
        common,
        random,
        1 - common / common[-1],
        *([y] for _, y in marks.values()),
    ],
    "beyond_the_model.drifting": lambda sizes, leaders, where: [[n, n] for n in where],
    "which_measures_tell_rankers_apart.worth": lambda pairs: [np.transpose([*pairs.values()]).T.ravel()],
}

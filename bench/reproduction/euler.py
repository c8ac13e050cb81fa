"""Dominant sets of Euler-Gaussian and of Gaussian similarities, and how much they label.

Features to [0, 1], as many sets as there are classes, peeled off, and nothing done with the rest:
an item in no set counts as one group more. Over both parameters, the largest agreement at each
share of labelled items, and where all are labelled.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from reproduction.shared import classes, draw, draw_matrix, markdown, run, scaled, short

# Where all are labelled: the source, and another implementation; the figures of each set.
THEIRS = {
    "iris": (0.76, 0.76, "7.14 to 7.16", (0.73, 0.73)),
    "ionosphere": (0.42, 0.15, "7.17 to 7.19", (0.433, 0.155)),
    "wine": (0.60, 0.52, "7.23 to 7.25", (0.564, 0.507)),
    "glass": (0.49, 0.44, "7.20 to 7.22", (None, None)),
    "lung_cancer": (0.44, 0.35, "7.26 to 7.28", (0.493, 0.347)),
}
ALPHAS = np.array([0.1, 0.3, 0.5, 0.9, 1.3, 1.9, 3.0, 5.2, 7.0, 20.0, 60.0, 130.0, 300.0, 700.0])
SIGMAS = np.geomspace(0.05, 40.0, 26)
WIDTHS = np.geomspace(0.02, 20.0, 60)
ALL = 0.995  # labelled: one item of 351 may be left
NEARLY = 0.985  # two of 178
CLOSER = np.array([0.85, 0.93, 0.97, 1.0, 1.03, 1.07, 1.15])  # times the best, a second sweep
BINS = np.linspace(0.0, 1.0, 21)


def judged(data: Any, similar: Any) -> tuple[float, float]:
    """Return NMI among the labelled and how many are labelled, for as many sets as classes."""
    found = run("clusterer/dominant-sets", similar, k=classes(data))
    labelled = found.labels >= 0
    if labelled.sum() < 2 or found.k < 2:
        return np.nan, float(labelled.mean())
    params = {"average": "arithmetic", "unassigned": "exclude"}
    return float(run("metric/nmi", found, **params).value), float(labelled.mean())


def frontier(scores: Any, shares: Any) -> tuple[Any, Any]:
    """Return the best score of each twentieth of the share that is labelled."""
    scores, shares = np.ravel(scores), np.ravel(shares)
    best = np.full(len(BINS) - 1, np.nan)
    for place, (low, high) in enumerate(pairwise(BINS)):
        inside = (shares > low) & (shares <= high + 1e-9) & np.isfinite(scores)
        if inside.any():
            best[place] = scores[inside].max()
    known = np.isfinite(best)
    return 100 * BINS[1:][known], best[known]


def best_of(tried: list[tuple[float, float, str]], least: float) -> tuple[float | None, str]:
    """Return the best score where so large a share is labelled, and with what."""
    whole = [one for one in tried if one[1] >= least and np.isfinite(one[0])]
    score, _, words = max(whole, key=lambda one: one[0], default=(None, 0.0, ""))
    return score, words


def euler() -> str:
    """Return the table where all are labelled, and the figures."""
    rows, figures = [], []
    for name, (theirs, plain, shown, other) in THEIRS.items():
        data = scaled(name)
        if data is None:
            rows.append([name, "no file", *["–"] * 6])
            continue
        grid = [
            [judged(data, run("kernel/euler-gaussian", data, alpha=float(a), sigma=float(s)))
             for s in SIGMAS] for a in ALPHAS
        ]  # fmt: skip
        scores, shares = np.moveaxis(np.array(grid), 2, 0)
        usual = [judged(data, run("kernel/gaussian", data, sigma=float(s))) for s in WIDTHS]
        flat, flat_shares = np.array(usual).T
        tried = [
            (float(scores[i, j]), float(shares[i, j]), f"α {a:.3g}, σ {s:.3g}")
            for i, a in enumerate(ALPHAS) for j, s in enumerate(SIGMAS)
        ]  # fmt: skip
        tried += _closer(data, scores, shares)
        gaussians = [(*one, f"σ {s:.3g}") for one, s in zip(usual, WIDTHS, strict=True)]
        (best, what), (nearly, with_what) = best_of(tried, ALL), best_of(tried, NEARLY)
        gauss, width = best_of(gaussians, ALL)
        rows.append([name.replace("_", " "), f"{short(best)} ({what})",
                     f"{short(nearly)} ({with_what})", short(theirs), short(other[0]),
                     f"{short(gauss)} ({width})", short(plain), short(other[1])])  # fmt: skip
        figures.append(
            draw(
                f"labelled-{name}", f"{name}: NMI of the labelled items (figures {shown})",
                ("labelled items, %", "NMI"),
                [("Euler-Gaussian", *frontier(scores, shares)),
                 ("Gaussian", *frontier(flat, flat_shares))],
                [("source, Euler-Gaussian", 100.0, theirs), ("source, Gaussian", 100.0, plain)],
            )
        )  # fmt: skip
        axes = (f"σ, {SIGMAS[0]:g} to {SIGMAS[-1]:g}, logarithmic", "α, .1 to 700, growing down")
        figures.append(draw_matrix(f"euler-{name}", f"{name}: NMI over α and σ", scores, axes))
        figures.append(
            draw_matrix(f"euler-share-{name}", f"{name}: labelled share over α and σ", shares, axes)
        )
    best = markdown(
        ["data", "Euler-Gaussian: ours", "ours, 98.5% labelled", "source",
         "another implementation", "Gaussian: ours", "source", "another implementation"], rows,
    )  # fmt: skip
    words = (
        f"Swept: {len(ALPHAS)} values of α from {ALPHAS[0]:g} to {ALPHAS[-1]:g} × {len(SIGMAS)} "
        f"of σ from {SIGMAS[0]:g} to {SIGMAS[-1]:g}; {len(WIDTHS)} widths of the Gaussian from "
        f"{WIDTHS[0]:g} to {WIDTHS[-1]:g}; then seven each of α and σ within 15% of the best "
        f"Euler-Gaussian. All labelled: at least {ALL:.1%} of the items."
    )
    return "\n\n".join([best, words, *figures])


def _closer(data: Any, scores: Any, shares: Any) -> list[tuple[float, float, str]]:
    """A second sweep around the best of those that label all."""
    allowed = np.where((shares >= ALL) & np.isfinite(scores), scores, -1.0)
    i, j = np.unravel_index(int(allowed.argmax()), allowed.shape)
    return [
        (*judged(data, run("kernel/euler-gaussian", data, alpha=float(a), sigma=float(s))),
         f"α {a:.3g}, σ {s:.3g}")
        for a in ALPHAS[i] * CLOSER for s in SIGMAS[j] * CLOSER
    ]  # fmt: skip

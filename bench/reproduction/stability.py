"""Widths chosen without the classes: the most stable groups of a sweep over both, as a map.

Dominant sets of a Gaussian, the rest by transduction, as in `widths`, with k given. The stability
of groups asks whether one half of the items predicts the groups of the other; no class is seen
before the choice is made.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from coterie.core import CoterieError
from coterie.core.numerics.drawing.page import as_svg
from coterie.core.numerics.drawing.plots import matrix
from reproduction.shared import PICTURES, classes, markdown, nmi, run, scaled, short

SETS = ("iris", "wine", "ionosphere", "lung_cancer", "glass")
SIGMAS = np.round(np.geomspace(0.05, 4.0, 12), 3)
REST_SIGMAS = np.round(np.geomspace(0.01, 1.0, 8), 3)


def maps_of(data: Any) -> tuple[Any, Any]:
    """Return stability and NMI over σ₁ × σ₂; NaN where an item is in no group."""
    stable, agreed = (np.full((len(SIGMAS), len(REST_SIGMAS)), np.nan) for _ in range(2))
    for i, sigma in enumerate(SIGMAS):
        similar = run("kernel/gaussian", data, sigma=float(sigma))
        for j, width in enumerate(REST_SIGMAS):
            with suppress(CoterieError):  # so narrow that no two items are similar
                found = run(
                    "clusterer/dominant-sets", similar, k=classes(data), rest="transduction",
                    rest_sigma=float(width),
                )  # fmt: skip
                if (np.asarray(found.labels) >= 0).all():
                    stable[i, j] = run("metric/stability", found).value
                    agreed[i, j] = nmi(found, "arithmetic")
    return stable, agreed


def stability() -> str:
    """Return what the most stable cell gives, beside the best of the same sweep, and the maps."""
    rows, figures = [], []
    for name in SETS:
        data = scaled(name)
        if data is None:
            rows.append([name, "no file", *["–"] * 3])
            continue
        stable, agreed = maps_of(data)
        at = np.unravel_index(np.nanargmax(stable), stable.shape)
        known = np.isfinite(stable)
        together = np.corrcoef(*(_ranks(one[known]) for one in (stable, agreed)))[0, 1]
        called = name.replace("_", " ")
        rows.append(
            [called,
             f"{short(float(stable[at]))} (σ₁ {SIGMAS[at[0]]:g}, σ₂ {REST_SIGMAS[at[1]]:g})",
             short(float(agreed[at])), short(float(np.nanmax(agreed))), f"{together:+.2f}"]
        )  # fmt: skip
        figures.append(_drawn(name, f"{called}: stability of the groups", stable, at))
    header = ["data", "most stable", "its NMI", "best NMI of the same sweep", "rank correlation"]
    words = (
        f"Swept: {len(SIGMAS)} values of σ₁ from {SIGMAS[0]:g} to {SIGMAS[-1]:g} × "
        f"{len(REST_SIGMAS)} of σ₂ from {REST_SIGMAS[0]:g} to {REST_SIGMAS[-1]:g}; only settings "
        "that leave no item out. Rank correlation: of stability with NMI over the settings."
    )
    return "\n\n".join([markdown(header, rows), words, *figures])


def _ranks(values: Any) -> Any:
    from scipy.stats import rankdata

    return rankdata(values)


def _drawn(name: str, title: str, values: Any, best: Any) -> str:
    figure = matrix(
        values,
        title=title,
        axes=("σ₂", "σ₁"),
        rows=[f"{sigma:g}" for sigma in SIGMAS],
        columns=[f"{sigma:g}" for sigma in REST_SIGMAS],
        framed=(int(best[0]), int(best[1])),
    )
    path = PICTURES / f"reproduced-stability-{name}.svg"
    path.write_text(as_svg(figure), encoding="utf-8")
    return f"![{title}](pictures/{path.name})"

"""IsoCut against the normalised cut as items and neighbours grow: the source's figure of times.

Handwritten digits when COTERIE_DATA names the folder of usps.csv.gz, else eight blobs in the plane.
Each makes one cut in two of the same graph of neighbours: IsoCut by a linear system,
`ncut-recursive` by an eigenvector. Processor's times, in turns. With a folder as argument, both
figures are drawn there as SVG.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from cuts import blobs
from tools.measuring import cpu_seconds_of, report

from coterie.core import Clusterer, Context, Dataset, Floats
from coterie.core.numerics.drawing.page import as_svg
from coterie.core.numerics.drawing.plots import MeanCurve, means
from coterie.plugins.clusterers.isoperimetric import Isoperimetric
from coterie.plugins.clusterers.ncut_recursive import NCutRecursive
from coterie.plugins.graphs.knn import KNN
from coterie.plugins.readers.csv import CSV

SIZES = (500, 1000, 2000, 4000, 9000)
NEIGHBOURS = (5, 10, 20, 40)
USUAL_SIZE, USUAL_NEIGHBOURS = 4000, 10
REPETITIONS = 5
METHODS: dict[str, type[Clusterer]] = {"IsoCut": Isoperimetric, "ncut-recursive": NCutRecursive}


def items() -> Floats:
    """The digits, in an order drawn at random, or points."""
    path = Path(os.environ.get("COTERIE_DATA", "")) / "usps.csv.gz"
    if not path.exists():
        return blobs(SIZES[-1], 8)
    read = CSV().compute(path, params=CSV.Params(truth="label"), context=Context())
    order = np.random.default_rng(0).permutation(read.n)[: SIZES[-1]]
    return np.asarray(read.dense_features()[order])


def times(features: Floats, neighbours: int) -> dict[str, list[float]]:
    """Return the seconds of each method, on one graph."""
    params = KNN.Params(neighbours=neighbours)
    graph = KNN().compute(Dataset(features=features), params=params, context=Context())
    taken: dict[str, list[float]] = {name: [] for name in METHODS}
    for turn in range(REPETITIONS + 1):
        for name, method in METHODS.items():
            asked = method.Params(k=2)

            def cut(method: type[Clusterer] = method, asked: Clusterer.Params = asked) -> None:
                method().compute(graph, params=asked, context=Context())

            spent = cpu_seconds_of(cut)
            taken[name] += spent if turn else []  # the first time libraries are loaded
    what = f"IsoCut, n = {len(features)}, {neighbours} neighbours"
    report(what, taken["IsoCut"], "ncut-recursive", statistics.median(taken["ncut-recursive"]))
    return taken


def figure(across: Sequence[int], found: Sequence[dict[str, list[float]]], axis: str) -> str:
    """Return the times as a drawing, a line for each method."""
    lines = []
    none = np.full(len(across), np.nan)
    for name in METHODS:
        middle = np.array([statistics.median(one[name]) for one in found])
        spread = np.array([statistics.stdev(one[name]) for one in found])
        lines.append(MeanCurve(name, np.array(across, dtype=float), middle, spread, none, none))
    title = "Processor's time of one cut in two"
    return as_svg(means(lines, title=title, axes=(axis, "seconds")))


def main() -> None:
    """Measure both ways of growing, and draw them if asked."""
    every = items()
    by_size = [times(every[:n], USUAL_NEIGHBOURS) for n in SIZES]
    by_neighbours = [times(every[:USUAL_SIZE], k) for k in NEIGHBOURS]
    if len(sys.argv) > 1:
        into = Path(sys.argv[1])
        into.mkdir(parents=True, exist_ok=True)
        drawn = figure(SIZES, by_size, "items")
        (into / "cut-times-items.svg").write_text(drawn, encoding="utf-8")
        drawn = figure(NEIGHBOURS, by_neighbours, "neighbours")
        (into / "cut-times-neighbours.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()

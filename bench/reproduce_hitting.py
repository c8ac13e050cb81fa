"""IsoCut and hitting-time clustering on data with known classes: the tables of docs/cuts.md.

Mutual information normalised by the geometric mean, and error after the best matching. "Default" is
what a person gets who knows the number of groups only. "Best" is the best of all settings tried,
chosen with the classes in hand as the source did: an upper bound. Files other than the samples are
sought in the folder COTERIE_DATA and left out when it has none.

    python bench/reproduce_hitting.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Affinity, Clustering, Context, Dataset, Output
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.clusterers.hitting_time import HittingTime
from coterie.plugins.clusterers.isoperimetric import Isoperimetric
from coterie.plugins.clusterers.kmeans import KMeans
from coterie.plugins.graphs.local_gaussian import LocalGaussian
from coterie.plugins.graphs.variable_bandwidth import VariableBandwidth
from coterie.plugins.metrics.error import ClusteringError
from coterie.plugins.metrics.nmi import NMI
from coterie.plugins.transforms.minmax import MinMax

NEIGHBOURS = (4, 5, 7, 10, 15, 20, 25, 30)
TELEPORTS = (1e-4, 1e-2)
MOST_WALKED = 1000  # items up to which times between all pairs are swept

Scores = tuple[float, float]


def run(component: Any, source: Any, **params: Any) -> Any:
    """Run a component with these parameters, and return its main result."""
    made = component().compute(source, params=component.Params(**params), context=Context())
    return made.main if isinstance(made, Output) else made


def scores(result: Clustering) -> Scores:
    """NMI and error; unassigned items are wrong."""
    nmi = run(NMI, result, average="geometric", unassigned="own-class").value
    return float(nmi), float(run(ClusteringError, result, unassigned="own-class").value)


def said(found: Scores) -> str:
    """Both as text."""
    return f"{found[0]:.3f}/{found[1]:.3f}"


def table(path: Path) -> Dataset:
    """A table with the class in its last column."""
    rows = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=str)
    names, truth = np.unique(rows[:, -1], return_inverse=True)
    return Dataset(
        title=path.stem,
        features=rows[:, :-1].astype(np.float64),
        truth=truth,
        truth_names=tuple(map(str, names)),
    )


def all_data() -> Iterator[Dataset]:
    """Samples, and files where there are any."""
    for name in ("iris", "wine", "breast-cancer"):
        yield SAMPLES[name].make()
    for name in ("ionosphere", "segment"):
        path = Path(os.environ.get("COTERIE_DATA", ".")) / f"{name}.csv"
        if path.is_file():
            yield table(path)
        else:
            print(f"{name}: no file")


def graphs(source: Dataset) -> Iterator[tuple[str, Affinity]]:
    """Those of the sweep."""
    for k in NEIGHBOURS:
        yield f"variable bandwidth, {k}", run(VariableBandwidth, source, neighbours=k)
        for share in (1.0, 0.1, 0.01) if source.n <= MOST_WALKED else ():
            made = run(LocalGaussian, source, neighbours=k, regularisation=share)
            yield f"local Gaussian {share:g}, {k}", made


def defaults(one: Dataset, scaled: Dataset, k: int) -> None:
    """What comes of the number of groups alone."""
    wide = run(VariableBandwidth, scaled)
    line = f"  default: k-means {said(scores(run(KMeans, one, k=k)))}"
    line += f"; IsoCut {said(scores(run(Isoperimetric, wide, k=k)))}"
    line += f", by degrees {said(scores(run(Isoperimetric, wide, k=k, prior='degrees')))}"
    if one.n <= MOST_WALKED:
        line += f"; HDC, variable bandwidth {said(scores(run(HittingTime, wide, k=k)))}"
        local = scores(run(HittingTime, run(LocalGaussian, one), k=k))
        few = run(VariableBandwidth, scaled, neighbours=5)
        jumping = scores(run(HittingTime, few, k=k, teleport=0.01))
        line += f", local Gaussian as it is {said(local)}, 5 neighbours and 0.01 {said(jumping)}"
    print(line, flush=True)


def sweep(one: Dataset, scaled: Dataset, k: int) -> None:
    """The best of each method, on the features as they are and to [0, 1]."""
    for title, source in (("as it is", one), ("to [0, 1]", scaled)):
        found: dict[str, list[tuple[float, float, str]]] = {}

        def note(method: str, what: str, result: Clustering, found: Any = found) -> None:
            nmi, error = scores(result)
            found.setdefault(method, []).append((nmi, -error, what))

        for what, graph in graphs(source):
            if what.startswith("variable"):
                note("IsoCut", what, run(Isoperimetric, graph, k=k))
                by_degrees = run(Isoperimetric, graph, k=k, prior="degrees")
                note("IsoCut", f"{what}, prior degrees", by_degrees)
            if one.n <= MOST_WALKED:
                for chance in TELEPORTS:
                    result = run(HittingTime, graph, k=k, teleport=chance)
                    note("HDC", f"{what}, jumps {chance:g}", result)
        for method, tried in found.items():
            nmi, error, what = max(tried)
            print(f"  {method}, {title}, best of {len(tried)}: {said((nmi, -error))} ({what})")
            error, nmi, what = max((e, n, w) for n, e, w in tried)
            print(f"    of smallest error: {said((nmi, -error))} ({what})", flush=True)


def multi_scale() -> None:
    """One wide and two narrow groups, ten draws."""
    for name in ("multi-scale", "multi-scale-uneven"):
        for chance in TELEPORTS:
            errors = []
            for seed in range(10):
                graph = run(LocalGaussian, SAMPLES[name].make(seed=seed), regularisation=0.01)
                result = run(HittingTime, graph, k=3, teleport=chance)
                errors.append(run(ClusteringError, result).value)
            print(
                f"{name}: HDC, local Gaussian 0.01, jumps {chance:g}, "
                f"mean error {np.mean(errors):.3f} ({np.max(errors):.3f}) of 10 seeds",
                flush=True,
            )


def main() -> None:
    """Defaults first, then the best there is."""
    for one in all_data():
        print(f"{one.title}, n = {one.n}")
        scaled = run(MinMax, one)
        k = len(one.truth_names)
        defaults(one, scaled, k)
        sweep(one, scaled, k)
    multi_scale()


if __name__ == "__main__":
    main()

"""What the joint embedding costs, against the dense eigendecomposition of the same subset.

Ten coordinates of n = 8,000 items under a Gaussian kernel (limit: an eighth of the time that
LAPACK takes for the same ten eigenpairs), and the first ten of a personalised ranking after the
embedding (limit: 0.1 s). One run measures both, and takes as long as LAPACK takes: a minute or
two on an idle machine, for each set of data. `--quick` takes a quarter of the items. With
`COTERIE_DATA` set to a folder that has it, also of handwritten digits (usps.csv.gz).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
from tools.measuring import report, seconds_of

from coterie.core import Affinity, Context, Embedding, Floats
from coterie.core.numerics.similarity.distances import gaussian_similarities, median_distance
from coterie.core.numerics.spectral.adjusted_laplacian import adjusted_laplacian, joint_coordinates
from coterie.plugins.embedders.joint import JointEmbedding
from coterie.plugins.rankers.joint import JointRanking

ITEMS = 8000
COORDINATES = 10
FIRST = 10
LEAST = 8  # times faster than LAPACK
RESTART = 0.15


def three_clouds(n: int) -> Floats:
    """Three overlapping clouds in ten dimensions."""
    rng = np.random.default_rng(0)
    middles = 4.0 * rng.normal(size=(3, 10))
    return np.asarray(middles[rng.integers(0, 3, n)] + rng.normal(size=(n, 10)))


def digits(n: int) -> Floats | None:
    """Handwritten digits, where they are at hand."""
    path = Path(os.environ.get("COTERIE_DATA", "")) / "usps.csv.gz"
    if not path.is_file():
        return None
    return np.loadtxt(path, delimiter=",", skiprows=1, max_rows=n)[:, :-1]


def measure(name: str, X: Floats, fraction: float) -> None:
    """Embed, compare with LAPACK, rank."""
    from scipy.linalg import eigh

    n = len(X)
    affinity = Affinity(values=gaussian_similarities(X, sigma=fraction * median_distance(X)))
    laplacian = adjusted_laplacian(affinity, RESTART)
    rounds = 0

    def ours() -> None:
        nonlocal rounds
        rounds = joint_coordinates(laplacian, COORDINATES, np.random.default_rng(0)).rounds

    def lapack() -> None:
        eigh(
            laplacian.to_dense(),
            subset_by_index=[0, COORDINATES - 1],
            overwrite_a=True,
            check_finite=False,
        )

    own, dense = seconds_of(ours, 3), seconds_of(lapack, 1)
    report(f"joint embedding of {name}, n = {n}", own, "eigh of the subset", dense[0])
    faster = dense[0] / sorted(own)[1]
    limit = f" (limit: {LEAST} ×)" if n >= ITEMS else ""  # few items gain less
    print(f"  {faster:.1f} × faster{limit}, in {rounds} rounds", flush=True)
    output = JointEmbedding().compute(affinity, params=JointEmbedding.Params(), context=Context())
    embedding = output.main
    assert isinstance(embedding, Embedding)

    def ranked() -> list[int]:
        ranking = JointRanking().compute(
            embedding,
            affinity,
            params=JointRanking.Params(scope="items", items=[0]),
            context=Context(),
        )
        assert ranking.order is not None
        return [int(item) for item in ranking.order[:FIRST]]

    taken = seconds_of(ranked)
    report(f"first {FIRST} of a personalised ranking of {name}, n = {n}", taken, "limit", 0.1)


def main() -> None:
    """Measure clouds, and digits where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a quarter of the items")
    n = ITEMS // 4 if parser.parse_args().quick else ITEMS
    measure("three clouds", three_clouds(n), 0.15)
    pictures = digits(n)
    if pictures is not None:
        measure("digits", pictures, 0.3)


if __name__ == "__main__":
    main()

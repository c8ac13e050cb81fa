"""Small graphs with known groups, in every form, for the tests of the cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from coterie.core import Affinity, Clusterer, Clustering, Context, Output
from coterie.core.numerics.partitions.groups import by_size


def planted(sizes: tuple[int, ...] = (8, 7, 6), between: float = 0.02, seed: int = 0) -> Any:
    """Similarities near 1 within groups and near `between` from one to another."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    same = labels[:, None] == labels
    noise = rng.random(same.shape)
    A = np.where(same, 0.7 + 0.3 * noise, between * noise)
    return (A + A.T) / 2


def truth(sizes: tuple[int, ...] = (8, 7, 6)) -> Any:
    return np.repeat(np.arange(len(sizes)), sizes)


def forms(A: Any) -> dict[str, Affinity]:
    """The same graph dense, sparse and as a factor."""
    values, vectors = np.linalg.eigh(A)
    factor = vectors * np.sqrt(np.maximum(values, 0.0))
    return {
        "dense": Affinity(values=A),
        "sparse": Affinity(sparse=csr_array(A)),
        "factor": Affinity(factor=factor),
    }


def output(method: type[Clusterer], affinity: Affinity, **params: Any) -> Output:
    returned: Output = method().compute(
        affinity, params=method.Params(**params), context=Context(seed=3)
    )
    return returned


def clustering(method: type[Clusterer], affinity: Affinity, **params: Any) -> Clustering:
    main = output(method, affinity, **params).main
    assert isinstance(main, Clustering)
    return main


def same_groups(one: Any, other: Any) -> bool:
    """Whether two labellings differ by names only."""
    return bool((by_size(np.asarray(one)) == by_size(np.asarray(other))).all())

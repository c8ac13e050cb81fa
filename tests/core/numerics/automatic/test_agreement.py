"""The agreement of every two partitions is that of scikit-learn."""

import numpy as np
from sklearn.metrics import adjusted_rand_score

from coterie.core.numerics.automatic.agreement import pairwise_adjusted_rand


def test_every_pair_agrees_as_scikit_learn_says() -> None:
    rng = np.random.default_rng(3)
    partitions = np.stack(
        [np.unique(rng.integers(0, k, 60), return_inverse=True)[1] for k in (1, 2, 3, 5, 9)]
    )
    found = pairwise_adjusted_rand(partitions)
    for i, first in enumerate(partitions):
        for j, second in enumerate(partitions):
            # Counts below 60² are exact; what is left is the rounding of a few operations.
            assert abs(found[i, j] - adjusted_rand_score(first, second)) < 1e-10


def test_single_items_agree_with_themselves_alone() -> None:
    partitions = np.array([[0, 1, 2, 3], [0, 0, 0, 0]])
    assert pairwise_adjusted_rand(partitions).tolist() == [[1.0, 0.0], [0.0, 1.0]]

"""Orders in which like items are neighbours."""

import numpy as np
import pytest
from scipy import sparse

from coterie.gui.views.affinity.seriation import band_order, leaf_order


def chain(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Similarities of points along a line, shuffled, and where on the line each is."""
    places = np.random.default_rng(seed).permutation(n)
    return np.exp(-np.abs(places[:, None] - places[None]) / 2.0), places


@pytest.mark.parametrize("seed", range(5))
def test_a_shuffled_chain_is_put_in_order(seed: int) -> None:
    similarities, places = chain(40, seed)
    steps = np.abs(np.diff(places[leaf_order(similarities)]))
    assert np.median(steps) == 1
    assert steps.mean() < 3  # shuffled: 13


def test_groups_stay_together_whatever_their_order() -> None:
    labels = np.random.default_rng(0).integers(0, 4, 60)
    similarities = np.where(labels[:, None] == labels[None], 0.9, 0.1)
    ordered = labels[leaf_order(similarities)]
    assert np.count_nonzero(np.diff(ordered)) == 3


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_every_item_comes_once(n: int) -> None:
    similarities = np.random.default_rng(n).random((n, n))  # directed, too
    assert sorted(leaf_order(similarities).tolist()) == list(range(n))
    assert leaf_order(np.ones((n, n))).tolist() == leaf_order(np.ones((n, n))).tolist()


def test_a_band_is_found_again_in_a_directed_graph() -> None:
    n = 200
    places = np.random.default_rng(1).permutation(n)
    graph = sparse.csr_array((np.ones(n - 1), (places[:-1], places[1:])), shape=(n, n))
    where = np.argsort(band_order(graph))
    rows, columns = graph.nonzero()
    assert np.abs(where[rows] - where[columns]).max() == 1

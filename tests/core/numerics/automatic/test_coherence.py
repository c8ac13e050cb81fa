"""Whether groups are of one piece."""

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.coherence import NAMES, coherence, valley_within
from coterie.core.numerics.automatic.surroundings import surroundings_of


def coherent(X: Floats, labels: Ints) -> dict[str, float]:
    groups = [X[labels == group] for group in range(int(labels.max()) + 1)]
    valleys = np.array([valley_within(own, np.cov(own.T)) for own in groups])
    found = coherence(surroundings_of(X), labels, valleys)
    return dict(zip(NAMES, found.tolist(), strict=True))


def cloud(n: int = 300, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=(n, 2))


def test_two_clouds_are_valid_as_two_and_show_a_valley_as_one() -> None:
    X = np.concatenate([cloud(), cloud(seed=1) + 9.0])
    two, one = coherent(X, np.repeat([0, 1], 300)), coherent(X, np.zeros(600, dtype=np.int64))
    assert two["tree validity"] > 0.5
    assert two["pieces"] == 1
    assert two["gap at k"] > 0.5
    assert one["deepest valley within"] > 2 * two["deepest valley within"]


def test_a_group_in_two_pieces_is_less_valid() -> None:
    X = np.concatenate([cloud(), cloud(seed=1) + 9.0, cloud(seed=2) + np.array([0.0, 18.0])])
    whole = coherent(X, np.repeat([0, 1, 2], 300))
    pieces = coherent(X, np.repeat([0, 1, 0], 300))
    assert pieces["share in pieces"] > 0
    assert pieces["tree validity"] < whole["tree validity"]


def test_groups_of_unlike_density_explain_it() -> None:
    X = np.concatenate([0.1 * cloud(), cloud(seed=1) + 9.0])
    unlike = coherent(X, np.repeat([0, 1], 300))
    alike = coherent(X, np.tile([0, 1], 300))
    for name in ("density explained", "spacing explained"):
        assert unlike[name] > 0.5 > alike[name]


def test_a_valley_is_found_along_any_direction_and_seen_from_both_sides() -> None:
    X = np.concatenate([cloud(), cloud(seed=1) + np.array([6.0, 0.0])])
    turned = X @ np.array([[0.6, -0.8], [0.8, 0.6]])
    assert valley_within(X, np.cov(X.T)) > 4
    assert valley_within(turned, np.cov(turned.T)) > 4
    assert valley_within(-X, np.cov(X.T)) > 4


def test_equal_items_have_no_valley() -> None:
    assert valley_within(np.ones((50, 2)), np.eye(2)) == 0

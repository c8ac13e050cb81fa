"""Evidence is of the partition: not of the numbers of its groups, nor of the order of the items."""

import numpy as np
import pytest

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.answer import Candidate, judge
from coterie.core.numerics.automatic.evidence import NAMES

OF_TIED_EDGES = ("typical gap", "typical gap below the best", "spacing explained")


@pytest.fixture(scope="module")
def clouds() -> tuple[Floats, Ints]:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 40)
    return rng.normal(size=(4, 2))[labels] * 5 + rng.normal(size=(160, 2)), labels


def evidence(X: Floats, *partitions: Ints) -> Floats:
    candidates = [Candidate("means", int(p.max()) + 1, p, 0.0, 0.5) for p in partitions]
    found: Floats = judge(X, candidates).evidence
    return found


def test_there_is_a_name_for_every_column(clouds: tuple[Floats, Ints]) -> None:
    assert evidence(*clouds).shape == (2, len(NAMES))
    assert len(set(NAMES)) == len(NAMES)


def test_the_numbers_of_the_groups_do_not_matter(clouds: tuple[Floats, Ints]) -> None:
    X, labels = clouds
    assert evidence(X, 3 - labels) == pytest.approx(evidence(X, labels), abs=1e-9)


def test_the_order_of_the_items_does_not_matter(clouds: tuple[Floats, Ints]) -> None:
    X, labels = clouds
    order = np.random.default_rng(1).permutation(len(X))
    # Of edges of equal mutual reachability, the tree may take another.
    ties = [column for column, name in enumerate(NAMES) if name in OF_TIED_EDGES]
    moved, here = (np.delete(table, ties, axis=1) for table in (
        evidence(X[order], labels[order]), evidence(X, labels)
    ))  # fmt: skip
    assert moved == pytest.approx(here, abs=1e-6)


def test_moving_and_stretching_all_columns_alike_does_not_matter(
    clouds: tuple[Floats, Ints],
) -> None:
    X, labels = clouds
    moved, here = evidence(4.0 * X + 32.0, labels), evidence(X, labels)
    # The likelihood of a Gaussian has a unit: compared are its differences between candidates.
    level = NAMES.index("gaussian criterion")
    for table in (moved, here):
        table[:, level] -= table[-1, level]
    assert moved == pytest.approx(here, abs=1e-6)

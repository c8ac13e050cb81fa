"""UMAP."""

import sys

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.numerics.similarity.neighbours import nearest_neighbours
from coterie.plugins.embedders.umap import UMAP
from tests.refusals import refuses

rng = np.random.default_rng(0)
TRUTH = np.arange(90) % 3
X = 20 * rng.normal(size=(3, 5))[TRUTH] + rng.normal(size=(90, 5))


@pytest.mark.slow  # compiles for seconds, as the contract of the method does, which is always run
def test_groups_become_islands_and_new_items_join_their_own() -> None:
    pytest.importorskip("umap")
    data = Dataset(features=X[:80])
    output = UMAP().compute(data, params=UMAP.Params(iterations=50), context=Context())
    known = output.main.coordinates  # type: ignore[union-attr]
    new = UMAP().apply(output.parts["model"], Dataset(features=X), Context()).coordinates  # type: ignore[arg-type]
    np.testing.assert_array_equal(new[:80], known)
    nearest = nearest_neighbours(new, 5).indices
    assert (TRUTH[nearest] == TRUTH[:, None]).all()


def test_without_its_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    with refuses("missing-package"):
        UMAP().compute(Dataset(features=X), params=UMAP.Params(), context=Context())

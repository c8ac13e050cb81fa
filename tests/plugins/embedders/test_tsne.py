"""t-SNE: neighbours stay together, the run can be watched and stopped, new items find a place."""

import sys
from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Cancelled, Context, Dataset, Embedding, Output
from coterie.core.api.context import Control, Frame
from coterie.core.numerics.similarity.neighbours import nearest_neighbours
from coterie.plugins.embedders.tsne import EARLY, TSNE
from tests.refusals import refuses

rng = np.random.default_rng(0)
CENTRES = 20 * rng.normal(size=(4, 6))
TRUTH = np.arange(120) % 4
X = CENTRES[TRUTH] + rng.normal(size=(120, 6))


class Watcher:
    """Keeps the frames of a run."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def progress(self, done: float, total: float, message: str) -> None: ...
    def event(self, name: str, details: Any) -> None: ...
    def frame(self, frame: Frame) -> None:
        self.frames.append(frame)


def embed(source: Dataset | Affinity, context: Context | None = None, **params: Any) -> Output:
    return TSNE().compute(
        source, params=TSNE.Params(**params), context=context or Context(memory=1 << 30)
    )


def places(output: Output) -> Any:
    assert isinstance(output.main, Embedding)
    return output.main.coordinates


def neighbours_of_own_group(coordinates: Any, truth: Any) -> float:
    nearest = nearest_neighbours(coordinates, 5).indices
    return float((truth[nearest] == truth[:, None]).mean())


def test_groups_become_islands() -> None:
    output = embed(Dataset(features=X))
    assert neighbours_of_own_group(places(output), TRUTH) == 1.0
    # Smaller than that of a picture that says nothing: all items in one heap.
    assert 0 < output.main.details["divergence"] < np.log(4)


def test_of_an_affinity_the_similarities_attract() -> None:
    near = np.exp(-np.square(X[:, None] - X[None]).sum(axis=2) / 20)
    found = places(embed(Affinity(values=near)))
    assert neighbours_of_own_group(found, TRUTH) == 1.0


def test_every_iteration_can_be_watched() -> None:
    control, watcher = Control(), Watcher()
    control.set_speed(1e9)  # so each iteration is shown
    context = Context(control=control, listener=watcher)
    embed(Dataset(features=X), context, iterations=20)
    assert [frame.iteration for frame in watcher.frames] == [*range(1, EARLY + 21)]
    first, last = watcher.frames[0].coordinates, watcher.frames[-1].coordinates
    assert first is not None
    assert last is not None
    assert first.shape == (120, 2)
    assert last.std() > 100 * first.std()
    trace = context.trace()
    assert trace is not None
    assert trace.coordinates is not None
    known = trace.value("divergence")
    assert known[-1] < known[0]


def test_a_run_can_be_stopped() -> None:
    control = Control()

    class Impatient(Watcher):
        def frame(self, frame: Frame) -> None:
            control.cancel()

    with pytest.raises(Cancelled):
        embed(Dataset(features=X), Context(control=control, listener=Impatient()))


def test_new_items_go_to_their_own_and_known_ones_where_they_were() -> None:
    output = embed(Dataset(features=X[:100]))
    known = places(output)
    new = TSNE().apply(output.parts["model"], Dataset(features=X), Context()).coordinates  # type: ignore[arg-type]
    np.testing.assert_array_equal(new[:100], known)
    nearest = nearest_neighbours(new[100:], 3, among=known).indices
    assert (TRUTH[nearest] == TRUTH[100:, None]).all()


def test_of_many_items_some_make_the_picture() -> None:
    control, watcher = Control(), Watcher()
    control.set_speed(1e9)
    context = Context(control=control, listener=watcher)
    output = embed(Dataset(features=X), context, subset=60, iterations=50)
    assert len(places(output)) == 120
    assert neighbours_of_own_group(places(output), TRUTH) == 1.0
    assert "60 of 120" in output.main.notes[-1]
    frame = watcher.frames[-1]
    assert frame.items is not None
    assert frame.coordinates is not None
    spread = frame.spread(frame.coordinates, 120, np.nan)
    assert spread is not None
    assert np.isfinite(spread[frame.items]).all()
    assert np.isnan(spread).any(axis=1).sum() == 60
    trace = context.trace()
    assert trace is not None
    assert trace.kept_items is not None
    np.testing.assert_array_equal(trace.kept_items, frame.items)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_very_few_items_have_places_too(n: int) -> None:
    found = places(embed(Dataset(features=X[:n])))
    assert found.shape == (n, 2)
    assert np.isfinite(found).all()


def test_without_its_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openTSNE", None)
    with refuses("missing-package"):
        embed(Dataset(features=X))

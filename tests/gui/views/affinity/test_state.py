"""The picture of similarities, its choices and its words, without a widget."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from coterie.core.api.frame import Frame
from coterie.core.api.partial_affinity import Glimpse, evenly_drawn
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.gui.views.affinity.matrix_image import (
    CELLS,
    MOST_ITEMS,
    MatrixRequest,
    nearest,
    shades_of,
    value_at,
    work_out,
)
from coterie.gui.views.affinity.state import AffinityState
from coterie.projects.jobs.step_previews import StepPreview
from tests.gui import prepared


def values_of(data: Dataset, width: float) -> Floats:
    features: Any = data.features
    X = np.nan_to_num(features)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    values: Floats = np.exp(-squares / (2 * width**2))
    return values


def similar(data: Dataset) -> Affinity:
    return Affinity(values=values_of(data, 1.0), dataset=data, title="near")


@pytest.fixture
def state(session: Any) -> AffinityState:
    session.put("near", similar(session.results.artefact("data")))
    state = AffinityState(session)
    state.update()
    return state


def drawn(state: AffinityState) -> Any:
    wish = state.wish()
    assert wish is not None
    state.take(work_out(wish))
    assert state.picture is not None
    return state.picture


def test_items_are_ordered_by_group_with_clutter_last(state: AffinityState, session: Any) -> None:
    picture = drawn(state)
    labels = session.results.artefact("groups").labels
    assert state.order == "group"
    assert [code for _, _, code in picture.blocks] == [0, 1, 2, -1]
    assert np.array_equal(picture.codes, labels[picture.order])
    assert sorted(picture.order.tolist()) == list(range(300))
    values = session.results.artefact("near").values
    assert np.array_equal(picture.values, values[np.ix_(picture.order, picture.order)])


def test_every_order_shows_every_item_once(state: AffinityState) -> None:
    for order, _ in state.orders:
        state.choose_order(order)
        picture = drawn(state)
        assert sorted(picture.order.tolist()) == list(range(300))
        assert (picture.order.tolist() == list(range(300))) == (order == "given")
        assert picture.wish.grouped == (order in ("group", "truth"))


def test_without_groups_the_order_is_as_given(fresh: Any) -> None:
    fresh.put("near", similar(fresh.results.artefact("data")))
    state = AffinityState(fresh)
    state.update()
    assert state.order == "given"
    assert [key for key, _ in state.orders] == ["given", "truth", "likeness"]


@pytest.mark.parametrize("order", ["given", "group", "likeness"])
def test_of_many_items_a_sample_is_shown_that_leaves_no_group_out(order: Any) -> None:
    n = 3000
    rng = np.random.default_rng(0)
    codes = np.zeros(n, dtype=np.int64)
    codes[rng.choice(n, 1200, replace=False)] = 1
    codes[rng.choice(n, 4, replace=False)] = 2
    values = rng.random((n, n)).astype(np.float32)
    picture = work_out(MatrixRequest(Affinity(values=values, symmetric=False), order, codes=codes))
    assert MOST_ITEMS <= picture.m <= MOST_ITEMS + 24
    assert len(np.unique(picture.order)) == picture.m
    assert np.array_equal(picture.values, values[np.ix_(picture.order, picture.order)])
    assert picture.degrees.counts.sum() == picture.m
    if order == "group":
        assert picture.codes is not None
        assert np.count_nonzero(picture.codes == 2) == 4


def test_the_degrees_of_a_sample_count_all_items() -> None:
    values = np.ones((1500, 1500))
    picture = work_out(MatrixRequest(Affinity(values=values)))
    middle = picture.degrees.edges[[0, -1]].mean()
    assert middle == pytest.approx(1500)


def test_many_items_of_a_sparse_graph_become_a_density_of_all_edges() -> None:
    n = 5000
    rng = np.random.default_rng(0)
    graph: Any = sparse.random_array((n, n), density=0.001, rng=rng, format="csr")
    for order in ("given", "group", "likeness"):
        wish = MatrixRequest(
            Affinity(sparse=graph, symmetric=False),
            order,
            codes=rng.integers(0, 3, n),
        )
        picture = work_out(wish)
        assert picture.density
        assert picture.m == CELLS
        sizes = np.diff(picture.starts)
        assert (picture.values * np.outer(sizes, sizes)).sum() == pytest.approx(graph.sum())
        assert picture.in_degrees is not None
        assert picture.in_degrees.counts.sum() == n
        mask = np.zeros(n, dtype=bool)
        mask[picture.items_of(7)[0]] = True
        assert picture.rows_of(mask).tolist() == [7]


def test_a_factor_shows_the_product_of_its_rows() -> None:
    factor = np.random.default_rng(0).normal(size=(40, 3))
    picture = work_out(MatrixRequest(Affinity(factor=factor, nonnegative=False)))
    assert np.allclose(picture.values, factor @ factor.T)
    assert picture.signed
    assert picture.low == -picture.high


def test_the_diagonal_does_not_take_the_colours_away_from_the_rest() -> None:
    values = np.full((5, 5), 0.2)
    np.fill_diagonal(values, 100.0)
    picture = work_out(MatrixRequest(Affinity(values=values)))
    assert picture.high == pytest.approx(0.2)
    assert picture.similarities.counts.sum() == 20


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_the_scale_reads_colours_back(scale: Any) -> None:
    values = np.array([value_at(share, 0.0, 2.0, scale) for share in (0.0, 0.25, 0.5, 1.0)])
    assert shades_of(values, 0.0, 2.0, scale).tolist() == [0, 64, 128, 255]


@pytest.mark.parametrize("values", [np.ones((1, 1)), np.zeros((4, 4)), np.eye(3)])
def test_matrices_without_any_spread_are_drawn(values: Any) -> None:
    for order in ("given", "likeness"):
        picture = work_out(MatrixRequest(Affinity(values=values), order))
        assert picture.m == len(values)
        assert picture.high > picture.low


def test_neighbours_are_the_most_similar_others() -> None:
    rng = np.random.default_rng(0)
    values = rng.random((30, 30))
    found, similar_by = nearest(Affinity(values=values, symmetric=False), 3, most=5)
    expected = [i for i in np.argsort(-values[3]).tolist() if i != 3][:5]
    assert found.tolist() == expected
    assert np.array_equal(similar_by, values[3][found])
    graph = sparse.csr_array(np.where(values > 0.9, values, 0.0))
    found, _ = nearest(Affinity(sparse=graph, symmetric=False), 3)
    assert set(found.tolist()) == set(np.flatnonzero(values[3] > 0.9).tolist()) - {3}


def test_words_say_what_is_shown(state: AffinityState, session: Any) -> None:
    drawn(state)
    assert "300 items" in state.note()
    assert "directed" not in state.note()
    data = session.results.artefact("data")
    session.put(
        "near", Affinity(values=np.triu(np.ones((300, 300))), symmetric=False, dataset=data)
    )
    state.update()
    picture = drawn(state)
    assert "directed" in state.note()
    first, second = (state.item_name(int(picture.order[row])) for row in (0, 1))
    assert state.describe(0, 1).startswith(f"{first} (group 1) → {second} (group 1)\nsimilarity ")
    assert state.describe(0, 300) == ""


def test_empty_states_say_what_to_do(fresh: Any, new_session: Any) -> None:
    nothing = AffinityState(new_session())
    nothing.update()
    assert "Open a file" in nothing.emptiness
    state = AffinityState(fresh)
    state.update()
    assert state.emptiness == "Run 'near' to see how similar the items are."
    bare = AffinityState(new_session({"data": prepared.blobs()}, Recipe(sources=(Source(),))))
    bare.update()
    assert "Add a kernel" in bare.emptiness


def test_a_preview_takes_the_place_of_the_result_until_there_is_a_new_one(
    state: AffinityState, session: Any
) -> None:
    before = drawn(state).order
    items = np.arange(300)
    answer = StepPreview({"sigma": 2.0}, values_of(session.results.artefact("data"), 2.0), items)
    state.take_preview("near", answer)
    picture = drawn(state)
    assert state.is_preview
    assert np.array_equal(picture.order, before)  # nothing jumps while the slider moves
    assert "Preview of 'near'" in state.stale
    session.edits.replace(session.recipe.changed("near", params={"sigma": 2.0}), "a test")
    state.update()
    assert drawn(state).wish.items is items
    session.put("near", similar(session.results.artefact("data")))
    state.update()
    assert drawn(state).wish.affinity is session.results.artefact("near")


def test_a_preview_of_what_is_known_is_not_shown(state: AffinityState) -> None:
    state.take_preview("near", StepPreview({}, np.eye(100), np.arange(0, 300, 3)))
    assert not state.preview_step  # the parameters of the recipe, whose result is fresh


def test_a_preview_ends_when_the_recipe_changes_otherwise(state: AffinityState) -> None:
    state.take_preview("near", StepPreview({"sigma": 3.0}, np.eye(100), np.arange(0, 300, 3)))
    drawn(state)
    assert "100 of 300 items" in state.stale
    state.update()  # as after an edit, or its undoing
    assert not state.is_preview


def test_an_answer_in_words_ends_a_preview(state: AffinityState) -> None:
    state.take_preview("near", StepPreview({"sigma": 3.0}, np.eye(100), np.arange(0, 300, 3)))
    state.take_preview("near", "sigma must be positive.")
    assert not state.preview_step


def test_the_result_is_marked_when_it_is_stale(state: AffinityState, session: Any) -> None:
    drawn(state)
    assert not state.stale
    session.make_stale("near")
    assert "Run again" in state.stale


# What a run has so far


def glimpsed(data: Dataset, width: float = 1.0) -> Frame:
    items = evenly_drawn(data.n)
    return Frame(1, glimpse=Glimpse(values_of(data, width)[np.ix_(items, items)], items, data.n))


@pytest.fixture
def running(fresh: Any) -> AffinityState:
    fresh.make_stale("near")
    fresh.set_job("running", step="near")
    state = AffinityState(fresh)
    state.update()
    assert state.emptiness
    assert state.take_frame("near", glimpsed(fresh.results.artefact("data")))
    state.update()
    return state


def test_similarities_are_seen_while_they_are_learned(running: AffinityState, fresh: Any) -> None:
    assert not running.emptiness
    picture = drawn(running)
    assert picture.m == 128
    data = fresh.results.artefact("data")
    assert running.order == "truth"
    assert np.array_equal(picture.codes, data.truth[picture.order])
    assert (np.diff(picture.codes) >= 0).all()
    values = values_of(data, 1.0)
    np.testing.assert_allclose(picture.values, values[np.ix_(picture.order, picture.order)])
    assert "128 of 300 items" in running.stale
    assert running.badge == "so far"


def test_the_newest_picture_of_a_run_comes_late_rather_than_never(
    running: AffinityState, fresh: Any
) -> None:
    wish = running.wish()
    assert wish is not None
    running.take_frame("near", glimpsed(fresh.results.artefact("data"), 2.0))
    running.take(work_out(wish))
    assert running.picture is not None
    assert running.picture.wish is wish


def test_the_result_takes_the_place_of_what_a_run_had(running: AffinityState, fresh: Any) -> None:
    drawn(running)
    fresh.edits.undo()
    fresh.put("near", similar(fresh.results.artefact("data")))
    running.update()
    assert running.estimate is None
    assert drawn(running).m == 300
    assert running.order == "truth"  # as it was seen to form
    assert not running.stale


def test_a_stopped_run_leaves_its_estimate_until_the_step_is_changed(
    running: AffinityState, fresh: Any
) -> None:
    fresh.set_job("cancelled", step="near")
    running.update()
    assert "not a result" in running.stale
    fresh.edits.replace(fresh.recipe.changed("near", params={"sigma": 2.0}), "a test")
    running.update()
    assert running.estimate is None
    assert running.emptiness


def test_frames_without_similarities_change_nothing(fresh: Any) -> None:
    state = AffinityState(fresh)
    assert not state.take_frame("groups", Frame(1, shares=np.ones(300)))
    assert state.estimate is None


def test_items_that_were_drawn_from_others_are_shown_without_their_classes(
    fresh: Any,
) -> None:
    fresh.make_stale("near")
    state = AffinityState(fresh)
    values = np.eye(50)
    state.take_frame("near", Frame(1, glimpse=Glimpse(values, np.arange(50), 50)))
    state.update()
    picture = drawn(state)
    assert picture.codes is None
    assert picture.m == 50

"""The scatter's choices, colours and geometry, without a widget."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from coterie.core.api.frame import Frame
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.core.model.results import Clustering, Embedding, Ranking
from coterie.gui.views.embedding.crowd import Crowd
from coterie.gui.views.embedding.dense import DensePictures, Made, Wanted
from coterie.gui.views.embedding.state import MOST_POINTS, SIZES, ScatterState
from coterie.gui.views.shown_items import geometry
from coterie.gui.views.shown_items.colouring import SHARE_LEVELS, Colouring, by_class
from coterie.gui.views.shown_items.columns import ItemColumn
from tests.gui import prepared


@pytest.fixture
def scatter(session: Any) -> ScatterState:
    state = ScatterState(session)
    state.update()
    return state


def test_the_embedding_is_shown_first(scatter: ScatterState) -> None:
    assert scatter.x is not None
    assert scatter.y is not None
    assert (scatter.x.title, scatter.y.title) == ("PC 1", "PC 2")
    assert scatter.equal_scales


def test_without_an_embedding_the_first_two_features_are_shown(fresh: Any) -> None:
    state = ScatterState(fresh)
    state.update()
    assert [axis.title for axis in (state.x, state.y) if axis] == ["width", "height"]
    assert not state.equal_scales


def test_a_single_feature_is_shown_along_the_items(new_session: Any) -> None:
    data = Dataset(features=np.arange(4.0)[:, None])
    state = ScatterState(new_session({"data": data}, Recipe(sources=(Source("data"),))))
    state.update()
    assert [axis.title for axis in (state.x, state.y) if axis] == ["x1", "item"]


def test_a_choice_of_axes_outlives_a_new_result(session: Any, scatter: ScatterState) -> None:
    scatter.choose_axes(y="feature:age")
    session.put("order", session.results.artefact("order"))
    scatter.update()
    assert scatter.y is not None
    assert scatter.y.title == "age"
    assert scatter.unplaced == 1


def test_groups_are_named_and_counted(scatter: ScatterState) -> None:
    found = scatter.colouring(dark=False)
    labels = scatter.shown.clustering.labels  # type: ignore[union-attr]
    assert [entry.name for entry in found.entries] == [
        "group 1",
        "group 2",
        "group 3",
        "unassigned",
    ]
    assert [entry.count for entry in found.entries] == [
        int((labels == group).sum()) for group in (0, 1, 2, -1)
    ]


def test_an_entry_of_the_legend_stands_for_its_members(scatter: ScatterState) -> None:
    found = scatter.colouring(dark=False)
    masks = [found.members(entry) for entry in found.entries]
    assert [int(mask.sum()) for mask in masks] == [entry.count for entry in found.entries]
    assert np.sum(masks, axis=0).tolist() == [1] * scatter.n


@pytest.mark.parametrize("key", ["rank", "feature:age"])
def test_amounts_have_a_scale_and_missing_ones_are_grey(scatter: ScatterState, key: str) -> None:
    scatter.choose_colour(key)
    found = scatter.colouring(dark=True)
    assert found.entries == ()
    assert len(found.scale) == len(found.colours) - 1
    assert (found.codes[4] == 0) == (key == "feature:age")
    assert found.codes.max() == len(found.colours) - 1


def test_the_first_in_rank_has_the_strongest_colour(session: Any, scatter: ScatterState) -> None:
    scatter.choose_colour("rank")
    found = scatter.colouring(dark=False)
    order = session.results.artefact("order").order
    assert found.codes[order[0]] == found.codes.max()
    assert found.codes[order[-1]] == 1
    assert (found.low, found.high) == ("300", "1")
    assert found.title == "Rank: order"  # there may be other rankings
    assert ("rank", "Rank: order") in scatter.colour_choices


def test_colours_follow_a_run(session: Any, scatter: ScatterState) -> None:
    truth = session.results.artefact("data").truth
    session.set_job("running")
    session.framed.emit("groups", prepared.run_of(truth)[60][0])
    found = scatter.colouring(dark=False)
    assert scatter.is_live
    assert found.title == "Group, live"
    peeled, forming, _ = found.entries
    assert np.array_equal(found.members(peeled), truth == 0)
    assert found.members(forming).sum() == forming.count > 0
    assert found.codes.max() == len(found.colours) - 1 == peeled.code + SHARE_LEVELS


def test_of_a_ranking_the_colours_are_scores(session: Any, scatter: ScatterState) -> None:
    session.set_job("running")
    session.framed.emit("order", Frame(1, shares=np.ones(300) / 300, phase="walking"))
    assert scatter.is_live
    assert scatter.colouring(dark=False).title == "Score, live"


def test_when_the_run_has_ended_its_result_is_shown(session: Any, scatter: ScatterState) -> None:
    session.set_job("running")
    session.framed.emit("groups", Frame(1, shares=np.ones(300) / 300))
    session.set_job("finished")
    assert not scatter.is_live
    assert scatter.colouring(dark=False).title == "Group"


def test_a_run_on_other_items_changes_no_colours(session: Any, scatter: ScatterState) -> None:
    session.framed.emit("elsewhere", Frame(1, shares=np.ones(300) / 300))
    assert not scatter.is_live


def test_stale_results_say_so_unless_they_are_being_renewed(
    session: Any, scatter: ScatterState
) -> None:
    session.make_stale("groups")
    scatter.update()
    assert "'groups'" in scatter.stale
    session.framed.emit("groups", Frame(1))
    assert scatter.stale == ""


def test_an_item_is_described_by_name_group_rank_and_class(scatter: ScatterState) -> None:
    found = scatter.glance(1)
    assert (found.name, found.group, found.pixels) == ("item 2", 0, None)
    assert found.lines[0] == ("Group", "group 1")
    assert found.lines[-1] == ("colour", "red")


def test_very_many_points_are_dense(new_session: Any) -> None:
    data = Dataset(features=np.zeros((MOST_POINTS + 1, 2)))
    state = ScatterState(new_session({"data": data}, Recipe(sources=(Source("data"),))))
    state.update()
    assert state.dense
    assert "sorting" in state.note(0)
    made = state.made_crowd()
    state.take_crowd(made.of, made.make())
    assert "density" in state.note(0)


# Geometry

places = st.floats(-10, 10, allow_nan=False)


@given(st.lists(st.tuples(places, places), min_size=1, max_size=40), places, places, places, places)
def test_a_box_is_a_lasso_with_four_corners(
    points: list[tuple[float, float]], x0: float, y0: float, x1: float, y1: float
) -> None:
    x, y = np.array(points).T
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    lasso = geometry.in_lasso(x, y, corners)
    low, high = np.minimum([x0, y0], [x1, y1]), np.maximum([x0, y0], [x1, y1])
    strictly = (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])
    assert (lasso >= strictly).all()
    assert (lasso <= geometry.in_box(x, y, (x0, y0, x1, y1))).all()


def test_a_hole_in_a_lasso_is_outside() -> None:
    corners = np.array(
        [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (3, 1), (3, 3), (1, 3), (1, 1)]
    )
    inside = geometry.in_lasso(np.array([2.0, 0.5]), np.array([2.0, 0.5]), corners)
    assert inside.tolist() == [False, True]


def test_the_nearest_point_is_near_on_the_screen() -> None:
    x, y = np.array([0.0, 1.0, np.nan]), np.array([0.0, 0.0, 0.0])
    assert geometry.nearest(x, y, (0.9, 0.0), (0.2, 0.2)) == 1
    assert geometry.nearest(x, y, (0.5, 0.0), (0.2, 0.2)) is None
    assert geometry.nearest(x[:0], y[:0], (0.5, 0.0), (0.2, 0.2)) is None


def test_a_density_image_mixes_the_colours_of_its_points() -> None:
    x = np.array([0.1, 0.1, 0.9, 0.9])
    y = np.array([0.1, 0.1, 0.9, 0.9])
    colouring = by_class("Group", np.array([0, 0, 0, 1]), (), dark=False)
    crowd = Crowd(np.append(x, [0.0, 1.0]), np.append(y, [0.0, 1.0]))
    hidden = Colouring("", np.append(colouring.codes, [3, 3]), (*colouring.colours, "#000000"),
                       colouring.entries)  # fmt: skip
    wanted = Wanted(
        Made((1,), lambda: crowd), Made((2,), lambda: hidden), frozenset({3}),
        np.zeros(6, dtype=bool), (0.0, 0.0, 1.0, 1.0), (2, 2), "#000000",
    )  # fmt: skip
    image = DensePictures().draw(wanted).picture
    first, second = (np.frombuffer(bytes.fromhex(c[1:]), np.uint8) for c in colouring.colours[1:])
    assert image[0, 0, :3].tolist() == first.tolist()
    assert np.abs(image[1, 1, :3].astype(float) - (first / 2 + second / 2)).max() <= 1
    assert image[0, 1].tolist() == [0, 0, 0, 0]
    assert image[0, 0, 3] == 255


def test_points_that_are_ranked_first_are_the_largest(session: Any) -> None:
    state = ScatterState(session)
    state.update()
    assert state.can_be_sized
    assert state.sizes() is None
    state.sized = True
    sizes = state.sizes()
    assert sizes is not None
    order = session.results.artefact("order").order
    assert sizes[order[0]] == SIZES - 1
    assert (np.diff(sizes[order]) <= 0).all()
    assert sizes[order[-1]] == 0


def test_in_a_small_group_ranked_on_its_own_not_all_points_are_large(session: Any) -> None:
    labels = np.repeat([0, 1], [280, 20])
    session.put("groups", Clustering(labels=labels))
    scores = np.arange(300.0)
    order = np.concatenate([np.arange(280)[::-1], np.arange(280, 300)[::-1]])
    session.put("order", Ranking(scores=scores, order=order, scope="within-cluster"))
    state = ScatterState(session)
    state.update()
    state.sized = True
    sizes = state.sizes()
    assert sizes is not None
    assert sizes[[279, 299]].tolist() == [SIZES - 1] * 2  # the first of each
    assert sizes[[0, 280]].tolist() == [0, 0]


def test_without_a_ranking_all_points_are_alike(new_session: Any) -> None:
    session = new_session({"data": prepared.blobs()}, prepared.RECIPE)
    state = ScatterState(session)
    state.update()
    state.sized = True
    assert not state.can_be_sized
    assert state.sizes() is None


def test_items_named_like_countries_can_be_put_on_a_map(new_session: Any) -> None:
    names = ("Norway", "Chile", "Japan", "Atlantis")
    data = Dataset(features=np.arange(8.0).reshape(4, 2), items=names)
    recipe = Recipe(sources=(Source("data", "countries"),))
    state = ScatterState(new_session({"data": data}, recipe))
    state.update()
    assert state.has_world
    before = state.world
    state.choose_axes("world:longitude", "world:latitude")
    assert (before, state.world) == (False, True)
    assert state.equal_scales
    assert state.unplaced == 1
    state.show_world(False)
    assert not state.world
    state.show_world(True)
    assert state.world


def test_other_names_are_on_no_map(scatter: ScatterState) -> None:
    scatter.update()
    assert not scatter.has_world


def test_three_axes_are_shown_when_there_are_three(scatter: ScatterState) -> None:
    assert scatter.can_be_solid
    flat = scatter.seen
    scatter.solid = True
    assert flat is None
    assert scatter.seen is not None
    assert scatter.points[0] is scatter.points[0]  # worked out once for each side
    before = scatter.points[0]
    scatter.turn(0.3, 0.0)
    assert not np.allclose(scatter.points[0], before)
    scatter.turn_back()
    assert np.allclose(scatter.points[0], before)
    x0, _, x1, _ = scatter.extent
    assert x0 < before.min() < before.max() < x1


def test_a_turned_cloud_fits_whatever_its_shape(new_session: Any) -> None:
    long = np.column_stack([np.linspace(-9, 9, 40), np.zeros(40), np.zeros(40)])
    long[:2, 1:] = [[-1, -1], [1, 1]]
    recipe = Recipe(sources=(Source("data"),))
    state = ScatterState(new_session({"data": Dataset(features=long)}, recipe))
    state.update()
    state.solid = True
    state.choose_equal_scales(True)
    x0, y0, x1, y1 = state.extent
    assert x1 < 1.1  # a long thin one needs no room for corners
    for _ in range(12):
        state.turn(0.5, 0.3)
        x, y = state.points
        assert x0 < x.min() < x.max() < x1
        assert y0 < y.min() < y.max() < y1
        seen = state.seen
        assert seen is not None
        assert np.abs(seen.nearness).max() <= 1 + 1e-9


@pytest.mark.parametrize(("said", "cut"), [(0.5, 0.5), (None, None), ("0", None), (np.nan, None)])
def test_the_axis_of_a_cut_says_where_it_was_cut(session: Any, said: Any, cut: Any) -> None:
    plane = session.results.artefact("plane")
    session.put("plane", replace(plane, details={"cut": said}))
    state = ScatterState(session)
    state.update()
    assert state.x is not None
    assert state.y is not None
    assert (state.x.cut, state.y.cut) == (cut, None)


def test_a_first_coordinate_that_is_the_same_for_nearly_all_is_not_shown_first(
    session: Any,
) -> None:
    rng = np.random.default_rng(0)
    coordinates = rng.normal(size=(300, 3)) * [0.3, 1.0, 0.5] + [1.0, 0.0, 0.0]
    session.put("plane", Embedding(coordinates=coordinates, axes=("first", "second", "third")))
    state = ScatterState(session)
    state.update()
    shown = [axis.title for axis in (state.x, state.y, state.z) if axis]
    assert shown == ["second", "third", "first"]
    session.put("plane", Embedding(coordinates=coordinates[:, :2], axes=("first", "second")))
    state.update()
    assert [axis.title for axis in (state.x, state.y) if axis] == ["first", "second"]


def test_of_very_many_columns_some_are_offered_and_none_is_read_before_it_is_drawn(
    new_session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = sparse.csr_array(np.eye(40, 5000))
    recipe = Recipe(sources=(Source("data"),))
    session = new_session({"data": Dataset(features=words)}, recipe)
    read: list[str] = []
    values = vars(ItemColumn)["values"].func

    def noted(column: ItemColumn) -> Any:
        read.append(column.title)
        return values(column)

    monkeypatch.setattr(ItemColumn, "values", property(noted))
    state = ScatterState(session)
    state.update()
    assert len(state.axes) == 300
    assert not [title for title in read if title.startswith("x")]
    assert state.x is not None
    assert state.x.values.shape == (40,)


def test_of_a_complete_embedding_the_first_coordinates_are_offered(session: Any) -> None:
    session.put("plane", Embedding(coordinates=np.random.default_rng(0).normal(size=(300, 300))))
    state = ScatterState(session)
    state.update()
    assert sum(axis.key.startswith("embedding:") for axis in state.axes) == 50
    assert state.x is not None
    assert state.x.key.startswith("embedding:")
    features = session.results.artefact("data").columns
    assert [axis.title for axis in state.axes[50 : 50 + len(features)]] == list(features)


# Pictures


def test_any_embedding_transform_or_the_columns_can_be_the_picture(session: Any) -> None:
    state = ScatterState(session)
    state.update()
    assert state.picture == "plane"
    assert [key for key, _ in state.pictures] == ["plane", "columns:"]
    state.choose_picture("columns:")
    state.update()
    assert state.picture == "columns:"
    assert state.x is not None
    assert state.x.key.startswith("feature:")
    assert state.shown.embedding is None
    state.choose_picture("plane")
    state.update()
    assert state.x is not None
    assert state.x.title == "PC 1"


def test_what_is_chosen_elsewhere_wins_over_the_picture(scatter: ScatterState) -> None:
    scatter.choose_picture("columns:")
    scatter.show_step("plane")
    scatter.update()
    assert scatter.picture == "plane"


def test_hidden_groups_have_no_place(scatter: ScatterState) -> None:
    colouring = scatter.colouring(dark=False)
    scatter.hide({colouring.entries[0].code})
    x, y = scatter.visible(colouring)
    away = colouring.codes == colouring.entries[0].code
    np.testing.assert_array_equal(np.isnan(x), away)
    np.testing.assert_array_equal(np.isnan(y), away)
    assert "1 in the legend hidden" in scatter.note(0)


def test_thirty_groups_differ_in_colour_or_mark() -> None:
    colouring = by_class("Group", np.arange(30), (), dark=False)
    looks = {(entry.colour, entry.mark) for entry in colouring.entries}
    assert len(looks) == 30

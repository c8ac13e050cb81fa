"""What a run shows at a moment."""

from typing import Any

import numpy as np
import pytest

from coterie.core.api.frame import Frame
from coterie.gui.views.shown_items.growing_array import GrowingColumns
from coterie.gui.views.shown_items.run_monitor import MOST_STATES, Live
from tests.gui import prepared


@pytest.fixture
def live(fresh: Any) -> Live:
    return Live.of(fresh)


def feed(session: Any, until: int | None = None) -> None:
    """Play a run of three sets, 40 iterations each, telling who left with each."""
    truth = session.results.artefact("data").truth
    session.set_job("running")
    for frame, last in prepared.run_of(truth)[:until]:
        session.framed.emit("groups", frame)
        if last:
            number = int(frame.phase.split()[1])
            members = np.flatnonzero(truth == number - 1).tolist()
            session.happened.emit("groups", "peeled", {"set": number, "members": members})


def test_growing_keeps_all_rows_across_its_doublings() -> None:
    rows = GrowingColumns(capacity=2)
    for i in range(100):
        rows.extend({"iteration": np.array([i]), "stress": np.array([-i])})
    assert rows["iteration"].tolist() == list(range(100))
    assert rows["stress"].tolist() == [-i for i in range(100)]
    assert rows["stress"].base is not None


def test_a_column_that_comes_late_or_stops_is_missing_elsewhere() -> None:
    rows = GrowingColumns(capacity=2)
    rows.extend({"iteration": np.arange(3), "stress": np.ones(3)})
    rows.extend({"iteration": np.arange(3, 5), "step": np.ones(2)})
    assert rows.names == ("iteration", "stress", "step")
    assert np.isnan(rows["stress"]).tolist() == [False, False, False, True, True]
    assert np.isnan(rows["step"]).tolist() == [True, True, True, False, False]
    assert np.isnan(rows["other"]).all()


def test_views_of_one_session_share_one_run(fresh: Any, new_session: Any) -> None:
    assert Live.of(fresh) is Live.of(fresh)
    assert Live.of(fresh) is not Live.of(new_session())


def test_frames_become_curves(fresh: Any, live: Live) -> None:
    feed(fresh, 50)
    assert live.going_on
    assert live.iterations.tolist() == list(range(1, 51))
    assert live.moment is not None
    assert live.moment.phase == "set 2"


def test_items_that_left_with_a_set_keep_its_label(fresh: Any, live: Live) -> None:
    feed(fresh, 50)
    truth = fresh.results.artefact("data").truth
    labels = live.labels(len(truth))
    assert labels is not None
    assert np.array_equal(labels == 0, truth == 0)


def test_peeled_sets_colour_a_method_that_shows_no_labels(fresh: Any, live: Live) -> None:
    n = fresh.results.artefact("data").n
    shares = np.full(n, 1 / n, dtype=np.float32)
    fresh.framed.emit("groups", Frame(1, shares=shares))
    fresh.happened.emit("groups", "peeled", {"set": 1, "members": [0, 2]})
    assert live.labels(n).max() == -1  # type: ignore[union-attr]
    fresh.framed.emit("groups", Frame(2, shares=shares))
    assert np.flatnonzero(live.labels(n) == 0).tolist() == [0, 2]
    assert [mark.text for mark in live.marks] == ["set 1"]


def test_a_new_run_of_the_same_step_starts_afresh(fresh: Any, live: Live) -> None:
    feed(fresh, 50)
    fresh.set_job("finished")
    fresh.set_job("running")
    fresh.framed.emit("groups", Frame(1))
    assert live.iterations.tolist() == [1]
    assert live.marks == []


def test_a_long_run_keeps_a_bounded_number_of_states(fresh: Any, live: Live) -> None:
    shares = np.ones(3) / 3
    for i in range(10 * MOST_STATES):
        live.take_frame("groups", Frame(i, shares=shares))
    assert MOST_STATES / 2 <= len(live.moments) <= MOST_STATES
    steps = np.diff([moment.iteration for moment in live.moments])
    assert (steps[:-1] == steps[0]).all()
    assert live.moments[-1].iteration == 10 * MOST_STATES - 1


def test_a_recorded_trace_can_be_scrubbed(session: Any) -> None:
    live = Live.of(session)
    live.show_trace("groups", session.results.artefact("groups", "trace"))
    last = live.moment
    seen = []
    for position in (3, len(live.moments) - 1):
        live.scrub(position)
        seen.append((live.scrubbed, live.moment))
    assert seen == [(True, live.moments[3]), (False, last)]


def test_showing_the_same_trace_again_keeps_the_place(session: Any) -> None:
    live = Live.of(session)
    trace = session.results.artefact("groups", "trace")
    live.show_trace("groups", trace)
    live.scrub(3)
    live.show_trace("groups", trace)
    assert live.position == 3


def test_kept_items_are_spread_over_all(session: Any) -> None:
    moment = Frame(1, shares=np.array([0.25, 0.75]), items=np.array([1, 4]))
    spread = moment.spread(moment.shares, 6, 0.0)
    assert spread is not None
    assert spread.tolist() == [0, 0.25, 0, 0, 0.75, 0]
    assert moment.spread(moment.shares, 4, 0.0) is None


def test_of_very_many_items_the_first_are_shown() -> None:
    moment = Frame(1, shares=np.array([0.5, 0.5]))
    assert moment.spread(moment.shares, 4, 0.0).tolist() == [0.5, 0.5, 0, 0]  # type: ignore[union-attr]
    assert moment.spread(moment.shares, 1, 0.0) is None


def test_marks_of_two_runs_can_be_told_apart_whoever_left(fresh: Any) -> None:
    live = Live.of(fresh)
    feed(fresh)
    first = list(live.marks)
    fresh.set_job("finished")
    fresh.set_job("running")
    feed(fresh)
    assert list(live.marks) != first
    assert [mark.text for mark in live.marks] == [mark.text for mark in first]

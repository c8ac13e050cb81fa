"""The history of a run stays small, is the same for the same run, and ends where the run ended."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.api.curves import MOST_CURVES
from coterie.core.api.frame import Frame
from coterie.core.api.trace_recorder import (
    MOST_ITEMS,
    MOST_MEMBERSHIPS,
    MOST_PLACES,
    MOST_ROWS,
    MOST_STATES,
    SOME_ITEMS,
    TraceRecorder,
)
from coterie.core.errors import DataError
from coterie.core.model.results import Trace
from tests.refusals import refuses


def trace_of(count: int, n: int = 3) -> Trace:
    history = TraceRecorder()
    for i in range(count):
        shares = np.full(n, float(i))
        labels = np.full(n, i)
        history.add(Frame(i, {"objective": float(i)}, shares=shares, labels=labels))
        shares[:] = -1  # the run goes on writing into its array
    trace = history.trace()
    assert trace is not None
    return trace


@settings(max_examples=25)
@given(st.integers(1, 3 * MOST_ROWS))
def test_a_trace_is_bounded_and_holds_first_and_last(count: int) -> None:
    trace = trace_of(count)
    assert len(trace.iterations) <= MOST_ROWS
    assert trace.iterations[0] == 0
    assert trace.iterations[-1] == count - 1
    assert trace.objective[-1] == count - 1
    assert (np.diff(trace.iterations) > 0).all()
    for states, moments in (
        (trace.shares, trace.share_iterations),
        (trace.labels, trace.label_iterations),
    ):
        assert states is not None
        assert moments is not None
        assert len(states) <= MOST_STATES
        assert moments[-1] == count - 1
        # The states are those of their iterations, not what was written into the array later.
        np.testing.assert_array_equal(states, np.repeat(moments[:, None], 3, axis=1))


def test_what_is_kept_is_evenly_spread() -> None:
    gaps = np.diff(trace_of(5 * MOST_ROWS).iterations)[:-1]
    assert len(set(gaps.tolist())) == 1


def test_states_are_kept_where_the_population_moves() -> None:
    history = TraceRecorder()
    shares = np.zeros(4)
    for i in range(3000):  # it runs for a hundred iterations, and creeps from then on
        shares[:] = [0, 1, 0, 0]
        shares[0] = i / 100 if i < 100 else 1 + 1e-7 * i
        history.add(Frame(i, shares=shares, labels=np.repeat([0, 1], [2, 2])))
    trace = history.trace()
    assert trace is not None
    assert trace.share_iterations is not None
    assert trace.label_iterations is not None
    assert (trace.share_iterations < 100).sum() > 30
    assert trace.share_iterations[-1] == 2999
    assert trace.label_iterations.tolist() == [0, 2999]


def test_the_same_run_leaves_the_same_trace() -> None:
    one, other = trace_of(5000), trace_of(5000)
    np.testing.assert_array_equal(one.iterations, other.iterations)
    np.testing.assert_array_equal(one.shares, other.shares)


def test_of_many_items_some_are_kept_the_first_and_last_among_them() -> None:
    trace = trace_of(2, n=3 * MOST_ITEMS)
    assert trace.shares is not None
    assert trace.kept_items is not None
    assert trace.shares.shape[1] == len(trace.kept_items) == SOME_ITEMS
    assert trace.kept_items[[0, -1]].tolist() == [0, 3 * MOST_ITEMS - 1]


def test_iterations_that_begin_anew_are_all_kept() -> None:
    history = TraceRecorder()
    for i in (0, 1, 0, 1):
        history.add(Frame(i, {"objective": float(i)}))
    trace = history.trace()
    assert trace is not None
    assert trace.iterations.tolist() == [0, 1, 0, 1]


def test_states_that_change_their_length_are_told_at_once() -> None:
    history = TraceRecorder()
    history.add(Frame(0, shares=np.zeros(3)))
    with refuses("wrong-shape", DataError):
        history.add(Frame(1, shares=np.zeros(2)))


def test_marks_stand_at_the_iteration_they_followed() -> None:
    history = TraceRecorder()
    history.add(Frame(7))
    history.mark("peeled", {"size": 4})
    trace = history.trace()
    assert trace is not None
    assert trace.marks == ({"iteration": 7, "name": "peeled", "size": 4},)


def test_a_run_that_showed_nothing_has_no_trace() -> None:
    assert TraceRecorder().trace() is None


def test_a_value_that_comes_late_is_missing_before() -> None:
    history = TraceRecorder()
    history.add(Frame(0, {"stress": 2.0}))
    history.add(Frame(1, {"stress": 1.0, "step_size": 0.5}))
    trace = history.trace()
    assert trace is not None
    assert list(trace.values) == ["stress", "step_size"]
    assert trace.value("stress").tolist() == [2.0, 1.0]
    assert np.isnan(trace.value("step_size")).tolist() == [True, False]


def test_coordinates_are_recorded_where_items_move() -> None:
    history = TraceRecorder()
    for i in range(1000):
        history.add(Frame(i, coordinates=np.full((5, 4), min(i, 200) / 200)))
    trace = history.trace()
    assert trace is not None
    assert trace.coordinates is not None
    assert trace.coordinate_iterations is not None
    assert trace.coordinates.shape == (len(trace.coordinate_iterations), 5, 3)
    assert MOST_PLACES / 4 <= len(trace.coordinates) <= MOST_PLACES
    assert trace.coordinate_iterations[-1] == 999
    assert (trace.coordinate_iterations[:-1] <= 200).all()


def test_memberships_are_recorded_of_as_many_items_as_have_room() -> None:
    few, many = TraceRecorder(), TraceRecorder()
    for i in range(3):
        few.add(Frame(i, memberships=np.full((5, 2), 0.5)))
        many.add(Frame(i, memberships=np.full((15_000, 1 + MOST_MEMBERSHIPS // 15_000), 0.5)))
    recorded, left_out = few.trace(), many.trace()
    assert recorded is not None
    assert recorded.memberships is not None
    assert recorded.memberships.shape[1:] == (5, 2)
    assert left_out is not None
    assert left_out.memberships is None


@pytest.mark.parametrize("shape", [(5,), (4, 2), (5, 3), (5, 2, 1), ()])
def test_coordinates_that_change_their_shape_are_refused(shape: tuple[int, ...]) -> None:
    history = TraceRecorder()
    history.add(Frame(0, coordinates=np.zeros((5, 2))))
    with refuses("wrong-shape", DataError):
        history.add(Frame(1, coordinates=np.zeros(shape)))


def test_a_run_shows_a_bounded_number_of_values() -> None:
    history = TraceRecorder()
    for i in range(MOST_CURVES):
        history.add(Frame(i, {f"value_{i}": 0.0}))
    with refuses("invalid-result", DataError, match=f"at most {MOST_CURVES} values"):
        history.add(Frame(MOST_CURVES, {"one_more": 0.0}))
    with refuses("invalid-result", DataError):
        TraceRecorder().add(Frame(0, {"a/b": 0.0}))

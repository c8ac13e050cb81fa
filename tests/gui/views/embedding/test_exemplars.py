"""Where destinations and means are seen while a run goes on, and when it is scrubbed back."""

import numpy as np

from coterie.core.api.frame import Frame
from coterie.gui.views.embedding.exemplars import exemplar_ways
from coterie.gui.views.shown_items.run_monitor import Live

X = np.array([0.0, 1.0, 2.0, 10.0, 12.0])
Y = np.array([0.0, 0.0, 3.0, 10.0, 12.0])


def frame(iteration: int, labels: list[int]) -> Frame:
    return Frame(iteration, {"objective": 1.0}, labels=np.array(labels))


def test_destinations_are_seen_where_their_items_are_with_the_way_they_came() -> None:
    live = Live()
    live.take_frame("groups", frame(1, [0, 1, 1, 1, 1]))
    live.take_event("groups", "destinations", {"items": [0, 1], "iteration": 1})
    live.take_frame("groups", frame(2, [0, 0, 0, 1, 1]))
    live.take_event("groups", "destinations", {"items": [0, 3], "iteration": 2})
    ways = exemplar_ways(live, X, Y)
    assert ways.tolist() == [[[0, 0], [1, 0]], [[0, 0], [10, 10]]]
    live.scrub(0)
    assert exemplar_ways(live, X, Y).tolist() == [[[0, 0], [1, 0]]]
    assert not live.marks  # no line in the curves for each of them


def test_means_are_in_the_middle_of_their_members() -> None:
    live = Live()
    for iteration, labels in enumerate([[0, 1, 1, 1, 1], [0, 0, 0, 1, 1]], 1):
        live.take_frame("groups", frame(iteration, labels))
        live.take_event("groups", "means", {"centres": [[0.0]], "iteration": iteration})
    ways = exemplar_ways(live, X, Y)
    np.testing.assert_allclose(ways[-1], [[1, 1], [11, 11]])
    assert ways.shape == (2, 2, 2)
    live.scrub(0)
    np.testing.assert_allclose(exemplar_ways(live, X, Y), [[[0.0, 0.0], [6.25, 6.25]]])


def test_runs_without_exemplars_or_of_other_items_show_none() -> None:
    live = Live()
    assert exemplar_ways(live, X, Y).size == 0
    live.take_frame("groups", frame(1, [0, 1, 1, 1, 1]))
    assert exemplar_ways(live, X, Y).size == 0
    live.take_event("groups", "destinations", {"items": [0, 99], "iteration": 1})
    assert exemplar_ways(live, X, Y).size == 0
    live.take_event("groups", "means", {"iteration": 1})
    assert exemplar_ways(live, X[:3], Y[:3]).size == 0

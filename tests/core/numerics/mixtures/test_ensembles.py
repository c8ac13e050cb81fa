"""The kernel that many fits add up to, whoever fits them and when."""

import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from coterie.core import Cancelled, Context
from coterie.core.api.context import Control, Frame
from coterie.core.numerics.mixtures.em_pass import shares_of
from coterie.core.numerics.mixtures.ensembles import (
    Ensemble,
    Fits,
    column_count,
    fit_ensemble,
    shares_of_new,
)
from tests.rounding import rounding

N, MOST, STARTS = 40, 6, 3
FEATURES = np.random.default_rng(0).normal(size=(N, 4))


def softly(g: int, rng: np.random.Generator) -> Fits:
    """Random components; small numbers of them take longest, so that they come in out of order."""
    theta = rng.normal(size=(g, STARTS, 4))
    shares = np.empty((N, STARTS, g))
    shares_of(theta, FEATURES, shares, soft=True)
    time.sleep(0.02 / g)
    return Fits(theta, shares, float(g), {"components": g * STARTS})


def ensemble(context: Context | None = None, n: int = N) -> Ensemble:
    return fit_ensemble(softly, n, MOST, STARTS, context or Context(seed=4))


def test_the_kernel_is_the_mean_of_products_of_shares() -> None:
    found = ensemble()
    K = np.zeros((N, N))
    for g, rng in zip(range(2, MOST + 1), Context(seed=4).rng.spawn(MOST - 1), strict=True):
        shares = softly(g, rng).shares
        K += np.einsum("ifc,jfc->ij", shares, shares)
    K /= STARTS * (MOST - 1)
    np.testing.assert_allclose(
        found.matrix["values"], K, atol=rounding(4 * column_count(MOST, STARTS))
    )
    np.testing.assert_array_equal(found.matrix["values"], found.matrix["values"].T)
    assert found.tallies == {"components": column_count(MOST, STARTS)}
    assert found.objective == pytest.approx(4.0)


def test_new_items_get_the_rows_of_the_factor() -> None:
    found = ensemble()
    factor = shares_of_new(found.coefficients, FEATURES, MOST, STARTS, soft=True)
    assert factor.shape == (N, column_count(MOST, STARTS))
    np.testing.assert_allclose(
        factor @ factor.T, found.matrix["values"], atol=rounding(4 * column_count(MOST, STARTS))
    )


def test_many_items_keep_the_factor() -> None:
    def once(g: int, rng: np.random.Generator) -> Fits:
        return Fits(np.zeros((g, 1, 1)), rng.dirichlet(np.ones(g), (N, 1)), 0.0)

    found = fit_ensemble(once, N, 3, 1, Context())
    assert found.matrix["factor"].shape == (N, 5)
    first = once(2, Context().rng.spawn(2)[0]).shares[:, 0]
    np.testing.assert_allclose(found.matrix["factor"][:, :2], first / np.sqrt(2))


@pytest.mark.parametrize("workers", [2, 5])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    alone, together = ensemble(), ensemble(Context(seed=4, workers=workers))
    np.testing.assert_array_equal(alone.matrix["values"], together.matrix["values"])
    np.testing.assert_array_equal(alone.coefficients, together.coefficients)
    assert alone.objective == together.objective


class Watching:
    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.done: list[float] = []

    def progress(self, done: float, total: float, message: str) -> None:
        self.done.append(done)

    def frame(self, frame: Frame) -> None:
        self.frames.append(frame)

    def event(self, name: str, details: Mapping[str, Any]) -> None: ...


@pytest.mark.parametrize("workers", [1, 3])
def test_the_running_kernel_is_shown_from_fine_and_coarse_fits_in_turn(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.core.api.context.FRAMES_PER_SECOND", 1e12)
    watching = Watching()
    found = ensemble(Context(seed=4, workers=workers, listener=watching))
    frames = watching.frames
    assert [frame.phase.split()[0] for frame in frames] == ["6", "2", "5", "3", "4"]
    assert [frame.iteration for frame in frames] == [1, 2, 3, 4, 5]
    assert [frame.values["support"] for frame in frames] == [3, 6, 9, 12, 15]
    assert watching.done == sorted(watching.done)
    assert watching.done[-1] == 1.0
    degrees = found.matrix["values"].sum(axis=1)
    assert frames[-1].shares is not None
    np.testing.assert_allclose(frames[-1].shares, degrees / degrees.sum())


@pytest.mark.parametrize("n", [N, 300])
def test_each_frame_has_the_kernel_of_the_fits_so_far_among_some_items(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.core.api.context.FRAMES_PER_SECOND", 1e12)
    watching, known = Watching(), {}

    def fit(g: int, rng: np.random.Generator) -> Fits:
        known[g] = rng.dirichlet(np.ones(g), (n, STARTS))
        return Fits(np.zeros((g, STARTS, 1)), known[g], 0.0)

    found = fit_ensemble(fit, n, MOST, STARTS, Context(listener=watching))
    so_far: list[int] = []
    for frame in watching.frames:
        so_far.append(int(frame.phase.split()[0]))
        glimpse = frame.glimpse
        assert glimpse is not None
        assert glimpse.n == n
        products = [np.einsum("iqc,jqc->ij", known[g], known[g]) for g in so_far]
        expected = np.sum(products, axis=0) / (STARTS * len(so_far))
        some = np.ix_(glimpse.items, glimpse.items)
        np.testing.assert_allclose(
            glimpse.values, expected[some], atol=rounding(4 * column_count(MOST, STARTS))
        )
    last = watching.frames[-1].glimpse
    assert last is not None
    kernel = found.matrix.get("values")
    if kernel is None:
        kernel = found.matrix["factor"] @ found.matrix["factor"].T
    np.testing.assert_allclose(
        last.values, kernel[some], atol=rounding(4 * column_count(MOST, STARTS))
    )


def test_cancel_stops_all_threads() -> None:
    control, began = Control(), threading.Event()
    context = Context(control=control, workers=3)

    def endless(g: int, rng: np.random.Generator) -> Fits:
        began.set()
        while True:
            context.check()
            time.sleep(0.001)

    def cancel() -> None:
        began.wait()
        control.cancel()

    threading.Thread(target=cancel).start()
    with pytest.raises(Cancelled):
        fit_ensemble(endless, N, MOST, STARTS, context)


def test_columns_are_counted() -> None:
    for most, starts in ((2, 1), (3, 2), (30, 30)):
        assert column_count(most, starts) == sum(range(2, most + 1)) * starts

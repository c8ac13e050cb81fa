"""What a library leaves no choice about is said, and then passes; what is not said fails."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import numpy as np
import pytest

from coterie.core import Clusterer, Clustering, Context, Embedder, Embedding, Output
from coterie.core.catalogue.describing import describe
from coterie.core.engine.check_output import LARGEST_DETAILS
from coterie.core.errors import PluginError
from coterie.core.model.results import Model
from coterie.core.testing import check_component
from tests.refusals import refuses


class Library(Embedder):
    """Coordinates by a library that cannot be stopped, draws globally and sets variables."""

    id, title = "library", "A library"
    needs = ("dataset",)

    def compute(self, data: Any, *, params: Any, context: Context) -> Any:
        context.check()
        X = data.dense_features()
        np.random.seed(1)  # noqa: NPY002 - as libraries do
        os.environ["LIBRARY_THREADS"] = "1"
        return X[:, :2] if X.shape[1] > 1 else np.column_stack([X, X])


class Honest(Library):
    """Coordinates by a library that cannot be stopped, which says so, and what it leaves behind."""

    id = "honest"
    interruptible = False
    side_effects: ClassVar[tuple[str, ...]] = ("numpy-seed", "environment")


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRARY_THREADS", "0")  # runs that are not watched set it as well


def test_what_a_library_does_to_others_is_found() -> None:
    failed = {finding.check: finding for finding in check_component(Library, timed=False).failures}
    assert set(failed) == {"no-global-state"}
    assert "LIBRARY_THREADS" in failed["no-global-state"].what


def test_what_is_said_is_waived() -> None:
    verdict = check_component(Honest, timed=False)
    assert verdict.passed, verdict.failures
    waived = {one.check: one.what for one in verdict.findings if "waived" in one.what}
    assert set(waived) == {"cancel-anywhere", "no-global-state"}
    assert not describe("embedder", Honest).interruptible


def test_a_waiver_must_be_one_that_there_is() -> None:
    class Sweeping(Honest):
        """Coordinates by a library, with everything waived."""

        side_effects: ClassVar[tuple[str, ...]] = ("everything",)

    with refuses("invalid-plugin", PluginError, match="'environment', 'files'"):
        describe("embedder", Sweeping)


def _gives(clustering: Any) -> Any:
    class Gives(Clusterer):
        """Groups as they are given to it by a test."""

        id, title = "gives", "Gives"

        def compute(self, affinity: Any, *, params: Any, context: Context) -> Any:
            context.check()
            return clustering(affinity.n)

    found = {one.check: one.what for one in check_component(Gives, timed=False).failures}
    return found["gives"]


def test_numbers_that_are_none_are_refused_wherever_they_are() -> None:
    def holes(n: int) -> Clustering:
        return Clustering(labels=np.zeros(n, int), cohesiveness=np.array([np.nan]))

    def part(n: int) -> Output:
        coordinates = np.full((n, 2), np.nan)
        return Output(
            Clustering(labels=np.zeros(n, int)), {"map": Embedding(coordinates=coordinates)}
        )

    def model(n: int) -> Output:
        made = Model(arrays={"means": np.array([1.0, np.nan])})
        return Output(Clustering(labels=np.zeros(n, int)), {"model": made})

    assert "1 of 1 in 'cohesiveness' of the clustering, the first at (0,)" in _gives(holes)
    assert "part 'map', 'coordinates' of the embedding" in _gives(part)
    assert "part 'model', 'arrays/means' of the model, the first at (1,)" in _gives(model)


def test_bulky_details_and_wrong_lengths_are_refused_in_full() -> None:
    def bulky(n: int) -> Clustering:
        return Clustering(labels=np.zeros(n, int), details={"x": "y" * (LARGEST_DETAILS + 1)})

    assert "Expected at most 16 MB" in _gives(bulky)
    said = _gives(lambda n: np.zeros(n - 1, int))
    assert "Expected one entry for each of the 24 items" in said or "does not fit" in said
    assert "a whole number for each item, −1 for none" in _gives(lambda n: "nonsense")

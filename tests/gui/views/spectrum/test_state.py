"""The Spectrum view's state."""

from typing import Any

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering, Embedding, Spectrum
from coterie.gui.views.spectrum.state import MOST_SHOWN, ShownSpectrum, SpectrumState
from tests.refusals import refuses

RECIPE = Recipe(
    title="spectra",
    sources=(Source("data", "iris"),),
    steps=(
        Step("similarity", "kernel/gaussian", ("data",)),
        Step("groups", "clusterer/ncut", ("similarity",)),
        Step("view", "embedder/pca", ("data",)),
    ),
)


def session_with(new_session: Any, spectrum: Spectrum | None, embedding: Embedding | None) -> Any:
    session = new_session(recipe=RECIPE)
    if spectrum is not None:
        session.put("groups", Clustering(labels=np.array([0, 0, 1, 1])))
        session.put("groups", spectrum, "spectrum")
    if embedding is not None:
        session.put("view", embedding)
    return session


def test_it_says_what_to_do_when_there_is_nothing(new_session: Any) -> None:
    nothing, opened = (
        SpectrumState(new_session()),
        SpectrumState(session_with(new_session, None, None)),
    )
    for state in (nothing, opened):
        state.update()
        assert state.shown is None
    assert nothing.empty.startswith("Open a file")
    assert opened.empty.startswith("Run a spectral method")


def test_the_suggestion_and_what_was_done_are_told_apart(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.array([1.0, 0.97, 0.95, 0.3, 0.2]), suggested_k=3)
    state = SpectrumState(session_with(new_session, spectrum, None))
    state.update()
    assert state.shown is not None
    assert state.shown.suggested == 3
    assert state.sentence == "The largest gap suggests 3 groups. The result has 2 groups."
    assert int(np.argmax(state.shown.gaps)) + 1 == 3


def test_one_that_suggests_groups_comes_before_an_embedding(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.array([1.0, 0.4]), suggested_k=1)
    embedding = Embedding(coordinates=np.zeros((4, 2)), spectrum=np.array([3.0, 1.0]))
    state = SpectrumState(session_with(new_session, spectrum, embedding))
    state.update()
    assert set(state.steps) == {"groups", "view"}
    assert state.shown is not None
    assert state.shown.step == "groups"
    state.choose("view")
    assert state.shown.step == "view"
    assert state.shown.shares is not None
    assert state.shown.shares.tolist() == [0.75, 1.0]


def test_complex_eigenvalues_are_said_to_be_so(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.array([1.0, 0.5 + 0.25j, 0.5 - 0.25j]), suggested_k=1)
    state = SpectrumState(session_with(new_session, spectrum, None))
    state.update()
    assert "imaginary parts up to 0.25" in state.sentence
    assert state.shown is not None
    assert state.shown.values.tolist() == [1.0, 0.5, 0.5]


def test_of_very_many_the_first_are_shown(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.linspace(1, 0, 5000))
    state = SpectrumState(session_with(new_session, spectrum, None))
    state.update()
    assert state.shown is not None
    assert len(state.shown.values) == MOST_SHOWN
    assert "of 5,000" in state.sentence


def test_the_smallest_eigenvalues_of_a_laplacian_have_no_share_of_the_sum(new_session: Any) -> None:
    for values, telling in ((np.array([3.0, 1.0]), True), (np.array([1.0, 3.0]), False)):
        embedding = Embedding(coordinates=np.zeros((4, 2)), spectrum=values)
        state = SpectrumState(session_with(new_session, None, embedding))
        state.update()
        assert state.shown is not None
        assert (state.shown.shares is not None) == telling


def test_without_a_gap_among_those_shown_it_is_not_called_the_largest(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.ones(20), suggested_k=171)
    state = SpectrumState(session_with(new_session, spectrum, None))
    state.update()
    assert "There is no gap" in state.sentence
    assert "suggests 171 groups" in state.sentence
    assert "largest" not in state.sentence


def test_one_eigenvalue_alone_has_no_gap(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.ones(1), suggested_k=1)
    state = SpectrumState(session_with(new_session, spectrum, None))
    state.update()
    assert "gap" not in state.sentence


BLOCKS = np.kron(np.eye(3), np.ones((5, 5))) + 0.01


def looked_at(state: SpectrumState, choice: str) -> ShownSpectrum:
    """Choose a spectrum of similarities, of which nothing is shown before it is worked out."""
    state.choose(choice)
    assert state.shown is None
    assert "Computing" in state.empty
    state.pending.finish()
    state.update()
    found: ShownSpectrum | None = state.shown
    assert found is not None
    return found


def test_similarities_have_the_spectrum_of_their_walk_and_their_own(new_session: Any) -> None:
    session = session_with(new_session, None, None)
    session.put("similarity", Affinity(values=BLOCKS, title="blocks"))
    state = SpectrumState(session)
    state.update()
    assert state.choices == ("similarity (walk)", "similarity (kernel)")
    walk = looked_at(state, "similarity (walk)")
    assert walk.step == "similarity"
    assert state.sentence == "The largest gap suggests 3 groups."
    of_walk = np.linalg.eigvals(BLOCKS / BLOCKS.sum(axis=1, keepdims=True)).real
    np.testing.assert_allclose(walk.values[:4], np.sort(of_walk)[::-1][:4], atol=1e-9)
    kernel = looked_at(state, "similarity (kernel)")
    own = np.linalg.eigvalsh(BLOCKS)[::-1]
    np.testing.assert_allclose(kernel.values[:4], own[:4], atol=1e-9)
    assert kernel.shares is not None
    assert kernel.shares[2] == pytest.approx(own[:3].sum() / own.sum())


def test_why_similarities_have_no_spectrum_is_said_until_others_are_chosen(
    new_session: Any,
) -> None:
    spectrum = Spectrum(eigenvalues=np.array([1.0, 0.4]), suggested_k=1)
    session = session_with(new_session, spectrum, None)
    session.put("similarity", Affinity(values=np.triu(np.ones((4, 4))), symmetric=False))
    state = SpectrumState(session)
    state.choose("similarity")
    with refuses("not-symmetric", DataError):
        state.pending.finish()
    state.pending.give_up(state.pending.work)
    state.fail("It is directed.")
    state.update()
    assert state.empty == "It is directed."
    state.choose("groups")
    assert state.empty == ""


def test_a_gap_that_is_not_clear_is_told_as_such(new_session: Any) -> None:
    spectrum = Spectrum(eigenvalues=np.array([1.0, 0.999, 0.9965]), suggested_k=2)
    state = SpectrumState(session_with(new_session, spectrum, None))
    state.update()
    assert state.sentence.startswith("No gap is clear. The largest, 0.0025, suggests 2 groups.")

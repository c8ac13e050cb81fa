"""What every method that cuts a graph promises, one by one and all alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import (
    Affinity,
    Clusterer,
    Context,
    DataError,
    Embedding,
    ParameterError,
    Spectrum,
)
from coterie.plugins.clusterers.digraph_spectral import DigraphSpectral
from coterie.plugins.clusterers.eigenvector import Eigenvector
from coterie.plugins.clusterers.kpca_spectral import KPCASpectral
from coterie.plugins.clusterers.ncut import NCut
from coterie.plugins.clusterers.ncut_recursive import NCutRecursive
from coterie.plugins.clusterers.njw import NJW
from coterie.plugins.metrics.bayes_risk import BayesRisk
from tests.refusals import refuses

from .graphs import clustering, forms, output, planted, same_groups, truth

Cases = dict[str, tuple[type[Clusterer], dict[str, Any]]]
CUTS: Cases = {
    "ncut": (NCut, {}),
    "ncut, yu-shi": (NCut, {"discretise": "yu-shi"}),
    "ncut, refined": (NCut, {"refine": True}),
    "njw": (NJW, {}),
    "njw, refined": (NJW, {"refine": True}),
    "ncut-recursive": (NCutRecursive, {}),
    "digraph, walk": (DigraphSpectral, {}),
    "digraph, symmetric": (DigraphSpectral, {"relaxation": "symmetric"}),
}
ALL: Cases = {**CUTS, "kpca-spectral": (KPCASpectral, {}), "eigenvector": (Eigenvector, {})}
UNDIRECTED: Cases = {name: case for name, case in ALL.items() if "digraph" not in name}
each = pytest.mark.parametrize("name", ALL)
each_cut = pytest.mark.parametrize("name", CUTS)


@each
@pytest.mark.parametrize("form", ["dense", "sparse", "factor"])
def test_planted_groups_are_found_in_every_form(name: str, form: str) -> None:
    method, params = ALL[name]
    # Of a product of square roots small similarities come out slightly negative: none here.
    # Eigenvectors of A itself mix groups that hold together nearly alike, unless far apart.
    affinity = forms(planted(between=0.002 if name == "eigenvector" else 0.2))[form]
    assert same_groups(clustering(method, affinity, k=3, **params).labels, truth())


@each
def test_a_factor_with_a_column_for_each_group_shows_the_gap_behind_the_last(name: str) -> None:
    method, params = ALL[name]
    # The eigenvalues that follow are zero, and no direction of the factor has them.
    narrow = np.eye(3)[truth()] * [1.0, 0.9, 0.8] + 0.01
    found = clustering(method, Affinity(factor=narrow), **params)
    assert "The spectrum suggests 3 groups." in found.notes
    assert same_groups(found.labels, truth())


@each
def test_more_groups_than_a_factor_has_columns_are_made_or_said_to_be_missing(name: str) -> None:
    method, params = ALL[name]
    found = clustering(method, Affinity(factor=np.ones((6, 1))), k=3, **params)
    assert found.k == 3 or found.notes


@each
def test_without_k_the_spectrum_suggests_it_and_is_kept(name: str) -> None:
    method, params = ALL[name]
    found = output(method, Affinity(values=planted(between=0.002)), **params)
    spectrum = found.parts["spectrum"]
    assert isinstance(spectrum, Spectrum)
    assert spectrum.suggested_k == 3
    assert same_groups(found.main.labels, truth())  # type: ignore[union-attr]
    assert any("suggests 3" in note for note in found.main.notes)
    assert (np.diff(np.real(spectrum.eigenvalues)) <= 1e-9).all()


@each
def test_the_order_of_the_items_does_not_matter(name: str) -> None:
    method, params = ALL[name]
    A = planted((9, 6, 5), between=0.4, seed=5)
    order = np.random.default_rng(1).permutation(len(A))
    straight = clustering(method, Affinity(values=A), k=3, **params).labels
    shuffled = clustering(method, Affinity(values=A[order][:, order]), k=3, **params).labels
    assert same_groups(straight[order], shuffled)


@each_cut
def test_a_graph_in_pieces_gives_its_pieces(name: str) -> None:
    method, params = CUTS[name]
    A = planted((8, 3, 5, 4), between=0.0)
    for affinity in (Affinity(values=A), Affinity(sparse=csr_array(A))):
        for k in (0, 4):
            found = clustering(method, affinity, k=k, **params).labels
            assert same_groups(found, truth((8, 3, 5, 4)))


@pytest.mark.parametrize("name", [name for name in CUTS if name != "ncut-recursive"])
def test_of_more_pieces_than_groups_the_largest_are_taken(name: str) -> None:
    method, params = CUTS[name]
    result = clustering(method, Affinity(values=planted((8, 3, 5), 0.0)), k=2, **params)
    assert same_groups(result.labels, np.repeat([0, -1, 1], [8, 3, 5]))
    assert "3 separate pieces" in result.notes[0]


@each_cut
def test_items_without_an_edge_are_in_no_group(name: str) -> None:
    method, params = CUTS[name]
    A = np.zeros((23, 23))
    A[1:22, 1:22] = planted()
    result = clustering(method, Affinity(values=A), k=3, **params)
    assert same_groups(result.labels, np.concatenate([[-1], truth(), [-1]]))
    assert any("2" in note and "no group" in note for note in result.notes)


@each_cut
def test_the_normalised_cut_of_the_result_is_its_bayes_risk(name: str) -> None:
    method, params = CUTS[name]
    affinity = Affinity(values=planted(between=0.5, seed=2))
    result = clustering(method, affinity, k=3, **params)
    risk = BayesRisk().compute(result, affinity, params=BayesRisk.Params(), context=Context())
    np.testing.assert_allclose(result.details["normalised_cut"], risk.value)


@pytest.mark.parametrize("name", UNDIRECTED)
def test_a_directed_graph_is_refused_and_symmetrising_offered(name: str) -> None:
    method, params = UNDIRECTED[name]
    directed = Affinity(values=np.triu(planted()), symmetric=False)
    with refuses("not-symmetric", DataError, match="graph/symmetrise"):
        clustering(method, directed, k=3, **params)


@each
def test_more_groups_than_items_are_refused(name: str) -> None:
    method, params = ALL[name]
    with refuses("too-many-groups", ParameterError):
        clustering(method, Affinity(values=planted((3, 2))), k=6, **params)
    assert clustering(method, Affinity(values=planted((3, 2))), k=5, **params).n == 5


@pytest.mark.parametrize("name", ["ncut", "njw", "kpca-spectral", "digraph, walk"])
def test_the_rows_that_were_grouped_are_published(name: str) -> None:
    method, params = ALL[name]
    embedding = output(method, Affinity(values=planted()), k=3, **params).parts["embedding"]
    assert isinstance(embedding, Embedding)
    assert embedding.coordinates.shape == (21, 3)


@pytest.mark.parametrize("name", [name for name in CUTS if name != "ncut-recursive"])
def test_dust_beside_more_pieces_than_groups_is_left_out(name: str) -> None:
    method, params = CUTS[name]
    A = np.zeros((66, 66))
    A[:60, :60] = planted((30, 30))
    for start in (60, 62, 64):
        A[start : start + 2, start : start + 2] = 1.0
    result = clustering(method, Affinity(values=A), k=2, **params)
    assert same_groups(result.labels, np.repeat([0, 1, -1], [30, 30, 6]))
    assert any(
        note.startswith("Items in tiny pieces") and "no group: 6." in note for note in result.notes
    )


@pytest.mark.parametrize("scale", [1e-300, 1e160, 1e300])
@each
def test_the_unit_of_the_similarities_does_not_matter(name: str, scale: float) -> None:
    method, params = ALL[name]
    A = planted()
    found = clustering(method, Affinity(values=A * scale), k=3, **params)
    assert same_groups(found.labels, clustering(method, Affinity(values=A), k=3, **params).labels)


@each
def test_similarities_beyond_all_sums_are_told(name: str) -> None:
    method, params = ALL[name]
    with refuses("values-too-large", DataError):
        clustering(method, Affinity(values=planted() * 1e307), k=3, **params)

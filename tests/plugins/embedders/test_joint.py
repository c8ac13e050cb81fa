"""The joint embedding as a component."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset, Embedding, Output, Spectrum
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.similarity.distances import gaussian_similarities, median_distance
from coterie.plugins.embedders.joint import JointEmbedding
from coterie.plugins.embedders.kernel_pca import KernelPCA
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster
from tests.refusals import refuses


def embed(affinity: Affinity, **params: Any) -> tuple[Embedding, Output]:
    output = JointEmbedding().compute(
        affinity, params=JointEmbedding.Params(**params), context=Context()
    )
    assert isinstance(output.main, Embedding)
    return output.main, output


def gaussian(X: np.ndarray, fraction: float, dataset: Dataset | None = None) -> Affinity:
    return Affinity(
        values=gaussian_similarities(X, sigma=fraction * median_distance(X)), dataset=dataset
    )


def learned(data: Dataset) -> Affinity:
    params = ProbabilisticCluster.Params(initialisations=10, max_components=12)
    output = ProbabilisticCluster().compute(data, params=params, context=Context())
    assert isinstance(output.main, Affinity)
    return output.main


def spread(Z: np.ndarray, labels: np.ndarray) -> float:
    """Variance within groups over that between them."""
    middles = np.array([Z[labels == g].mean(axis=0) for g in np.unique(labels)])
    within = ((Z - middles[labels]) ** 2).sum()
    return float(within / ((middles[labels] - Z.mean(axis=0)) ** 2).sum())


@pytest.mark.parametrize("form", ["normalised", "document"])
def test_of_three_gaussians_it_is_more_compact_than_kernel_pca(form: str) -> None:
    data = SAMPLES["three-gaussians"].make(n=450)
    assert data.truth is not None
    affinity = learned(data)
    joint, _ = embed(affinity, components=3, form=form)
    plain = KernelPCA().compute(affinity, params=KernelPCA.Params(components=3), context=Context())
    assert isinstance(plain.main, Embedding)
    assert spread(joint.coordinates, data.truth) < spread(plain.main.coordinates, data.truth)


def test_the_spectrum_rises_and_says_nothing_of_groups() -> None:
    affinity = gaussian(np.random.default_rng(0).normal(size=(30, 2)), 0.5)
    embedding, output = embed(affinity)
    spectrum = output.parts["spectrum"]
    assert isinstance(spectrum, Spectrum)
    assert (np.diff(spectrum.eigenvalues) >= 0).all()
    assert embedding.coordinates.shape == (30, 10)
    assert embedding.details["restart_probability"] == 0.15


def test_a_larger_restart_probability_pushes_items_out_and_the_lonely_are_named() -> None:
    X = np.vstack([np.random.default_rng(1).normal(size=(60, 2)), [[4.0, 4.0]]])
    names = (*(f"item {i}" for i in range(60)), "hermit")
    affinity = gaussian(X, 0.6, Dataset(features=X, items=names))
    lengths = []
    for restart in (0.05, 0.15, 0.6):
        whole, _ = embed(affinity, restart_probability=restart, components=0, form="document")
        lengths.append((whole.coordinates**2).sum(axis=1))
    assert (np.diff(lengths, axis=0) > 0).all()
    embedding, _ = embed(affinity, components=2, form="document")
    outliers = embedding.details["outliers"]
    assert outliers[0]["item"] == "hermit"
    np.testing.assert_allclose(outliers[0]["degree"], affinity.degrees()[-1])
    assert embedding.notes == ()  # an order of outliers is a ranking, not a sentence


def test_normalised_no_item_is_farther_out_than_one() -> None:
    # The squared length is the share of time that a walk from an item spends there.
    X = np.vstack([np.random.default_rng(1).normal(size=(60, 2)), [[4.0, 4.0]]])
    embedding, _ = embed(gaussian(X, 0.6), components=0)
    lengths = (embedding.coordinates**2).sum(axis=1)
    assert lengths.min() > 0
    assert lengths.max() <= 1 + 1e-9
    assert embedding.details["form"] == "normalised"
    assert "outliers" not in embedding.details


def test_more_coordinates_than_items_are_said() -> None:
    embedding, _ = embed(Affinity(values=np.ones((3, 3))))
    assert embedding.coordinates.shape == (3, 3)
    assert "3 items have 3 coordinates only" in embedding.notes[0]


def test_several_pieces_lie_apart() -> None:
    embedding, _ = embed(Affinity(values=np.kron(np.eye(2), np.ones((4, 4)))), components=2)
    Z = embedding.coordinates
    assert np.linalg.norm(Z[0] - Z[1]) < 1e-9 < 0.1 < np.linalg.norm(Z[0] - Z[5])


def test_a_directed_graph_is_refused_with_the_way_out() -> None:
    directed = Affinity(values=np.array([[0.0, 1.0], [0.5, 0.0]]), symmetric=False)
    with refuses("not-symmetric"):
        embed(directed)


@pytest.mark.realdata
@pytest.mark.slow
def test_under_a_narrow_gaussian_four_faces_lie_far_out(realdata: Path) -> None:
    # As the source found them: most faces near the origin, four along the axes.
    X = np.loadtxt(realdata / "frey_faces.csv.gz", delimiter=",", skiprows=1)
    embedding, _ = embed(gaussian(X, 0.15), components=3, form="document")
    assert len(embedding.details["outliers"]) == 4


def test_items_without_an_edge_are_at_the_origin_and_change_no_other() -> None:
    similar = gaussian(np.random.default_rng(2).normal(size=(12, 2)), 0.5)
    wide = np.zeros((14, 14))
    joined = np.r_[0:5, 6:13]  # all but items 5 and 13
    wide[np.ix_(joined, joined)] = similar.to_dense()
    found, _ = embed(Affinity(values=wide), components=3)
    alone, _ = embed(similar, components=3)
    assert not found.coordinates[[5, 13]].any()
    inner = found.coordinates[joined] @ found.coordinates[joined].T
    np.testing.assert_allclose(inner, alone.coordinates @ alone.coordinates.T, atol=1e-9)
    assert "at the origin: 2" in found.notes[-1]
    with refuses("not-connected"):
        embed(Affinity(values=np.zeros((3, 3))))

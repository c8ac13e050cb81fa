"""Joint clustering."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Embedding, Output, Spectrum
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.similarity.distances import gaussian_similarities, median_distance
from coterie.plugins.clusterers import joint
from coterie.plugins.clusterers.joint import Joint
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster
from tests.refusals import refuses


def cluster(affinity: Affinity, seed: int = 0, **params: Any) -> tuple[Clustering, Output]:
    output = Joint().compute(affinity, params=Joint.Params(**params), context=Context(seed=seed))
    assert isinstance(output.main, Clustering)
    return output.main, output


def pieces(*sizes: int) -> np.ndarray:
    A = np.zeros((sum(sizes), sum(sizes)))
    at = 0
    for size in sizes:
        A[at : at + size, at : at + size] = 1.0
        at += size
    return A


def mistakes(labels: np.ndarray, truth: np.ndarray) -> float:
    relabelled = (np.array(p)[labels] for p in permutations(range(3)))
    return min(float((candidate != truth).mean()) for candidate in relabelled)


def test_three_gaussians_are_counted_and_found_with_the_learned_similarity() -> None:
    data = SAMPLES["three-gaussians"].make(n=450)
    params = ProbabilisticCluster.Params(initialisations=8, max_components=10)
    learned = ProbabilisticCluster().compute(data, params=params, context=Context()).main
    assert isinstance(learned, Affinity)
    clustering, output = cluster(learned)
    spectrum = output.parts["spectrum"]
    assert isinstance(spectrum, Spectrum)
    assert spectrum.suggested_k == clustering.k == 3
    assert data.truth is not None
    assert mistakes(clustering.labels, data.truth) < 0.02


@pytest.mark.parametrize("fraction", [0.3, 0.5])
def test_the_gap_counts_three_gaussians_with_a_gaussian_kernel_too(fraction: float) -> None:
    X = SAMPLES["three-gaussians"].make(n=300).dense_features()
    A = gaussian_similarities(X, sigma=fraction * median_distance(X))
    _, output = cluster(Affinity(values=A), restarts=1)
    spectrum = output.parts["spectrum"]
    assert isinstance(spectrum, Spectrum)
    assert spectrum.suggested_k == 3


@pytest.mark.parametrize("form", ["normalised", "document"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_every_form_of_the_graph_gives_the_same_groups(metric: str, form: str) -> None:
    F = np.repeat(np.eye(3), [9, 7, 5], axis=0) + 0.1
    for affinity in (
        Affinity(values=F @ F.T),
        Affinity(sparse=csr_array(F @ F.T)),
        Affinity(factor=F),
    ):
        clustering, _ = cluster(affinity, k=3, metric=metric, form=form)
        assert clustering.labels.tolist() == [0] * 9 + [1] * 7 + [2] * 5


def test_of_fifteen_clouds_the_document_isolates_items_and_the_normalised_form_does_not() -> None:
    from sklearn.metrics import adjusted_rand_score

    # As in R15: rings of small clouds, a few items of which are far from all others.
    rng = np.random.default_rng(0)
    angles = 2 * np.pi * np.arange(7) / 7
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    middles = np.vstack([[[0.0, 0.0]], 4 * ring, 10 * ring])
    truth = np.repeat(np.arange(15), 20)
    X = middles[truth] + 0.35 * rng.normal(size=(300, 2))
    A = Affinity(values=gaussian_similarities(X, sigma=0.25))
    alike, _ = cluster(A, k=15)
    published, _ = cluster(A, k=15, form="document")
    assert adjusted_rand_score(truth, alike.labels) > 0.95
    assert np.bincount(alike.labels).min() > 10
    assert adjusted_rand_score(truth, published.labels) < 0.8
    assert np.bincount(published.labels).min() <= 2
    assert alike.details["form"] == "normalised"


@pytest.mark.parametrize("form", ["normalised", "document"])
def test_the_groups_are_k_means_in_the_first_k_coordinates(form: str) -> None:
    from sklearn.cluster import KMeans

    X = np.random.default_rng(3).normal(size=(60, 2))
    A = gaussian_similarities(X, sigma=1.0)
    clustering, output = cluster(Affinity(values=A), k=4, form=form)
    embedding = output.parts["embedding"]
    assert isinstance(embedding, Embedding)
    Z = embedding.coordinates[:, :4]
    objective = sum(
        ((Z[clustering.labels == g] - Z[clustering.labels == g].mean(axis=0)) ** 2).sum()
        for g in range(4)
    )
    np.testing.assert_allclose(clustering.details["objective"], objective)
    assert objective <= KMeans(4, n_init=10, random_state=0).fit(Z).inertia_ * (1 + 1e-6)


def test_pieces_are_groups_even_when_there_are_more_than_eigenvalues_looked_at() -> None:
    clustering, _ = cluster(Affinity(values=pieces(4, 3, 2)))
    assert clustering.labels.tolist() == [0] * 4 + [1] * 3 + [2] * 2
    many, _ = cluster(Affinity(values=pieces(*[2] * 25)), restarts=5)
    assert many.details["suggested_k"] == 25
    assert "25 components" in many.notes[0]


def test_small_similarities_do_not_count_for_the_number_of_groups() -> None:
    A = pieces(6, 6) + 0.04
    joined, _ = cluster(Affinity(values=A), threshold=0.0)
    apart, _ = cluster(Affinity(values=A))
    assert apart.details["suggested_k"] == 2
    assert joined.details["suggested_k"] == 2
    _, output = cluster(Affinity(values=A), threshold=0.0)
    assert output.parts["spectrum"].eigenvalues[1] < 1 - 1e-6  # type: ignore[union-attr]


def test_of_a_large_factor_a_sample_chooses_k(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint, "SAMPLED", 20)
    F = np.repeat(np.eye(3), 20, axis=0)
    clustering, _ = cluster(Affinity(factor=F))
    assert clustering.k == 3
    assert "subset of 20 items" in clustering.notes[0]


def test_one_group_and_as_many_as_items() -> None:
    one, _ = cluster(Affinity(values=np.ones((4, 4))), k=1)
    assert one.labels.tolist() == [0] * 4
    assert one.notes[0].startswith("All items are one group, because k = 1")
    unasked, _ = cluster(Affinity(values=np.ones((4, 4))), k=0)
    assert unasked.notes[-1].startswith("1 group, by the gap of the spectrum: ")
    every, _ = cluster(Affinity(values=np.eye(4) + 0.1), k=4)
    assert sorted(every.labels.tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("matrix", "symmetric", "params", "code"),
    [
        (np.ones((3, 3)), True, {"k": 4}, "too-many-groups"),
        (np.triu(np.ones((3, 3))), False, {"k": 2}, "not-symmetric"),
        (np.diag([1.0, 0.0, 1.0]), True, {"k": 2}, "not-connected"),
        (np.full((3, 3), np.nan), True, {"k": 2}, "missing-values"),
    ],
)
def test_what_cannot_be_grouped_is_refused(
    matrix: np.ndarray, symmetric: bool, params: dict[str, Any], code: str
) -> None:
    with refuses(code, DataError):
        cluster(Affinity(values=matrix, symmetric=symmetric), **params)


def test_the_spectrum_is_published_also_when_k_is_given() -> None:
    given, output = cluster(Affinity(values=pieces(6, 6) + 0.04), k=3)
    spectrum = output.parts["spectrum"]
    assert isinstance(spectrum, Spectrum)
    assert spectrum.suggested_k == 2
    assert spectrum.details["groups_by_rule"]["gap"] == 2
    assert given.details["suggested_k"] == 2

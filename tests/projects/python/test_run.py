"""`coterie.run`, `coterie.cluster`, `coterie.read`: from data at hand to results."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import coterie
from coterie.core.errors import CoterieError, code_of
from tests.refusals import refuses


@pytest.fixture(scope="module")
def points() -> Any:
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(size=(30, 3)), rng.normal(size=(30, 3)) + 8])


def refusal(call: Any) -> str:
    """The code of the error that a call ends with."""
    with pytest.raises(CoterieError) as caught:
        call()
    assert str(caught.value).endswith((".", "?"))
    return code_of(caught.value)


def split(labels: Any) -> set[tuple[int, ...]]:
    found = np.asarray(labels)
    return {tuple(np.flatnonzero(found == g).tolist()) for g in set(found.tolist()) - {-1}}


TWO = {tuple(range(30)), tuple(range(30, 60))}


def test_a_clusterer_of_features_runs_on_an_array(points: Any) -> None:
    groups = coterie.run("clusterer/kmeans", points, k=2)
    assert split(groups.labels) == TWO
    assert groups.use == "clusterer/kmeans"
    assert groups.params["k"] == 2
    assert repr(groups) == "Clustering: 2 groups of 30 and 30 items"


def test_similarities_come_from_the_default_recipe_a_kernel_or_a_graph(points: Any) -> None:
    by_default = coterie.run("clusterer/ncut", points, k=2)
    scaled = coterie.run("transform/standardise", points)
    near = coterie.run("graph/knn", scaled, weights="affinity")
    assert np.array_equal(by_default.labels, coterie.run("clusterer/ncut", near, k=2).labels)
    kernel = coterie.run("clusterer/ncut", points, kernel=("gaussian", {"sigma": 2.0}), k=2)
    full = coterie.run("kernel/gaussian", points, sigma=2.0)
    assert np.array_equal(kernel.labels, coterie.run("clusterer/ncut", full, k=2).labels)
    both = coterie.run("clusterer/ncut", points, kernel="gaussian", graph="knn", k=2)
    assert split(both.labels) == TWO


def test_a_square_array_is_a_similarity_only_when_that_is_said(points: Any) -> None:
    square = points[:, :1] @ points[:, :1].T
    square = np.exp(-((points[:, None] - points[None]) ** 2).sum(axis=2))
    as_features = coterie.run("clusterer/kmeans", square, k=2)
    assert as_features.noun.dataset.d == 60
    by_name = coterie.run("clusterer/ncut", square, affinity="precomputed", k=2)
    wrapped = coterie.run("clusterer/ncut", coterie.affinity(square), k=2)
    beside = coterie.run("clusterer/ncut", points, affinity=square, k=2)
    assert split(by_name.labels) == split(wrapped.labels) == split(beside.labels) == TWO
    assert beside.noun.dataset.d == 3


def test_sparse_matrices_stay_sparse(points: Any) -> None:
    data = csr_array(np.maximum(points, 0))
    reduced = coterie.run("transform/svd", data, components=2)
    assert reduced.to_numpy().shape == (60, 2)
    graph = coterie.run("graph/knn", points)
    assert graph.to_scipy().shape == (60, 60)
    assert graph.form == "sparse"


def test_texts_are_data() -> None:
    words = ["red green", "green red red", "one two", "two two one"]
    shared = coterie.run("kernel/bag-of-words", words)
    assert shared.n == 4
    assert shared.to_numpy()[0, 2] == 0 < shared.to_numpy()[0, 1]


def test_labels_scores_and_known_classes_may_be_bare_arrays(points: Any) -> None:
    truth = ["a"] * 30 + ["b"] * 30
    groups = coterie.run("clusterer/kmeans", coterie.dataset(points, truth=truth), k=2)
    assert coterie.run("metric/accuracy", groups).value == 1
    assert coterie.run("metric/nmi", np.arange(60) // 30, truth).value == pytest.approx(1)
    ranking = coterie.run("ranker/pagerank", points, groups, scope="within-cluster")
    assert sorted(ranking.order.tolist()) == list(range(60))


def test_what_was_learnt_is_applied_to_new_items(points: Any) -> None:
    scaled = coterie.run("transform/standardise", points)
    assert scaled.transform(points) == pytest.approx(scaled.to_numpy())
    groups = coterie.run("clusterer/kmeans", points, k=2)
    learnt = coterie.run("classifier/nearest", points, groups)
    assert np.array_equal(learnt.predict(points), groups.labels)
    assert refusal(lambda: coterie.run("clusterer/ncut", points, k=2).predict(points)) == "no-model"
    assert refusal(lambda: learnt.predict(points[:, :2])) == "columns-mismatch"


def test_the_automatic_answer_needs_no_choice_and_fills_in_what_is_missing(points: Any) -> None:
    holed = points.copy()
    holed[3, 1] = np.nan
    assert split(coterie.cluster(holed).labels) == TWO


def test_the_seed_decides_what_is_random(points: Any) -> None:
    one = coterie.run("transform/sample", points, size=10, seed=1).to_numpy()
    same = coterie.run("transform/sample", points, size=10, seed=1).to_numpy()
    other = coterie.run("transform/sample", points, size=10, seed=2).to_numpy()
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_progress_is_told_and_a_run_can_be_cancelled(points: Any) -> None:
    told: list[float] = []
    coterie.run("clusterer/kmeans", points, k=2, progress=lambda done, _: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 1
    stop = threading.Event()
    stop.set()
    with pytest.raises(coterie.Cancelled):
        coterie.run("clusterer/kmeans", points, k=2, cancel=stop)


def test_the_engine_of_another_process_finds_the_same(points: Any) -> None:
    here = coterie.run("clusterer/kmeans", points, k=2)
    there = coterie.run("clusterer/kmeans", points, k=2, engine="process")
    assert np.array_equal(here.labels, there.labels)
    assert set(here.parts) == set(there.parts)
    assert refusal(
        lambda: coterie.run("clusterer/kmeans", points, k=99, engine="process")
    ) == refusal(lambda: coterie.run("clusterer/kmeans", points, k=99))


def test_files_are_read_and_written(points: Any, tmp_path: Path) -> None:
    place = tmp_path / "points.csv"
    coterie.write(coterie.dataset(points, columns=["a", "b", "c"]), place)
    again = coterie.read(place)
    assert again.columns == ("a", "b", "c")
    assert np.array_equal(again.features, points)
    assert coterie.read("iris").n == 150
    table = tmp_path / "table.tab"  # may be similarities, or a table of Orange
    table.write_text("size\tkind\n1\ta\n2\tb\n3\ta\n")
    assert coterie.read(table).n == 3
    table.write_text("")
    assert refusal(lambda: coterie.read(table)) in ("file-empty", "empty-data", "wrong-format")
    assert refusal(lambda: coterie.read(tmp_path / "no.csv")) == "file-not-found"
    (tmp_path / "strange.xyz").write_text("?")
    assert refusal(lambda: coterie.read(tmp_path / "strange.xyz")) == "no-reader"
    assert refusal(lambda: coterie.write(points, tmp_path / "x.xyz")) == "wrong-extension"
    (tmp_path / "deep" / "inner").mkdir(parents=True)
    assert refusal(lambda: coterie.read(tmp_path / "deep")) == "no-reader"
    assert refusal(lambda: coterie.read("x.coterie.h5")) == "no-reader"


@pytest.mark.parametrize(
    ("code", "arguments", "options"),
    [
        ("unknown-method", ("clusterer/k-means",), {}),
        ("unknown-method", ("kmeans",), {}),
        ("unknown-method", ("clusterer/ncut",), {"kernel": "gausian"}),
        ("invalid-parameters", ("clusterer/kmeans",), {"k": "3"}),
        ("invalid-parameters", ("clusterer/kmeans",), {"clusters": 3}),
        ("invalid-parameters", ("clusterer/kmeans",), {"kernel": "gaussian"}),
        ("invalid-parameters", ("clusterer/ncut",), {"kernel": 3}),
        ("invalid-parameters", ("clusterer/ncut",), {"affinity": "cosine"}),
        ("invalid-parameters", ("clusterer/kmeans",), {"engine": "cloud"}),
        ("invalid-parameters", ("clusterer/kmeans",), {"seed": -1}),
        ("invalid-parameters", ("clusterer/kmeans",), {"progress": 3}),
        ("invalid-parameters", ("clusterer/kmeans",), {"cancel": 3}),
        ("invalid-parameters", (3,), {}),
        ("wrong-shape", ("clusterer/ncut",), {"affinity": "precomputed"}),
    ],
)
def test_wrong_requests_are_answered_in_a_sentence(
    points: Any, code: str, arguments: tuple[str], options: dict[str, Any]
) -> None:
    assert refusal(lambda: coterie.run(*arguments, points, **options)) == code


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("wrong-shape", np.zeros(5)),
        ("wrong-shape", np.zeros((5, 2, 2))),
        ("wrong-shape", 3.0),
        ("wrong-type", np.array([["a", 1], ["b", 2]], dtype=object)),
        ("wrong-type", np.array([["a", "b"], ["c", "d"]])),
        ("wrong-type", {"a": 1}),
        ("wrong-type", None),
        ("wrong-type", "points.csv"),
        ("wrong-type", [[1, 2], [3]]),
        ("complex-numbers", np.ones((4, 2)) * 1j),
        ("missing-values", np.array([[1.0, np.nan], [2.0, 3.0]])),
        ("missing-values", np.array([[1.0, np.inf], [2.0, 3.0]])),
        ("empty-data", np.zeros((0, 3))),
        ("empty-data", np.zeros((3, 0))),
    ],
)
def test_wrong_data_are_answered_in_a_sentence(code: str, data: Any) -> None:
    assert refusal(lambda: coterie.run("clusterer/kmeans", data, k=1)) == code


def test_names_of_items_are_one_for_each() -> None:
    assert refusal(lambda: coterie.dataset([[1.0], [2.0]], items="id")) == "wrong-type"


def test_nearest_names_are_suggested() -> None:
    with pytest.raises(coterie.CoterieError) as caught:
        coterie.run("clusterer/dominant-set", [[1.0]])
    assert "clusterer/dominant-sets" in str(caught.value)
    with pytest.raises(coterie.CoterieError) as caught:
        coterie.run("dominant-sets", [[1.0]])
    assert "clusterer/dominant-sets" in str(caught.value)


def test_objects_that_are_numbers_pass() -> None:
    data = np.array([[1, 2.5], [3, 4]], dtype=object)
    assert coterie.dataset(data).to_numpy().dtype == np.float64


def test_identifiers_of_classes_are_no_numbers_of_groups() -> None:
    """A group for each number up to a thousand million would fill the memory."""
    wanted = np.array([7, 7, 10**9, 10**9])
    assert coterie.run("metric/accuracy", np.array([0, 0, 1, 1]), wanted).value == 1.0


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one() -> None:
    with refuses("file-not-found", match="'iris'"):
        coterie.read("irsi")
    with refuses("invalid-parameters", match="'clusterer'"):
        coterie.methods("clusterers")

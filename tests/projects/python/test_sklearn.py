"""Estimators of scikit-learn: made for every method, checked, and working with its tools."""

import importlib.util
import inspect
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

import coterie
import coterie.sklearn
from coterie.core.errors import CoterieError
from coterie.registry import built_ins
from coterie.sklearn.names import KINDS, NOT_ESTIMATORS

_SPEC = importlib.util.spec_from_file_location(
    "sklearn_waivers", Path(__file__).with_name("sklearn_waivers.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
waivers = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(waivers)

USES = sorted(d.name for d in built_ins().catalogue if d.kind in KINDS)
ESTIMATORS = [use for use in USES if use not in NOT_ESTIMATORS]
QUICK = (
    "classifier/nearest",
    "clusterer/ncut",
    "embedder/pca",
    "kernel/gaussian",
    "ranker/pagerank",
    "transform/standardise",
)


@pytest.fixture(scope="module")
def points() -> Any:
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(size=(25, 3)), rng.normal(size=(25, 3)) + 7])


def checked(use: str) -> None:
    expected = waivers.EXPECTED.get(use, {})
    made = coterie.sklearn.estimator(use)(**waivers.PARAMS.get(use, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = check_estimator(
            made, on_fail=None, on_skip=None, expected_failed_checks=expected
        )
    failed = [(o["check_name"], str(o["exception"])) for o in outcomes if o["status"] == "failed"]
    assert failed == []
    waived = {o["check_name"] for o in outcomes if o["status"] == "xfail"}
    assert waived == set(expected), "a waiver that is not needed"


@pytest.mark.parametrize("use", QUICK)
def test_some_estimators_pass_the_checks_of_scikit_learn(use: str) -> None:
    checked(use)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("use", [u for u in ESTIMATORS if u not in (*QUICK, *waivers.OUTSIDE)])
def test_every_estimator_passes_the_checks_of_scikit_learn(use: str) -> None:
    checked(use)


def test_every_method_is_an_estimator_or_says_why_not() -> None:
    assert set(NOT_ESTIMATORS) <= set(USES)
    assert {c._use for c in coterie.sklearn.estimators(plugins=False)} == set(ESTIMATORS)
    assert set(waivers.OUTSIDE) | set(waivers.EXPECTED) | set(waivers.PARAMS) <= set(ESTIMATORS)
    with pytest.raises(CoterieError) as caught:
        coterie.sklearn.estimator("transform/sample")
    assert caught.value.code == "unknown-method"
    with pytest.raises(AttributeError):
        _ = coterie.sklearn.NoClusterer


@pytest.mark.parametrize("use", ESTIMATORS)
def test_classes_have_signatures_and_docstrings_of_their_own(use: str) -> None:
    made = coterie.sklearn.estimator(use)
    names = set(inspect.signature(made).parameters)
    assert set(coterie.describe(use).defaults) | {"random_state"} <= names
    assert getattr(coterie.sklearn, made.__name__) is made
    for name in names:
        assert f"{name} : default" in made.__doc__
    copy = clone(made())
    assert pickle.loads(pickle.dumps(copy)).get_params() == made().get_params()


def test_a_clusterer_finds_what_run_finds(points: Any) -> None:
    made = coterie.sklearn.NcutClusterer(k=2).fit(points)
    assert np.array_equal(made.labels_, coterie.run("clusterer/ncut", points, k=2).labels)
    assert made.n_clusters_ == 2
    assert made.result_.type == "clustering"
    by_kernel = coterie.sklearn.NcutClusterer(k=2, kernel=("gaussian", {"sigma": 2.0}))
    similar = coterie.run("kernel/gaussian", points, sigma=2.0)
    precomputed = coterie.sklearn.NcutClusterer(k=2, affinity="precomputed")
    assert np.array_equal(
        by_kernel.fit_predict(points), precomputed.fit_predict(similar.to_numpy())
    )


def test_estimators_work_in_pipelines_and_grids(points: Any) -> None:
    y = np.repeat([0, 1], 25)
    pipeline = make_pipeline(
        StandardScaler(), coterie.sklearn.PcaTransform(), coterie.sklearn.NearestClassifier()
    )
    grid = GridSearchCV(pipeline, {"nearestclassifier__neighbours": [1, 3]}, cv=3)
    assert grid.fit(points, y).best_score_ == 1
    assert grid.predict(points[:2]).tolist() == [0, 0]
    groups = make_pipeline(StandardScaler(), coterie.sklearn.KmeansClusterer(k=2))
    assert set(groups.fit_predict(points).tolist()) == {0, 1}


def test_probabilities_and_classes_by_name(points: Any) -> None:
    y = np.array(["a", "b"])[np.repeat([0, 1], 25)]
    made = coterie.sklearn.KernelBayesClassifier().fit(points, y)
    assert made.predict(points).tolist() == y.tolist()
    assert made.predict_proba(points).sum(axis=1) == pytest.approx(1)
    outlier = coterie.sklearn.DominantExtensionClassifier(outlier_label="none").fit(points, y)
    assert outlier.predict(np.full((1, 3), 1e3)).tolist() == ["none"]


def test_a_kernel_relates_new_items_to_the_fitted_ones(points: Any) -> None:
    new = points[:4] + 0.1
    made = coterie.sklearn.GaussianKernel().fit(points)
    sigma = made.result_.details["sigma"]
    distances = ((new[:, None] - points[None]) ** 2).sum(axis=2)
    assert made.transform(new) == pytest.approx(np.exp(-distances / (2 * sigma**2)))
    learnt = coterie.sklearn.ClusterKernel(max_components=3, initialisations=3).fit(points)
    assert learnt.transform(points) == pytest.approx(learnt.result_.to_numpy())
    y = np.repeat([0, 1], 25)
    svc = SVC(kernel=coterie.sklearn.GaussianKernel(sigma=2.0).pairwise).fit(points, y)
    assert svc.score(points, y) == 1


@pytest.mark.parametrize("name", ["Joint", "KernelPca", "LaplacianEigenmaps"])
def test_a_map_places_fitted_items_where_they_are(name: str, points: Any) -> None:
    made = getattr(coterie.sklearn, f"{name}Embedder")(kernel="gaussian")
    assert made.fit_transform(points) == pytest.approx(made.transform(points), abs=1e-9)


def test_a_ranker_scores_and_orders(points: Any) -> None:
    y = np.repeat([0, 1], 25)
    made = coterie.sklearn.PagerankRanker(scope="within-cluster").fit(points, y)
    assert sorted(made.order_.tolist()) == list(range(50))
    assert made.fit_score(points, y).shape == (50,)
    shares = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    assert coterie.sklearn.MembershipRanker().fit(shares).order_.tolist() == [0, 2, 1]


def test_labels_that_are_known_are_spread(points: Any) -> None:
    y = np.full(50, -1)
    y[[0, 30]] = 0, 1
    made = coterie.sklearn.TransductionClusterer().fit(points, y)
    assert made.labels_.tolist() == np.repeat([0, 1], 25).tolist()


def test_frames_with_categories_are_taken_as_they_are() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {"size": [1.0, 1.1, 9.0, 9.2] * 5, "kind": pd.Categorical(["a", "a", "b", "b"] * 5)}
    )
    made = coterie.sklearn.KPrototypesClusterer(k=2).fit(frame)
    assert made.feature_names_in_.tolist() == ["size", "kind"]
    assert made.n_features_in_ == 2
    assert len(set(made.labels_.tolist())) == 2
    assert np.array_equal(made.predict(frame), made.labels_)


def test_the_seed_follows_random_state(points: Any) -> None:
    maker = coterie.sklearn.KmeansClusterer
    seeds = [maker(k=2, random_state=state).fit(points).result_.seed for state in (3, 3, None)]
    assert seeds[:2] == [3, 3]
    generator = np.random.RandomState(0)
    assert maker(k=2, random_state=generator).fit(points).result_.seed >= 0


def test_wrong_input_is_answered_as_scikit_learn_does(points: Any) -> None:
    made = coterie.sklearn.KmeansClusterer(k=2)
    for data in (points[0], np.where(points > 0, points, np.nan), points[:0]):
        with pytest.raises(ValueError, match=r"Expected 2D|NaN|minimum"):
            made.fit(data)
    with pytest.raises(ValueError, match="integer"):
        coterie.sklearn.KmeansClusterer(k="2").fit(points)


@pytest.mark.parametrize("use", waivers.OUTSIDE)
def test_estimators_outside_the_checks_fit_data_of_their_own(use: str, points: Any) -> None:
    maker = coterie.sklearn.estimator(use)
    if "euler" in use:
        made = make_pipeline(MinMaxScaler(), maker()).fit(points)
        assert made[-1].result_.seconds >= 0
    elif use in waivers.COUNTS:
        counts = np.random.default_rng(0).integers(0, 2, size=(12, 5)).astype(float)
        assert maker().fit_transform(counts).shape == (12, 12)
        with pytest.raises(CoterieError):
            maker().fit(counts + 0.5)
    elif use == "transform/visual-words":
        pictures = np.random.default_rng(0).random((6, 32 * 32))
        with pytest.raises(CoterieError):
            maker(words=4, levels=1).fit(pictures)  # an array does not say that it is pictures
    else:
        pixels = np.random.default_rng(0).random((64, 2))
        asked: dict[str, dict[str, Any]] = {
            "transform/band-math": {"formulas": ["x1 / x2"]},
            "transform/change": {"what": "difference"},
            "transform/compute": {"expression": "x1 / x2"},
            "transform/texture": {"column": "x1", "height": 8},
        }
        made = maker(**asked.get(use, {"height": 8}))
        assert len(made.fit_transform(pixels)) == 64


def test_a_plugin_is_an_estimator_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from coterie.registry import all_methods
    from coterie.sklearn.classes import estimator
    from coterie.sklearn.names import class_names

    (tmp_path / "halves.py").write_text(
        "import numpy as np\n"
        "from coterie.core import Clusterer, Field\n\n"
        "class Halves(Clusterer):\n"
        '    """The lower and the upper half of a column."""\n'
        '    id, title, needs = "halves", "Halves", ("dataset",)\n\n'
        "    class Params(Clusterer.Params):\n"
        '        column: int = Field(0, ge=0, description="Which column.")\n\n'
        "    def compute(self, data, *, params, context):\n"
        "        x = data.dense_features()[:, params.column]\n"
        "        return (x > np.median(x)).astype(int)\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("COTERIE_PLUGINS", str(tmp_path))
    caches = (all_methods, class_names, estimator)
    try:
        for cache in caches:
            cache.cache_clear()
        made = coterie.sklearn.LocalHalvesClusterer(column=1)
        assert made.fit([[0, 1], [0, 2], [0, 8], [0, 9]]).labels_.tolist() == [0, 0, 1, 1]
        assert coterie.run("clusterer/local:halves", [[1.0], [2.0]]).labels.tolist() == [0, 1]
    finally:
        for cache in caches:
            cache.cache_clear()

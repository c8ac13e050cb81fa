"""Classifiers that learn from labelled items: random forest, support vectors, and the like."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, Context, Dataset, Model, Output, Score
from coterie.core.numerics.partitions.held_out import held_out, score_of
from coterie.core.numerics.partitions.trained_classifier import TrainedClassifier
from coterie.plugins.classifiers.maximum_likelihood import MaximumLikelihood
from coterie.plugins.classifiers.random_forest import RandomForest
from coterie.plugins.classifiers.spectral_angle import SpectralAngle
from coterie.plugins.classifiers.support_vectors import SupportVectors
from coterie.plugins.clusterers.known_classes import KnownClasses
from tests.refusals import refuses
from tests.rounding import rounding

ALL = (RandomForest, SupportVectors, MaximumLikelihood, SpectralAngle)


def lesson(n: int = 120, seed: int = 0, **fields: Any) -> tuple[Dataset, Clustering]:
    """Three groups in different directions from the origin, far apart."""
    rng = np.random.default_rng(seed)
    centres = np.array([[9.0, 1.0, 1.0], [1.0, 9.0, 1.0], [1.0, 1.0, 9.0]])
    y = np.arange(n) % 3
    X = centres[y] + 0.3 * rng.normal(size=(n, 3))
    data = Dataset(title="three", features=X, **fields)
    return data, Clustering(dataset=data, labels=y, names=("a", "b", "c"))


def taught(
    method: type[TrainedClassifier], **params: Any
) -> tuple[TrainedClassifier, Model, Output]:
    data, groups = lesson()
    component = method()
    found = component.compute(data, groups, params=method.Params(**params), context=Context(seed=1))
    assert isinstance(found.main, Model)
    return component, found.main, found


@pytest.mark.parametrize("method", ALL)
def test_new_items_get_the_group_of_their_like(method: type[TrainedClassifier]) -> None:
    component, model, output = taught(method)
    data, groups = lesson(seed=5)
    found = component.apply(model, data, Context())
    assert np.array_equal(found.labels, groups.labels)
    assert found.names == ("a", "b", "c")
    assert found.membership is not None
    assert np.allclose(np.asarray(found.membership).sum(axis=1), 1)
    score = output.parts["accuracy"]
    assert isinstance(score, Score)
    assert score.value == 1.0


@pytest.mark.parametrize("method", ALL)
def test_the_model_is_arrays_and_json_alone(method: type[TrainedClassifier]) -> None:
    component, model, _ = taught(method)
    again = Model(
        arrays={name: np.array(a) for name, a in model.arrays.items()}, settings=model.settings
    )
    new, _ = lesson(seed=6)
    one, other = (component.apply(m, new, Context()).membership for m in (model, again))
    assert np.array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize("method", ALL)
def test_one_class_only_is_refused(method: type[TrainedClassifier]) -> None:
    data, _ = lesson()
    with refuses("too-few-groups"):
        method().compute(
            data,
            Clustering(dataset=data, labels=np.zeros(data.n, dtype=int)),
            params=method.Params(),
            context=Context(),
        )


def test_the_posterior_is_that_of_two_normal_distributions() -> None:
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(0, 1, (4000, 1)), rng.normal(3, 2, (4000, 1))])
    data = Dataset(features=X)
    groups = Clustering(dataset=data, labels=np.repeat([0, 1], 4000))
    params = MaximumLikelihood.Params(shrinkage=0, held_out=0)
    model = MaximumLikelihood().compute(data, groups, params=params, context=Context()).main
    new = Dataset(features=np.array([[-1.0], [1.5], [4.0]]))
    found = np.asarray(MaximumLikelihood().apply(model, new, Context()).membership)  # type: ignore[arg-type]
    x = np.asarray(new.features)[:, 0]
    one, two = np.exp(-(x**2) / 2), np.exp(-((x - 3) ** 2) / 8) / 2
    # Estimated from 4,000 items each, so within a few standard errors of 1/√4000.
    assert np.allclose(found[:, 0], one / (one + two), atol=0.05)


def test_brightness_does_not_change_the_spectral_angle() -> None:
    component, model, _ = taught(SpectralAngle, max_angle=0.3)
    data, groups = lesson(seed=8)
    shadow = replace(data, features=np.asarray(data.features) * 0.1)
    assert np.array_equal(component.apply(model, shadow, Context()).labels, groups.labels)
    odd = Dataset(features=np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]))
    assert component.apply(model, odd, Context()).labels.tolist() == [-1, -1]


def test_a_forest_that_leads_out_of_its_nodes_is_refused() -> None:
    component, model, _ = taught(RandomForest, trees=3)
    left = np.array(model.arrays["left_child"])
    left[0] = 10**6
    bad = Model(arrays={**model.arrays, "left_child": left}, settings=model.settings)
    with refuses("invalid-result"):
        component.apply(bad, lesson()[0], Context())


def test_a_forest_answers_as_the_library_does() -> None:
    from sklearn.ensemble import RandomForestClassifier

    data, groups = lesson(seed=9)
    X, y = np.asarray(data.features), groups.labels
    params = RandomForest.Params(trees=20, held_out=0)
    context = Context(seed=4)
    model = RandomForest().compute(data, groups, params=params, context=context).main
    state = int(Context(seed=4).rng.integers(1 << 31))
    forest = RandomForestClassifier(20, random_state=state).fit(X, y)
    new = np.random.default_rng(1).uniform(0, 10, (200, 3))
    found = RandomForest().apply(model, Dataset(features=new), Context())  # type: ignore[arg-type]
    assert np.allclose(np.asarray(found.membership), forest.predict_proba(new), atol=rounding(20))


# Held out


def test_whole_squares_of_a_scene_are_held_out_and_every_class_keeps_some() -> None:
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 1200, (2, 900))
    labels = rng.integers(0, 3, 900)
    out, by_place = held_out(labels, 0.25, rng, {"rows": rows, "columns": columns})
    assert by_place
    assert 0.1 < out.mean() <= 0.25
    for group in range(3):
        squares = (rows // 100) * 100 + columns // 100
        mine = labels == group
        assert not set(squares[mine & out]) & set(squares[mine & ~out])


def test_of_two_large_strokes_the_smaller_is_held_out() -> None:
    rows = np.array([0] * 60 + [100] * 40 + [50] * 30 + [0] * 70)
    columns = np.array([0] * 60 + [100] * 40 + [0] * 30 + [100] * 70)
    labels = np.array([0] * 100 + [1] * 100)
    rng = np.random.default_rng(0)
    out, _ = held_out(labels, 0.25, rng, {"rows": rows, "columns": columns})
    assert out.tolist() == [False] * 60 + [True] * 70 + [False] * 70


def test_a_group_that_nothing_was_held_out_of_is_named() -> None:
    score = score_of(np.array([0, 1]), np.array([0, 0]), ("cloud", "land"), 2)
    assert "'land'" in score.notes[0]


def test_items_are_held_out_where_no_places_are_known() -> None:
    labels = np.array([0, 0, 0, 0, 1])
    out, by_place = held_out(labels, 0.5, np.random.default_rng(0))
    assert not by_place
    assert out[:4].sum() == 2
    assert not out[4]


# Known classes


def test_known_classes_are_groups_with_their_names() -> None:
    data = Dataset(
        features=np.zeros((4, 1)), truth=np.array([2, -1, 0, 2]), truth_names=("x", "y", "z")
    )
    found = KnownClasses().compute(data, params=KnownClasses.Params(), context=Context())
    assert found.labels.tolist() == [1, -1, 0, 1]
    assert found.names == ("x", "z")
    with refuses("known-classes-needed"):
        bare = Dataset(features=np.zeros((4, 1)))
        KnownClasses().compute(bare, params=KnownClasses.Params(), context=Context())


@pytest.mark.parametrize("scene", ["cloud_scene_sentinel2.npz", "scenes/cloud_scene_landsat5.npz"])
def test_four_hundred_labels_find_clouds_as_well_as_the_librarys_forest(
    realdata: Path, scene: str
) -> None:
    from sklearn.ensemble import RandomForestClassifier

    with np.load(realdata / scene) as file:
        X = file["img"].reshape(-1, 6).astype(float)
        y = (file["msk"].reshape(-1) == 4).astype(int)
    rng = np.random.default_rng(0)
    chosen, judged = rng.choice(len(X), 400, replace=False), rng.choice(len(X), 20_000)
    data = Dataset(features=X[chosen])
    groups = Clustering(dataset=data, labels=y[chosen])
    params = RandomForest.Params(held_out=0)
    model = RandomForest().compute(data, groups, params=params, context=Context()).main
    mine = RandomForest().apply(model, Dataset(features=X[judged]), Context()).labels  # type: ignore[arg-type]
    theirs = RandomForestClassifier(100, random_state=0).fit(X[chosen], y[chosen])

    def iou(found: Any) -> float:
        both, either = (found == 1) & (y[judged] == 1), (found == 1) | (y[judged] == 1)
        return float(both.sum() / either.sum())

    assert iou(mine) > iou(theirs.predict(X[judged])) - 0.03  # two draws of a forest differ by .01

"""What a result gives to a notebook: arrays, words, pictures."""

from typing import Any

import numpy as np
import pytest

import coterie
from coterie.core.errors import CoterieError


@pytest.fixture(scope="module")
def groups() -> Any:
    rng = np.random.default_rng(1)
    points = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 9])
    return coterie.run("clusterer/kmeans", points, k=2)


def test_a_result_is_its_noun_an_array_and_its_parts(groups: Any) -> None:
    assert groups.k == 2
    assert np.array_equal(np.asarray(groups), groups.labels)
    assert len(groups) == 40
    assert "labels" in dir(groups)
    assert groups.trace.type == "trace"
    with pytest.raises(AttributeError):
        _ = groups.scores


def test_a_notebook_shows_words_and_a_picture(groups: Any) -> None:
    page = groups._repr_html_()
    assert "2 groups of 20 and 20 items" in page
    assert "data:image/png;base64," in page
    strange = coterie.dataset([[1.0]], columns=["<script>"])
    assert "<script>" not in strange._repr_html_()


def test_a_figure_is_axes_of_its_own_or_of_somebody(groups: Any) -> None:
    from matplotlib.figure import Figure

    axes = groups.plot()
    assert len(axes.collections) == 2
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert groups.plot(left, title="ours") is left
    assert left.get_title(loc="left") or left.get_title() == "ours"
    assert left.get_legend() is not None
    assert not right.collections
    figure.canvas.draw()


def test_what_has_no_figure_says_so(groups: Any) -> None:
    model = coterie.run("classifier/nearest", groups.noun.dataset, groups)
    with pytest.raises(CoterieError) as caught:
        model.plot()
    assert caught.value.code == "not-exportable"
    assert "Model" in model._repr_html_()


def test_memberships_are_probabilities_where_there_are_any(groups: Any) -> None:
    data = groups.noun.dataset
    learnt = coterie.run("classifier/kernel-bayes", data, groups)
    shares = learnt.predict_proba(data)
    assert shares.shape == (40, 2)
    assert shares.sum(axis=1) == pytest.approx(1)

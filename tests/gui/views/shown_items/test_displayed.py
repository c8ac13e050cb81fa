"""Which artefacts are looked at."""

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.formats.rasters.scene import Band, Scene, raster_dataset
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering, Trace
from coterie.gui.views.shown_items.displayed import look, opened, same_items
from tests.gui import prepared


def test_nothing_is_shown_of_an_empty_project(new_session: Any) -> None:
    assert look(new_session()).dataset is None


def test_the_newest_of_each_kind_is_shown(session: Any) -> None:
    shown = look(session)
    assert shown.clustering_step == "groups"
    assert shown.embedding_step == "plane"
    assert shown.ranking_step == "order"
    assert shown.trace_step == "groups"


def test_a_chosen_clustering_comes_before_a_newer_one(new_session: Any) -> None:
    data = prepared.blobs(50)
    recipe = prepared.RECIPE.with_step(Step("later", "clusterer/dominant-sets", ("near",)))
    session = new_session(prepared.solved(data), recipe)
    session.put("later", Clustering(labels=np.asarray(data.truth)))
    assert look(session).clustering_step == "later"
    assert look(session, "groups").clustering_step == "groups"


def test_a_chosen_ranking_brings_the_clustering_it_was_made_from(new_session: Any) -> None:
    data = prepared.blobs(50)
    recipe = prepared.RECIPE.with_step(Step("later", "clusterer/dominant-sets", ("near",)))
    session = new_session(prepared.solved(data), recipe)
    session.put("later", Clustering(labels=np.asarray(data.truth)))
    assert look(session, "order").clustering_step == "groups"


def test_a_step_of_other_items_is_not_mixed_in(new_session: Any) -> None:
    recipe = Recipe(
        sources=(Source("data", "a"), Source("more", "b")),
        steps=(Step("groups", "clusterer/dominant-sets", ("data",)),),
    )
    data, more = prepared.blobs(50), prepared.blobs(60)
    found = Clustering(labels=np.asarray(data.truth))
    session = new_session({"data": data, "more": more, "groups": found}, recipe)
    assert look(session, "more").clustering is None
    assert look(session, "more").dataset is session.results.artefact("more")
    assert not same_items(session, "groups", "more")
    assert same_items(session, "groups", "data")


def test_affinities_are_not_loaded_just_to_see_what_they_are(session: Any) -> None:
    asked = []
    artefact = session.results.artefact

    def watched(name: str, part: str = "") -> Any:
        asked.append(name)
        return artefact(name, part)

    session.results.artefact = watched
    look(session, "near")
    assert "near" not in asked


def test_an_unknown_choice_is_no_choice(session: Any) -> None:
    assert look(session, "gone").clustering_step == "groups"


def test_results_about_a_sample_are_shown_with_the_sample(new_session: Any) -> None:
    data = prepared.blobs(40)
    some = replace(data.take(np.arange(10)), details={"positions": list(range(10))})
    recipe = Recipe(
        sources=(Source("data", "blobs"),),
        steps=(
            Step("some", "transform/sample", ("data",)),
            Step("scaled", "transform/minmax", ("some",)),
            Step("groups", "clusterer/kmeans", ("scaled",)),
        ),
    )
    groups = Clustering(labels=np.zeros(10, dtype=np.int64), dataset=some)
    session = new_session({"data": data, "some": some, "scaled": some}, recipe)
    found = session.results.artefact
    assert look(session).dataset is found("data")
    session.put("groups", groups)
    assert look(session).dataset is found("some")
    assert look(session).dataset_step == "some"
    assert look(session).clustering is found("groups")
    assert look(session, "data").dataset is found("data")


def test_pixels_on_disk_are_not_shown_but_their_sample_is(new_session: Any) -> None:
    scene = Scene("/nowhere.tif", (Band("red"),), 100, 100)
    data = raster_dataset(scene)
    recipe = Recipe(
        sources=(Source("data", "scene.tif"),),
        steps=(Step("some", "transform/sample", ("data",)),),
    )
    session = new_session({"data": data}, recipe)
    assert look(session).dataset is None
    assert look(session, "data").dataset is None
    assert opened(session) is session.results.artefact("data")
    session.put("some", Dataset(features=np.zeros((5, 1))))
    assert look(session).dataset is session.results.artefact("some")


def test_a_history_in_which_something_moved_comes_before_a_newer_one(new_session: Any) -> None:
    session = new_session(prepared.solved(prepared.blobs(50)), prepared.RECIPE)
    whole = session.results.artefact("groups", "trace")
    values = {name: column[:1] for name, column in whole.values.items()}
    session.put("plane", Trace(iterations=whole.iterations[:1], values=values), "trace")
    assert look(session).trace_step == "groups"
    assert look(session, "plane").trace_step == "plane"
    level = np.ones(len(whole.iterations))
    flat = replace(whole, values={**whole.values, "objective": level, "residual": 0 * level})
    session.put("plane", flat, "trace")
    assert look(session).trace_step == "groups"
    bare = replace(whole, shares=None, share_iterations=None, labels=None, label_iterations=None)
    session.put("plane", bare, "trace")
    assert look(session).trace_step == "groups"
    session.put("order", whole, "trace")  # the walk of a ranking
    assert look(session).trace_step == "groups"
    assert look(session, "order").trace_step == "order"

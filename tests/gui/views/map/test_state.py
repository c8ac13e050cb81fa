"""What the Map view shows, without Qt."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.formats.rasters.scene import Band, Scene, raster_dataset
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering, Ranking
from coterie.gui.views.map.accuracy.state import judge
from coterie.gui.views.map.labelling.run import LabellingRun
from coterie.gui.views.map.labelling.state import Made, why_not
from coterie.gui.views.map.state import MapState
from coterie.projects.jobs.classify_scene import MapRequest
from coterie.projects.jobs.job import EngineJob
from tests.gui import prepared


@pytest.fixture
def pixels(new_session: Any) -> Any:
    """A session whose 300 items are the pixels of a picture."""
    data = replace(prepared.blobs(), details={"height": 15, "width": 20})
    return new_session(prepared.solved(data), prepared.RECIPE)


def sampled(new_session: Any) -> Any:
    """A session with a sample of 30 pixels of a scene on disk."""
    scene = Scene("/nowhere.tif", tuple(Band(f"b{i}") for i in range(4)), 100, 120)
    places = np.sort(np.random.default_rng(0).choice(scene.n, 30, replace=False))
    some = Dataset(
        features=np.random.default_rng(1).random((30, 4)),
        columns=scene.band_names,
        details={"scene": scene.as_json(), "positions": places.tolist()},
    )
    labels = np.arange(30) % 3
    recipe = Recipe(
        sources=(Source("data", "nowhere.tif"),),
        steps=(
            Step("some", "transform/sample", ("data",)),
            Step("groups", "clusterer/kmeans", ("some",)),
            Step("order", "ranker/membership", ("groups",)),
        ),
    )
    artefacts = {
        "data": raster_dataset(scene),
        "some": some,
        "groups": Clustering(labels=labels, dataset=some),
        "order": Ranking(scores=np.arange(30.0), dataset=some),
    }
    return new_session(artefacts, recipe)


def shown(session: Any) -> MapState:
    state = MapState(session)
    state.update()
    return state


def keys(state: MapState, selected: Any = None) -> list[str]:
    mask = np.zeros(state.n, dtype=bool) if selected is None else selected
    return [layer.key for layer in state.layers(mask, dark=False)]


def test_a_picture_is_covered_by_its_items(pixels: Any) -> None:
    state = shown(pixels)
    assert not state.emptiness
    assert state.full
    assert keys(state) == ["scene", "groups", "truth", "rank", "selection"]
    assert state.item_at(3.5, 2.5, 1.0) == 2 * 20 + 3
    assert state.item_at(30.0, 2.5, 1.0) is None
    inside = state.inside(np.array([[0, 0], [5, 0], [5, 2], [0, 2]]))
    assert np.flatnonzero(inside).tolist() == [0, 1, 2, 3, 4, 20, 21, 22, 23, 24]
    assert "row 3, column 4" in state.where(3.5, 2.5)


def test_a_sample_lies_on_its_scene_as_dots(new_session: Any) -> None:
    session = sampled(new_session)
    state = shown(session)
    assert state.n == 30
    assert not state.full
    layers = {layer.key: layer for layer in state.layers(np.zeros(30, dtype=bool), dark=False)}
    assert set(layers) == {"scene", "groups", "rank", "selection"}
    groups = layers["groups"]
    assert groups.is_dots
    assert groups.rows is not None
    assert groups.columns is not None
    positions = groups.rows * 120 + groups.columns
    assert positions.tolist() == session.results.artefact("some").details["positions"]
    at = state.item_at(groups.columns[7] + 0.5, groups.rows[7] + 0.5, 3.0)
    assert at == 7
    # Choosing the scene itself in the tree does not take the sample off the map.
    state.chosen = "data"
    state.update()
    assert state.n == 30


def test_classes_recolour_the_groups_and_are_kept(new_session: Any) -> None:
    session = sampled(new_session)
    session.project.modified = False
    state = shown(session)
    assert state.classes is not None
    before = state.layers(np.zeros(30, dtype=bool), dark=False)[1]
    state.classes.merge((0, 2), "cloud")
    state.keep_classes()
    assert session.project.modified
    state.update()
    after = state.layers(np.zeros(30, dtype=bool), dark=False)[1]
    assert after.version != before.version
    assert [(e.name, e.count) for e in after.entries] == [("cloud", 20), ("group 2", 10)]
    assert np.flatnonzero(state.members("groups", 0)).tolist() == [
        i for i in range(30) if i % 3 != 1
    ]


def test_look_and_layers_are_kept_in_the_project(pixels: Any) -> None:
    state = shown(pixels)
    state.choose_look(bands=(3, 1, 0), low=5.0, gamma=1.5)
    state.change_layer("truth", visible=True, opacity=0.25)
    again = shown(pixels)
    assert again.look == state.look
    assert (again.setting("truth").visible, again.setting("truth").opacity) == (True, 0.25)
    pixels.view["map"] = {"bands": ["gone"], "low": "x", "layers": {"truth": {"opacity": 7}}}
    assert shown(pixels).look.low == 2.0


def test_what_covers_every_pixel_lets_the_scene_through(pixels: Any, new_session: Any) -> None:
    state = shown(pixels)
    assert state.setting("groups").opacity < 1
    state.change_layer("groups", visible=False)
    assert state.setting("groups").opacity < 1
    assert shown(sampled(new_session)).setting("groups").opacity == 1


def test_errors_come_with_a_verdict(pixels: Any) -> None:
    state = shown(pixels)
    judged, known = state.judged(), state.truth_codes()
    assert judged is not None
    assert known is not None
    state.counted = judge(judged[0], known, judged[1], state.truth_names())
    assert state.verdict is not None
    assert state.verdict.accuracy.overall == 1.0
    assert "errors" in keys(state)
    state.error_of = 1
    layer = next(x for x in state.layers(np.zeros(300, bool), dark=False) if x.key == "errors")
    assert [entry.name for entry in layer.entries] == ["right", "missed", "false"]


def test_a_table_has_no_map(session: Any, new_session: Any) -> None:
    assert shown(session).emptiness.startswith("These items are not pixels")
    assert shown(new_session()).emptiness.startswith("Open a file")


def test_a_map_that_is_gone_is_not_remembered(pixels: Any, tmp_path: Path) -> None:
    made = Made(tmp_path / "map.tif", ("a", "unclassified"), ("#112233", "#808080"))
    pixels.view["map_file"] = made.as_json()
    assert shown(pixels).made is None
    made.path.write_bytes(b"here")
    assert shown(pixels).made == made


def test_the_legend_of_a_map_tells_how_many_pixels_each_class_has(
    pixels: Any, tmp_path: Path
) -> None:
    made = Made(tmp_path / "map.tif", ("a", "b", "unclassified"), ("#112233", "#445566", "#808080"))
    made.path.write_bytes(b"here")
    table = tmp_path / "map.csv"
    table.write_text("value,class,pixels,share\n0,a,12,0.2\n1,b,34,0.8\n")
    pixels.view["map_file"] = made.as_json()

    def told() -> list[tuple[str, int]]:
        state = shown(pixels)
        layers = state.layers(np.zeros(state.n, dtype=bool), dark=False)
        layer = next(layer for layer in layers if layer.key == "map")
        return [(entry.name, entry.count) for entry in layer.entries]

    assert told() == [("a", 12), ("b", 34)]
    unknown = [("a", -1), ("b", -1), ("unclassified", -1)]
    for text in ("value,class,pixels\n0,other,12\n", "nonsense", "class,pixels\na,many\n"):
        table.write_text(text)
        assert told() == unknown
    table.unlink()
    assert told() == unknown


def test_a_scene_without_groups_cannot_be_labelled(new_session: Any) -> None:
    session = sampled(new_session)
    state = shown(session)
    assert not why_not(session, state.ground, clustered=True)
    assert "sample" in why_not(session, state.ground, clustered=False)


class Labelling:
    """The part of a session that labels scenes."""

    running = None

    def __init__(self) -> None:
        self.asked: list[MapRequest] = []
        self.states = {"near": "stale"}
        self.cancelled = False
        self.maps = self

    def status(self, name: str) -> str:
        return self.states[name]

    def run(self, name: str) -> None:
        self.states[name] = "running"

    def add(self, request: MapRequest) -> None:
        self.asked.append(request)

    def cancel(self) -> None:
        self.cancelled = True


def test_the_classifier_runs_first_and_a_stopped_run_is_resumed(tmp_path: Path) -> None:
    session: Any = Labelling()
    request = MapRequest(Path("s.tif"), tmp_path / "m.tif", "near")
    made = Made(request.target, ("a",), ("#000000",), complete=False)
    run = LabellingRun(session)
    tiles: list[Any] = []
    run.tile_done.connect(tiles.append)
    run.begin("near", lambda: (request, made))
    assert (run.phase, session.asked) == ("learning", [])
    session.states["near"] = "fresh"
    run.on_step("near")
    assert run.phase == "labelling"
    session.running = job = EngineJob(1, "", "", done=0.5, title=request.title)
    run.on_job(job)
    assert run.done == 0.5
    run.on_event(request.target, "tile", {"rows": [0, 4], "columns": [4, 8]})
    assert tiles[0].shape == (4, 4)
    run.cancel()
    assert session.cancelled
    run.on_job(replace(job, state="cancelled"))
    assert str(run.phase) == "stopped"
    run.resume()
    assert session.asked == [request, request]
    run.on_mapped(tmp_path / "other.tif", [])
    assert run.phase == "labelling"
    run.on_mapped(request.target, ["done"])
    assert str(run.phase) == "done"
    assert run.made is not None
    assert run.made.complete


def test_what_is_undone_in_the_project_is_undone_on_the_map(new_session: Any) -> None:
    session = sampled(new_session)
    state = shown(session)
    assert state.ground is not None
    corners = np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]])
    state.keep_regions(state.regions.added("field", corners, state.ground), "keep field")
    state.update()
    first = state.regions
    assert [region.name for region in first.listed] == ["field"]
    kept = session.view["regions"]
    state.keep_regions(first.renamed(0, "wood"), "rename field")
    session.view["regions"] = kept
    state.update()
    assert [region.name for region in state.regions.listed] == ["field"]
    del session.view["regions"]
    state.update()
    assert not state.regions.listed
    assert state.classes is not None
    state.classes.rename(0, "water")
    state.keep_classes("name group 1")
    del session.view["classes"]
    state.update()
    assert state.classes.name_of(0) == "group 1"

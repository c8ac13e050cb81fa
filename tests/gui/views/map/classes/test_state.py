"""Groups named, coloured and merged; regions; what a map makes of the truth."""

import json
from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.formats.maps.error_maps import FALSE, MISSED, RIGHT, compared
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.windows import Window
from coterie.gui.views.map.accuracy.ground_truth import ReferenceClasses
from coterie.gui.views.map.accuracy.state import judge
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.classes.state import Classes
from coterie.gui.views.map.layers.class_sources import (
    ArrayCodes,
    ErrorCodes,
    PartialCodes,
    coloured,
)
from coterie.gui.views.map.regions.state import Region, RegionList, pixels_inside
from coterie.gui.views.map.spectra import of_items, of_region

GROUND = Ground("", 20, 30, ("a", "b"), crs="EPSG:32633", transform=(10, 0, 500, 0, -10, 900))
SQUARE = np.array([[2.0, 3.0], [12.0, 3.0], [12.0, 9.0], [2.0, 9.0]])


def test_groups_of_one_name_are_one_class() -> None:
    classes = Classes(("group 1", "group 2", "group 3"))
    assert not classes.changed
    classes.merge((0, 2), "cloud")
    classes.recolour("cloud", "#FFFFFF")
    listed = classes.listed(dark=False)
    assert [(c.name, c.groups) for c in listed] == [("cloud", (0, 2)), ("group 2", (1,))]
    assert classes.colours(dark=True)[0].tolist() == [255, 255, 255]
    assert classes.of_labels(np.array([0, 1, 2, -1])).tolist() == [0, 1, 0, -1]
    again = Classes(classes.groups, json.loads(json.dumps(classes.as_json())))
    assert again.as_json() == classes.as_json()
    classes.reset()
    assert not classes.changed


def test_the_written_map_has_the_classes_of_the_window() -> None:
    classes = Classes(("group 1", "group 2", "group 3"))
    classes.merge((1, 2), "thin, = cloud")
    table = class_table(3, (), classes.merge_texts())
    assert table.names == ("group 1", "thin cloud", "unclassified")
    assert table.of_group.tolist() == classes.of_labels(np.arange(3)).tolist()


@pytest.mark.parametrize("kept", [None, [], {"names": {"9": "x", "a": 1}, "colours": {"y": "red"}}])
def test_what_was_kept_and_does_not_fit_is_passed_over(kept: object) -> None:
    assert not Classes(("one", "two"), kept).changed


def test_a_region_survives_a_geojson_file(tmp_path: Path) -> None:
    regions = RegionList().added("lake", SQUARE, GROUND)
    assert regions.free_name() == "region 1"
    path = tmp_path / "regions.geojson"
    regions.write(path, GROUND)
    kept = json.loads(path.read_text())
    assert kept["crs"]["properties"]["name"].endswith("EPSG::32633")
    assert kept["features"][0]["geometry"]["coordinates"][0][0] == [520.0, 870.0]
    (again,) = RegionList.read(path).listed
    assert again.name == "lake"
    np.testing.assert_allclose(again.in_pixels(GROUND), SQUARE)
    assert not regions.renamed(0, "pond").without(0).listed


@pytest.mark.parametrize(
    "text", ["no json", "{}", '{"features": [{"geometry": {"type": "Point"}}]}',
             '{"features": [{"geometry": {"type": "Polygon", "coordinates": [[[0, 0]]]}}]}']
)  # fmt: skip
def test_a_file_that_holds_no_regions_is_refused_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.geojson"
    path.write_text(text)
    with pytest.raises(DataError):
        RegionList.read(path)


def test_pixels_of_a_region_are_those_whose_centres_lie_in_it() -> None:
    place, inside = pixels_inside(SQUARE, 20, 30, 512)
    assert place == (3, 2, 9, 12)
    assert inside.all()
    triangle = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    _, inside = pixels_inside(triangle, 20, 30, 512)
    assert inside.sum() == sum(1 for r in range(8) for c in range(8) if r + c + 1 < 8)
    assert pixels_inside(SQUARE + 100, 20, 30, 512)[0] is None


def test_the_spectrum_of_a_region_is_the_mean_of_its_pixels() -> None:
    values = np.random.default_rng(0).random((20, 30, 2))
    ground = Ground("", 20, 30, ("a", "b"), picture=values)
    corners = np.array([ground.to_map(x, y) for x, y in SQUARE])
    found = of_region(ground, Region("r", corners))
    assert found is not None
    taken = values[3:9, 2:12].reshape(-1, 2)
    np.testing.assert_allclose(found.values, taken.mean(axis=0))
    assert found.spread is not None
    np.testing.assert_allclose(found.spread, taken.std(axis=0))
    assert found.count == 60
    one = of_items("s", taken, np.array([4]))
    assert one is not None
    assert one.spread is None
    assert of_items("s", taken, np.array([], dtype=int)) is None


def test_errors_are_right_missed_or_false_of_one_class() -> None:
    rng = np.random.default_rng(1)
    made, known = rng.integers(-1, 3, 500), rng.integers(-1, 2, 500)
    into = (1, 0, 1)
    found = compared(made, known, into, of=1)
    for m, k, verdict in zip(made, known, found, strict=True):
        if m < 0 or k < 0:
            assert verdict == -1
        else:
            pairs = {(True, True): RIGHT, (False, True): MISSED, (True, False): FALSE}
            assert verdict == pairs.get((into[m] == 1, k == 1), -1)
    codes = ErrorCodes(ArrayCodes(made.reshape(20, 25)), ArrayCodes(known.reshape(20, 25)), into, 1)
    window = Window(0, 0, 20, 25)
    assert codes.read(window, (20, 25)).ravel().tolist() == found.tolist()


def test_a_verdict_follows_its_matching() -> None:
    made = ArrayCodes(np.array([[0, 0, 1], [1, 2, -1]]))
    known = ArrayCodes(np.array([[0, 0, 1], [0, 1, 1]]))
    verdict = judge(made, known, ("land", "b", "c"), ("land", "cloud"))
    assert verdict.into[0] == 0
    assert verdict.mapped.tolist() == [2, 2, 1]
    chosen = ReferenceClasses(("land", "cloud")).standing("b", "land").standing("c", "land")
    other = chosen.judged(verdict)
    assert other.accuracy.counts.tolist() == [[3, 2], [0, 0]]
    assert other.accuracy.overall == pytest.approx(0.6)


def test_colours_of_no_class_are_seen_through() -> None:
    colours = np.array([[1, 2, 3]], dtype=np.uint8)
    seen = coloured(np.array([[0, -1, 7]]), colours)
    assert seen.tolist() == [[[1, 2, 3, 255], [0, 0, 0, 0], [0, 0, 0, 0]]]


def test_a_map_that_is_not_begun_shows_nothing(tmp_path: Path) -> None:
    codes = PartialCodes(tmp_path / "map.tif", (4, 4), 2)
    assert (codes.read(Window(0, 0, 4, 4), (2, 2)) == -1).all()

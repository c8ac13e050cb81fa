"""Finishing a map: filters against plain definitions, polygons that give the map back."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.features import rasterize
from rasterio.transform import Affine
from scipy.ndimage import label

from coterie.core.errors import DataError, ParameterError
from coterie.core.formats.maps import patches as patches_module
from coterie.core.formats.maps.finish import Finish, finish_map, write_extras
from coterie.core.formats.maps.majority import majority_of, majority_rows
from coterie.core.formats.maps.map_file import open_map
from coterie.core.formats.maps.patches import find_patches, sieved_rows
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_areas, write_map_at
from coterie.core.formats.rasters.regions import parse_regions
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array

PLACE = (10.0, 0.0, 5e5, 0.0, -10.0, 5e6)
CRS = rasterio.crs.CRS.from_epsg(32633).to_wkt()


def speckled(seed: int, shape: tuple[int, int] = (40, 50), k: int = 3) -> Array:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(k, size=(shape[0] // 8 + 1, shape[1] // 8 + 1))
    codes = coarse.repeat(8, 0).repeat(8, 1)[: shape[0], : shape[1]]
    noisy = rng.random(shape) < 0.2
    codes[noisy] = rng.integers(k, size=int(noisy.sum()))
    codes[rng.random(shape) < 0.03] = 255
    return codes.astype(np.uint8)


def reader(codes: Array):  # type: ignore[no-untyped-def]
    return lambda top, bottom: codes[top:bottom]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return write(tmp_path / "map.tif", speckled(0))


def write(path: Path, codes: Array, crs: str = CRS) -> Path:
    table = class_table(3, ("water", "land", "cloud"))
    height, width = codes.shape
    names, colours = table.names, table.colours
    grid = MapGrid(height, width, names, colours, table.nodata, table.dtype, crs, PLACE)
    write_map_at(path, grid, reader(codes), lambda: None)
    return path


def read(path: Path) -> Array:
    with rasterio.open(path) as source:
        found: Array = source.read(1)
        return found


@pytest.mark.parametrize("side", [3, 5])
def test_the_majority_is_that_of_the_square_around_each_pixel(side: int) -> None:
    codes = speckled(1)
    found = majority_of(codes, side, 255)
    reach = side // 2
    for row, column in np.ndindex(codes.shape):
        if codes[row, column] == 255:
            assert found[row, column] == 255
            continue
        rows = slice(max(0, row - reach), row + reach + 1)
        around = codes[rows, max(0, column - reach) : column + reach + 1]
        counts = Counter(around[around != 255].tolist())
        most = max(counts.values())
        best = [value for value in sorted(counts) if counts[value] == most]
        own = int(codes[row, column])
        assert found[row, column] == (own if own in best else best[0])


def test_the_majority_by_strips_is_that_of_the_whole() -> None:
    codes = speckled(2)
    rows = majority_rows(reader(codes), len(codes), 5, 255)
    parts = np.concatenate([rows(top, min(top + 7, 40)) for top in range(0, 40, 7)])
    assert np.array_equal(parts, majority_of(codes, 5, 255))


@pytest.mark.parametrize("strip", [3, 256])
def test_patches_are_connected_pixels_of_one_class(
    strip: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patches_module, "STRIP", strip)
    codes = speckled(3)
    found = find_patches(reader(codes), len(codes), lambda: None)
    wanted = Counter(
        (value, int(size))
        for value in np.unique(codes).tolist()
        for size in np.bincount(label(codes == value)[0].reshape(-1))[1:]
    )
    pairs = zip(found.classes.tolist(), found.sizes.tolist(), strict=True)
    assert Counter((c, s) for c, s in pairs) == wanted


@pytest.mark.parametrize("strip", [4, 256])
def test_small_patches_take_the_class_of_their_largest_neighbour(
    strip: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patches_module, "STRIP", strip)
    codes = np.zeros((12, 12), dtype=np.uint8)
    codes[:, 6:] = 1
    codes[2, 2] = 2  # in 0
    codes[5:7, 9] = 0  # in 1
    codes[9, 3:5] = 1  # in 0, and beside it another speck
    codes[10, 4] = 2
    codes[0, 0], codes[0, 1], codes[1, 0] = 2, 255, 255  # among no data alone: it stays
    patches = find_patches(reader(codes), 12, lambda: None)
    small = (patches.sizes < 5) & (patches.classes != 255)
    rows = sieved_rows(reader(codes), 12, patches, small, 255, lambda: None)
    wanted = np.zeros((12, 12), dtype=np.uint8)
    wanted[:, 6:] = 1
    wanted[0, 0], wanted[0, 1], wanted[1, 0] = 2, 255, 255
    parts = np.concatenate([rows(top, min(top + 5, 12)) for top in range(0, 12, 5)])
    assert np.array_equal(parts, wanted)


@pytest.mark.parametrize("seed", range(5))
def test_no_small_patch_is_left_that_touches_a_class(seed: int, tmp_path: Path) -> None:
    codes = speckled(seed)
    source = write(tmp_path / "map.tif", codes)
    finish_map(source, tmp_path / "clean.tif", Finish(smallest=6))
    clean = read(tmp_path / "clean.tif")
    assert np.array_equal(clean == 255, codes == 255)
    found = find_patches(reader(clean), len(clean), lambda: None)
    left = (found.sizes < 6) & (found.classes != 255)
    number, _ = label(clean != 255)
    alone = np.bincount(number.reshape(-1))[1:]
    assert left.sum() == (alone < 6).sum()


def test_holes_are_filled_and_the_coloured_map_is_whole(made: Path, tmp_path: Path) -> None:
    said = finish_map(made, tmp_path / "clean.tif", Finish(majority=3, smallest=5, holes=50))
    clean = read(tmp_path / "clean.tif")
    assert (clean < 3).all()
    assert "small patches and holes" in said[0]
    with rasterio.open(made) as before, rasterio.open(tmp_path / "clean.tif") as after:
        assert after.colormap(1) == before.colormap(1)
        assert (after.crs, after.transform, after.nodata) == (before.crs, before.transform, 255)
    with open_map(tmp_path / "clean.tif") as again:
        assert again.grid.names == ("water", "land", "cloud", "unclassified")
    for ending in (".csv", ".png", ".qml"):
        assert (tmp_path / "clean").with_suffix(ending).exists()
    assert not list(tmp_path.glob(".*"))


def test_a_smallest_area_is_measured_on_the_ground(made: Path, tmp_path: Path) -> None:
    finish_map(made, tmp_path / "pixels.tif", Finish(smallest=6))
    finish_map(made, tmp_path / "area.tif", Finish(smallest_area=600.0))  # pixels of 100 m²
    assert np.array_equal(read(tmp_path / "pixels.tif"), read(tmp_path / "area.tif"))
    nowhere = write(tmp_path / "nowhere.tif", speckled(0), crs="")
    with pytest.raises(ParameterError) as raised:
        finish_map(nowhere, tmp_path / "x.tif", Finish(smallest_area=600.0))
    assert raised.value.code == "no-coordinate-system"


@pytest.mark.parametrize("ending", [".gpkg", ".geojson"])
def test_polygons_give_the_map_back(ending: str, made: Path, tmp_path: Path) -> None:
    target = tmp_path / f"classes{ending}"
    write_extras(made, polygons=target)
    codes = read(made)
    if ending == ".geojson":
        features = json.loads(target.read_text())["features"]
        shapes = [(f["geometry"], f["properties"]["value"]) for f in features]
        for one in features:
            assert one["properties"]["area_m2"] == pytest.approx(
                100 * one["properties"]["pixels"], rel=1e-3
            )
        again = rasterize(shapes, codes.shape, fill=255, transform=Affine(*PLACE), dtype="uint8")
        assert sum(f["properties"]["pixels"] for f in features) == (codes != 255).sum()
    else:
        from coterie.core.formats.rasters.geopackage import read_geopackage

        polygons = read_geopackage(target, CRS)
        listed = [
            {"properties": {"name": p.name}, "geometry": {"type": "Polygon", "coordinates": [
                [*r.tolist(), r[0].tolist()] for r in p.rings]}} for p in polygons
        ]  # fmt: skip
        height, width = codes.shape
        scene = Scene("x", (Band("b"),), height, width, crs=CRS, transform=PLACE)
        regions = parse_regions(json.dumps({"features": listed}), scene)
        found = regions.read(Window(0, 0, *codes.shape))
        order = [("water", "land", "cloud").index(name) for name in regions.names]
        again = np.array([*order, 255])[found]
    assert np.array_equal(again, codes)


def test_statistics_count_patches_and_average_bands(made: Path, tmp_path: Path) -> None:
    codes = read(made)
    values = np.stack([codes * 10.0 + 1e6, np.random.default_rng(0).random(codes.shape)])
    scene_file = tmp_path / "scene.tif"
    with rasterio.open(
        scene_file, "w", driver="GTiff", count=2, height=40, width=50, dtype="float64",
        crs=CRS, transform=Affine(*PLACE),
    ) as out:  # fmt: skip
        out.write(values)
    from coterie.core.formats.rasters.formats import scene_of

    target = tmp_path / "classes.csv"
    write_extras(made, statistics=target, scene=scene_of(scene_file))
    rows = list(csv.DictReader(target.read_text().splitlines()))
    assert [row["class"] for row in rows] == ["water", "land", "cloud"]
    for value, row in enumerate(rows):
        inside = codes == value
        assert int(row["pixels"]) == inside.sum()
        assert int(row["patches"]) == label(inside)[1]
        assert float(row["area_ha"]) == pytest.approx(inside.sum() / 100, rel=1e-3)
        bands = [key for key in row if key.startswith("mean ")]
        assert float(row[bands[0]]) == pytest.approx(1e6 + 10 * value)
        assert float(row[bands[1]]) == pytest.approx(values[1][inside].mean())
        spread = row[bands[1].replace("mean", "sd")]
        assert float(spread) == pytest.approx(values[1][inside].std())


def test_areas_in_degrees_are_those_of_their_rows(tmp_path: Path) -> None:
    codes = np.repeat([0, 1], 20)[:, None].repeat(10, axis=1).astype(np.uint8)
    table = class_table(2, ("north", "south"))
    place = (1.0, 0.0, 0.0, 0.0, -1.0, 60.0)
    crs = rasterio.crs.CRS.from_epsg(4326).to_wkt()
    grid = MapGrid(40, 10, table.names, table.colours, table.nodata, table.dtype, crs, place)
    made = tmp_path / "degrees.tif"
    counts = write_map_at(made, grid, reader(codes), lambda: None)
    write_areas(tmp_path / "areas.csv", grid, counts)
    write_extras(made, statistics=tmp_path / "classes.csv")
    said, found = (
        [
            float(row["area_ha"])
            for row in csv.DictReader((tmp_path / name).read_text().splitlines())
        ]
        for name in ("areas.csv", "classes.csv")
    )
    assert found == pytest.approx(said)
    assert found[1] > 1.3 * found[0]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16"])
def test_a_map_of_another_program_needs_no_names(dtype: str, tmp_path: Path) -> None:
    path = tmp_path / "other.tif"
    codes = np.array([[0, 1], [2, 1]], dtype=dtype)
    with rasterio.open(
        path, "w", driver="GTiff", count=1, height=2, width=2, dtype=dtype, nodata=0,
        transform=Affine(*PLACE),
    ) as out:  # fmt: skip
        out.write(codes, 1)
    with open_map(path) as made:
        assert made.grid.names[:-1] == ("class 0", "class 1", "class 2")
        assert made.read(0, 2)[0].tolist() == [made.grid.nodata, 1]


def test_a_page_has_the_names_of_the_classes(made: Path, tmp_path: Path) -> None:
    write_extras(made, page=tmp_path / "page.svg", title="Clouds & land")
    text = (tmp_path / "page.svg").read_text()
    for said in ("Clouds &amp; land", "water", "cloud", "EPSG:32633", ">N<", "m"):
        assert said in text
    for ending in (".pdf", ".png"):
        write_extras(made, page=tmp_path / f"page{ending}")
        assert (tmp_path / f"page{ending}").stat().st_size > 5000


@pytest.mark.parametrize(
    ("how", "code"),
    [({"majority": 4}, "invalid-window"), ({"smallest": -1}, "invalid-parameters")],
)
def test_senseless_sizes_are_refused(how: dict[str, int], code: str) -> None:
    with pytest.raises(ParameterError) as raised:
        Finish(**how)
    assert raised.value.code == code


def test_what_is_no_map_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scene.tif"
    with rasterio.open(
        path, "w", driver="GTiff", count=2, height=4, width=4, dtype="float32",
        transform=Affine(*PLACE),
    ) as out:  # fmt: skip
        out.write(np.zeros((2, 4, 4), dtype=np.float32))
    with pytest.raises(DataError) as raised:
        finish_map(path, tmp_path / "x.tif", Finish(majority=3))
    assert raised.value.code == "not-a-map"


def test_a_map_is_not_finished_into_itself(made: Path) -> None:
    with pytest.raises(ParameterError) as raised:
        finish_map(made, made, Finish(majority=3))
    assert raised.value.code == "output-is-input"

"""Samples of pixels: valid ones, at their places, by the seed, balanced where asked."""

import json
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.sampling import sample_at_random, sample_by_class
from coterie.core.formats.rasters.truth import TruthReader, truth_of
from coterie.plugins.readers.raster import Raster
from coterie.plugins.transforms.sample import RandomSubset
from tests.refusals import refuses

from .making import corner, cube, write


def opened(path: Path, **params: object) -> Dataset:
    return Raster().compute(path, params=Raster.Params.model_validate(params), context=Context())


def sampled(data: Dataset, seed: int = 0, **params: object) -> Dataset:
    values = RandomSubset.Params.model_validate(params)
    return RandomSubset().compute(data, params=values, context=Context(seed=seed))


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    values = cube()
    values[1, :20] = 0  # half of it has no data
    mask = np.zeros((1, 40, 50), dtype=np.uint8)
    mask[0, 30:, :5] = 4
    mask[0, 30:, 5:] = 1
    write(tmp_path / "mask.tif", mask)
    return write(tmp_path / "a.tif", values, nodata=0, tiled=True, blockxsize=16, blockysize=16)


def test_pixels_are_valid_and_come_with_their_places(scene_file: Path) -> None:
    values = cube()
    data = opened(scene_file)
    assert data.kind == "raster"
    assert data.n == 2000
    assert data.features is None
    taken = sampled(data, size=300)
    rows, columns = np.array(taken.details["rows"]), np.array(taken.details["columns"])
    assert taken.n == 300
    assert rows.min() >= 20
    assert len(set(taken.details["positions"])) == 300
    np.testing.assert_array_equal(taken.features, values[:, rows, columns].T)
    assert sampled(data, size=300).details == taken.details
    assert sampled(data, seed=1, size=300).details != taken.details


def test_every_valid_pixel_is_as_likely(scene_file: Path) -> None:
    scene = scene_of(scene_file)
    hits = np.zeros(scene.n)
    for seed in range(60):
        hits[sample_at_random(scene, 200, Context(seed=seed)).positions] += 1
    assert not hits[:1000].any()
    # Binomial with 60 draws of 1 in 5: mean 12, deviation 3.1.
    assert hits[1000:].mean() == pytest.approx(12)
    assert hits[1000:].std() == pytest.approx(3.1, abs=0.4)
    first, second = hits[1000:1500].mean(), hits[1500:].mean()
    assert abs(first - second) < 0.6


def test_all_valid_pixels_are_taken_when_there_are_no_more(scene_file: Path) -> None:
    taken = sampled(opened(scene_file), size=5000)
    assert taken.n == 1000
    assert "no more valid" in taken.notes[-1]


def test_a_mask_gives_the_truth_and_balances(scene_file: Path) -> None:
    data = opened(scene_file, mask="mask.tif", mask_classes="4=cloud, 1=water, 0=land")
    assert data.truth_names == ("land", "water", "cloud")
    taken = sampled(data, size=90, balanced_by="truth")
    assert taken.truth is not None
    assert np.bincount(taken.truth).tolist() == [30, 30, 30]
    rows, columns = np.array(taken.details["rows"]), np.array(taken.details["columns"])
    assert ((rows >= 30) & (columns < 5) == (taken.truth == 2)).all()
    plenty = sampled(data, size=300, balanced_by="truth")
    assert plenty.truth is not None
    assert np.bincount(plenty.truth).tolist() == [125, 125, 50]
    at_random = sampled(data, size=100)
    assert at_random.truth is not None
    assert set(at_random.truth.tolist()) <= {0, 1, 2}


def square(left: int, top: int, side: int, name: str) -> dict[str, object]:
    x, y, s = 500_000 + 10 * left, 5_000_000 - 10 * top, 10 * side
    ring = [[x, y], [x + s, y], [x + s, y - s], [x, y - s], [x, y]]
    geometry = {"type": "Polygon", "coordinates": [ring]}
    return {"type": "Feature", "properties": {"name": name}, "geometry": geometry}


def both_sides() -> str:
    """Two regions of 10 × 10 pixels, in the west and in the east."""
    features = [square(0, 22, 10, "west"), square(30, 22, 10, "east")]
    return json.dumps({"type": "FeatureCollection", "features": features})


def test_regions_of_a_picture_in_memory_balance_as_those_of_a_scene() -> None:
    place = {"height": 40, "width": 50, "transform": list(corner())[:6]}
    data = Dataset(title="photo", features=cube().reshape(3, -1).T, details=place)
    taken = sampled(data, size=40, balanced_by="regions", regions=both_sides())
    rows, columns = np.divmod(np.array(taken.details["positions"]), 50)
    assert taken.truth_names == ("west", "east")
    assert taken.truth is not None
    assert np.bincount(taken.truth).tolist() == [20, 20]
    assert (columns[taken.truth == 0] < 10).all()
    assert (columns[taken.truth == 1] >= 30).all()
    assert ((rows >= 22) & (rows < 32)).all()
    far = json.dumps({"features": [square(900, 0, 5, "far")]})
    with refuses("no-valid-pixels", DataError, match="'photo'"):
        sampled(data, balanced_by="regions", regions=far)
    table = Dataset(title="table", features=np.zeros((6, 2)))
    with refuses("no-valid-pixels", DataError):
        sampled(table, balanced_by="regions", regions=far)


def test_regions_balance_too(scene_file: Path) -> None:
    taken = sampled(opened(scene_file), size=40, balanced_by="regions", regions=both_sides())
    columns = np.array(taken.details["columns"])
    assert taken.truth_names == ("west", "east")
    assert taken.truth is not None
    assert np.bincount(taken.truth).tolist() == [20, 20]
    assert (columns[taken.truth == 0] < 10).all()
    assert (columns[taken.truth == 1] >= 30).all()
    with refuses("invalid-region", DataError):
        sampled(opened(scene_file), balanced_by="regions", regions="here")


def test_only_windows_with_pixels_are_read(
    scene_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coterie.core.formats.rasters.windows import SceneReader

    read: list[int] = []
    usual = SceneReader.read

    def counting(self: SceneReader, window: object, *rest: object) -> object:
        read.append(window.shape[0] * window.shape[1])  # type: ignore[attr-defined]
        return usual(self, window, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(SceneReader, "read", counting)
    sample_at_random(scene_of(scene_file), 3, Context())
    assert max(read) <= 16 * 16


def test_a_scene_without_valid_pixels_is_said_to_be(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tif", np.zeros((2, 20, 20), dtype=np.uint16), nodata=0)
    with refuses("no-valid-pixels", DataError):
        sampled(opened(path))


def test_methods_that_need_features_say_to_take_a_sample(scene_file: Path) -> None:
    with refuses("scene-on-disk", DataError, match="transform/sample"):
        opened(scene_file).dense_features()
    with refuses("known-classes-needed", DataError):
        sampled(opened(scene_file), balanced_by="truth")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"shape": (1, 40, 49)}, "grid-mismatch"),
        ({"crs": "EPSG:32634"}, "grid-mismatch"),
        ({"moved": True}, "grid-mismatch"),
        ({"shape": (2, 40, 50)}, "invalid-mask"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(
    tmp_path: Path, change: dict[str, object], code: str
) -> None:
    write(tmp_path / "a.tif", cube())
    shape = change.pop("shape", (1, 40, 50))
    if change.pop("moved", False):
        change["transform"] = corner(west=500_100)
    write(tmp_path / "mask.tif", np.ones(shape, dtype=np.uint8), **change)  # type: ignore[call-overload]
    with refuses(code, DataError):
        opened(tmp_path / "a.tif", mask="mask.tif")


def test_a_mask_lies_beside_its_scene(scene_file: Path) -> None:
    with refuses("outside-folder", DataError):
        opened(scene_file, mask="../mask.tif")


def test_classes_of_an_array_beside_the_scene_in_one_file(tmp_path: Path) -> None:
    values = np.moveaxis(cube(), 0, -1)
    np.savez(tmp_path / "a.npz", img=values, msk=(values[:, :, :1] > 500).astype(np.uint8))
    data = opened(tmp_path / "a.npz", mask="msk")
    assert data.truth_names == ("0", "1")
    truth = truth_of(data)
    assert truth is not None
    taken = sample_by_class(scene_of(tmp_path / "a.npz"), 50, Context(), TruthReader(truth), 2)
    assert taken.classes is not None
    assert ((taken.values[:, 0] > 500) == taken.classes).all()


def test_a_mask_that_names_its_classes_is_believed(tmp_path: Path) -> None:
    import rasterio

    write(tmp_path / "a.tif", cube())
    mask = write(tmp_path / "mask.tif", np.ones((1, 40, 50), dtype=np.uint8))
    with rasterio.open(mask, "r+") as target:
        target.update_tags(1, class_1="forest", class_2="water")
    assert opened(tmp_path / "a.tif", mask="mask.tif").truth_names == ("forest",)

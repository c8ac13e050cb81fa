"""Derived features of a scene on disk are those of the whole picture, to the last bit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset, Output
from coterie.core.errors import DataError
from coterie.core.formats.rasters.derived import DERIVED, derivations_of, reader_of
from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
from coterie.core.formats.rasters.scene import raster_dataset
from coterie.core.formats.rasters.windows import Window, windows_over
from coterie.plugins.transforms.local_statistics import LocalStatistics
from coterie.plugins.transforms.sample import RandomSubset
from coterie.plugins.transforms.spectral_index import SpectralIndex
from tests.refusals import refuses

HEIGHT, WIDTH = 37, 53
INDEX = {"differences": ["x1, x3"], "ratios": ["2, 1"], "slopes": ["1, 4"]}


def pixels(holes: bool = False) -> np.ndarray:
    values = np.random.default_rng(0).gamma(2.0, 0.13, (HEIGHT, WIDTH, 4)).astype(np.float32)
    if holes:
        values[5:9, 10:30] = np.nan
        values[:, 0] = np.nan
    return values


def on_disk(folder: Path, values: np.ndarray) -> Dataset:
    np.save(folder / "scene.npy", values)
    return raster_dataset(scene_of_cube(folder / "scene.npy"))


def in_memory(data: Dataset, values: np.ndarray) -> Dataset:
    details: dict[str, Any] = {"height": HEIGHT, "width": WIDTH}
    if waves := [band["wavelength"] for band in data.details["scene"]["bands"]]:
        details["wavelengths"] = waves  # as a sample of the scene would say
    return Dataset(features=values.reshape(-1, 4), columns=data.columns, details=details)


def done(data: Dataset, *steps: tuple[Any, dict[str, Any]]) -> Dataset:
    found: Any = data
    for component, params in steps:
        output = component().compute(
            found, params=component.Params(**params), context=Context(seed=3)
        )
        found = output.main if isinstance(output, Output) else output
    assert isinstance(found, Dataset)
    return found


def named(params: dict[str, Any], data: Dataset) -> dict[str, Any]:
    """The bands of a cube have names of their own."""
    text = {f"x{i + 1}": name for i, name in enumerate(data.columns)}
    changed = [", ".join(text.get(w.strip(), w.strip()) for w in pair.split(",")) for pair in
               params["differences"]]  # fmt: skip
    return {**params, "differences": changed}


CHAINS = [
    ((SpectralIndex, INDEX),),
    ((LocalStatistics, {"window": 5}),),
    ((LocalStatistics, {"window": 3, "keep": "replace"}), (SpectralIndex, {"whiteness": False})),
    ((SpectralIndex, {"keep": "replace"}), (LocalStatistics, {"window": 7}),
     (LocalStatistics, {"window": 3, "statistics": "variance"})),
]  # fmt: skip


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("side", [(HEIGHT, WIDTH), (16, 16), (5, 53), (1, 7)])
def test_windows_are_those_of_the_whole_picture(
    tmp_path: Path, chain: Any, side: tuple[int, int]
) -> None:
    values = pixels()
    scene = on_disk(tmp_path, values)
    steps = [(c, named(p, scene) if "differences" in p else p) for c, p in chain]
    whole = done(in_memory(scene, values), *steps)
    derived = done(scene, *steps)
    assert derived.on_disk
    assert derived.columns == whole.columns
    assert derived.n == HEIGHT * WIDTH
    expected = np.asarray(whole.features).T.reshape(-1, HEIGHT, WIDTH)
    with reader_of(derived) as reader:
        for window in windows_over(HEIGHT, WIDTH, side):
            found, valid = reader.read(window)
            np.testing.assert_array_equal(found, expected[:, *window.slices])
            assert valid.all()


@pytest.mark.parametrize("side", [(16, 16), (3, 53)])
def test_pixels_without_data_count_for_nobody_wherever_a_window_ends(
    tmp_path: Path, side: tuple[int, int]
) -> None:
    values = pixels(holes=True)
    derived = done(on_disk(tmp_path, values), (LocalStatistics, {"window": 5, "keep": "replace"}))
    with reader_of(derived) as reader:
        whole, valid = reader.read(Window(0, 0, HEIGHT, WIDTH))
        for window in windows_over(HEIGHT, WIDTH, side):
            np.testing.assert_array_equal(reader.read(window)[0], whole[:, *window.slices])
    np.testing.assert_array_equal(valid, np.isfinite(values).all(axis=2))
    padded = np.pad(values.astype(float), ((2, 2), (2, 2), (0, 0)), mode="symmetric")
    for row, column in [(4, 9), (7, 31), (20, 1), (0, 52)]:
        square = padded[row : row + 5, column : column + 5].reshape(-1, 4)
        found = whole[:, row, column]
        np.testing.assert_allclose(found[:4], np.nanmean(square, axis=0))
        np.testing.assert_allclose(found[4:], np.nanvar(square, axis=0))


def test_a_sample_of_indices_is_the_indices_of_a_sample(tmp_path: Path) -> None:
    scene = on_disk(tmp_path, pixels(holes=True))
    index, sample = (SpectralIndex, named(INDEX, scene)), (RandomSubset, {"size": 150})
    first, last = done(scene, index, sample), done(scene, sample, index)
    assert first.columns == last.columns
    assert first.details["positions"] == last.details["positions"]
    np.testing.assert_array_equal(first.features, last.features)


def test_a_forged_description_is_refused(tmp_path: Path) -> None:
    scene = on_disk(tmp_path, pixels())
    derived = done(scene, (LocalStatistics, {}))
    for wrong in (
        [{"use": "texture", "settings": {}}],
        [{"use": "local-statistics"}],
        [{"use": "local-statistics", "settings": {"window": "x"}}],
        [{"use": "local-statistics", "settings": {"window": 10**9 + 1, "statistics": "both"}}],
        [*derived.details[DERIVED]] * 50,
        7,
    ):
        forged = Dataset(
            kind="raster", columns=derived.columns, details={**scene.details, DERIVED: wrong}
        )
        with refuses("invalid-scene", DataError):
            derivations_of(forged)


@pytest.mark.parametrize("single", [1, 1 << 30])
def test_sampled_pixels_see_their_surroundings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, single: int
) -> None:
    monkeypatch.setattr("coterie.core.formats.rasters.derived.SINGLE", single)
    derived = done(on_disk(tmp_path, pixels(holes=True)), (LocalStatistics, {"window": 5}))
    sample = done(derived, (RandomSubset, {"size": 90}))
    with reader_of(derived) as reader:
        whole, valid = reader.read(Window(0, 0, HEIGHT, WIDTH))
    places = sample.details["positions"]
    np.testing.assert_array_equal(sample.features, whole.reshape(len(whole), -1).T[places])
    assert valid.reshape(-1)[places].all()

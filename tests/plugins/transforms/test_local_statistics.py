"""Mean and variance around pixels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.transforms.local_statistics import LocalStatistics
from tests.refusals import refuses


def around(data: Dataset, **params: Any) -> Dataset:
    component = LocalStatistics()
    output = component.compute(data, params=component.Params(**params), context=Context())
    assert isinstance(output.main, Dataset)
    return output.main


def test_columns_are_named_after_their_bands() -> None:
    china = SAMPLES["china"].make()
    data = around(china)
    assert data.columns == (
        *("red", "green", "blue", "mean of red", "mean of green", "mean of blue"),
        *("variance of red", "variance of green", "variance of blue"),
    )
    np.testing.assert_array_equal(data.dense_features()[:, :3], china.dense_features())
    assert around(china, keep="replace", statistics="variance").columns == data.columns[6:]


def test_the_pixel_in_the_middle_sees_its_eight_neighbours() -> None:
    china = SAMPLES["china"].make()
    picture = china.dense_features().reshape(42, 64, 3)
    square = picture[9:12, 19:22].reshape(9, 3)
    found = around(china, keep="replace").dense_features().reshape(42, 64, 6)[10, 20]
    np.testing.assert_allclose(found, [*square.mean(axis=0), *square.var(axis=0)])


def test_what_will_not_do() -> None:
    with refuses("invalid-window"):
        around(SAMPLES["china"].make(), window=4)
    with refuses("picture-size-needed"):
        around(SAMPLES["iris"].make())


@pytest.mark.realdata
def test_squares_of_a_real_scene(realdata: Path) -> None:
    img = np.load(realdata / "cloud_scene_sentinel2.npz")["img"].astype(np.float64)
    height, width, bands = img.shape
    data = Dataset(features=img.reshape(-1, bands), details={"height": height, "width": width})
    found = around(data, keep="replace", window=5).dense_features()
    for i, j in np.random.default_rng(0).integers(2, height - 2, (50, 2)):
        square = img[i - 2 : i + 3, j - 2 : j + 3].reshape(25, bands)
        expected = [*square.mean(axis=0), *square.var(axis=0)]
        np.testing.assert_allclose(found[i * width + j], expected, atol=1e-9)

"""Formulas of bands, of tables and of scenes on disk."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.errors import CoterieError
from coterie.core.formats.rasters.derived import reader_of
from coterie.core.formats.rasters.windows import Window
from coterie.plugins.readers.raster import Raster
from coterie.plugins.transforms.band_math import BandMath
from coterie.plugins.transforms.change import Change
from tests.refusals import refuses

RNG = np.random.default_rng(0)
PIXELS = Dataset(
    title="pixels", features=RNG.random((30, 4)) + 0.1, columns=("B3", "B4", "near infrared", "B8")
)


def made(data: Dataset = PIXELS, **params: Any) -> Dataset:
    given = BandMath.Params(**params)
    output = BandMath().compute(data, params=given, context=Context())
    assert isinstance(output.main, Dataset)
    return output.main


def changed(data: Dataset = PIXELS, **params: Any) -> Dataset:
    output = Change().compute(data, params=Change.Params(**params), context=Context())
    assert isinstance(output.main, Dataset)
    return output.main


def test_formulas_are_worked_out_and_named() -> None:
    b3, b4, infrared, b8 = PIXELS.dense_features().T
    found = made(
        formulas=[
            "EVI2 = 2.5 * (B8 - B4) / (B8 + 2.4 * B4 + 1)",
            "`near infrared` / B3",
            "bright = B3 > 0.5 and B4 >= 0.5",
        ],
        keep="replace",
    )
    assert found.columns == ("EVI2", "`near infrared` / B3", "bright")
    evi = 2.5 * (b8 - b4) / (b8 + 2.4 * b4 + 1)
    wanted = np.column_stack([evi, infrared / b3, (b3 > 0.5) & (b4 >= 0.5)])
    np.testing.assert_allclose(found.dense_features(), wanted, rtol=1e-9)
    assert made(formulas=["x = B3"]).columns == (*PIXELS.columns, "x")


def test_division_by_nothing_gives_0() -> None:
    data = Dataset(features=np.array([[1.0, 0.0], [0.0, 0.0]]), columns=("a", "b"))
    found = made(data, formulas=["r = a / b"], keep="replace")
    assert found.dense_features().tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "invalid-parameters"),
        ({"formulas": ["B3 = B4 + 1"]}, "invalid-parameters"),
        ({"formulas": ["x = B3", "x = B4"]}, "invalid-parameters"),
        ({"formulas": ["x = B99 + 1"]}, "unknown-column"),
        ({"formulas": ["x = __import__('os')"]}, "invalid-query"),
        ({"formulas": ["x = (B3"]}, "invalid-query"),
    ],
)
def test_what_cannot_be_computed_is_said(params: Any, code: str) -> None:
    with pytest.raises(CoterieError) as raised:
        made(**params)
    assert raised.value.code == code


def test_change_is_after_minus_before_by_band() -> None:
    X = PIXELS.dense_features()
    difference = X[:, 2:] - X[:, :2]
    found = changed(what="difference")
    assert found.columns == ("near infrared − B3", "B8 − B4")
    np.testing.assert_array_equal(found.dense_features(), difference)
    vector = changed()
    length = np.hypot(*difference.T)
    assert vector.columns[0] == "change"
    np.testing.assert_allclose(vector.dense_features()[:, 0], length, rtol=1e-9)
    np.testing.assert_allclose(
        vector.dense_features()[:, 1:] * length[:, None], difference, rtol=1e-9, atol=1e-9
    )
    ratio = changed(what="log-ratio", before=["B3"], after=["B8"], keep="append")
    np.testing.assert_allclose(ratio.dense_features()[:, -1], np.log(X[:, 3] / X[:, 0]), rtol=1e-9)


def test_nothing_changed_has_no_direction_and_no_logarithm_of_nothing() -> None:
    data = Dataset(features=np.array([[1.0, 1.0], [0.0, 2.0]]), columns=("a", "b"))
    assert changed(data).dense_features().tolist() == [[0.0, 0.0], [2.0, 1.0]]
    assert changed(data, what="log-ratio").dense_features().tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"before": ["B3"]}, "invalid-parameters"),
        ({"before": ["B3"], "after": ["B9"]}, "unknown-band"),
    ],
)
def test_bands_that_do_not_pair_are_refused(params: Any, code: str) -> None:
    with pytest.raises(CoterieError) as raised:
        changed(**params)
    assert raised.value.code == code
    odd = Dataset(features=np.ones((3, 3)), columns=("a", "b", "c"))
    with refuses("invalid-parameters", CoterieError):
        changed(odd)


@pytest.mark.parametrize("method", ["formulas", "change"])
def test_a_scene_on_disk_gives_the_same_to_the_last_bit(method: str, tmp_path: Path) -> None:
    cube = RNG.random((4, 40, 30))
    np.save(tmp_path / "cube.npy", cube)
    params = Raster.Params(axes="bands-first")
    scene = Raster().compute(tmp_path / "cube.npy", params=params, context=Context())
    table = Dataset(features=cube.reshape(4, -1).T, columns=scene.columns)
    first, *_, last = scene.columns
    formulas = [f"x = (`{last}` - `{first}`) / (`{last}` + `{first}` + 0.3)"]
    both = [
        made(data, formulas=formulas) if method == "formulas" else changed(data)
        for data in (scene, table)
    ]
    on_disk, in_memory = both
    assert on_disk.on_disk
    assert on_disk.columns == in_memory.columns
    whole = in_memory.dense_features().T.reshape(-1, 40, 30)
    with reader_of(on_disk) as reader:
        for window in (Window(0, 0, 40, 30), Window(7, 3, 20, 11), Window(39, 29, 40, 30)):
            values, valid = reader.read(window)
            assert valid.all()
            np.testing.assert_array_equal(values, whole[:, *window.slices])

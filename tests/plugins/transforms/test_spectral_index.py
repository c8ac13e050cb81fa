"""Spectral indices of tables and scenes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset, Output, ParameterError
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.transforms.spectral_index import SpectralIndex
from tests.refusals import refuses
from tests.rounding import rounding

PIXELS = Dataset(
    title="pixels",
    features=np.array([[0.1, 0.1, 0.5], [0.4, 0.4, 0.4], [0.2, 0.0, 0.0]]),
    columns=("green", "red", "nir"),
)
SLACK = rounding(4 * 3, 5.0)  # an index of three bands; the largest is a ratio of 5


def computed(data: Dataset = PIXELS, **params: Any) -> Output:
    return SpectralIndex().compute(data, params=SpectralIndex.Params(**params), context=Context())


def indexed(data: Dataset = PIXELS, **params: Any) -> Dataset:
    output = computed(data, keep="replace", **params)
    assert isinstance(output.main, Dataset)
    return output.main


def test_brightness_and_whiteness_of_any_table() -> None:
    data = indexed()
    assert data.columns == ("brightness", "whiteness")
    np.testing.assert_allclose(data.dense_features()[1], [0.4, 0], atol=SLACK)
    iris = computed(SAMPLES["iris"].make()).main
    assert isinstance(iris, Dataset)
    assert iris.d == 6


def test_bands_by_name_and_by_position_are_the_same() -> None:
    wanted: dict[str, Any] = {"brightness": False, "whiteness": False}
    by_name = indexed(differences=["nir, red"], ratios=["nir,red"], slopes=["red, nir"], **wanted)
    by_place = indexed(differences=["3, 2"], ratios=["3,2"], slopes=["2, 3"], **wanted)
    assert by_name.columns == ("(nir − red) / (nir + red)", "nir / red", "slope red to nir")
    np.testing.assert_array_equal(by_name.dense_features(), by_place.dense_features())
    np.testing.assert_allclose(
        by_name.dense_features(), np.array([[2 / 3, 5, 0.4], [0, 1, 0], [0, 0, 0]]), atol=SLACK
    )


def test_indices_of_standardised_bands_are_doubted() -> None:
    centred = replace(PIXELS, features=PIXELS.dense_features() - 0.3)
    assert not indexed(PIXELS, differences=["nir, red"]).notes
    assert not indexed(centred).notes  # brightness and whiteness do not mind
    assert "before standardising" in indexed(centred, differences=["nir, red"]).notes[0]
    assert "before standardising" in indexed(centred, ratios=["nir, red"]).notes[0]


def test_slopes_are_per_micrometre_where_wavelengths_are_known() -> None:
    scene = SAMPLES["cloud-scene"].make()
    found = indexed(scene, brightness=False, whiteness=False, slopes=["B04, B08"])
    X = scene.dense_features()
    np.testing.assert_allclose(found.dense_features()[:, 0], (X[:, 7] - X[:, 3]) / 0.177)
    assert "wavelengths" not in found.details
    assert found.details["height"] == 120


def test_new_items_may_have_their_bands_in_another_order() -> None:
    output = computed(differences=["nir, red"], ratios=["1, 2"])
    turned = PIXELS.with_features(PIXELS.dense_features()[:, ::-1], PIXELS.columns[::-1])
    applied = SpectralIndex().apply(output.parts["model"], turned, Context())  # type: ignore[arg-type]
    assert isinstance(output.main, Dataset)
    np.testing.assert_allclose(
        applied.dense_features()[:, 3:], output.main.dense_features()[:, 3:], atol=SLACK
    )
    fewer = PIXELS.with_features(PIXELS.dense_features()[:, :2], PIXELS.columns[:2])
    with refuses("unknown-band"):
        SpectralIndex().apply(output.parts["model"], fewer, Context())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"ratios": ["red"]}, "invalid-index"),
        ({"slopes": ["red, 4"]}, "unknown-band"),
        ({"brightness": False, "whiteness": False}, "invalid-index"),
    ],
)
def test_a_wrong_choice_is_told(params: dict[str, Any], code: str) -> None:
    with refuses(code, ParameterError):
        computed(**params)


@pytest.mark.realdata
def test_real_clouds_are_bright_and_real_plants_green(realdata: Path) -> None:
    scene = np.load(realdata / "cloud_scene_sentinel2.npz")
    names = ("blue", "green", "red", "nir", "swir16", "swir22")
    data = Dataset(features=scene["img"].reshape(-1, 6)[::50], columns=names)
    mask = scene["msk"].ravel()[::50]
    found = indexed(data, differences=["nir, red", "green, nir"]).dense_features()
    bright, _, plants, water = (found[:, j] for j in range(4))
    cloud, land, sea = (mask == 4), (mask == 3), (mask == 1)
    assert np.median(bright[cloud]) > 2 * np.median(bright[land])
    assert np.median(plants[land]) > np.median(plants[cloud])
    assert np.median(water[sea]) > np.median(water[land])


def test_named_indices_find_their_bands_by_wavelength() -> None:
    data = replace(PIXELS, details={"wavelengths": [561.0, 660.0, 835.0]})
    found = indexed(data, brightness=False, whiteness=False, ndvi=True, ndwi=True)
    assert found.columns == ("NDVI", "NDWI")
    by_hand = indexed(
        data, brightness=False, whiteness=False, differences=["nir, red", "green, nir"]
    )
    np.testing.assert_array_equal(found.features, by_hand.features)
    with refuses("invalid-index"):
        indexed(data, ndsi=True)
    with refuses("invalid-index"):
        indexed(PIXELS, ndvi=True)

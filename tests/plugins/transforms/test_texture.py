"""Texture of a picture's pixels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.formats.rasters.scene import Band, Scene, raster_dataset
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.graphs.pixels import Pixels
from coterie.plugins.transforms.texture import Texture
from tests.refusals import refuses


def textured(data: Dataset, **params: Any) -> Dataset:
    output = Texture().compute(data, params=Texture.Params(**params), context=Context())
    assert isinstance(output.main, Dataset)
    return output.main


def stripes(height: int = 12, width: int = 40) -> Dataset:
    """Left half in stripes along the columns, right half along the rows."""
    rows, columns = np.mgrid[:height, :width]
    grey = np.where(columns < width // 2, columns // 2 % 2, rows // 2 % 2).astype(float)
    return Dataset(
        title="stripes",
        features=grey.reshape(-1, 1),
        columns=("grey",),
        details={"height": height, "width": width},
    )


def test_a_scene_on_disk_is_answered_with_what_to_do_instead() -> None:
    scene = Scene("/somewhere/scene.tif", (Band("red"), Band("nir")), 40, 50)
    with refuses("scene-on-disk", DataError) as told:
        textured(raster_dataset(scene, title="scene"))
    assert told.value.offer == ("transform/local-statistics",)


def test_six_directions_and_five_sizes_are_appended() -> None:
    data = textured(stripes())
    assert data.d == 31
    assert data.columns[0] == "grey"
    assert data.columns[1:3] == ("0° σ 1", "30° σ 1")
    assert textured(stripes(), keep="replace", orientations=2, scales=3).d == 6


def test_two_textures_of_the_same_brightness_are_told_apart() -> None:
    data = textured(stripes(), keep="replace", orientations=2, scales=1)
    level, upright = data.dense_features().reshape(12, 40, 2).transpose(2, 0, 1)
    assert (upright > level)[:, 5:15].all()
    assert (upright < level)[:, 25:35].all()


def test_one_column_can_be_chosen() -> None:
    china = SAMPLES["china"].make()
    red = textured(china, column="red", keep="replace", scales=1)
    grey = textured(china, keep="replace", scales=1)
    assert not np.allclose(red.dense_features(), grey.dense_features())
    with refuses("unknown-column", DataError, match="'infrared'"):
        textured(china, column="infrared")


def test_what_is_no_picture_is_refused() -> None:
    with refuses("picture-size-needed"):
        textured(SAMPLES["iris"].make())
    with refuses("picture-size-mismatch", DataError, match="8.*8"):
        textured(SAMPLES["digits"].make())
    assert textured(SAMPLES["iris"].make(), height=10, scales=1).d == 4 + 6


def test_another_picture_is_filtered_alike() -> None:
    output = Texture().compute(
        stripes(), params=Texture.Params(scales=2, smoothing=0), context=Context()
    )
    other = stripes(20, 16)
    applied = Texture().apply(output.parts["model"], other, Context())  # type: ignore[arg-type]
    np.testing.assert_array_equal(
        applied.dense_features(), textured(other, scales=2, smoothing=0).dense_features()
    )


@pytest.mark.realdata
def test_the_roof_and_the_sky_of_the_palace_differ_in_texture(realdata: Path) -> None:
    china = SAMPLES["china"].make()
    data = textured(china, keep="replace", scales=2, smoothing=1)
    strength = data.dense_features().sum(axis=1).reshape(42, 64)
    assert strength[:6].mean() < 0.5 * strength[20:34].mean()  # the sky, and the palace
    from sklearn.preprocessing import minmax_scale

    graph = Pixels().compute(
        data.with_features(minmax_scale(data.dense_features()), data.columns),
        params=Pixels.Params(sigma_intensity=0.5),
        context=Context(),
    )
    assert graph.n == 2688
    assert graph.sparse is not None
    assert graph.sparse.nnz > 40 * 2688

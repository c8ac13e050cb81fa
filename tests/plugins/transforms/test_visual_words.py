"""Visual words: pictures as histograms of kinds of patches."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset, Output
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.kernels.spatial_pyramid import SpatialPyramid
from coterie.plugins.readers.images import Images
from coterie.plugins.transforms.visual_words import VisualWords
from tests.rounding import rounding


def described(data: Dataset, **params: Any) -> Output:
    return VisualWords().compute(data, params=VisualWords.Params(**params), context=Context())


def histograms(data: Dataset, **params: Any) -> Dataset:
    made = described(data, **params).main
    assert isinstance(made, Dataset)
    return made


def stripes(n: int = 12, side: int = 16, colours: int = 1) -> Dataset:
    """Pictures of stripes: upright ones, then level ones, each shifted at random."""
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:side, :side]
    pictures = []
    for i in range(n):
        across = columns if i < n // 2 else rows
        grey = np.sin(across * np.pi / 4 + rng.uniform(0, 6)) / 2 + 0.5
        pictures.append(np.repeat(grey[..., None], colours, axis=2).ravel())
    return Dataset(
        title="stripes",
        kind="images",
        features=np.array(pictures),
        truth=np.repeat([0, 1], n // 2),
        truth_names=("upright", "level"),
        details={"height": side, "width": side},
    )


def test_rows_sum_to_one_and_fit_the_spatial_pyramid() -> None:
    data = histograms(stripes(), words=20)
    assert data.d == 20 * (1 + 4 + 16)
    assert data.columns[0] == "word 1, whole"
    assert data.columns[20] == "word 1, part 1 of 4"
    assert data.columns[-1] == "word 20, part 16 of 16"
    np.testing.assert_allclose(data.dense_features().sum(axis=1), 1)
    K = SpatialPyramid().compute(data, params=SpatialPyramid.Params(), context=Context()).to_dense()
    # A third of each row is a level; weights ¼, ¼, ½ make a picture's likeness to itself ⅓.
    np.testing.assert_allclose(np.diag(K), 1 / 3)
    assert K[:6, :6].mean() > 2 * K[:6, 6:].mean()


def test_colours_are_seen_as_grey() -> None:
    one, three = histograms(stripes(), words=8), histograms(stripes(colours=3), words=8)
    np.testing.assert_allclose(one.dense_features(), three.dense_features(), atol=rounding(8 * 21))


def test_new_pictures_may_have_another_size() -> None:
    output = described(stripes(), words=8)
    applied = VisualWords().apply(output.parts["model"], stripes(6, 24), Context())  # type: ignore[arg-type]
    assert applied.n == 6
    np.testing.assert_allclose(applied.dense_features().sum(axis=1), 1)


@pytest.mark.parametrize(
    ("data", "params", "sentence"),
    [
        (SAMPLES["iris"], {}, "'Iris flowers' holds no small pictures: its 4 columns"),
        (SAMPLES["china"], {}, "holds no small pictures: its 3 columns are not the pixels"),
        (stripes(2), {}, r"too few patches for 512 words: 2 pictures of 64\. Choose at most 128"),
        (stripes(2, 3), {"words": 2}, "Pictures of 3 × 3 pixels are too small for 3 levels"),
        (stripes(2), {"levels": 6, "words": 2}, "need at least 32 pixels each way"),
        (stripes(2), {"step": 8, "words": 2}, "step of 8 pixels leaves parts .* at most 4"),
        (stripes(), {"sample": 4, "words": 20}, ""),
    ],
)
def test_what_will_not_do_is_told(data: Any, params: dict[str, Any], sentence: str) -> None:
    made = data if isinstance(data, Dataset) else data.make()
    if not sentence:  # a sample is never smaller than the vocabulary asks
        assert histograms(made, **params).d == 20 * 21
        return
    with pytest.raises(DataError, match=sentence):
        histograms(made, **params)


def test_handwritten_digits_are_nearer_to_their_like() -> None:
    digits = SAMPLES["digits"].make().take(np.arange(200))
    data = histograms(digits, words=32)
    K = SpatialPyramid().compute(data, params=SpatialPyramid.Params(), context=Context()).to_dense()
    nearest = np.argmax(K - np.eye(200), axis=1)
    assert data.truth is not None
    assert (data.truth[nearest] == data.truth).mean() > 0.85


@pytest.mark.slow
@pytest.mark.realdata
def test_neighbouring_frames_of_a_film_of_a_face_are_alike(realdata: Path) -> None:
    faces = Images().compute(
        realdata / "frey_faces.csv.gz",
        params=Images.Params(height=28, width=20),
        context=Context(),
    )
    data = histograms(faces.take(np.arange(0, 300)), words=64)
    K = SpatialPyramid().compute(data, params=SpatialPyramid.Params(), context=Context()).to_dense()
    soon, later, much_later = (np.diag(K, frames).mean() for frames in (1, 10, 100))
    assert soon > later > much_later

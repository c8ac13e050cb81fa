"""The samples are what they say, always the same, and cost nothing until made."""

import subprocess
import sys

import numpy as np
import pytest

from coterie.core.formats.samples import SAMPLES, BuiltInSample

every_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda each: each.name)
SHAPES = [sample for sample in SAMPLES.values() if sample.resizable]


@every_sample
def test_a_sample_has_its_size_and_known_classes(sample: BuiltInSample) -> None:
    made = sample.make()
    assert made.n == sample.size
    assert made.title == sample.title
    assert made.truth_column == sample.truth_column
    assert np.isfinite(made.dense_features()).all()
    if sample.truth_column:
        assert made.truth is not None
        assert set(made.truth.tolist()) == set(range(len(made.truth_names)))
    else:
        assert made.truth is None


@every_sample
def test_the_same_seed_makes_the_same_sample(sample: BuiltInSample) -> None:
    first, second = sample.make(seed=3), sample.make(seed=3)
    np.testing.assert_array_equal(first.dense_features(), second.dense_features())
    np.testing.assert_array_equal(first.truth, second.truth)


@pytest.mark.parametrize("sample", SHAPES, ids=lambda each: each.name)
def test_another_seed_and_another_size(sample: BuiltInSample) -> None:
    assert not np.array_equal(
        sample.make(seed=1).dense_features(), sample.make(seed=2).dense_features()
    )
    for n in (1, 2, 7, 1001):
        assert sample.make(n=n).n == n


def test_the_mixture_has_the_spreads_and_slants_of_its_table() -> None:
    made = SAMPLES["mixture"].make(n=30_000)
    for part, centre, variance, correlation in (
        (0, (2, 0), 0.025, 0.0),
        (1, (1.2, 0.5), 0.05, -0.5),
        (2, (2, 1), 0.1, 0.5),
    ):
        points = made.dense_features()[made.truth == part]
        np.testing.assert_allclose(points.mean(axis=0), centre, atol=0.02)
        np.testing.assert_allclose(points.var(axis=0), variance, rtol=0.06)
        assert np.corrcoef(points.T)[0, 1] == pytest.approx(correlation, abs=0.04)


@pytest.mark.parametrize(
    ("name", "counts"), [("multi-scale", [333, 334, 333]), ("multi-scale-uneven", [800, 100, 100])]
)
def test_wide_and_narrow_groups_have_their_shares_and_widths(name: str, counts: list[int]) -> None:
    made = SAMPLES[name].make()
    assert made.truth is not None
    assert np.bincount(made.truth).tolist() == counts
    for part, spread in enumerate((2.0, 0.5, 0.5)):
        points = made.dense_features()[made.truth == part]
        np.testing.assert_allclose(points.std(axis=0), spread, rtol=0.2)


def test_pictures_have_thumbnails_and_a_photograph_its_size() -> None:
    digits, china = SAMPLES["digits"].make(), SAMPLES["china"].make()
    assert digits.kind == "images"
    assert digits.thumbnails is not None
    assert digits.thumbnails.shape == (1797, 8, 8)
    assert digits.thumbnails.max() == 255
    assert china.n == china.details["height"] * china.details["width"]
    assert china.columns == ("red", "green", "blue")
    sky, ground = (
        china.dense_features()[:64].mean(axis=0),
        china.dense_features()[-64:].mean(axis=0),
    )
    assert sky[2] > ground[2]  # row by row from the top: the sky is bluer


def test_naming_the_samples_imports_neither_scikit_learn_nor_their_makers() -> None:
    code = (
        "import sys, coterie.core.formats.samples as s; assert len(s.SAMPLES) >= 5; "
        "print([m for m in sys.modules if m.startswith(('sklearn', 'numpy', 'scipy'))"
        " or m.endswith(('samples.iris', 'samples.arcs', 'samples.curves'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_scene_has_every_kind_in_patches_with_clouds_bright_above_all(seed: int) -> None:
    made = SAMPLES["cloud-scene"].make(seed=seed)
    assert made.truth is not None
    shares = np.bincount(made.truth, minlength=6) / made.n
    assert made.truth_names[4:] == ("thin cloud", "dense cloud")
    assert (shares > 0.03).all()
    assert shares[5] == pytest.approx(0.18, abs=0.001)
    kinds = made.truth.reshape(made.details["height"], made.details["width"])
    assert (kinds[:, 1:] == kinds[:, :-1]).mean() > 0.8  # neighbours are mostly of one kind
    means = np.array([made.dense_features()[made.truth == kind].mean(axis=0) for kind in range(6)])
    red, infrared = made.columns.index("B04"), made.columns.index("B08")
    assert (means[5] > means[:4]).all()
    assert means[0, infrared] > 3 * means[0, red]  # plants
    assert means[3, infrared] < means[3, red]  # water
    assert len(made.details["wavelengths"]) == made.d == 13

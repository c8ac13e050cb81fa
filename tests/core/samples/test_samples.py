"""The samples are what they say, always the same, and cost nothing until made."""

import subprocess
import sys

import numpy as np
import pytest

from coterie.core.samples import SAMPLES, Sample

every_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda each: each.name)
SHAPES = [sample for sample in SAMPLES.values() if sample.resizable]


@every_sample
def test_a_sample_has_its_size_and_known_classes(sample: Sample) -> None:
    made = sample.make()
    assert made.n == sample.size
    assert made.title == sample.title
    assert made.truth_column == sample.truth_column
    assert made.truth is not None
    assert set(made.truth.tolist()) == set(range(len(made.truth_names)))
    assert np.isfinite(made.dense_features()).all()


@every_sample
def test_the_same_seed_makes_the_same_sample(sample: Sample) -> None:
    first, second = sample.make(seed=3), sample.make(seed=3)
    np.testing.assert_array_equal(first.dense_features(), second.dense_features())
    assert first.truth is not None
    assert second.truth is not None
    np.testing.assert_array_equal(first.truth, second.truth)


@pytest.mark.parametrize("sample", SHAPES, ids=lambda each: each.name)
def test_another_seed_and_another_size(sample: Sample) -> None:
    assert not np.array_equal(
        sample.make(seed=1).dense_features(), sample.make(seed=2).dense_features()
    )
    for n in (1, 2, 7, 1001):
        assert sample.make(n=n).n == n


def test_naming_the_samples_imports_neither_scikit_learn_nor_their_makers() -> None:
    code = (
        "import sys, coterie.core.samples as s; assert len(s.SAMPLES) >= 5; "
        "print([m for m in sys.modules if m.startswith(('sklearn', 'numpy', 'scipy'))"
        " or m.endswith(('samples.iris', 'samples.arcs', 'samples.curves'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"

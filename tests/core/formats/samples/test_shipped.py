"""The samples that scikit-learn brings along are what its own functions give."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.formats.samples import SAMPLES, shipped
from tests.refusals import refuses

BROUGHT_ALONG = ("iris", "wine", "breast-cancer", "digits", "china")


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer", "digits"])
def test_the_numbers_and_names_are_scikit_learns(name: str) -> None:
    from sklearn import datasets

    theirs: Any = getattr(datasets, f"load_{name.replace('-', '_')}")()
    ours = SAMPLES[name].make()
    scale = 16.0 if name == "digits" else 1.0
    np.testing.assert_array_equal(ours.dense_features() * scale, theirs.data)
    np.testing.assert_array_equal(ours.truth, theirs.target)
    if name != "digits":
        names = [one.removesuffix(" (cm)").replace("_", " ") for one in theirs.feature_names]
        assert list(ours.columns) == names
    if name in ("iris", "breast-cancer"):
        assert list(ours.truth_names) == theirs.target_names.tolist()


def test_none_of_them_imports_scikit_learn() -> None:
    code = (
        "import sys\nfrom coterie.core.formats.samples import SAMPLES\n"
        f"for name in {BROUGHT_ALONG}:\n    SAMPLES[name].make()\n"
        "print([name for name in ('sklearn', 'pandas', 'scipy.stats') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_file_that_is_missing_is_named() -> None:
    with refuses("missing-package", DataError, match=r"roses\.csv"):
        shipped.labelled("roses.csv")

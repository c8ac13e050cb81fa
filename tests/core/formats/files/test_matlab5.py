"""Files of MATLAB, versions 5 to 7.2, compared with what scipy wrote or reads."""

import io
import random
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import scipy
from scipy.io import loadmat, savemat
from scipy.sparse import csc_array

from coterie.core.formats.files.matlab5 import HEADER, is_version_5, read_variables

MOST = 1 << 20
SAVED: dict[str, Any] = {
    "numbers": np.arange(24.0).reshape(2, 3, 4),
    "whole": np.arange(-3, 3, dtype=np.int16).reshape(2, 3),
    "complex": np.array([[1 + 2j, 3]]),
    "yes": np.array([[True, False]]),
    "words": np.array(["an", "bee"]),
    "entries": csc_array(np.array([[0, 1.5], [2, 0], [0, 0]])),
    "marks": csc_array(np.array([[False, True], [True, True]])),
    "cells": np.array(["ä", 2.0, np.eye(2)], dtype=object),
    "struct": {"inside": 1.0},
}


def saved(**how: Any) -> bytes:
    file = io.BytesIO()
    savemat(cast("Any", file), SAVED, **how)
    return file.getvalue()


@pytest.mark.parametrize("packed", [False, True])
def test_what_was_saved_is_read(packed: bool) -> None:
    content = saved(do_compression=packed)
    assert is_version_5(content[:HEADER])
    found = read_variables(content, MOST)
    for name in ("numbers", "whole", "complex", "yes"):
        np.testing.assert_array_equal(found[name], SAVED[name])
        assert found[name].dtype == SAVED[name].dtype
    for name in ("entries", "marks"):
        np.testing.assert_array_equal(found[name].toarray(), SAVED[name].toarray())
    assert found["words"].tolist() == ["an", "bee"]
    text, number, matrix = found["cells"].reshape(-1)
    assert (text.tolist(), number.tolist()) == (["ä"], [[2.0]])
    np.testing.assert_array_equal(matrix, np.eye(2))
    assert found["struct"].tolist() == [None]


def _from_matlab() -> list[Path]:
    """Files that MATLAB wrote on several systems, where scipy was installed with its tests."""
    folder = Path(scipy.__file__).parent / "io" / "matlab" / "tests" / "data"
    found = sorted((*folder.glob("testdouble_*.mat"), *folder.glob("testsparse*_*.mat")))
    return [path for path in found if is_version_5(path.read_bytes()[:HEADER])]


def test_files_of_matlab_are_read_as_scipy_reads_them() -> None:
    for path in _from_matlab():  # of either order of bytes, packed and not
        ours = read_variables(path.read_bytes(), MOST)
        for name, theirs in loadmat(path).items():
            if not name.startswith("__"):
                dense = [x.toarray() if hasattr(x, "tocsr") else x for x in (ours[name], theirs)]
                np.testing.assert_array_equal(*dense)


def test_damaged_files_are_refused_or_read() -> None:
    rng, refused = random.Random(1), 0
    whole = [saved(), saved(do_compression=True)]
    for _ in range(400):
        content = bytearray(rng.choice(whole))
        for _ in range(rng.randint(1, 4)):
            content[rng.randrange(HEADER, len(content))] = rng.randrange(256)
        try:
            read_variables(
                bytes(content[: rng.choice((len(content), rng.randrange(200, 999)))]), MOST
            )
        except (ValueError, MemoryError):
            refused += 1
    assert 0 < refused < 400


def test_what_unpacks_to_more_than_allowed_is_refused() -> None:
    with pytest.raises(MemoryError):
        read_variables(saved(do_compression=True), 100)

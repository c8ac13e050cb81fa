"""Results as figures on disk."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core import Cancelled, Context, Embedding
from coterie.core.api.context import Control
from coterie.plugins.writers.figure import FigureWriter

PLANE = Embedding(coordinates=np.random.default_rng(0).normal(size=(20, 2)), title="plane")


def written(path: Path, scale: float = 2.0) -> bytes:
    params = FigureWriter.Params(scale=scale)
    FigureWriter().compute(PLANE, path, params=params, context=Context())
    return path.read_bytes()


def test_the_ending_says_which(tmp_path: Path) -> None:
    assert written(tmp_path / "a.png").startswith(b"\x89PNG")
    assert written(tmp_path / "a.svg").startswith(b"<svg")
    assert len(written(tmp_path / "b.png", scale=1)) < len(written(tmp_path / "a.png"))


def test_a_cancelled_figure_is_not_written(tmp_path: Path) -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        FigureWriter().compute(
            PLANE,
            tmp_path / "a.png",
            params=FigureWriter.Params(),
            context=Context(control=control),
        )
    assert not (tmp_path / "a.png").exists()

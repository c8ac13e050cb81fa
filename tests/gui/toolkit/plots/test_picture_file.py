"""Pictures that are saved, and those that cannot be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QWidget

from coterie.gui.toolkit.plots.plotting import canvas, write_picture
from coterie.gui.toolkit.plots.widget_image import write_widget


@pytest.mark.parametrize(
    ("make", "write"),
    [(lambda: canvas("plot"), write_picture), (lambda: QLabel("9"), write_widget)],
)
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_picture_is_written_or_an_error_raised(
    make: Callable[[], Any],
    write: Callable[[Any, Path], None],
    ending: str,
    shown: Callable[[QWidget], Any],
    tmp_path: Path,
) -> None:
    widget = shown(make())
    path = tmp_path / f"picture{ending}"
    write(widget, path)
    assert not QImage(str(path)).isNull()
    with pytest.raises(FileNotFoundError):  # the window says so
        write(widget, tmp_path / "missing" / path.name)

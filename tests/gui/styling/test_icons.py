"""Icons are as sharp as the screen."""

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from coterie.gui.styling.icons import icon


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_an_icon_has_a_pixel_for_each_of_the_screens(qtbot: QtBot, ratio: float) -> None:
    drawn = icon("save").pixmap(QSize(16, 16), ratio)
    assert drawn.size() == QSize(16, 16) * ratio
    assert drawn.devicePixelRatio() == ratio

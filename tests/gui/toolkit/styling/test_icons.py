"""Icons are as sharp as the screen."""

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.styling.icons import _drawn, icon, pixmap


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_an_icon_has_a_pixel_for_each_of_the_screens(qtbot: QtBot, ratio: float) -> None:
    drawn = icon("save").pixmap(QSize(16, 16), ratio)
    assert drawn.size() == QSize(16, 16) * ratio
    assert drawn.devicePixelRatio() == ratio


def test_a_drawing_is_made_once_for_each_size_and_colour(qtbot: QtBot) -> None:
    first = pixmap("run", 16, "#112233")
    assert pixmap("run", 16, "#112233").toImage() == first.toImage()
    assert _drawn("run", "#112233", QSize(16, 16)).cacheKey() == (
        _drawn("run", "#112233", QSize(16, 16)).cacheKey()
    )
    for other in (pixmap("run", 16, "#ff0000"), pixmap("step", 16, "#112233")):
        assert other.toImage() != first.toImage()


def test_a_dense_copy_leaves_the_plain_one_as_it_is(qtbot: QtBot) -> None:
    assert pixmap("run", 8, "#112233", 2.0).devicePixelRatio() == 2.0
    assert pixmap("run", 16, "#112233").devicePixelRatio() == 1.0


def test_an_icon_without_room_is_no_picture(qtbot: QtBot) -> None:
    assert _drawn("open", "#000000", QSize(0, 0)).isNull()  # and Qt has nothing to warn of

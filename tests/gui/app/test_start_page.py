"""The start page."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.formats.samples import SAMPLES
from coterie.gui.app.application import make_application
from coterie.gui.app.recents import MOST, forget_all, recent_files, remember
from coterie.gui.app.start_page import Gallery, offers
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.shell_style import shell_stylesheet


@pytest.fixture
def gallery(qtbot: QtBot) -> Gallery:
    make_application("light")
    QSettings().clear()
    gallery = Gallery(offers())
    gallery.setStyleSheet(shell_stylesheet(theme.current()))  # as in its window
    qtbot.addWidget(gallery)
    gallery.resize(1200, 700)
    gallery.show()
    return gallery


def test_every_sample_has_a_picture_that_suits_light_and_dark(qtbot: QtBot) -> None:
    assert [offer.name for offer in offers()] == list(SAMPLES)
    for offer in offers():
        picture = QPixmap(str(offer.picture))
        assert not picture.isNull(), offer.name
        assert picture.toImage().pixelColor(0, 0).alpha() == 0


def test_samples_of_plugins_come_after_the_built_in_ones(gallery: Gallery, qtbot: QtBot) -> None:
    method = Descriptor(
        kind="reader", id="lab:line", title="Line", summary="Numbers.", version="1", origin="lab 1",
        params={}, needs=("path",), gives="dataset", sample=True,
    )  # fmt: skip
    gallery.offer(offers(Catalogue((method,))))
    assert [tile.offer.name for tile in gallery.tiles] == [*SAMPLES, "lab:line"]
    with qtbot.waitSignal(gallery.sample_chosen) as told:
        gallery.tiles[-1].click()
    assert told.args == ["lab:line"]
    gallery.offer(offers(Catalogue()))
    assert [tile.offer.name for tile in gallery.tiles] == list(SAMPLES)


def test_a_click_on_a_picture_chooses_its_sample(gallery: Gallery, qtbot: QtBot) -> None:
    tile = next(tile for tile in gallery.tiles if tile.offer.name == "iris")
    with qtbot.waitSignal(gallery.sample_chosen) as told:
        QTest.mouseClick(tile, Qt.MouseButton.LeftButton)
    assert told.args == ["iris"]


def test_the_keyboard_chooses_a_sample_too(gallery: Gallery, qtbot: QtBot) -> None:
    with qtbot.waitSignal(gallery.sample_chosen):
        QTest.keyClick(gallery.tiles[0], Qt.Key.Key_Space)


def test_pictures_flow_with_the_width(gallery: Gallery, qtbot: QtBot) -> None:
    wide = {tile.y() for tile in gallery.tiles}
    gallery.resize(640, 700)
    qtbot.waitUntil(lambda: len({tile.y() for tile in gallery.tiles}) > len(wide))


def test_recent_files_are_listed_newest_first(gallery: Gallery, tmp_path: Path) -> None:
    for number in range(MOST + 3):
        remember(tmp_path / f"{number}.csv")
    remember(tmp_path / "5.csv")
    gallery.refresh()
    assert gallery.recent.count() == MOST
    assert gallery.recent.item(0).text() == "5.csv"
    assert len(set(recent_files())) == MOST
    forget_all()
    gallery.refresh()
    assert gallery.recent.isHidden()


def test_one_recent_file_is_a_list_too(gallery: Gallery, tmp_path: Path) -> None:
    remember(tmp_path / "only.csv")
    assert recent_files() == [(tmp_path / "only.csv").resolve()]


def test_the_pictures_take_all_the_room_beside_the_recent_files(
    gallery: Gallery, tmp_path: Path, qtbot: QtBot
) -> None:
    remember(tmp_path / "only.csv")
    gallery.refresh()

    def beside() -> int:
        right = max(tile.mapTo(gallery, tile.rect().topRight()).x() for tile in gallery.tiles)
        return gallery.recent.mapTo(gallery, gallery.recent.rect().topLeft()).x() - right

    for width in (1000, 1200, 1240, 1280):
        gallery.resize(width, 700)
        qtbot.waitUntil(lambda: 0 < beside() < 48)

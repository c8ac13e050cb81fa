"""The start page: samples as pictures, recent files, and ways to open more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.app.recents import recent_files
from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue

PICTURES = Path(__file__).parents[1] / "toolkit" / "styling" / "pictures"
PICTURE_SIZE = QSize(208, 132)
_TILE_WIDTH, _GAP = 232, 16
_RETURN_WIDTH = 180  # of the title of what is open


@dataclass(frozen=True)
class SampleOffer:
    """A sample, as the start page shows it."""

    name: str
    title: str
    summary: str

    @property
    def picture(self) -> Path:
        """Where its picture is; it was drawn when Coterie was built."""
        return PICTURES / f"{self.name}.png"


def offers(catalogue: Catalogue | None = None) -> tuple[SampleOffer, ...]:
    """Return the samples in the order they are offered, those of plugins last. Computes nothing."""
    from coterie.core.formats.samples import SAMPLES

    built_in = (SampleOffer(name, one.title, one.summary) for name, one in SAMPLES.items())
    plugins = catalogue.samples() if catalogue is not None else ()
    return (*built_in, *(SampleOffer(one.id, one.title, one.summary) for one in plugins))


class Gallery(QWidget):
    """What a person sees first."""

    sample_chosen = Signal(str)
    file_chosen = Signal(Path)
    data_asked = Signal()
    project_asked = Signal()
    return_asked = Signal()

    def __init__(self, samples: Iterable[SampleOffer], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Start page")
        self.tiles: list[SampleTile] = []
        self._columns = 0
        page = QWidget()
        body = QVBoxLayout(page)
        body.setContentsMargins(40, 36, 40, 28)
        body.setSpacing(0)
        body.addLayout(self._header())
        self.remark = QLabel(wordWrap=True)
        self.remark.setProperty("role", "warning")
        self.remark.hide()
        body.addSpacing(10)
        body.addWidget(self.remark)
        body.addSpacing(20)
        columns = QHBoxLayout()
        columns.setSpacing(32)
        columns.addLayout(self._samples(), 1)
        columns.addLayout(self._recent_column())
        body.addLayout(columns)
        body.addStretch(1)
        hint = QLabel("You can also drop a table, a project or a recipe anywhere in this window.")
        hint.setProperty("role", "muted")
        body.addSpacing(20)
        body.addWidget(hint)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._area)
        self.offer(samples)

    def offer(self, samples: Iterable[SampleOffer]) -> None:
        """Show these samples, in place of those that are shown."""
        wanted = tuple(samples)
        if [tile.offer for tile in self.tiles] == list(wanted):
            return
        for tile in self.tiles:
            self._grid.removeWidget(tile)
            tile.hide()
            tile.deleteLater()
        self.tiles = [SampleTile(offer) for offer in wanted]
        for tile in self.tiles:
            tile.clicked.connect(
                lambda _=False, name=tile.offer.name: self.sample_chosen.emit(name)
            )
        columns, self._columns = self._columns, 0
        self._arrange(columns or 1)

    def refresh(self) -> None:
        """List the files that were open lately again."""
        self.recent.clear()
        files = recent_files()
        for path in files:
            entry = QListWidgetItem(icon("folder" if _is_project(path) else "data"), path.name)
            entry.setData(Qt.ItemDataRole.UserRole, str(path))
            entry.setToolTip(str(path))
            self.recent.addItem(entry)
        self.recent.setVisible(bool(files))
        self._no_recent.setVisible(not files)

    def offer_return(self, title: str) -> None:
        """Offer to go back to the project of that title; without one, offer nothing."""
        short = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, _RETURN_WIDTH)
        self.go_back.setText(f"Back to “{short}”".replace("&", "&&"))
        self.go_back.setVisible(bool(title))

    def say(self, remark: str) -> None:
        """Say why this page is seen, though something is open; an empty text says nothing."""
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))

    def showEvent(self, event: QShowEvent) -> None:
        """Be up to date whenever seen."""
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many pictures side by side as there is room for."""
        super().resizeEvent(event)
        room = self.width() - 80 - 32 - self._recent_width
        self._arrange(max(1, (room + _GAP) // (_TILE_WIDTH + _GAP)))

    _recent_width = 260

    def _header(self) -> QHBoxLayout:
        mark = QLabel()
        mark.setPixmap(icon_pixmap(64, self.devicePixelRatioF()))
        name = QLabel("Coterie")
        name.setProperty("role", "name")
        tagline = QLabel("Find the groups in your data and what matters in each of them.")
        tagline.setProperty("role", "tagline")
        tagline.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(name)
        words.addWidget(tagline)
        self.go_back = QPushButton()
        self.go_back.setToolTip("Back to the open project")
        self.go_back.clicked.connect(self.return_asked)
        self.go_back.hide()
        self.open_data = QPushButton("Open data…")
        self.open_data.setProperty("role", "primary")
        self.open_data.setToolTip("Open a table, such as a CSV file")
        self.open_data.clicked.connect(self.data_asked)
        self.open_project = QPushButton("Open project…")
        self.open_project.setToolTip("Open a saved project")
        self.open_project.clicked.connect(self.project_asked)
        header = QHBoxLayout()
        header.setSpacing(18)
        header.addWidget(mark)
        header.addLayout(words, 1)
        header.addWidget(self.go_back, 0, Qt.AlignmentFlag.AlignBottom)
        header.addWidget(self.open_data, 0, Qt.AlignmentFlag.AlignBottom)
        header.addWidget(self.open_project, 0, Qt.AlignmentFlag.AlignBottom)
        return header

    def _samples(self) -> QVBoxLayout:
        heading = QLabel("Start from a sample")
        heading.setProperty("role", "title")
        about = QLabel("Each sample opens with a recipe that is ready to run.")
        about.setProperty("role", "muted")
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(heading)
        column.addWidget(about)
        column.addSpacing(12)
        column.addLayout(self._grid)
        column.addStretch(1)
        return column

    def _recent_column(self) -> QVBoxLayout:
        heading = QLabel("Recent")
        heading.setProperty("role", "title")
        self._no_recent = QLabel("Files you open appear here.")
        self._no_recent.setProperty("role", "muted")
        self.recent = QListWidget()
        self.recent.setProperty("role", "recent")
        self.recent.setAccessibleName("Recent files")
        self.recent.setFrameShape(QFrame.Shape.NoFrame)
        self.recent.setFixedWidth(self._recent_width)
        self.recent.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.recent.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.recent.setMinimumHeight(280)
        self.recent.itemActivated.connect(self._on_recent)
        self.recent.itemClicked.connect(self._on_recent)
        self._no_recent.setFixedWidth(self._recent_width)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(heading)
        column.addWidget(self._no_recent)
        column.addSpacing(8)
        column.addWidget(self.recent)
        column.addStretch(1)
        return column

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for tile in self.tiles:
            self._grid.removeWidget(tile)
        for at, tile in enumerate(self.tiles):
            self._grid.addWidget(tile, at // columns, at % columns)

    def _on_recent(self, entry: QListWidgetItem) -> None:
        self.file_chosen.emit(Path(entry.data(Qt.ItemDataRole.UserRole)))


class SampleTile(QPushButton):
    """The picture of a sample, its title and one line about it."""

    def __init__(self, offer: SampleOffer) -> None:
        super().__init__()
        self.offer = offer
        self.setProperty("role", "offer")
        self.setAccessibleName(offer.title)
        self.setAccessibleDescription(offer.summary)
        self.setToolTip(f"Open {offer.title} with its recipe")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        picture = QLabel()
        picture.setFixedSize(PICTURE_SIZE)
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        picture.setPixmap(self._pixmap())
        title = QLabel(offer.title)
        title.setProperty("role", "heading")
        summary = QLabel(offer.summary)
        summary.setProperty("role", "hint")
        summary.setWordWrap(True)
        summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(3)
        layout.addWidget(picture, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(5)
        layout.addWidget(title)
        layout.addWidget(summary, 1)
        for label in (picture, title, summary):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def _pixmap(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(str(self.offer.picture))
        if picture.isNull():  # of a plugin: the window opens no files of it
            return icon("data").pixmap(QSize(48, 48), ratio)
        scaled = picture.scaled(
            PICTURE_SIZE * ratio,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        scaled.setDevicePixelRatio(ratio)
        return scaled


def icon_pixmap(side: int, ratio: float) -> QPixmap:
    """Return the program's mark as a picture."""
    from PySide6.QtGui import QIcon

    return QIcon(str(PICTURES / "coterie.svg")).pixmap(QSize(side, side), ratio)


def _is_project(path: Path) -> bool:
    return path.name.endswith(".h5")

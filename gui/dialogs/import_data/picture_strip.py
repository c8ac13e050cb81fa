"""One row of a table drawn as a picture, to check the size before all are read."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from coterie.gui.dialogs.import_data.pictures import ImportPictures, Size
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.rows import hint_label
from coterie.gui.views.ranking.rank_table import small_picture

_SIDE = 84  # of the picture on the screen
_NOT = "numbers only"


class PictureStrip(QFrame):
    """A choice of sizes with the picture beside it; hidden where no row can be a picture."""

    size_chosen = Signal(object)  # (height, width), or None for numbers alone

    def __init__(self, state: ImportPictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._offered: list[Size | None] = []
        self.setProperty("role", "card")
        self.picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(_SIDE, _SIDE)
        self.picture.setAccessibleName("One row drawn as a picture")
        label = QLabel("Each row is")
        self.sizes = ChoiceBox()
        self.sizes.setMinimumContentsLength(16)
        self.sizes.setAccessibleName("Picture size")
        self.sizes.activated.connect(self._on_size_chosen)
        label.setBuddy(self.sizes)
        self.next = QPushButton("Show another")
        self.next.setToolTip("Show the next row")
        self.next.clicked.connect(self._on_next)
        self.hint = hint_label()
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 8, 10, 8)
        grid.setHorizontalSpacing(10)
        grid.addWidget(self.picture, 0, 0, 2, 1)
        grid.addWidget(label, 0, 1)
        grid.addWidget(self.sizes, 0, 2)
        grid.addWidget(self.next, 0, 3)
        grid.addWidget(self.hint, 1, 1, 1, 4)
        grid.setColumnStretch(4, 1)
        self.hide()

    def synchronize(self) -> None:
        """Show the state as it is now."""
        sizes = self._state.sizes()
        self.setVisible(bool(sizes))
        if not sizes:
            return
        offered = [None, *sizes]
        if offered != self._offered:
            self._offered = offered
            self.sizes.clear()
            self.sizes.addItems([_in_words(size) for size in offered])
        chosen = self._state.size
        self.sizes.setCurrentIndex(offered.index(chosen) if chosen in offered else 0)
        pixels = self._state.picture()
        self.picture.setVisible(pixels is not None)
        self.next.setVisible(pixels is not None and self._state.count > 1)
        if pixels is not None:
            self.picture.setPixmap(small_picture(pixels, _SIDE))
            self.hint.setText(
                f"This is row {self._state.row + 1}. If it looks skewed, choose another "
                "size. Pictures are shown beside the items."
            )
        else:
            self.hint.setText(
                "If each row holds the pixels of a picture, choose its height × width "
                "to show pictures beside the items."
            )

    def _on_size_chosen(self, at: int) -> None:
        self.size_chosen.emit(self._offered[at])

    def _on_next(self) -> None:
        self._state.row += 1
        self.synchronize()


def _in_words(size: Size | None) -> str:
    return _NOT if size is None else f"a picture, {size[0]} × {size[1]}"

"""Which known class each class of a map stands for, and which known classes count as one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from coterie.core.formats.maps.accuracy_report import MapComparison
from coterie.core.model.group_names import group_name
from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.views.map.accuracy.ground_truth import (
    LEFT_OUT,
    STANDING,
    TAKING,
    ReferenceClasses,
    cleaned,
)

OTHER, NOT_COMPARED = "Another name…", "Not compared"
_TALLEST, _WIDEST_BOX = 140, 280


class MatchingPanel(QWidget):
    """Left the classes of the map, right those that are known, each with a box to choose from."""

    chosen = Signal(object, str)  # KnownClasses, what was done, for undo

    def __init__(self, counted: MapComparison, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counted, self._known = counted, ReferenceClasses()
        self.made: dict[int, ElidedChoice] = {}
        self.known: dict[str, ElidedChoice] = {}
        pixels = counted.counts.sum(axis=0)
        for at in counted.shown:
            box = _box(f"Reference class of {counted.names[at]}")
            box.activated.connect(lambda _, at=at: self._on_standing(at))
            self.made[at] = box
        for name in counted.truths:
            box = _box(f"Compare known class {name} as")
            box.activated.connect(lambda _, name=name: self._on_taking(name))
            self.known[name] = box
        left = {
            f"{counted.names[at]} ({counted.mapped[at]:,})": box for at, box in self.made.items()
        }
        right = {
            f"{name} ({count:,})": self.known[name]
            for name, count in zip(counted.truths, pixels.tolist(), strict=True)
        }
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(18)
        layout.addLayout(_column("Reference class of each map class", left), 1)
        layout.addLayout(_column("Compare each known class as", right), 1)

    def show_choices(self, known: ReferenceClasses, verdict: MapComparison) -> None:
        """Fill the boxes with what can be chosen now, and what is."""
        self._known = known
        for at, box in self.made.items():
            _fill(box, verdict.truths, verdict.truths[verdict.into[at]])
        named = self._named()
        for name, box in self.known.items():
            taken = known.taken_as(name)
            offered = dict.fromkeys((name, *known.names, *known.given, *map(cleaned, named)))
            _fill(box, tuple(offered), taken or NOT_COMPARED, OTHER)
            if known.taking(name, LEFT_OUT) is not known or taken == LEFT_OUT:
                box.addItem(NOT_COMPARED, LEFT_OUT)
                if taken == LEFT_OUT:
                    box.setCurrentIndex(box.count() - 1)

    def _named(self) -> list[str]:
        """The classes of the map that a person named: a known class may count as one of them."""
        names = self._counted.names
        plain = {group_name(at, ()) for at in range(len(names))}
        return [names[at] for at in self._counted.shown if names[at] not in plain]

    def _on_standing(self, at: int) -> None:
        name, truth = self._counted.names[at], self.made[at].currentText()
        self.chosen.emit(self._known.standing(name, truth), STANDING)

    def _on_taking(self, given: str) -> None:
        box = self.known[given]
        name, sure = str(box.currentData()), True
        if box.currentText() == OTHER and name == OTHER:
            name, sure = QInputDialog.getText(
                self, "Another name", f"Name under which {given} is compared", text=given
            )
            sure = sure and bool(cleaned(name))
        known = self._known.taking(given, name) if sure else self._known
        # Also when nothing changed: the box then shows again what holds.
        self.chosen.emit(known, TAKING)


def _box(title: str) -> ElidedChoice:
    box = ElidedChoice()
    box.setMaximumWidth(_WIDEST_BOX)
    box.setSizeAdjustPolicy(ElidedChoice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(12)
    box.setAccessibleName(title)
    return box


def _fill(box: ElidedChoice, names: tuple[str, ...], chosen: str, other: str = "") -> None:
    """Offer names, each its own datum, and last the way to another one."""
    box.clear()
    for name in names:
        box.addItem(name, name)
    if chosen in names:
        box.setCurrentIndex(names.index(chosen))
    if other:
        box.insertSeparator(box.count())
        box.addItem(other, other)


def _column(title: str, boxes: dict[str, ElidedChoice]) -> QVBoxLayout:
    """A heading that stays, and below it rows that scroll when there are many."""
    heading = QLabel(title)
    heading.setProperty("role", "heading")
    inside = QWidget()
    form = QFormLayout(inside)
    form.setContentsMargins(0, 0, 8, 0)
    for label, box in boxes.items():
        form.addRow(label, box)
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    needed = inside.sizeHint().height() + 2
    area.setMinimumHeight(min(_TALLEST, needed))
    area.setMaximumHeight(needed)
    area.setAccessibleName(title)
    column = QVBoxLayout()
    column.setSpacing(6)
    column.addWidget(heading)
    column.addWidget(area)
    column.addStretch(0)
    return column

"""The choosers on a card: the method, its inputs, the seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from coterie.core.catalogue.descriptors import Need
from coterie.core.catalogue.method_page import NOT_INTERRUPTIBLE
from coterie.gui.panels.fit_inputs import candidates, input_title, with_input
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.fields import Limits
from coterie.gui.toolkit.forms.numbers import NumberBox
from coterie.gui.toolkit.forms.rows import help_button, hint_label, lay_out_row

if TYPE_CHECKING:
    from coterie.projects.session import Session

_NOTHING = "—"
_TOOLTIP = Qt.ItemDataRole.ToolTipRole


def labelled(title: str, editor: QWidget, about: str = "", help: QWidget | None = None) -> QWidget:
    """Return a row that lines up with the rows of a form."""
    row = QWidget()
    editor.setAccessibleName(title)
    row.setToolTip(about)
    lay_out_row(row, title, editor, help=help)
    return row


class MethodChooser(QWidget):
    """The methods of the same kind, and what the chosen one does."""

    picked = Signal(str)
    help_asked = Signal()

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self._session, self._name = session, name
        self.box = ChoiceBox()
        self.box.activated.connect(self._on_activated)
        self._summary = hint_label()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self.help = help_button("this method", "The page of this method (Shift+F1)")
        self.help.clicked.connect(self.help_asked)
        layout.addWidget(labelled("Method", self.box, help=self.help))
        layout.addWidget(self._summary)

    def synchronize(self) -> None:
        """Show the step's method among those of its kind."""
        use = self._session.recipe.step(self._name).use
        catalogue = self._session.catalogue
        self._uses = [method.name for method in catalogue.of_kind(use.split("/", 1)[0])]
        titles = [catalogue.get(name).title for name in self._uses]
        if use not in self._uses:
            self._uses.append(use)
            titles.append(f"{use} (not installed)")
        self.box.clear()
        self.box.addItems(titles)
        for at, name in enumerate(self._uses):
            if name in catalogue:
                self.box.setItemData(at, catalogue.get(name).summary, _TOOLTIP)
        self.box.setCurrentIndex(self._uses.index(use))
        method = catalogue.get(use) if use in catalogue else None
        self.help.setVisible(method is not None)
        said = method.summary if method else "Install its plugin to run this step."
        if method is not None and not method.interruptible:
            said = f"{said} {NOT_INTERRUPTIBLE}"
        self._summary.setText(said)
        about = [method.summary, method.description, method.reference] if method else []
        self._summary.setToolTip("\n\n".join(dict.fromkeys(filter(None, about))))

    def _on_activated(self, at: int) -> None:
        if self._uses[at] != self._session.recipe.step(self._name).use:
            self.picked.emit(self._uses[at])


class InputChooser(QWidget):
    """For each input of the method, the earlier results that fit it."""

    picked = Signal(tuple)

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self._session, self._name = session, name
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self.boxes: list[ChoiceBox] = []
        self._needs: tuple[Need, ...] = ()

    def synchronize(self) -> None:
        """Show what the step uses, among what it could use."""
        session = self._session
        step = session.recipe.step(self._name)
        known = step.use in session.catalogue
        needs = session.catalogue.get(step.use).inputs if known else ()
        needs = _repeated(needs, len(step.of))
        if needs != self._needs:
            self._make_boxes(needs)
        for position, (need, box) in enumerate(zip(needs, self.boxes, strict=True)):
            current = step.of[position] if position < len(step.of) else ""
            names = list(candidates(session.recipe, session.catalogue, self._name, need))
            if current and current not in names:
                names.append(current)
            if need.optional or not current:
                names.insert(0, "")
            box.clear()
            box.addItems([name or _NOTHING for name in names])
            box.setCurrentIndex(names.index(current))
            box.setProperty("names", names)

    def _make_boxes(self, needs: tuple[Need, ...]) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.boxes.clear()
        self._needs = needs
        for position, need in enumerate(needs):
            box = ChoiceBox()
            box.activated.connect(lambda at, p=position: self._on_activated(p, at))
            title = input_title(need)
            about = "Optional." if need.optional else "The input of this step."
            self._layout.addWidget(labelled(title, box, about))
            self.boxes.append(box)

    def _on_activated(self, position: int, at: int) -> None:
        step = self._session.recipe.step(self._name)
        chosen = self.boxes[position].property("names")[at]
        of = with_input(step, position, chosen)
        if of != step.of:
            self.picked.emit(of)


def _repeated(needs: tuple[Need, ...], given: int) -> tuple[Need, ...]:
    """An input that takes many gets a box for each given one, and one more."""
    if not needs or not needs[-1].many:
        return needs
    last = needs[-1]
    more = Need(last.accepts, optional=True)
    extra = max(0, given - len(needs)) + 1
    return (*needs[:-1], Need(last.accepts), *([more] * extra))


class SeedChooser(QWidget):
    """The seed of the step's randomness."""

    picked = Signal(int)

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self._session, self._name = session, name
        self.box = NumberBox(Limits(low=0, high=2**31 - 1), whole=True)
        self.box.edited.connect(lambda value: self.picked.emit(int(value)))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(
            labelled("Seed", self.box, "The same seed gives the same result every time.")
        )

    def synchronize(self) -> None:
        """Show the step's seed."""
        self.box.set_value(self._session.recipe.step(self._name).seed)

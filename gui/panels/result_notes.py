"""The notes of a result on the card of its step: few fits, collapsed ones, outliers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from coterie.gui.toolkit.elided import ElidedLabel

if TYPE_CHECKING:
    from coterie.projects.session import Session


class Remarks(QWidget):
    """One line while the card is folded, everything when it is open; nothing without notes."""

    def __init__(self, session: Session, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._name = session, name
        self._key: str | None = None
        self.notes: tuple[str, ...] = ()
        self.line = ElidedLabel()
        self.whole = QLabel(wordWrap=True)
        for label in (self.line, self.whole):
            label.setProperty("role", "hint")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(26, 0, 6, 0)
        layout.addWidget(self.line)
        layout.addWidget(self.whole)
        self.whole.hide()
        self.hide()

    def synchronize(self) -> None:
        """Show the notes of the step's result, once that is at hand without reading the file."""
        session, name = self._session, self._name
        key = session.results.key(name) if session.results.provenance(name) else None
        if key != self._key:
            self._key = key
            result = session.results.artefact(name) if key is not None else None
            self.notes = () if result is None else self._own(result.notes)
            said = "\n".join(self.notes)
            self.line.setText("Note: " + " ".join(self.notes))
            self.whole.setText(said)
            self.setToolTip(said)
        self.setVisible(bool(self.notes))

    def _own(self, notes: Iterable[str]) -> tuple[str, ...]:
        """The notes that its inputs do not have already: data pass theirs on."""
        session, known = self._session, set()
        recipe = session.recipe
        # A reopened project may lack the results between the data and this step.
        needed = set(recipe.ancestors([self._name]))
        sources = [source.name for source in recipe.sources if source.name in needed]
        for name in dict.fromkeys((*recipe.step(self._name).of, *sources)):
            if (
                session.results.provenance(name)
                and (result := session.results.artefact(name)) is not None
            ):
                known.update(result.notes)
        return tuple(note for note in notes if note not in known)

    def open(self, opened: bool) -> None:
        """Show everything, or one line."""
        self.line.setHidden(opened)
        self.whole.setVisible(opened)

"""A form for the parameters of a method, made from its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from coterie.core.catalogue.descriptors import Descriptor
from coterie.gui.toolkit.forms.editors import Editor, editor_for
from coterie.gui.toolkit.forms.fields import FormField, fields_of
from coterie.gui.toolkit.forms.rows import explain, help_button, hint_label, lay_out_row
from coterie.gui.toolkit.styling.icons import icon

DEBOUNCE_MILLISECONDS = 250


class ParameterForm(QWidget):
    """All parameters of one method.

    `changed` carries the values that differ from their defaults, a moment after the last edit;
    `moved` carries them at every movement of a slider, for a preview.
    Values that the form does not know (from a newer plugin, say) are passed through untouched.
    """

    changed = Signal(dict)
    moved = Signal(dict)

    def __init__(
        self,
        descriptor: Descriptor,
        values: Mapping[str, Any] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.fields = fields_of(descriptor.params, descriptor.defaults)
        self._unknown: dict[str, Any] = {}
        self._advanced: QToolButton | None = None
        self._rows: dict[str, _Row] = {}
        self._delay = QTimer(self, singleShot=True, interval=DEBOUNCE_MILLISECONDS)
        self._delay.timeout.connect(self._announce)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for field in self.fields:
            if not field.advanced:
                layout.addWidget(self._row_for(field))
        advanced = [field for field in self.fields if field.advanced]
        if advanced:
            layout.addWidget(self._advanced_section(advanced))
        self.set_values(values or {})

    def values(self) -> dict[str, Any]:
        """Return the values that differ from their defaults."""
        found = dict(self._unknown)
        for name, row in self._rows.items():
            value = row.editor.value()
            if not row.field.is_default(value):
                found[name] = value
        return found

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show values, defaults where none is given, without telling anyone."""
        self._delay.stop()
        self._unknown = {name: v for name, v in values.items() if name not in self._rows}
        for name, row in self._rows.items():
            row.show_value(values.get(name, row.field.default))
        self._show_what_matters()
        if self._advanced is not None and any(
            row.field.advanced and not row.field.is_default(row.editor.value())
            for row in self._rows.values()
        ):
            self._advanced.setChecked(True)

    def flush(self) -> None:
        """Announce a pending edit now, as before a run."""
        for row in self._rows.values():
            row.editor.take_typed()
        if self._delay.isActive():
            self._delay.stop()
            self._announce()

    def editor(self, name: str) -> Editor:
        """Return the editor of one parameter."""
        return self._rows[name].editor

    def offer(self, choices: Mapping[str, tuple[str, ...]]) -> None:
        """Have values at hand for some parameters, such as the arrays that a file holds."""
        for name, row in self._rows.items():
            row.editor.offer(choices.get(name, ()))

    def reset(self, name: str) -> None:
        """Put one parameter back to its default."""
        self._rows[name].reset()

    def _row_for(self, field: FormField) -> _Row:
        row = self._rows[field.name] = _Row(field)
        row.edited.connect(self._delay.start)
        row.edited.connect(self._show_what_matters)
        row.edited.connect(lambda: self.moved.emit(self.values()))
        return row

    def _show_what_matters(self) -> None:
        """Hide the rows that have no meaning with the values of the others."""
        values = {name: row.editor.value() for name, row in self._rows.items()}
        for row in self._rows.values():
            row.setVisible(row.field.has_meaning(values))

    def _advanced_section(self, fields: list[FormField]) -> QWidget:
        section = QWidget()
        layout = QVBoxLayout(section)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        button = QToolButton()
        button.setText(f"Advanced ({len(fields)})")
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setProperty("role", "section")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIcon(icon("fold"))
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        for field in fields:
            rows.addWidget(self._row_for(field))
        layout.addWidget(inside)
        inside.hide()

        def on_toggled(opened: bool) -> None:
            inside.setVisible(opened)
            button.setIcon(icon("unfold" if opened else "fold"))

        button.toggled.connect(on_toggled)
        self._advanced = button
        return section

    def _announce(self) -> None:
        self.changed.emit(self.values())


class _Row(QWidget):
    """Title, editor, a way back to the default, one line of help, and "?" for all of it."""

    edited = Signal()

    def __init__(self, field: FormField) -> None:
        super().__init__()
        self.field = field
        self.editor = editor_for(field)
        self.editor.edited.connect(self._on_edited)
        self._reset = QToolButton()
        self._reset.setIcon(icon("reset"))
        self._reset.setAutoRaise(True)
        self._reset.setProperty("role", "small")
        self._reset.setToolTip("Reset to default")
        self._reset.setAccessibleName(f"Reset {field.title}")
        self._reset.clicked.connect(self.reset)
        self.help = help_button(field.title, "What this setting means")
        self.help.clicked.connect(lambda: explain(self.help, field.title, field.tooltip()))
        self._label, grid = lay_out_row(self, field.title, self.editor, self._reset, self.help)
        if field.hint():
            grid.addWidget(hint_label(field.hint()), 1, 0, 1, -1)
        self.setToolTip(field.tooltip())
        self.editor.setAccessibleDescription(field.tooltip())

    def show_value(self, value: Any) -> None:
        """Show a value without telling anyone."""
        self.editor.set_value(value)
        self._mark()

    def reset(self) -> None:
        """Go back to the default."""
        if not self.field.is_default(self.editor.value()):
            self.show_value(self.field.default)
            self.edited.emit()

    def _on_edited(self) -> None:
        self._mark()
        self.edited.emit()

    def _mark(self) -> None:
        own = not self.field.is_default(self.editor.value()) and not self.field.required
        self._reset.setVisible(own)
        font = self._label.font()
        font.setBold(own)
        self._label.setFont(font)

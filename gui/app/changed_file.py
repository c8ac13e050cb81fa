"""Asks what to do with a project that another program changed while it was open here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from coterie.gui.toolkit.buttons import with_plain_buttons

_MOST = 12  # differences in the box; the rest are counted


def ask_about_change(
    parent: QWidget,
    name: str,
    *,
    copy: Callable[[], None],
    overwrite: Callable[[], None],
    compare: Callable[[Callable[[list[str]], None]], None],
    differences: Sequence[str] = (),
) -> None:
    """Offer a copy, a comparison, or to overwrite.

    Parameters
    ----------
    compare : calls what it is given with the differences, one sentence each
    differences : of a comparison that was made
    """
    box = QMessageBox(parent)
    box.setObjectName("changed")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Changed by another program")
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(f"“{name}” was changed by another program since you opened it.")
    more = f"\n… and {len(differences) - _MOST} more." if len(differences) > _MOST else ""
    shown = "\n".join(differences[:_MOST]) + more
    box.setInformativeText(shown or "Save a copy to keep both versions.")
    roles = QMessageBox.ButtonRole
    copying = box.addButton("Save a copy…", roles.AcceptRole)
    comparing = box.addButton("Compare", roles.ActionRole) if not differences else None
    replacing = box.addButton("Overwrite", roles.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(copying)
    with_plain_buttons(box)

    def on_compared(found: list[str]) -> None:
        ask_about_change(
            parent, name, copy=copy, overwrite=overwrite, compare=compare, differences=found
        )

    def on_finished(_: int) -> None:
        pressed = box.clickedButton()
        if pressed is copying:
            copy()
        elif pressed is replacing:
            overwrite()
        elif comparing is not None and pressed is comparing:
            compare(on_compared)

    box.finished.connect(on_finished)
    box.open()

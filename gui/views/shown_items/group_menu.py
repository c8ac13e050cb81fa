"""The menu of a group, the same wherever a group is named: legends, headings and cards."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QColorDialog, QInputDialog, QMenu, QWidget

from coterie.core.errors import in_words
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.shown_items.group_editing import GroupEditing

_MOST_LISTED = 20  # groups in a menu
LONGEST_NAME = 200


class GroupMenu(QMenu):
    """Rename, colour, merge, split and move one group.

    Parameters
    ----------
    edited : is called with the step that then has the groups
    failed : is called with why an edit was refused
    """

    def __init__(
        self,
        editing: GroupEditing,
        group: int,
        parent: QWidget,
        *,
        edited: Callable[[str], object],
        failed: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._editing, self._group, self._window = editing, group, parent
        # No signals: the dialog of a split is still open when Qt's half of the menu is gone.
        self._edited, self._failed = edited, failed
        self.setToolTipsVisible(True)

    def add_edits(self) -> None:
        """Add what can be done with the group, below what was added before."""
        editing, group = self._editing, self._group
        names = editing.groups.group_names
        if self.actions():
            self.addSeparator()
        edits = [self.addAction("Rename…", self.rename), self.addAction("Colour…", self.recolour)]
        into = self.addMenu("Merge with")
        for other, name in list(enumerate(names))[:_MOST_LISTED]:
            if other != group:
                action = into.addAction(short(name))
                action.triggered.connect(lambda _=False, o=other: self._merge(o))
        if len(names) > _MOST_LISTED:
            into.addAction("Others: move groups together first").setEnabled(False)
        into.setEnabled(editing.can_edit and len(names) > 1)
        split = self.addAction("Split into sub-groups…", self.split)
        self.addSeparator()
        for words, by in (("Move up", -1), ("Move down", 1)):
            move: QAction = self.addAction(words)
            move.setEnabled(editing.can_edit and 0 <= group + by < len(names))
            move.triggered.connect(
                lambda _=False, b=by: self._do(lambda: editing.move_group(group, group + b))
            )
        for action in edits:
            action.setEnabled(editing.can_edit)
        split.setEnabled(editing.can_split)

    def rename(self) -> None:
        """Ask for another name."""
        own = self._own_name()
        words = f"Name of group {self._group + 1}:"
        name, given = QInputDialog.getText(self._window, "Rename group", words, text=own)
        name = " ".join(name.split())[:LONGEST_NAME]
        if given and name != own:
            self._do(lambda: self._editing.name_group(self._group, name))

    def recolour(self) -> None:
        """Ask for another colour."""
        groups = self._editing.groups
        now = palette.group_colour(self._group, groups.colours, dark=theme.current().dark)
        title = f"Colour of {short(groups.group_names[self._group])}"
        colour = QColorDialog.getColor(QColor(now), self._window, title)
        if colour.isValid() and colour.name() != now:
            self._do(lambda: self._editing.colour_group(self._group, colour.name()))

    def split(self) -> None:
        """Ask how the group is to be divided."""
        from coterie.gui.views.shown_items.split_dialog import SplitDialog

        editing, group = self._editing, self._group
        name = editing.groups.group_names[group]
        dialog = SplitDialog(name, editing.size(group), self._window)
        dialog.split_asked.connect(
            lambda method, k: self._do(lambda: editing.split_group(group, method, k))
        )
        dialog.open()

    def _merge(self, other: int) -> None:
        self._do(lambda: self._editing.merge_groups((self._group, other)))

    def _own_name(self) -> str:
        names = self._editing.groups.names
        return names[self._group] if self._group < len(names) else ""

    def _do(self, edit: Callable[[], str]) -> None:
        try:
            self._edited(edit())
        except Exception as error:
            self._failed(in_words(error))


def short(name: str) -> str:
    """Return a name short enough for a menu; both ends stay, so two that differ look different.

    >>> short("a" * 60)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa … aaaaaaaaaaaaaa'
    """
    text = name if len(name) <= 50 else f"{name[:32]} … {name[-14:]}"
    return text.replace("&", "&&")

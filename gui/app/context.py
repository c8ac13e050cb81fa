"""What the parts of a window share: its session, views, messages and status line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow, QStatusBar

    from coterie.gui.app.view_tabs import ViewTabs
    from coterie.gui.toolkit.problems import MessageBar
    from coterie.gui.toolkit.styling import theme
    from coterie.projects.session import Session

_SHORTLY = 5000  # ms


@dataclass
class WindowContext:
    """Each part of a window gets this one object, and none knows the window's own class.

    Attributes
    ----------
    frame : the window as Qt sees it: the parent of dialogs, the place of menus and docks
    tabs : the views
    problems : what went wrong, at the top of the window
    status : the line at the bottom
    session : what is open, or None before the first project
    scheme : the colours the person has chosen
    """

    frame: QMainWindow
    tabs: ViewTabs
    problems: MessageBar
    status: QStatusBar
    session: Session | None = None
    scheme: theme.Scheme = ""

    def say(self, text: str) -> None:
        """Show a sentence in the status line for a while."""
        self.status.showMessage(text, _SHORTLY)

"""The views at the centre: tabs that can be moved into windows of their own."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QColor,
    QKeySequence,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.gui.views.base_view import View


FIRST = "Embedding"  # in front before there is an answer to read
_FADE = 36  # pixels
_BETWEEN_PARTS = 100  # ms; each takes some 20 to make


class _Bar(QTabBar):
    """A bar whose tabs fade where there is no room for them, rather than being cut through."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tabs, and what hides the one that is cut at either end."""
        super().paintEvent(event)
        arrows = [one.x() for one in self.findChildren(QToolButton) if one.isVisible()]
        right = min(arrows, default=self.width())
        painter = QPainter(self)
        for at in range(self.count()):
            place = self.tabRect(at)
            if place.left() < 0 < place.right():
                self._fade(painter, 0, min(_FADE, place.right()))
            elif place.left() < right <= place.right():
                self._fade(painter, right, max(right - _FADE, place.left()))
        painter.end()

    def _fade(self, painter: QPainter, start: int, end: int) -> None:
        """Draw the ground over what is there, less and less from `start` to `end`."""
        ground = self.palette().color(QPalette.ColorRole.Window)
        clear = QColor(ground)
        clear.setAlpha(0)
        shades = QLinearGradient(start, 0, end, 0)
        shades.setColorAt(0, ground)
        shades.setColorAt(1, clear)
        painter.fillRect(QRect(min(start, end), 0, abs(end - start), self.height()), shades)


class ViewTabs(QTabWidget):
    """One tab a view. A double click tears it off; closing its window brings it back."""

    torn_off = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(_Bar())
        self.setDocumentMode(True)
        self.setMovable(True)
        self.setAccessibleName("Views")
        self.views: tuple[View, ...] = ()
        self.windows: dict[View, ViewWindow] = {}
        bar = self.tabBar()
        bar.setExpanding(False)
        bar.setUsesScrollButtons(True)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        bar.customContextMenuRequested.connect(self._on_menu)
        self.tabBarDoubleClicked.connect(self.tear_off)
        self.all_views = self._corner()
        self._spare_time = QTimer(self, interval=_BETWEEN_PARTS)
        self._spare_time.timeout.connect(self._prepare_one)

    def _corner(self) -> QToolButton:
        """A menu of all views, for those whose tabs find no room."""
        button = QToolButton()
        button.setIcon(icon("unfold"))
        button.setAutoRaise(True)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")  # the icon says it
        button.setToolTip("All views")
        button.setAccessibleName("All views")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: self._list_views(menu))
        button.setMenu(menu)
        self.setCornerWidget(button, Qt.Corner.TopRightCorner)
        return button

    def _list_views(self, menu: QMenu) -> None:
        menu.clear()
        for view in self.views:
            action = menu.addAction(view.title)
            action.setCheckable(True)
            action.setChecked(view is self.current_view())
            action.triggered.connect(lambda _=False, title=view.title: self.bring_forward(title))

    def show_views(self, views: Iterable[View]) -> None:
        """Replace all views by others, keeping the title that was in front."""
        front = self.tabText(self.currentIndex())
        self.clear_views()
        self.views = tuple(views)
        for view in self.views:
            self.addTab(view, view.title)
            view.setWindowTitle(view.title)
        self.bring_forward(front or FIRST)
        self.hide_empty()
        self._spare_time.start()

    def hide_empty(self) -> None:
        """Hide the tabs of views that have nothing to show in this project; the menu has them all.

        One in front, or brought there, stays.
        """
        for view in self.views:
            index = self.indexOf(view)
            if index >= 0 and index != self.currentIndex():
                self.setTabVisible(index, view.may_fill())

    def _prepare_one(self) -> None:
        """Make a part of a view not looked at yet, once what draws plots has been loaded."""
        waiting = [view for view in self.views if not view.built and view.worth_preparing()]
        if not waiting:
            self._spare_time.stop()
            # The views stay; to look through them for garbage takes this thread some 50 ms.
            gc.freeze()
        elif "coterie.gui.toolkit.plots.plotting" in sys.modules and not waiting[0].session.busy:
            waiting[0].prepare()

    def clear_views(self) -> None:
        """Drop all views, and the windows of those torn off."""
        self._spare_time.stop()
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()  # a menu of a view must not outlive it
        for window in list(self.windows.values()):
            window.let_go()
        self.windows.clear()
        for view in self.views:
            self.removeTab(self.indexOf(view))
            view.hide()
            view.deleteLater()
        self.views = ()

    def bring_forward(self, title: str) -> None:
        """Show the view of that title."""
        for view in self.views:
            if view.title == title:
                if view in self.windows:
                    self.windows[view].activateWindow()
                else:
                    self.setTabVisible(self.indexOf(view), True)
                    self.setCurrentWidget(view)

    def current_view(self) -> View | None:
        """Return the view in front, or the one whose window is active."""
        for view, window in self.windows.items():
            if window.isActiveWindow():
                return view
        return self._view_at(self.currentIndex())

    def tear_off(self, index: int) -> None:
        """Give a view a window of its own."""
        view = self._view_at(index)
        if view is None or self.count() <= 1:
            return
        size = view.size()
        self.removeTab(index)
        window = ViewWindow(view, self.window())
        window.closed.connect(lambda: self._bring_back(view))
        self.windows[view] = window
        window.resize(size)
        window.show()
        self.torn_off.emit(view.title)

    def tear_off_current(self) -> None:
        """Give the view in front a window of its own."""
        self.tear_off(self.currentIndex())

    def _view_at(self, index: int) -> View | None:
        return next((view for view in self.views if self.indexOf(view) == index >= 0), None)

    def _bring_back(self, view: View) -> None:
        window = self.windows.pop(view, None)
        if window is None or view not in self.views:
            return
        order = [other for other in self.views if self.indexOf(other) >= 0 or other is view]
        self.insertTab(order.index(view), view, view.title)
        self.setCurrentWidget(view)

    def _on_menu(self, place: QPoint) -> None:
        index = self.tabBar().tabAt(place)
        if index < 0:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction(icon("tear-off"), "Open in its own window")
        action.setEnabled(self.count() > 1)
        action.triggered.connect(lambda: self.tear_off(index))
        menu.popup(self.tabBar().mapToGlobal(place))


class ViewWindow(QWidget):
    """A view on its own."""

    closed = Signal()

    def __init__(self, view: View, main: QWidget) -> None:
        super().__init__(main, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{view.title} — Coterie")
        self.setWindowIcon(main.windowIcon())
        self._view: View | None = view
        self._take_keys(main)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(view)
        view.show()

    def _take_keys(self, main: QWidget) -> None:
        """Let the keys of the main window work here too, but for closing: that closes this one."""
        close = QAction("Close", self)
        close.setShortcut(QKeySequence(QKeySequence.StandardKey.Close))
        close.triggered.connect(self.close)
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        theirs = main.findChildren(QAction, options=direct)
        self.addActions([close, *(one for one in theirs if one.shortcut() != close.shortcut())])

    def let_go(self) -> None:
        """Close without giving the view back."""
        self._view = None
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the view back to the tabs."""
        if self._view is not None:
            self._layout.removeWidget(self._view)
            self._view.setParent(None)
            self._view = None
            self.closed.emit()
        super().closeEvent(event)

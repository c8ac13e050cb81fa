"""The help window: a list of pages to search, and the page."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QImage, QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.catalogue.descriptors import Catalogue
from coterie.gui.dialogs.help.state import GUIDE, anchors_of, documents_folder, page_of, topics

_KEY = Qt.ItemDataRole.UserRole
_MARGIN = 60  # of a page beside its pictures


class HelpWindow(QDialog):
    """Pages about methods, and the guide; stays open beside the window."""

    def __init__(self, catalogue: Catalogue, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("help")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Help — Coterie")
        self._catalogue = catalogue
        self._text = ""
        self.sought = QLineEdit(placeholderText="Find a page")
        self.sought.setAccessibleName("Find a page")
        self.sought.setClearButtonEnabled(True)
        self.sought.textChanged.connect(self._on_sought)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setAccessibleName("Pages")
        self.tree.currentItemChanged.connect(lambda item, _: self._on_item(item))
        self.browser = _Page()
        self.browser.anchorClicked.connect(self._on_link)
        left = QVBoxLayout()
        left.addWidget(self.sought)
        left.addWidget(self.tree, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.addLayout(left, 1)
        layout.addWidget(self.browser, 3)
        self._fill()
        self.resize(980, 680)

    def show_page(self, key: str) -> None:
        """Show a page: "guide", or a method as "kind/id"."""
        for item in self._items():
            if item.data(0, _KEY) == key:
                parent = item.parent()
                if parent is not None:
                    parent.setExpanded(True)
                self.tree.setCurrentItem(item)
                self.tree.scrollToItem(item)
                return
        self._show(key)

    def _fill(self) -> None:
        parts: dict[str, QTreeWidgetItem] = {}
        for topic in topics(self._catalogue):
            part = parts.get(topic.part)
            if part is None:
                part = parts[topic.part] = QTreeWidgetItem(self.tree, [topic.part])
                part.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item = QTreeWidgetItem(part, [topic.title])
            item.setData(0, _KEY, topic.key)
            item.setToolTip(0, topic.key)
            part.setExpanded(topic.part == "Guide")

    def _items(self) -> list[QTreeWidgetItem]:
        return [item for part in self._parts() for item in _children(part)]

    def _parts(self) -> list[QTreeWidgetItem]:
        found = (self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount()))
        return [part for part in found if part is not None]

    def _on_sought(self, text: str) -> None:
        wanted = text.casefold().split()
        for item in self._items():
            words = f"{item.text(0)} {item.data(0, _KEY)}".casefold()
            item.setHidden(not all(word in words for word in wanted))
        for part in self._parts():
            part.setHidden(all(item.isHidden() for item in _children(part)))
            part.setExpanded(bool(wanted) or part.text(0) == "Guide")

    def _on_item(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and (key := item.data(0, _KEY)):
            self._show(str(key))

    def _show(self, key: str) -> None:
        self._text = page_of(key, self._catalogue)
        self.browser.setMarkdown(self._text)
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)

    def _on_link(self, url: QUrl) -> None:
        heading = anchors_of(self._text).get(url.fragment())
        block = self.browser.document().begin()
        while heading and block.isValid():
            if block.blockFormat().headingLevel() and block.text() == heading:
                self.browser.moveCursor(QTextCursor.MoveOperation.End)  # so it comes to the top
                self.browser.setTextCursor(QTextCursor(block))
                return
            block = block.next()


class _Page(QTextBrowser):
    """Shows pictures of the documents' folder, made as small as the page is wide."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.document().setDocumentMargin(14)
        self.setAccessibleName("Page")

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture beside the guide; nothing from anywhere else."""
        folder = documents_folder()
        url = QUrl(name)
        if folder is None or url.scheme() not in ("", "file"):
            return None
        path = (folder / url.path()).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            return None
        image = QImage(str(path))
        width = self.viewport().width() - _MARGIN
        if image.width() > width > 0:
            image = image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures to the page again."""
        super().resizeEvent(event)
        if event.oldSize() != QSize(-1, -1) and event.oldSize().width() != event.size().width():
            self.document().markContentsDirty(0, self.document().characterCount())


def _children(part: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (part.child(place) for place in range(part.childCount()))
    return [item for item in found if item is not None]


def open_help(catalogue: Catalogue, parent: QWidget, key: str = GUIDE) -> HelpWindow:
    """Show a page in the help window of a window, which is opened if it is not."""
    found = parent.findChild(HelpWindow)
    window = found if isinstance(found, HelpWindow) else HelpWindow(catalogue, parent)
    window.show_page(key)
    window.show()
    window.raise_()
    window.activateWindow()
    return window

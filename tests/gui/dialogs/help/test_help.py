"""The help window: the guide and method pages, offline."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.dialogs.help.state import documents_folder, page_of, topics
from coterie.gui.dialogs.help.window import HelpWindow, open_help
from tests.gui.prepared import built_in_methods


def test_every_topic_has_a_page() -> None:
    methods = built_in_methods()
    found = topics(methods)
    assert found[0].key == "guide"
    assert {topic.key for topic in found} >= {method.name for method in methods}
    for topic in found:
        assert len(page_of(topic.key, methods)) > 60
    assert "no page" in page_of("nothing", methods)


def test_the_guide_shows_its_pictures_and_nothing_from_elsewhere(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    window = open_help(built_in_methods(), parent)
    assert "User guide" in window.browser.toPlainText()[:200]
    image = int(window.browser.document().ResourceType.ImageResource.value)
    assert window.browser.loadResource(image, QUrl("pictures/guide-start.png")) is not None
    for other in ("../README.md", "https://example.org/x.png", "pictures/missing.png"):
        assert window.browser.loadResource(image, QUrl(other)) is None
    assert documents_folder() is not None
    assert open_help(built_in_methods(), parent, "clusterer/kmeans") is window
    assert "k-means" in window.browser.toPlainText()
    window.close()


def test_pages_are_found_by_words(qtbot: QtBot) -> None:
    window = HelpWindow(built_in_methods())
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(window)
    window.sought.setText("hdbscan")
    seen = [item.text(0) for item in window._items() if not item.isHidden()]
    assert seen == ["HDBSCAN"]
    window.sought.setText("")
    assert not any(item.isHidden() for item in window._items())
    window.show_page("guide")
    window.browser.anchorClicked.emit(QUrl("#the-window"))
    heading = window.browser.textCursor().block()
    assert heading.text() == "The window"
    assert heading.blockFormat().headingLevel() == 2

"""The look of the window, light and dark, following the system as it changes.

There is no module state: the application's own palette says which look is on, and widgets hear of
a change from Qt, through `changeEvent` with `QEvent.Type.PaletteChange`.

Widgets get the finer looks by a property, `label.setProperty("role", "muted")`:

- on a QLabel: `title`, `heading`, `muted`, `warning`, `danger`, `badge`
- on a QFrame: `card`, `banner` (a remark across the top of a view)
- on a button: `primary`, `quiet` (flat until hovered)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from coterie.gui.toolkit.styling.plain_style import PlainStyle
from coterie.gui.toolkit.styling.stylesheet import stylesheet

Scheme = Literal["", "light", "dark"]
_CHOSEN = "coterie-scheme"  # property of the application: the scheme asked for, "" for the system's
_FOLLOWS = "coterie-follows"  # property of the application: it hears of the system's changes


@dataclass(frozen=True)
class Colours:
    """The colours of one look, each as "#rrggbb"."""

    dark: bool
    window: str  # behind everything
    base: str  # tables, fields, plots
    alternate: str  # every second row
    raised: str  # buttons, cards
    text: str
    muted: str  # what matters less; still 4.5 : 1 against window and base
    line: str  # borders
    grid: str  # grid of a plot
    accent: str
    on_accent: str
    selection: str  # background of selected rows
    warning: str
    warning_back: str
    danger: str
    success: str


LIGHT = Colours(
    dark=False,
    window="#f4f5f7",
    base="#ffffff",
    alternate="#f8f9fb",
    raised="#ffffff",
    text="#1d232b",
    muted="#5c6672",
    line="#d5dae1",
    grid="#e6e9ee",
    accent="#2563c9",
    on_accent="#ffffff",
    selection="#d6e4fa",
    warning="#8a5300",
    warning_back="#fff1d6",
    danger="#b3261e",
    success="#1b7a43",
)
DARK = Colours(
    dark=True,
    window="#1b1e23",
    base="#22262c",
    alternate="#262b32",
    raised="#2b3038",
    text="#e4e8ed",
    muted="#9aa5b1",
    line="#3a414b",
    grid="#2f353d",
    accent="#6ea8fe",
    on_accent="#0c1a30",
    selection="#2c4468",
    warning="#f5c26b",
    warning_back="#3a2f1a",
    danger="#ff8a80",
    success="#6fd39a",
)


def apply(app: QApplication, scheme: Scheme = "") -> None:
    """Dress the application, as the system does or, when `scheme` is given, as asked."""
    app.setProperty(_CHOSEN, scheme)
    if not app.property(_FOLLOWS):
        app.setProperty(_FOLLOWS, True)
        app.styleHints().colorSchemeChanged.connect(_on_scheme_changed)
        app.setStyle(PlainStyle("Fusion"))
    _dress(app)


def current() -> Colours:
    """Return the colours of the look that is on."""
    window = QApplication.palette().color(QPalette.ColorRole.Window)
    return DARK if window.lightness() < 128 else LIGHT


def palette_of(colours: Colours) -> QPalette:
    """Return Qt's palette for these colours."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = QPalette()
    for target, colour in (
        (role.Window, colours.window),
        (role.WindowText, colours.text),
        (role.Base, colours.base),
        (role.AlternateBase, colours.alternate),
        (role.Text, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Button, colours.raised),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.danger),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Accent, colours.accent),
        (role.Link, colours.accent),
        (role.LinkVisited, colours.muted),
        (role.Light, colours.raised),
        (role.Midlight, colours.alternate),
        (role.Mid, colours.line),
        (role.Dark, colours.line),
        (role.Shadow, colours.line),
    ):
        palette.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(group.Disabled, target, QColor(colours.muted))
    palette.setColor(group.Disabled, role.Highlight, QColor(colours.line))
    return palette


def _dress(app: QApplication) -> None:
    asked = app.property(_CHOSEN)
    system_is_dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    colours = DARK if asked == "dark" or (not asked and system_is_dark) else LIGHT
    sheet = stylesheet(colours)
    if sheet == app.styleSheet() and colours is current():
        return  # or every widget there is would be dressed again
    app.setPalette(palette_of(colours))
    app.setStyleSheet(sheet)


def _on_scheme_changed() -> None:
    app = QApplication.instance()
    if isinstance(app, QApplication):
        _dress(app)

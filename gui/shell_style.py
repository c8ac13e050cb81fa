"""The looks that only the window itself needs, on top of the theme's stylesheet."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor

from coterie.gui.theme import Colours

_SHEET = Template("""
QLabel[role="hint"] { color: $muted; font-size: 9pt; }
QLabel[role="chip"] { font-size: 9pt; font-weight: 600; }
QLabel[role="name"] { font-size: 26pt; font-weight: 700; }
QLabel[role="tagline"] { color: $muted; font-size: 12pt; }

QFrame[role="card"] QLabel { border: none; background: transparent; }
QFrame[role="card"][chosen="true"] { border: 1px solid $accent; }
QFrame[role="problem"] { background: $problem_back; border: none; border-radius: 6px; }
QFrame[role="problem"] QLabel { color: $danger; }
QFrame[role="message"] { background: $problem_back; border: none; }
QFrame[role="message"] QLabel { color: $danger; }
QToolButton[role="inline"] { padding: 0; color: $danger; font-weight: 600; }
QToolButton[role="inline"]:hover { background: transparent; border-color: $danger; }

QToolButton[role="fold"], QToolButton[role="small"] {
    padding: 0; min-width: 22px; max-width: 22px; min-height: 22px; max-height: 22px;
}
QToolButton[role="section"] { padding: 2px 6px 2px 0; color: $muted; }
QToolButton[role="fold"]:checked, QToolButton[role="section"]:checked {
    background: transparent; border-color: transparent;
}
QToolButton[role="fold"]:focus { border-color: $accent; }
QToolButton::menu-indicator { image: none; }
QPushButton::menu-indicator { width: 0; image: none; }

QToolBar { background: $window; border: none; border-bottom: 1px solid $line; padding: 4px 6px;
    spacing: 2px; }
QToolBar::separator { background: $line; width: 1px; margin: 6px 6px; }
QToolBar QToolButton { padding: 4px 6px; margin: 0; }
QMenuBar { background: $window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $selection; }

QPushButton[role="offer"] {
    background: $raised; border: 1px solid $line; border-radius: 10px; padding: 0;
    min-width: 230px; max-width: 230px; min-height: 218px; max-height: 218px;
}
QPushButton[role="offer"]:hover { border-color: $accent; }
QPushButton[role="offer"]:focus { border: 2px solid $accent; }
QPushButton[role="offer"]:pressed { background: $selection; }
QPushButton[role="offer"] QLabel { background: transparent; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar[ended="true"]::chunk { background: $line; }
QTreeWidget[role="plain"] { background: transparent; }
QListWidget[role="recent"] { background: transparent; border: none; }
QAbstractSpinBox[invalid="true"], QLineEdit[invalid="true"] { color: $danger; }
""")


def shell_stylesheet(colours: Colours) -> str:
    """Return the window's own stylesheet in these colours."""
    return _SHEET.substitute(vars(colours), problem_back=_tinted(colours.base, colours.danger))


def _tinted(back: str, tint: str, share: float = 0.12) -> str:
    """A background with a touch of another colour. The palette has this too, but loads numpy."""
    one, other = QColor(back), QColor(tint)
    mixed = [
        round((1 - share) * a + share * b)
        for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor(*mixed).name()

"""The looks that only the window itself needs, on top of the theme's stylesheet."""

from __future__ import annotations

from pathlib import Path
from string import Template

from PySide6.QtGui import QColor

from coterie.gui.toolkit.styling.theme import Colours

_PICTURES = Path(__file__).parent / "pictures"

_SHEET = Template("""
QLabel[role="hint"] { color: $muted; font-size: 9pt; }
QLabel[role="guess"] { color: $warning; font-size: 9pt; font-weight: 600; }
QLabel[role="chip"] { font-size: 9pt; font-weight: 600; }
QLabel[role="name"] { font-size: 26pt; font-weight: 700; }
QLabel[role="tagline"] { color: $muted; font-size: 12pt; }

QFrame[role="card"] QLabel { border: none; background: transparent; }
QFrame[role="card"][chosen="true"] { border: 1px solid $accent; }
QFrame[role="problem"] { background: $problem_back; border: none; border-radius: 6px; }
QFrame[role="problem"] QLabel { color: $danger; }
QFrame[role="message"] { background: $problem_back; border: none; }
QFrame[role="message"] QLabel { color: $danger; }
QToolButton[role="picture"] {
    padding: 3px; background: $base; border: 1px solid $line; border-radius: 6px; }
QToolButton[role="picture"]:hover { border-color: $accent; }
QToolButton[role="inline"] { padding: 0; color: $danger; font-weight: 600; }
QToolButton[role="inline"]:hover { background: transparent; border-color: $danger; }
QPushButton[role="remedy"] { padding: 2px 10px; text-align: left; }
QFrame[role="card"][dragged="true"] { background: $selection; border: 1px solid $accent; }
QFrame[role="mark"] { background: $accent; border: none; border-radius: 1px; }

QToolButton[role="fold"], QToolButton[role="small"] {
    padding: 0; min-width: 22px; max-width: 22px; min-height: 22px; max-height: 22px;
}
QToolButton[role="help"] { color: $muted; padding: 0; border-radius: 9px;
    min-width: 18px; max-width: 18px; min-height: 18px; max-height: 18px; }
QToolButton[role="help"]:hover { color: $accent; border-color: $accent; }
QToolButton[role="section"] { padding: 2px 6px 2px 0; color: $muted; }
QToolButton[role="fold"]:checked, QToolButton[role="section"]:checked {
    background: transparent; border-color: transparent;
}
QToolButton[role="fold"]:focus { border-color: $accent; }
QPushButton::menu-indicator {
    image: url("$pictures/down-$look.svg"); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: center right; right: 8px;
}

QToolBar { background: $window; border: none; border-bottom: 1px solid $line; padding: 4px 6px;
    spacing: 2px; }
QToolBar::separator { background: $line; width: 1px; margin: 6px 6px; }
QToolBar QToolButton { padding: 4px 6px; margin: 0; }
QDockWidget { titlebar-normal-icon: url("$pictures/float-$look.svg"); }
QMenuBar { background: $window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $selection; }

QPushButton[role="offer"] {
    background: $raised; border: 1px solid $line; border-radius: 10px; padding: 0;
    min-width: 230px; min-height: 218px; max-height: 218px;
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
QTreeWidget[role="plain"] { background: transparent; }
QListWidget[role="recent"] { background: transparent; border: none; }
QAbstractSpinBox, QLineEdit {
    color: $text; background: $base; border: 1px solid $line; border-radius: 6px; padding: 2px 6px;
}
QAbstractSpinBox { padding: 1px 0 1px 4px; min-height: 20px; }
QAbstractSpinBox QLineEdit { border: none; padding: 0 0 0 3px; background: transparent; }
QAbstractSpinBox:hover, QAbstractSpinBox:focus, QLineEdit:hover, QLineEdit:focus {
    border-color: $accent;
}
QAbstractSpinBox:disabled, QLineEdit:disabled { color: $muted; background: $window; }
QAbstractSpinBox[invalid="true"], QLineEdit[invalid="true"],
QAbstractSpinBox[invalid="true"] QLineEdit { color: $danger; border-color: $danger; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    background: transparent; border: none; width: 18px;
}
QAbstractSpinBox::up-arrow { image: url("$pictures/up-$look.svg"); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow {
    image: url("$pictures/down-$look.svg"); width: 10px; height: 10px;
}
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::down-arrow:off { image: none; }
QSlider::groove:horizontal { background: $line; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled { background: $line; }
QSlider::handle:horizontal {
    background: $raised; border: 1px solid $muted; width: 12px; margin: -5px 0; border-radius: 7px;
}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border-color: $accent; }
QToolButton[role="word"] { border: 1px solid $line; padding: 2px 8px; }
QToolButton[role="word"]:checked { background: $selection; border-color: $accent; }
""")


def shell_stylesheet(colours: Colours) -> str:
    """Return the window's own stylesheet in these colours."""
    return _SHEET.substitute(
        vars(colours),
        problem_back=_tinted(colours.base, colours.danger),
        pictures=_PICTURES.as_posix(),
        look="dark" if colours.dark else "light",
    )


def _tinted(back: str, tint: str, share: float = 0.12) -> str:
    """A background with a touch of another colour. The palette has this too, but loads numpy."""
    one, other = QColor(back), QColor(tint)
    mixed = [
        round((1 - share) * a + share * b)
        for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor(*mixed).name()

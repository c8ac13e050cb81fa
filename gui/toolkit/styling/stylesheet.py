"""The small stylesheet on top of the Fusion style: spacing, borders and the finer looks."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coterie.gui.toolkit.styling.theme import Colours

_SHEET = Template("""
QToolTip { color: $text; background: $raised; border: 1px solid $line; padding: 4px 6px; }

QLabel[role="title"] { font-size: 15pt; font-weight: 600; }
QLabel[role="headline"] { font-size: 20pt; font-weight: 600; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="warning"] { color: $warning; }
QLabel[role="danger"] { color: $danger; }
QLabel[role="badge"] {
    color: $muted; border: 1px solid $line; border-radius: 8px; padding: 1px 8px;
}
QFrame[role="card"] { background: $raised; border: 1px solid $line; border-radius: 8px; }
QFrame[role="banner"] { background: $warning_back; border: none; border-radius: 6px; }
QFrame[role="banner"] QLabel { color: $warning; }

QPushButton, QToolButton, QComboBox, QSpinBox, QDoubleSpinBox, QLineEdit { min-height: 20px; }
QPushButton {
    background: $raised; border: 1px solid $line; border-radius: 6px; padding: 4px 12px;
}
QPushButton:hover { border-color: $accent; }
QPushButton:pressed, QPushButton:checked { background: $selection; border-color: $accent; }
QPushButton:focus { border: 1px solid $accent; }
QPushButton:disabled { color: $muted; background: $window; border-color: $line; }
QPushButton[role="primary"] {
    color: $on_accent; background: $accent; border-color: $accent; font-weight: 600;
}
QPushButton[role="primary"]:focus { border: 2px solid $text; padding: 3px 11px; }
QPushButton[role="primary"]:disabled {
    color: $muted; background: $window; border-color: $line;
}
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 3px 8px; }
QToolButton:hover { background: $alternate; border-color: $line; }
QToolButton:checked, QToolButton:pressed { background: $selection; border-color: $accent; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $muted; }
QToolButton[popupMode="2"] { padding-right: 20px; }
QToolButton::menu-indicator {
    image: url("$marks/arrow-$look.svg"); width: 10px; height: 10px;
    subcontrol-origin: padding; subcontrol-position: center right; right: 6px;
}
QPushButton[role="quiet"] { background: transparent; border-color: transparent; }
QPushButton[role="quiet"]:hover, QPushButton[role="quiet"]:focus { border-color: $accent; }

QComboBox {
    color: $text; background: $raised; border: 1px solid $line; border-radius: 6px;
    padding: 2px 6px 2px 10px;
}
QComboBox:hover, QComboBox:focus { border-color: $accent; }
QComboBox:disabled { color: $muted; background: $window; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url("$marks/arrow-$look.svg"); width: 12px; height: 12px; }
QLineEdit[role="name"] {
    background: transparent; border: 1px solid transparent; border-radius: 6px;
    font-weight: 600; padding: 2px 4px;
}
QLineEdit[role="name"]:hover { border-color: $line; background: $base; }
QLineEdit[role="name"]:focus { border-color: $accent; background: $base; }
QCheckBox { spacing: 7px; }
QCheckBox::indicator {
    width: 14px; height: 14px; border: 1px solid $muted; border-radius: 4px; background: $base;
}
QCheckBox::indicator:hover, QCheckBox:focus::indicator { border-color: $accent; }
QCheckBox::indicator:checked {
    background: $accent; border-color: $accent; image: url("$marks/tick-$look.svg");
}
QCheckBox::indicator:disabled { background: $window; border-color: $line; }

QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
    color: $muted; background: transparent; border: none;
    border-bottom: 2px solid transparent; padding: 7px 11px;
}
QTabBar[role="narrow"]::tab { padding: 7px 7px; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $text; background: $alternate; }

QDockWidget { font-weight: 600; titlebar-close-icon: none; }
QDockWidget::title { background: $window; padding: 6px 8px; text-align: left; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $window; }
QSplitter::handle:hover { background: $line; }

QTableView, QTreeView, QListView {
    background: $base; alternate-background-color: $alternate; border: none;
    gridline-color: $grid; selection-background-color: $selection; selection-color: $text;
}
QTableView::item { padding: 0 6px; }
QTreeView::item, QListView::item { padding: 3px 2px; }
QHeaderView { background: $window; }
QHeaderView::section {
    color: $muted; background: $window; border: none;
    border-right: 1px solid $line; border-bottom: 1px solid $line; padding: 5px 8px;
}
QTableCornerButton::section { background: $window; border: none; }
QStatusBar { border-top: 1px solid $line; }
QStatusBar::item { border: none; }

QProgressBar {
    color: $text; background: $grid; border: none; border-radius: 4px; text-align: center;
}
QProgressBar::chunk { background: $accent; border-radius: 4px; }
""")


def stylesheet(colours: Colours) -> str:
    """Return the stylesheet in these colours."""
    marks = (Path(__file__).parent / "marks").as_posix()
    return _SHEET.substitute(vars(colours), marks=marks, look="dark" if colours.dark else "light")

"""How common each category is in each group: bars beside each other, categories below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.profile.state import Shares

_BAR = 0.74  # of the height that a category has
_ACROSS = 0.84  # of the width that a group has: a bar of 100%
_FAINT, _STRONG = 28, 210  # opacity of the ground and of the bar


def paint_shares(
    painter: QPainter,
    frame: QRectF,
    beside: float,
    one: Shares,
    shades: Sequence[QColor],
    colours: Colours,
) -> None:
    """Paint a line for each category, in it a bar for each group on a ground of 100%.

    Parameters
    ----------
    beside : the room left of the frame, for the names of the categories
    """
    metrics = painter.fontMetrics()
    height = frame.height() / max(len(one.categories), 1)
    room = frame.width() / max(len(shades), 1)
    for row, category in enumerate(one.categories):
        top = frame.top() + row * height
        painter.setPen(QColor(colours.muted))
        word = metrics.elidedText(category, Qt.TextElideMode.ElideMiddle, int(beside))
        place = QRectF(frame.left() - beside - 4, top, beside, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, word)
        for at, shade in enumerate(shades):
            share = float(one.shares[at, row])
            if not np.isfinite(share):
                continue
            left = frame.left() + (at + (1 - _ACROSS) / 2) * room
            thick = min(_BAR * height, 26.0)
            bar = QRectF(left, top + (height - thick) / 2, _ACROSS * room, thick)
            painter.fillRect(bar, _with_opacity(shade, _FAINT))
            bar.setWidth(bar.width() * share)
            painter.fillRect(bar, _with_opacity(shade, _STRONG))


def share_words(one: Shares, name: str, group: int) -> str:
    """Say how common each category is in a group."""
    said = [
        f"{category}: {share:.0%}" if np.isfinite(share) else f"{category}: –"
        for category, share in zip(one.categories, one.shares[group].tolist(), strict=True)
    ]
    return "\n".join([f"{one.name}, {name}", *said])


def _with_opacity(shade: QColor, opacity: int) -> QColor:
    found = QColor(shade)
    found.setAlpha(opacity)
    return found

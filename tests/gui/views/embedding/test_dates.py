"""A column of dates along an axis."""

import numpy as np
from pytestqt.qtbot import QtBot

from coterie.core.model.columns import Column
from coterie.core.model.dataset import Dataset
from coterie.gui.toolkit.plots import plotting
from coterie.gui.views.embedding.axes import axes_of
from coterie.gui.views.shown_items.columns import columns_of
from coterie.gui.views.shown_items.displayed import Shown

DAY = 86_400.0


def test_a_column_of_dates_is_known_as_one() -> None:
    days = np.arange(3) * DAY
    data = Dataset(
        features=np.column_stack([days, [1.0, 2, 3]]),
        columns=("joined", "spent"),
        table=(Column("joined", days, "date"), Column("spent", np.array([1.0, 2, 3]))),
    )
    shown = Shown(dataset=data)
    assert [(a.title, a.is_date) for a in axes_of(shown, columns_of(shown))] == [
        ("joined", True),
        ("spent", False),
    ]


def test_ticks_are_written_as_dates(qtbot: QtBot) -> None:
    axis = plotting.AmountAxis("bottom")
    assert axis.tickStrings([0.0, 1.5e9], 1.0, 1.5e9) == ["0", "1.5e+09"]
    axis.show_dates(True)
    assert axis.tickStrings([0.0, 366 * DAY], 1.0, 366 * DAY) == ["1970-01-01", "1971-01-02"]
    assert axis.tickStrings([DAY / 2], 1.0, DAY / 4) == ["1970-01-01 12:00:00"]

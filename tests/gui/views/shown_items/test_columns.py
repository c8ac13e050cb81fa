"""Typed columns as the window shows them: each in its own type, whatever the features are."""

import numpy as np

from coterie.core import Column, Dataset
from coterie.core.model.columns import category
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.gui.panels.inspector_state import _typical
from coterie.gui.views.shown_items.columns import MISSING, columns_of, table_columns
from coterie.gui.views.shown_items.displayed import Shown
from coterie.gui.views.shown_items.item_summary import glance
from coterie.gui.views.shown_items.row_filter import filtered
from tests.typed_tables import data_of

DAY = 86400.0


def people() -> Dataset:
    return data_of(
        Column("size", np.array([1.5, np.nan, 3.0])),
        category("sex", ["f", "", "m"]),
        Column("joined", np.array([0.0, DAY, np.nan]), "date"),
        Column("remark", ["ab", "", "likes Öl"], "text", "information"),
        Column("visits", np.array([3.0, 4.0, np.nan]), role="information"),
        category("kind", ["x", "y", "x"], role="label"),
        truth=np.array([0, 1, 0]),
        truth_names=("x", "y"),
        truth_column="kind",
    )


def shown_of(data: Dataset) -> Shown:
    return Shown(dataset=data, dataset_step="data")


def test_each_column_is_shown_once_and_in_its_own_type() -> None:
    columns = {c.title: c for c in columns_of(shown_of(people()))}
    assert [*columns] == ["Item", "kind", "size", "sex", "joined", "remark", "visits"]
    assert [columns[name].text(1) for name in columns] == [
        "2", "y", MISSING, MISSING, "1970-01-02", MISSING, "4",
    ]  # fmt: skip
    assert columns["sex"].written(np.arange(3)) == ["f", "", "m"]
    assert columns["joined"].written(np.arange(3)) == ["1970-01-01", "1970-01-02", ""]


def test_features_that_a_step_changed_stand_beside_the_columns_it_leaves() -> None:
    data = people()
    assert is_default_encoding(data)
    changed = data.with_features(np.asarray(data.features) * 2)
    assert not is_default_encoding(changed)
    titles = [c.title for c in table_columns(changed)]
    assert titles == ["size", "sex = m", "joined", "sex", "remark", "visits"]


def test_a_filter_speaks_of_categories_dates_and_texts() -> None:
    data = people()
    columns = columns_of(shown_of(data))

    def rows(text: str) -> list[int]:
        found = filtered(columns, data.n, text)
        assert not found.problem
        return np.flatnonzero(found.kept).tolist()

    assert rows("sex = m") == [2]
    assert rows("sex = none") == [1]
    assert rows("joined > '1970-01-01'") == [1]
    assert rows("visits < 4") == [0]
    assert rows("likes") == [2]


def test_the_card_of_an_item_says_what_is_not_a_feature() -> None:
    data = people()
    lines = dict(glance(shown_of(data), columns_of(shown_of(data)), 2).lines)
    assert lines == {
        "kind": "x", "sex": "m", "joined": MISSING, "remark": "likes Öl", "visits": MISSING,
    }  # fmt: skip


def test_a_selection_is_summed_up_by_the_type_of_each_column() -> None:
    columns = {c.title: c for c in table_columns(people())}
    said = {title: _typical(c, np.arange(3)) for title, c in columns.items() if c.kind != "text"}
    assert (said["size"].value, said["size"].note) == ("2.25", "1.5 to 3")
    assert (said["sex"].value, said["sex"].note) == ("f", "50%")
    assert (said["joined"].value, said["joined"].note) == ("1970-01-01", "to 1970-01-02")
    nothing = data_of(Column("a", np.arange(2.0)), category("b", ["", ""], role="information"))
    assert _typical(table_columns(nothing)[1], np.arange(2)).value == MISSING

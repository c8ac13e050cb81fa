"""Results as tables: what files show of them."""

import numpy as np

from coterie.core.formats.files.tables import ROW, dataset_table, table_of, with_columns
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Embedding

CHOSEN = Dataset(
    features=np.array([[1.0], [4.0]]),
    columns=("width",),
    items=("b", "e"),
    details={"positions": [1, 4]},
)


def test_items_chosen_among_others_keep_the_rows_they_had() -> None:
    table = dataset_table(CHOSEN)
    assert table.names == (ROW, "item", "width")
    assert list(table.rows()) == [(2, "b", 1.0), (5, "e", 4.0)]


def test_all_columns_behind_a_result_do_not_repeat_row_and_item() -> None:
    embedding = Embedding(coordinates=np.zeros((2, 1)), axes=("PC 1",), dataset=CHOSEN)
    table = with_columns(table_of(embedding), CHOSEN)
    assert table.names == (ROW, "item", "PC 1", "width")
    assert table.columns[0] == [2, 5]


def test_all_items_of_a_file_are_written_as_they_were_read() -> None:
    whole = Dataset(features=CHOSEN.features, columns=CHOSEN.columns, items=CHOSEN.items)
    assert dataset_table(whole).names == ("item", "width")

"""Groups become classes of a map."""

import numpy as np
import pytest

from coterie.core.errors import ParameterError
from coterie.core.formats.rasters.classes import class_table
from tests.refusals import refuses


def test_groups_without_merging_are_classes_of_their_own() -> None:
    table = class_table(2, ("land",))
    assert table.names == ("land", "group 2", "unclassified")
    assert table.codes(np.array([1, -1, 0])).tolist() == [1, 2, 0]
    assert (table.dtype, table.nodata) == (np.uint8, 255)


def test_groups_are_merged_by_number_or_name() -> None:
    table = class_table(4, ("dense", "thin", "", ""), ["cloud = dense, 1", "water=3"])
    assert table.names == ("cloud", "water", "group 3", "unclassified")
    assert table.of_group.tolist() == [0, 0, 2, 1]


def test_groups_of_one_name_are_one_class() -> None:
    assert class_table(3, ("cloud", "land", "cloud")).of_group.tolist() == [0, 1, 0]


def test_many_classes_take_two_bytes_and_differ_in_colour() -> None:
    table = class_table(300)
    assert (table.dtype, table.nodata) == (np.uint16, 65535)
    assert len(np.unique(class_table(60).colours, axis=0)) == 61


@pytest.mark.parametrize(
    ("merge", "code"),
    [
        (["cloud"], "invalid-merge"),
        (["cloud=7"], "unknown-group"),
        (["cloud=0", "land=0"], "invalid-merge"),
    ],
)
def test_wrong_merging_is_said(merge: list[str], code: str) -> None:
    with refuses(code, ParameterError):
        class_table(2, (), merge)


def test_classes_may_have_colours_of_their_own() -> None:
    table = class_table(3, merge=["cloud = 0, 2"], colours={"cloud": "#ffffff", "elsewhere": "#1"})
    assert table.colours[0].tolist() == [255, 255, 255]
    assert table.colours[1].tolist() == class_table(3, merge=["cloud = 0, 2"]).colours[1].tolist()


def test_a_colour_that_is_none_is_told() -> None:
    with refuses("invalid-colour", ParameterError):
        class_table(1, colours={"group 1": "blue"})

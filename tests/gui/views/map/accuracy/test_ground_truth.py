"""Known classes taken as one, left out, and kept; what the map's classes stand for."""

import json

import numpy as np
import pytest

from coterie.core.formats.rasters.truth import parse_classes
from coterie.core.formats.rasters.windows import Window
from coterie.gui.views.map.accuracy.ground_truth import ReferenceClasses
from coterie.gui.views.map.accuracy.state import judge
from coterie.gui.views.map.layers.class_sources import ArrayCodes

GIVEN = ("clear", "thin cloud", "dense cloud")
NUMBERS = np.array([[0, 1, 2, -1], [2, 2, 1, 0]])
WHOLE = Window(0, 0, 2, 4)


def classes() -> ReferenceClasses:
    values = tuple((10 * at, at) for at in range(3))
    return ReferenceClasses(GIVEN, values, ArrayCodes(NUMBERS))


def clouds() -> ReferenceClasses:
    return classes().taking("thin cloud", "cloud").taking("dense cloud", "cloud")


def test_classes_of_one_name_are_one() -> None:
    known = clouds()
    assert known.names == ("clear", "cloud")
    assert known.codes is not None
    assert known.codes.read(WHOLE, (2, 4)).tolist() == [[0, 1, 1, -1], [1, 1, 1, 0]]
    assert known.meant == "0 = clear, 10 = cloud, 20 = cloud"
    assert set(parse_classes(known.meant).values()) == set(known.names)


def test_a_class_that_is_left_out_is_not_known_any_more_and_the_last_one_stays() -> None:
    known = classes().taking("clear", "")
    assert known.names == ("thin cloud", "dense cloud")
    assert known.codes is not None
    assert (known.codes.read(WHOLE, (2, 4)) == -1).sum() == 3
    assert "clear" not in known.meant
    alone = known.taking("thin cloud", "")
    assert alone.names == ("dense cloud",)
    assert alone.taking("dense cloud", "") is alone


def test_a_class_under_its_own_name_again_is_as_it_was() -> None:
    again = clouds().taking("thin cloud", "thin cloud").taking("dense cloud", "dense cloud")
    assert not again.merged
    assert again.names == GIVEN
    assert again.codes is again.raw


def test_what_is_chosen_survives_as_json_and_what_does_not_fit_is_passed_over() -> None:
    known = clouds().standing("group 1", "cloud")
    kept = json.loads(json.dumps(known.as_json()))
    assert classes().kept(kept).as_json() == known.as_json()
    odds: list[object] = [None, [], {"taken": 3, "stands_for": {"a": 1}}, {"taken": {"gone": "x"}}]
    for odd in odds:
        assert not classes().kept(odd).merged
    nothing_left = {"taken": dict.fromkeys(GIVEN, "")}
    assert classes().kept(nothing_left).names == GIVEN


def test_counts_are_those_of_the_merged_mask() -> None:
    rng = np.random.default_rng(0)
    made, truth = rng.integers(-1, 4, (30, 40)), rng.integers(-1, 3, (30, 40))
    names = ("clear", "cloud", "b", "unclassified")
    counted = judge(ArrayCodes(made), ArrayCodes(truth), names, GIVEN)
    found = clouds().judged(counted)
    merged = np.where(truth == 2, 1, truth)
    wanted = judge(ArrayCodes(made), ArrayCodes(merged), names, ("clear", "cloud"))
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.into == wanted.into
    assert found.into[:2] == (0, 1)
    assert found.accuracy.overall == wanted.accuracy.overall
    assert found.accuracy.kappa == wanted.accuracy.kappa


def test_what_a_class_stands_for_follows_when_that_is_merged() -> None:
    counted = judge(ArrayCodes(NUMBERS), ArrayCodes(NUMBERS), ("a", "b", "c"), GIVEN)
    chosen = classes().standing("a", "thin cloud")
    assert chosen.judged(counted).into == (1, 1, 2)
    later = chosen.taking("thin cloud", "cloud").taking("dense cloud", "cloud")
    assert later.judged(counted).into == (1, 1, 1)
    gone = chosen.taking("thin cloud", "")
    assert gone.names[gone.judged(counted).into[0]] == "clear"


@pytest.mark.parametrize("name", ["a, b", "x = y", "  cloud  "])
def test_names_can_be_given_to_the_command_line(name: str) -> None:
    known = classes().taking("clear", name)
    assert parse_classes(known.meant)[0] == known.names[0]

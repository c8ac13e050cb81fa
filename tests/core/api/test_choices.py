"""Parameters that choose among what the data have."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.core import Clustering, Dataset
from coterie.core.api.choices import asked_choices, check_choices, choices_in
from coterie.core.testing.inputs import typed
from tests.refusals import refuses

DATA = Dataset(features=np.eye(3), columns=("length", "width", "weight"), items=("a", "b", "c"))
GROUPS = Clustering(labels=np.array([0, 1, 1]), names=("small",), dataset=DATA)
SCHEMA = {
    "properties": {
        "of": {"choices": "columns"},
        "among": {"choices": "groups"},
        "seeds": {"choices": "items"},
        "k": {"choices": "fruit"},
    }
}


def test_what_the_inputs_have_is_offered() -> None:
    assert asked_choices(SCHEMA) == {"of": "columns", "among": "groups", "seeds": "items"}
    assert choices_in("columns", [GROUPS]) == ("length", "width", "weight")
    assert choices_in("groups", [DATA, GROUPS]) == ("small", "group 2")
    assert choices_in("items", [GROUPS]) == ("a", "b", "c")
    assert choices_in("categories", [typed(8)]) == ("colour", "grade")
    assert choices_in("groups", [DATA]) is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"of": ["length", "wdth"]}, "no column 'wdth'. Did you mean 'width'?"),
        ({"of": "fruit"}, "no column 'fruit'. There are: length, width, weight."),
        ({"among": "large"}, "no group 'large'. There are: small, group 2."),
        ({"seeds": ["z"]}, "no item 'z'"),
    ],
)
def test_what_is_not_there_is_refused(values: dict[str, object], said: str) -> None:
    with refuses("unknown-choice", match=said.replace("?", r"\?")):
        check_choices(SCHEMA, values, [GROUPS], "plot/sizes")


def test_nothing_chosen_and_unknown_sources_are_left_alone() -> None:
    check_choices(SCHEMA, {"of": "", "among": None, "seeds": [], "k": "apple"}, [GROUPS], "x/y")

"""A project that another program changed is compared with what is open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.keys import Computed
from coterie.projects.store.changed_file import differences
from coterie.projects.store.state import ProjectState

KEY, OTHER = "a" * 64, "b" * 64
STEP = Step("groups", "clusterer/k-means", ("data",), {"k": 2})
HERE = ProjectState(Recipe("Mine", (Source(open="a.csv"),), (STEP,)), {"groups": Computed(KEY, {})})
WITHOUT = replace(HERE, recipe=replace(HERE.recipe, steps=()), computed={})


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (HERE, "Steps, settings and results are the same."),
        (replace(HERE, recipe=replace(HERE.recipe, title="Hers")), "The title is “Hers”"),
        (WITHOUT, "“groups” is only here."),
        (
            replace(HERE, recipe=HERE.recipe.changed("groups", params={"k": 3})),
            "“groups” has other settings",
        ),
        (replace(HERE, computed={"groups": Computed(OTHER, {})}), "“groups” has another result"),
        (replace(HERE, computed={}), "“groups” has a result only here."),
    ],
)
def test_each_difference_is_a_sentence(there: ProjectState, said: str) -> None:
    (found,) = differences(HERE, there)
    assert said in found


def test_what_is_only_in_the_file_is_named() -> None:
    assert differences(WITHOUT, HERE) == ["“groups” is only in the file."]

"""Recipes that plugins offer: what may be in one, and how it travels."""

import json
from dataclasses import replace
from typing import Any

import pytest

from coterie.core import RecipeTemplate, Step
from coterie.core.api.templates import PLACES
from coterie.core.errors import PluginError
from coterie.core.model.result_types import RESULT_TYPES
from tests.refusals import refuses

GOOD = RecipeTemplate(
    id="closer",
    title="Look closer",
    summary="Groups within the selected items.",
    on="selection",
    steps=(
        Step("scaled", "transform/standardise", ("selection",)),
        Step("groups", "clusterer/kmeans", ("scaled",), {"k": 2}),
    ),
)


def with_step(*step: Any) -> dict[str, Any]:
    return {"steps": (GOOD.steps[0], Step(*step))}


def test_it_travels_as_json() -> None:
    GOOD.check()
    assert RecipeTemplate.from_json(json.loads(json.dumps(GOOD.as_json()))) == GOOD
    assert GOOD.begins_with == ("selection",)
    assert not GOOD.takes_selected


def test_selected_items_may_be_a_parameter_alone() -> None:
    near = Step("near", "ranker/membership", ("similarity",), {"items": "@selection"})
    template = replace(GOOD, steps=(near,))
    template.check()
    assert template.takes_selected


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "No good"},
        {"title": ""},
        {"summary": None},
        {"on": "groups"},
        {"on": "data"},  # but its steps work on the selection
        {"steps": ()},
        {"steps": [GOOD.steps[0]]},
        with_step("groups", "kmeans", ("scaled",)),
        with_step("groups", "clusterer/kmeans", ("scalded",)),
        with_step("scaled", "clusterer/kmeans", ("scaled",)),
        with_step("groups", "clusterer/kmeans", "scaled"),
        with_step("groups", "clusterer/kmeans", ("scaled",), {"k": object()}),
        with_step("groups", "clusterer/kmeans", ("scaled",), {"k": float("nan")}),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_could_not_be_used_is_refused(wrong: dict[str, Any]) -> None:
    with refuses("invalid-plugin", PluginError):
        replace(GOOD, **wrong).check()


def test_every_place_has_a_type_of_results() -> None:
    assert set(PLACES.values()) <= set(RESULT_TYPES)

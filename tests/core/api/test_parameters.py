"""Parameters are declared once; what is wrong with them is said in sentences."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from coterie.core.api.parameters import Field, Params, parse_params
from coterie.core.errors import ParameterError


class Example(Params):
    """Two numbers and a choice."""

    sigma: float | Literal["auto"] = Field("auto", description="Width.")
    k: int = Field(3, ge=1, le=10)
    mode: Literal["fast", "good"] = "fast"
    low: float = 0.5


def wrong(values: Any) -> str:
    with pytest.raises(ParameterError) as caught:
        parse_params(Example, values, "kernel/example")
    return str(caught.value)


def test_defaults_are_filled_in() -> None:
    params = parse_params(Example, {"k": 4}, "kernel/example")
    assert params.as_json() == {"sigma": "auto", "k": 4, "mode": "fast", "low": 0.5}


def test_a_value_out_of_range_is_one_sentence_with_what_was_got() -> None:
    assert wrong({"k": 0}) == (
        "Parameter 'k' of kernel/example: input should be greater than or equal to 1. Got 0."
    )


def test_an_unknown_name_lists_the_known_ones() -> None:
    assert wrong({"sgima": 1}) == (
        "kernel/example has no parameter 'sgima'. It knows: sigma, k, mode, low."
    )


def test_the_alternatives_of_a_union_are_one_sentence() -> None:
    assert wrong({"sigma": []}).count("Parameter 'sigma'") == 1


def test_each_wrong_parameter_is_named() -> None:
    text = wrong({"k": "many", "mode": "slow"})
    assert "'k'" in text
    assert "'mode'" in text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_are_none_are_refused(value: float) -> None:
    assert "finite" in wrong({"low": value})


def test_a_huge_value_does_not_flood_the_message() -> None:
    assert len(wrong({"k": "9" * 100_000})) < 300


@pytest.mark.parametrize("values", [3, ["k"], "k", None])
def test_parameters_without_names_are_refused(values: Any) -> None:
    assert "must be named" in wrong(values)


def test_parameters_cannot_be_changed() -> None:
    params: Any = parse_params(Example, {}, "kernel/example")
    with pytest.raises(ValueError, match="frozen"):
        params.k = 5

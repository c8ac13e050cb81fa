"""Parameters are declared once; what is wrong with them is said in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
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


@pytest.mark.parametrize("value", ["2", True, 2.5, None, [2]])
def test_what_is_not_a_whole_number_is_not_taken_for_one(value: Any) -> None:
    start = "Parameter 'k' of kernel/example: input should be a valid integer. Got "
    assert wrong({"k": value}).startswith(start)


@pytest.mark.parametrize("value", ["0.5", True])
def test_what_is_not_a_number_is_not_taken_for_one(value: Any) -> None:
    assert "valid number" in wrong({"low": value})


def test_whole_numbers_pass_for_numbers_and_whole_floats_for_whole_numbers() -> None:
    params = parse_params(Example, {"low": 1, "k": 2.0, "sigma": 3}, "kernel/example")
    assert (params.low, params.k, params.sigma) == (1.0, 2, 3.0)
    assert isinstance(params.k, int)


class Others(Params):
    """What JSON has no word for."""

    pair: tuple[float, float] = (0.0, 1.0)
    many: frozenset[int] = frozenset()
    place: Path = Path()


def test_lists_pass_for_tuples_and_sets_and_texts_for_paths() -> None:
    given = {"pair": [1, 2], "many": [1, 2, 2], "place": "a/b"}
    params = parse_params(Others, given, "reader/others")
    assert params == Others(pair=(1.0, 2.0), many=frozenset({1, 2}), place=Path("a/b"))


def test_numbers_of_numpy_are_numbers() -> None:
    assert parse_params(Example, {"k": np.int64(2)}, "kernel/example").k == 2


def test_what_is_not_plain_is_refused_in_a_sentence() -> None:
    assert wrong({"k": object()}) == (
        "The parameters of kernel/example must be plain values: object is not JSON."
    )

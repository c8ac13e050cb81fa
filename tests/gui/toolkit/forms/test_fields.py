"""From JSON Schema to fields, without Qt."""

from enum import StrEnum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.api.parameters import Field, Params
from coterie.gui.toolkit.forms.fields import FormField, Limits, fields_of
from coterie.gui.toolkit.forms.values import format_number, same_value, shown_value


class Rule(StrEnum):
    NEAREST = "nearest"
    FARTHEST = "farthest"


class Everything(Params):
    """One of each."""

    sigma: float = Field(0.25, gt=0, description="Width of the kernel. Larger is smoother.")
    k: int = Field(3, ge=1, le=50, description="Number of groups.")
    shuffle: bool = Field(False, description="Whether to mix the items.")
    rest: Literal["nearest", "transduction"] = "nearest"
    rule: Rule = Rule.NEAREST
    column: str = ""
    span: tuple[float, float] = (0.0, 1.0)
    weights: list[float] = Field(default=[1.0, 2.0], min_length=1)
    bands: list[str] = []
    width: float | Literal["auto"] = Field("auto", gt=0)
    limit: int | None = Field(None, ge=1)
    tolerance: float = Field(1e-8, gt=0, json_schema_extra={"advanced": True, "log": True})
    length: float = Field(1.0, json_schema_extra={"unit": "m", "slider": [0, 10]})
    odd: dict[str, int] = {}


def by_name(model: type[Params] = Everything) -> dict[str, FormField]:
    defaults = model().as_json()
    return {field.name: field for field in fields_of(model.model_json_schema(), defaults)}


def test_every_type_gets_its_kind() -> None:
    kinds = {name: field.kind for name, field in by_name().items()}
    assert kinds == {
        "sigma": "number",
        "k": "integer",
        "shuffle": "boolean",
        "rest": "choice",
        "rule": "choice",
        "column": "text",
        "span": "numbers",
        "weights": "numbers",
        "bands": "texts",
        "width": "number",
        "limit": "integer",
        "tolerance": "number",
        "length": "number",
        "odd": "json",
    }


def test_limits_keep_their_open_ends() -> None:
    fields = by_name()
    assert fields["sigma"].limits == Limits(low=0, low_open=True)
    assert fields["k"].limits == Limits(low=1, high=50)
    assert fields["width"].limits == Limits(low=0, low_open=True)


def test_alternatives_to_a_number_become_words() -> None:
    fields = by_name()
    assert fields["width"].words == ("auto",)
    assert fields["limit"].words == (None,)
    assert not fields["width"].problem("auto")
    assert not fields["limit"].problem(None)
    assert fields["width"].problem(-1.0)


def test_enumerations_are_followed_to_their_definition() -> None:
    rule = by_name()["rule"]
    assert rule.choices == ("nearest", "farthest")
    assert rule.title == "Rule"


def test_hints_come_from_the_schema() -> None:
    fields = by_name()
    assert fields["tolerance"].advanced
    assert fields["tolerance"].log
    assert fields["length"].unit == "m"
    assert fields["length"].slider == (0.0, 10.0)


def test_titles_are_words_and_symbols_stay_symbols() -> None:
    class Named(Params):
        restart_probability: float = 0.85
        k: int = 3
        own: int = Field(1, title="My own title")

    titles = [field.title for field in by_name(Named).values()]
    assert titles == ["Restart probability", "k", "My own title"]


def test_a_long_unit_stands_in_the_hint_and_a_short_one_does_not() -> None:
    class Measured(Params):
        far: float = Field(1.0, description="How far.", json_schema_extra={"unit": "feature units"})
        near: float = Field(1.0, description="How near.", json_schema_extra={"unit": "m"})

    fields = by_name(Measured)
    assert fields["far"].hint() == "In feature units: how far"
    assert fields["near"].hint() == "How near"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("sigma", 0, "Sigma must be greater than 0. Got 0."),
        ("sigma", "wide", "Sigma must be a number. Got wide."),
        ("sigma", float("nan"), "Sigma must be finite. Got nan."),
        ("k", 51, "k must be at most 50. Got 51."),
        ("k", 2.5, "k must be a whole number. Got 2.5."),
        ("k", True, "k must be a whole number. Got yes."),
        ("rest", "none", "Rest must be one of nearest, transduction. Got none."),
        ("span", [1.0], "Span must have 2 entries. Got 1."),
        ("weights", [], "Weights must have at least 1. Got an empty list."),
        ("bands", [1], "Bands must be a list of text values. Got 1."),
    ],
)
def test_a_wrong_value_is_answered_with_one_sentence(name: str, value: Any, said: str) -> None:
    assert by_name()[name].problem(value) == said


def test_defaults_are_right_and_are_recognised() -> None:
    for name, field in by_name().items():
        assert not field.problem(field.default), name
        assert field.is_default(field.default)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_shown_reads_back_as_itself(value: float) -> None:
    assert float(format_number(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.25, "0.25"), (150.0, "150"), (1e-8, "1e-8"), (2.5e-5, "2.5e-5"), (1e12, "1e12"), (7, "7")],
)
def test_numbers_are_shown_as_people_write_them(value: float, text: str) -> None:
    shown = format_number(value)
    assert float(shown) == float(text)
    assert len(shown) <= max(len(text), 15)
    assert "e-0" not in shown


def test_one_and_true_are_not_the_same_value() -> None:
    assert same_value(1, 1.0)
    assert not same_value(1, True)
    assert same_value((1, 2.0), [1.0, 2])
    assert shown_value(None) == "none"


def test_entries_with_commas_are_told_apart_and_what_is_of_no_use_is_not_shown() -> None:
    text = {"type": "array", "items": {"type": "string"}}
    schema = {
        "properties": {
            "names": text,
            "pairs": {**text, "between": ";"},
            "truth": {"type": "string", "default": "", "hidden": True},
        }
    }
    found = {field.name: field.between for field in fields_of(schema)}
    assert found == {"names": ",", "pairs": ";"}

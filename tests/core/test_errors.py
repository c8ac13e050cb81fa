"""Errors share one root, keep their built-in kind, and speak in one line."""

from __future__ import annotations

import inspect

import pytest

from coterie.core import errors


@pytest.mark.parametrize(
    ("kind", "built_in"),
    [
        (errors.ParameterError, ValueError),
        (errors.DataError, ValueError),
        (errors.RecipeError, ValueError),
        (errors.PluginError, RuntimeError),
        (errors.UnknownComponentError, KeyError),
        (errors.CostError, MemoryError),
        (errors.WorkspaceError, OSError),
        (errors.ProjectFileError, OSError),
        (errors.EngineError, RuntimeError),
    ],
)
def test_each_error_is_ours_and_of_its_built_in_kind(
    kind: type[Exception], built_in: type[Exception]
) -> None:
    error = kind("A sentence.")
    assert isinstance(error, errors.CoterieError)
    assert isinstance(error, built_in)
    assert str(error) == "A sentence."


def test_no_error_lies_outside_the_root() -> None:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    assert all(issubclass(kind, errors.CoterieError) for kind in kinds)


def test_an_error_in_words_is_one_line() -> None:
    assert errors.in_words(errors.DataError("It is empty.")) == "It is empty."
    assert errors.in_words(ValueError("first\nsecond")) == "ValueError: first"
    assert errors.in_words(SystemExit()) == "SystemExit"


def test_an_error_that_cannot_be_printed_still_has_words() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert errors.in_words(MuteError()) == "MuteError"

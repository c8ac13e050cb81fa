"""Parameters of components: declared once, as a pydantic model beside the algorithm.

Validation, the form in the window, command-line help, the recipe and the stored provenance all
come from that one declaration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from coterie.core.errors import ParameterError
from coterie.core.model.arrays import plain_values
from coterie.core.model.artefacts import plain_numbers

__all__ = ["Field", "Params", "parse_params"]


class Params(BaseModel):
    """Base of all parameter sets: immutable, and unknown names are refused."""

    # Not `use_attribute_docstrings`: to find them, the source of every model is parsed at each
    # start, which took as long as all else.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def as_json(self) -> dict[str, Any]:
        """Return all parameters, defaults filled in, as plain JSON."""
        return self.model_dump(mode="json")


P = TypeVar("P", bound=Params)


def parse_params(model: type[P], values: Mapping[str, Any], of: str) -> P:
    """Validate `values`, or raise one sentence naming each wrong one.

    They are taken as JSON and strictly: "2" and true are not whole numbers. A whole number passes
    for any number, 2.0 for a whole one, and a list for a tuple, as TOML and JSON write them.

    Parameters
    ----------
    of : what the parameters belong to, such as "kernel/gaussian", for the message
    """
    if not isinstance(values, Mapping):
        raise ParameterError(
            f"The parameters of {of} must be named. Got {values!r:.80}.", code="invalid-parameters"
        )
    try:
        text = json.dumps(plain_numbers(values), default=plain_values)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"The parameters of {of} must be plain values: {error}.", code="invalid-parameters"
        ) from None
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise ParameterError(
            " ".join(_sentences(error, model, of)), code="invalid-parameters"
        ) from None


def _sentences(error: ValidationError, model: type[Params], of: str) -> list[str]:
    """One sentence for each wrong parameter; the alternatives of a union count as one."""
    wrong: dict[str, list[Any]] = {}
    for problem in error.errors():
        name = str(problem["loc"][0]) if problem["loc"] else ""
        wrong.setdefault(name, []).append(problem)
    sentences = []
    for name, problems in wrong.items():
        if problems[0]["type"] == "extra_forbidden":
            known = ", ".join(model.model_fields) or "none"
            sentences.append(f"{of} has no parameter '{name}'. It knows: {known}.")
            continue
        reasons = dict.fromkeys(_lower_first(problem["msg"]) for problem in problems)
        got = "" if problems[0]["type"] == "missing" else f" Got {problems[0]['input']!r:.80}."
        if not name:
            sentences.append(f"The parameters of {of} are wrong: {'; or '.join(reasons)}.{got}")
        else:
            sentences.append(f"Parameter '{name}' of {of}: {'; or '.join(reasons)}.{got}")
    return sentences


def _lower_first(text: str) -> str:
    text = text.removeprefix("Value error, ").rstrip(".")
    return text[:1].lower() + text[1:]

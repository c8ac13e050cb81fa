"""What a component says of itself: its texts, its parameters, its signature, its estimate."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from coterie.core.api.components import Component, Cost
from coterie.core.api.parameters import parse_params
from coterie.core.testing.inputs import inputs_for
from coterie.core.testing.subjects import ITEMS, Subject
from coterie.core.testing.verdicts import Check, require

LEAST_SUMMARY = 20


def _readable(subject: Subject) -> None:
    method = subject.method
    require(bool(method.title), "it has no title")
    length = len(method.summary)
    require(length > LEAST_SUMMARY, f"the first line of its docstring has {length} characters")
    require(
        method.summary.endswith((".", "…")),
        f"the first line of its docstring does not end as a sentence: '{method.summary}'",
    )
    require(bool(method.version), "its version is empty")
    require(bool(method.origin), "its origin is not known")
    parent = subject.component.__mro__[1]
    own, inherited = inspect.getdoc(subject.component), inspect.getdoc(parent)
    require(own != inherited, f"it has no docstring of its own, only that of {parent.__name__}")


def _parameters(subject: Subject) -> None:
    model = subject.component.Params
    for name, parameter in model.model_fields.items():
        description = parameter.description
        require(bool(description), f"'{name}' has no description")
        require(str(description).endswith("."), f"the description of '{name}' has no full stop")
        require(not parameter.is_required(), f"'{name}' has no default")
    defaults = model().as_json()
    again = parse_params(model, defaults, subject.name).as_json()
    require(again == defaults, "its defaults do not survive being written and read")
    schema = subject.method.params
    require(json.loads(json.dumps(schema)) == schema, "its schema is not plain JSON")
    require(bool(model.__doc__), "its Params have no docstring")


def _signature(subject: Subject) -> None:
    parameters = inspect.signature(subject.component.compute).parameters
    for name in ("params", "context"):
        require(
            name in parameters and parameters[name].kind is inspect.Parameter.KEYWORD_ONLY,
            f"compute must take '{name}' by keyword only",
        )


def _estimate(subject: Subject) -> None:
    kind = subject.method.kind
    component = subject.component()
    if kind == "reader" and subject.component.estimate is not Component.estimate:
        inputs: list[Any] = [Path("nowhere") / "at-all.csv"]
    elif subject.example is not None:
        inputs = subject.usual()
    else:
        inputs = inputs_for(subject.method.needs, subject.make(ITEMS))
        inputs += [Path("nowhere.csv")] if kind == "writer" else []
    cost = component.estimate(*inputs, params=subject.component.Params())
    require(isinstance(cost, Cost), f"its estimate is {cost!r:.80}")
    require(isinstance(cost.bytes, int), f"it estimates {cost.bytes!r:.40} bytes")
    require(cost.bytes >= 0 and cost.seconds >= 0, "its estimate is negative")


FORM = (
    Check(
        "readable",
        "a person can read what it is",
        "Give it a title, and a docstring of its own whose first line is one sentence that says "
        "what it does.",
        _readable,
        runs=False,
    ),
    Check(
        "parameters",
        "every parameter is described and has a valid default",
        "Write each as name: type = Field(default, description='A sentence.').",
        _parameters,
        runs=False,
    ),
    Check(
        "signature",
        "params and context come by keyword",
        "Write def compute(self, …inputs…, *, params, context).",
        _signature,
        runs=False,
    ),
    Check(
        "estimate",
        "an estimate needs no work",
        "Let estimate(self, …inputs…, *, params) return Cost(bytes=int, seconds=float) from the "
        "sizes alone, and read no file.",
        _estimate,
        runs=False,
    ),
)

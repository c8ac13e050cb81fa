"""Every choice that a parameter offers, on a table as people have them and on clean numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import CoterieError, PluginError
from coterie.core.testing import Subject
from coterie.core.testing.inputs import table, typed

from .subjects import REGISTRY, SUBJECTS

KINDS = ("transform", "kernel", "graph", "embedder")


def choices(method: Descriptor) -> Iterator[tuple[str, Any]]:
    """Each value of a parameter that has a few, but the default."""
    defined = method.params.get("$defs", {})
    for name, schema in method.params.get("properties", {}).items():
        for kind in schema.get("anyOf", [schema]):
            kind = defined.get(kind.get("$ref", "").rpartition("/")[2], kind)
            values = kind.get("enum", [kind["const"]] if "const" in kind else [])
            if kind.get("type") == "boolean":
                values = [True, False]
            yield from ((name, value) for value in values if value != schema.get("default"))


CASES = [
    pytest.param(subject, name, value, id=f"{subject.name}-{name}-{value}")
    for subject in SUBJECTS
    if subject.method.kind in KINDS
    for name, value in choices(subject.method)
]


def test_choices_are_found() -> None:
    assert ("how", "neighbours") in list(choices(REGISTRY.catalogue.get("transform/impute")))


@pytest.mark.parametrize(("subject", "name", "value"), CASES)
def test_a_choice_gives_a_whole_result_or_a_clear_error(
    subject: Subject, name: str, value: Any
) -> None:
    chosen = Subject(
        subject.method,
        subject.component,
        make=subject.make,
        values={**subject.values, name: value},
    )
    for data in (typed(24), table(24)):
        said = "."
        try:
            chosen.run(chosen.on(data))
        except PluginError:  # such as a promise about the result that is not kept
            raise
        except CoterieError as refusal:
            said = str(refusal)
        assert said.endswith((".", "?"))

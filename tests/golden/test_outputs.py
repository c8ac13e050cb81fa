"""A method whose results change must have another version: keys of saved results go by it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .outputs import (
    RECORDS,
    differences,
    record_of,
    recorded_subjects,
    samples,
    version_of_samples,
)

SUBJECTS = recorded_subjects()
KNOWN: dict[str, Any] = json.loads(RECORDS.read_text(encoding="utf-8"))


def check(name: str, version: str, outputs: dict[str, Any]) -> None:
    """Fail, saying what to do, when there is no record or when it does not fit."""
    again = f"./dev golden {name}"
    if name not in KNOWN:
        pytest.fail(f"The outputs of {name} are not recorded. Record them: {again}", pytrace=False)
    known = KNOWN[name]
    changed = differences(known["outputs"], outputs)
    if version != known["version"]:
        pytest.fail(
            f"{name} has version {version}; version {known['version']} is recorded. "
            f"Record its outputs: {again}",
            pytrace=False,
        )
    if changed:
        shown = "\n  ".join(changed[:8])
        pytest.fail(
            f"{name} gives other results than recorded, and its version is the same. If the "
            "change is meant, raise `version` in its class, so saved results become stale, and "
            f"record again: {again}\n  {shown}",
            pytrace=False,
        )


# Its compiler takes seconds in each process, and its contract, which is always run, has it too.
SLOW = {"embedder/umap"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in SUBJECTS],
)
def test_a_method_gives_what_is_recorded_for_its_version(name: str) -> None:
    now = record_of(SUBJECTS[name])
    check(name, now["version"], now["outputs"])


def test_the_samples_are_those_recorded_for_their_version() -> None:
    check("reader/sample", version_of_samples(), samples())


def test_no_record_is_of_a_method_that_is_gone() -> None:
    assert set(KNOWN) == {*SUBJECTS, "reader/sample"}


def test_most_ways_of_running_a_method_give_a_result() -> None:
    outputs = [output for record in KNOWN.values() for output in record["outputs"].values()]
    refused = [output for output in outputs if isinstance(output, str)]
    assert len(refused) < len(outputs) / 10


@pytest.mark.parametrize("change", [2e-4, -2e-4])
def test_a_changed_number_is_found_and_noise_is_not(change: float) -> None:
    then = {"main": {"a": {"shape": [2], "sums": [1.0, 2.0]}, "labels": [0, 1]}}
    noisy = {"main": {"a": {"shape": [2], "sums": [1.0 + 1e-7, 2.0]}, "labels": [0, 1]}}
    other = {"main": {"a": {"shape": [2], "sums": [1.0 + change, 2.0]}, "labels": [0, 1]}}
    assert differences(then, noisy) == []
    assert differences(then, other) == [f"/main/a/sums[0]: was 1.0, is {1.0 + change}"]
    assert differences(then, {"main": {**then["main"], "labels": [1, 0]}}) != []
    assert differences(then, {}) != []


def test_the_failure_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KNOWN, "kernel/made-up", {"version": "1", "outputs": {"defaults": 1.0}})
    for version, outputs, advice in [
        ("1", {"defaults": 2.0}, "raise `version` in its class"),
        ("2", {"defaults": 2.0}, "./dev golden kernel/made-up"),
    ]:
        with pytest.raises(pytest.fail.Exception, match=advice):
            check("kernel/made-up", version, outputs)
    with pytest.raises(pytest.fail.Exception, match="not recorded"):
        check("kernel/unheard-of", "1", {})

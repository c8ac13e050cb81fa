"""The key of a result depends on all that determines it, and on nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.model.artefacts import canonical_json, is_key, part_key, step_key

STEP: dict[str, Any] = {
    "component": "kernel/gaussian",
    "version": "1",
    "fingerprint": "f" * 64,
    "params": {"sigma": 1.0, "mode": "auto"},
    "inputs": ["a" * 64, "b" * 64],
    "seed": 0,
}


def test_the_key_of_a_step_never_changes() -> None:
    # Written down: a change here makes every saved project stale.
    assert step_key(**STEP) == ("3623ab63bcefedfaa53dd154d05a90209d55048fee25adcf7d63479b03cdf281")


@pytest.mark.parametrize(
    "change",
    [
        {"component": "kernel/laplace"},
        {"version": "2"},
        {"fingerprint": "e" * 64},
        {"params": {"sigma": 1.5, "mode": "auto"}},
        {"params": {"sigma": 1.0, "mode": "auto", "more": None}},
        {"inputs": ["b" * 64, "a" * 64]},
        {"inputs": ["a" * 64]},
        {"seed": 1},
    ],
)
def test_any_change_changes_the_key(change: dict[str, Any]) -> None:
    assert step_key(**{**STEP, **change}) != step_key(**STEP)


def test_the_order_of_parameters_and_the_way_a_number_is_written_do_not() -> None:
    again = {**STEP, "params": {"mode": "auto", "sigma": 1}}
    assert step_key(**again) == step_key(**STEP)


def test_library_versions_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    before = step_key(**STEP)
    monkeypatch.setattr("numpy.__version__", "99.0")
    assert step_key(**STEP) == before


def test_true_and_one_are_different() -> None:
    assert canonical_json(True) != canonical_json(1)


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_canonical_json_does_not_depend_on_order(value: dict[str, Any]) -> None:
    backwards = dict(reversed(list(value.items())))
    assert canonical_json(value) == canonical_json(backwards)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_json_does_not_know_has_no_key(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": value})


def test_parts_have_keys_of_their_own() -> None:
    key = step_key(**STEP)
    parts = {key, part_key(key, "trace"), part_key(key, "model")}
    assert len(parts) == 3
    assert all(is_key(part) for part in parts)


@pytest.mark.parametrize("text", ["", "../x", "A" * 64, "a" * 63, "a" * 65, None, 3, "g" * 64])
def test_what_has_no_form_of_a_key_is_none(text: Any) -> None:
    assert not is_key(text)

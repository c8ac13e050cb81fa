"""Memory: what there is bounds what is left, and a container's limit counts."""

from __future__ import annotations

import sys

import pytest

from coterie.core.io.platform import memory


def test_what_is_left_and_used_is_part_of_what_there_is() -> None:
    physical = memory.physical_memory()
    assert physical is not None
    assert 0 < memory.available_memory() <= physical
    assert 0 < memory.memory_in_use() <= physical


def test_a_containers_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_free_in_container", lambda: 12345)
    assert memory.available_memory() == 12345


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such call")
def test_what_was_freed_is_given_back() -> None:
    kept = [bytes(1000) for _ in range(200_000)]
    before = memory.memory_in_use()
    del kept[:-1]  # the last one keeps the heap from shrinking by itself
    memory.give_back_memory()
    assert memory.memory_in_use() < before - 50_000_000

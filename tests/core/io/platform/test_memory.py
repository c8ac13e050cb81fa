"""Memory: what there is bounds what is left, and a container's limit counts."""

from __future__ import annotations

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

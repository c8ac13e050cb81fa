"""An engine may use what this process may use, and no more."""

from __future__ import annotations

import os
from pathlib import Path

from coterie.core.engine.options import EngineOptions


def test_memory_and_cores_are_those_of_this_machine() -> None:
    options = EngineOptions()
    assert 0 < options.memory < 1 << 50
    assert 1 <= options.workers <= (os.cpu_count() or 1)


def test_safe_mode_keeps_a_catalogue_of_its_own() -> None:
    normal, safe = EngineOptions(), EngineOptions(safe_mode=True)
    assert normal.catalogue_file != safe.catalogue_file
    assert normal.quarantine_folder == safe.quarantine_folder
    assert isinstance(normal.quarantine_folder, Path)

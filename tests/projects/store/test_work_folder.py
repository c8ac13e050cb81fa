"""The folders that sessions work in."""

from pathlib import Path

import pytest

from coterie.core.errors import WorkspaceError
from coterie.projects.store.work_folder import WorkFolder


def test_a_folder_that_cannot_be_used_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="cannot store its work"):
        WorkFolder(tmp_path / "gone")

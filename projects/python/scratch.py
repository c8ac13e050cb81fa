"""Temporary folders that are deleted with the object they belong to."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class ScratchFolder:
    """A folder that is removed when nobody needs it any more."""

    def __init__(self, purpose: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"coterie-{purpose}-"))
        self._remove = weakref.finalize(self, shutil.rmtree, str(self.path), True)

    def remove(self) -> None:
        """Remove it now."""
        self._remove()

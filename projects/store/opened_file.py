"""What a project file holds, as read when it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie.projects.store.hdf5.entries import ArtefactEntry, Header
    from coterie.projects.store.left_out import LeftOut


@dataclass(frozen=True)
class Opened:
    """What a project file holds, arrays aside."""

    path: Path
    header: Header
    entries: Mapping[str, ArtefactEntry]
    steps: Mapping[str, Any]
    recipe: str
    view: Mapping[str, Any]
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)

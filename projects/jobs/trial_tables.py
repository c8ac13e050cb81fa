"""What every table of trials says: whether they still go on, and why all of them failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TrialState = Literal["running", "finished", "cancelled", "failed"]


@dataclass(frozen=True, eq=False)
class TrialTable:
    """What came of trials so far; `message` says why the whole failed."""

    state: TrialState = field(default="running", kw_only=True)
    message: str = field(default="", kw_only=True)

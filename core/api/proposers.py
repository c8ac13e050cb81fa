"""Clusterers that declare themselves candidates of the automatic answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Proposer:
    """A clusterer to ask for groups, and with what.

    Attributes
    ----------
    use : its name, such as "clusterer/mylab:tribes"
    title : what its candidates are called
    takes : "dataset" or "affinity"
    settings : the parameters of each proposal
    """

    use: str
    title: str
    takes: str
    settings: tuple[Mapping[str, Any], ...]

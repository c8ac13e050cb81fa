"""What is to be saved as a project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from coterie.core.model.artefacts import Artefact

# Gives an artefact by key, or None for one that the previous file holds.
Find = Callable[[str], Artefact | None]
# Gets the name of each stage of a save before it begins.
Stage = Callable[[str], None]


@dataclass(frozen=True)
class Content:
    """What a project consists of, its artefacts by key.

    Attributes
    ----------
    created : when the project was begun, as ISO 8601
    recipe : TOML
    steps : step name → {"key": …, "parts": {…}}
    view : what the window shows
    left_out : of steps whose results are not stored, how each came about; see `LeftOut`
    keys : artefacts to keep; those that `steps` names, and the datasets of all, come by themselves
    """

    title: str
    created: str
    recipe: str
    steps: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    left_out: Mapping[str, Any] = field(default_factory=dict)

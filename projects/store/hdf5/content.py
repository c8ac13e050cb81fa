"""What is to be saved as a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Content:
    """What a project consists of, its artefacts by key.

    Attributes
    ----------
    created : when the project was begun, as ISO 8601
    recipe : TOML
    steps : step name → {"key": …, "parts": {…}}
    view : what the window shows
    keys : artefacts to keep; those that `steps` names, and the datasets of all, come by themselves
    """

    title: str
    created: str
    recipe: str
    steps: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()

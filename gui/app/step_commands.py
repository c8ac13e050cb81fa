"""The commands on a step and on a selection: words and keys alone, as menus show them at start."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepCommand:
    """One command: its name in code, its words, its key, its drawing, what it does."""

    name: str
    words: str
    key: str = ""
    icon: str = ""
    about: str = ""


COMMANDS = (
    StepCommand("try", "&Try other settings…", "Ctrl+T", "", "Copy the step, and compare"),
    StepCommand("sweep", "S&weep parameters…", "Ctrl+Shift+W", "", "Try a range of settings"),
    StepCommand("duplicate", "&Duplicate", "Ctrl+Shift+D", "", "Copy the step with its settings"),
    StepCommand("rename", "Re&name", "F2", "", "Give the step another name"),
    StepCommand("switch", "Switch &off", "Ctrl+Shift+K", "off", "Keep the step, but do not run it"),
    StepCommand("up", "Move &up", "Alt+Up", "", "Earlier in the list, as far as its inputs allow"),
    StepCommand("down", "Mo&ve down", "Alt+Down", "", "Later in the list"),
    StepCommand("remove", "&Remove", "", "remove", "Remove the step and what depends on it"),
)

USES = (
    ("relative", "&Rank relative to it", "Which items are closest to those selected"),
    ("labels", "&Spread labels from the named ones", "Each named selection is a class"),
    ("data", "As &new data", "A step with the selected items alone"),
    ("without", "&Leave it out of the data", "A step with all other items"),
)

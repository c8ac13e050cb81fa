"""The commands on a step and on a selection: only words and keys, as menus need them at start."""

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
    StepCommand(
        "try",
        "&Try other settings…",
        "Ctrl+T",
        "",
        "Copy the step and try other settings beside it",
    ),
    StepCommand("sweep", "S&weep parameters…", "Ctrl+Shift+W", "", "Try a range of settings"),
    StepCommand("duplicate", "&Duplicate", "Ctrl+Shift+D", "", "Copy the step with its settings"),
    StepCommand("rename", "Re&name", "F2", "", "Rename the step"),
    StepCommand("switch", "Switch &off", "Ctrl+Shift+K", "off", "Keep the step but do not run it"),
    StepCommand(
        "up", "Move &up", "Alt+Up", "", "Move the step earlier, as far as its inputs allow"
    ),
    StepCommand("down", "Mo&ve down", "Alt+Down", "", "Move the step later"),
    StepCommand(
        "help", "&Help on this method", "Shift+F1", "help", "What the method does, and its settings"
    ),
    StepCommand(
        "remove", "&Remove", "", "remove", "Remove the step and all steps that depend on it"
    ),
)

USES = (
    (
        "relative",
        "&Rank relative to selection",
        "Rank items by how close they are to the selection",
    ),
    ("labels", "&Propagate labels from named selections", "Use each named selection as a class"),
    (
        "grow",
        "&Grow a group around the selection",
        "Find the most cohesive group that contains the selected items; if the selection is made "
        "of named selections, one group for each",
    ),
    (
        "together",
        "Put in &one group",
        "Require the selected items to share a group, and compute the groups again",
    ),
    (
        "apart",
        "Put in d&ifferent groups",
        "Require the selected items to be in different groups; if they are several named "
        "selections, one group for each",
    ),
    ("data", "&Keep only the selection", "Add a step with the selected items only"),
    ("without", "&Exclude the selection", "Add a step with all other items"),
)

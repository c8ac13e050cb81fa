"""The names of groups, the same wherever they are shown, written or drawn."""

from __future__ import annotations

from collections.abc import Sequence


def group_name(group: int, names: Sequence[str] = ()) -> str:
    """Return what people call a group: its name, or its number from 1; −1 is unassigned.

    >>> group_name(0, ("", "heavy")), group_name(1, ("", "heavy")), group_name(-1)
    ('group 1', 'heavy', 'unassigned')
    """
    if group < 0:
        return "unassigned"
    return (names[group] if group < len(names) else "") or f"group {group + 1}"

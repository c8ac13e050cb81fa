"""A certificate of the selected items as lines of the Inspector. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coterie.gui.panels.inspector_state import InspectorSection, Line

if TYPE_CHECKING:
    from coterie.core.model.dataset import Dataset

MOST_WEIGHTS = 5  # members that are listed, those with the least weight first
_VERDICTS = {"holds": "yes", "fails": "no", "undecided": "undecided"}


def certificate_section(
    found: Mapping[str, Any] | str | None, step: str, dataset: Dataset | None
) -> InspectorSection:
    """Put a certificate in lines; a sentence is shown as it is; None means not answered yet."""
    of = (Line(f"in “{step}”", ""),) if step else ()
    if found is None:
        return InspectorSection("Dominant set?", (*of, Line("Checking…", "")))
    if isinstance(found, str):
        return InspectorSection("Dominant set?", (*of, Line(found, "")))
    lines = [*of, *_game(found), Line(_why(found), "")]
    if found["definite"] is False:
        # Weights and margins mean nothing where a part of the set does as well.
        lines += [Line(_name(one, dataset), "", "would leave") for one in found["would_leave"]]
    else:
        lines += [
            Line("xᵀAx", f"{found['cohesiveness']:.4g}", "cohesion"),
            *_weights(found, dataset),
            *_rivals(found, dataset),
        ]
    return InspectorSection(f"Dominant set: {_VERDICTS[found['verdict']]}", tuple(lines))


def _game(found: Mapping[str, Any]) -> list[Line]:
    """What the set is one of, where that is not the similarities as they are."""
    lines = []
    if found["alpha"]:
        lines.append(Line("α", f"{found['alpha']:.4g}", "on the diagonal"))
    if weights := found["game"].get("weights"):
        lines.append(Line("weights", " : ".join(f"{one:.2g}" for one in weights), ""))
    if found["order"] > 2:
        lines.append(Line("compared", f"{found['order']} at a time", ""))
    return lines


def _why(found: Mapping[str, Any]) -> str:
    """The first part of the definition that fails, in few words: the panel is narrow."""
    if found["verdict"] == "holds":
        return "by the definition" if found["how"] == "definition" else "an equilibrium"
    if found["verdict"] == "undecided":
        return "a tie"
    if found["beaten_by"]:
        return "another set is better"
    if found["would_leave_in_all"]:
        return f"{found['would_leave_in_all']:,} would leave"
    if found["definite"] is False:
        return "part of it does as well"
    return f"{found['would_join_in_all']:,} would join"


def _weights(found: Mapping[str, Any], dataset: Dataset | None) -> list[Line]:
    """The members with the least weight; at 0 or below they would leave."""
    weights = sorted(zip(found["shares"], found["members"], strict=True))
    shown = [(item, weight) for weight, item in weights[:MOST_WEIGHTS]]
    return [
        Line(_name(item, dataset), f"{weight:.3g}", "would leave" if weight <= 0 else "weight")
        for item, weight in shown
    ]


def _rivals(found: Mapping[str, Any], dataset: Dataset | None) -> list[Line]:
    """The items outside that come nearest to joining, with their margins."""
    nearest: Sequence[tuple[int, float]] = list(
        zip(found["nearest_outside"], found["margins"], strict=True)
    )
    joining = [pair for pair in nearest if pair[1] >= 0]
    shown = joining or nearest[:MOST_WEIGHTS]
    return [
        Line(_name(item, dataset), f"{margin:+.3g}", "would join" if margin >= 0 else "stays out")
        for item, margin in shown
    ]


def _name(item: int, dataset: Dataset | None) -> str:
    if dataset is not None and dataset.items:
        return dataset.items[item]
    return f"Item {item + 1}"

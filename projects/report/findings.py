"""The findings of a project on one page: how many groups, how sure, each in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.wording import counted
from coterie.projects.report.blocks import Block, Heading, Paragraph, TableBlock
from coterie.projects.report.distinctive_features import as_read
from coterie.projects.report.group_description import describe_groups

if TYPE_CHECKING:
    from coterie.projects.report.snapshot import Snapshot

MOST_GROUPS = 40


def findings(project: Snapshot) -> Iterator[Block]:
    """Return the findings; nothing where no step has found groups yet."""
    step = newest_groups(project)
    if not step:
        return
    groups: Clustering = project.steps[step].noun
    yield Heading("Findings")
    yield Paragraph(verdict(groups, step))
    if project.steps[step].stale:
        yield Paragraph("Out of date: settings or inputs changed after it was computed.")
    if groups.k:
        yield group_table(groups, as_read(project, step, groups.n))
    instead = [
        f"{row['title']} (expected agreement {row['expected']:.0%})"
        for row in groups.details.get("candidates", ())
        if row["answer"] and not row["chosen"]
    ]
    if instead:
        yield Paragraph(f"Also possible: {'; '.join(instead)}.")


def newest_groups(project: Snapshot) -> str:
    """Return the last step that has groups; empty for none."""
    for step in reversed(project.recipe.in_order()):
        if isinstance(project.steps[step.name].noun, Clustering):
            return step.name
    return ""


def verdict(groups: Clustering, step: str) -> str:
    """Return how many groups there are and how sure that is."""
    if "sentence" in groups.details:
        return str(groups.details["sentence"])
    outside = int((groups.labels < 0).sum())
    rest = f" {counted(outside, 'item')} in no group." if outside else ""
    return f"{counted(groups.k, 'group')} of {counted(groups.n, 'item')}, by '{step}'.{rest}"


def group_table(groups: Clustering, data: Dataset | None) -> TableBlock:
    """Return each group in words, one a row.

    Parameters
    ----------
    data : the items with columns that a person knows, or texts; None leaves the sizes
    """
    names = groups.group_names
    more = f"Showing {MOST_GROUPS} of {groups.k:,} groups. " if groups.k > MOST_GROUPS else ""
    said = describe_groups(groups, data)[:MOST_GROUPS]
    if data is None:
        sizes = tuple((names[one.group], f"{one.size:,}") for one in said)
        return TableBlock(("group", "items"), sizes, more.strip())
    if data.kind == "texts":
        told = tuple(
            (names[one.group], f"{one.size:,}", ", ".join(one.differences) or "–") for one in said
        )
        caption = f"{more}Words that are more frequent in a group than elsewhere."
        return TableBlock(("group", "items", "distinctive words"), told, caption)

    def named(which: Sequence[int]) -> str:
        return ", ".join(data.item_name(item) for item in which)

    rows = tuple(
        (
            names[one.group],
            f"{one.size:,}",
            f"{one.rule}: {one.score}" if one.rule else "–",
            ". ".join(filter(None, ("; ".join(one.differences), one.held_together))) or "–",
            named(one.typical)
            + "".join(f"; at the border: {named(one.border)}" for _ in one.border[:1]),
        )
        for one in said
    )
    caption = (
        f"{more}Each rule was made from two thirds of the items and tested on the rest. "
        "Differences are between a group's mean and that of all other items, in pooled standard "
        "deviations (SD). The silhouette, from −1 to 1, shows how much nearer items are to their "
        "own group than to the next; stable is the share of its items that their neighbours in a "
        "random half of the items assign to it; certainty is their mean membership in it. Border "
        "items are the nearest to another group."
    )
    if groups.k < 2:
        caption = more.strip()  # one group has no rules and nothing to be distinguished from
    titles = ("group", "items", "in words", "what distinguishes it", "typical items")
    return TableBlock(titles, rows, caption)

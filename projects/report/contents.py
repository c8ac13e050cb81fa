"""Computes what a report says about each step of a project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.formats.files.tables import item_name
from coterie.core.io import clock
from coterie.core.model.arrays import is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Source, Step
from coterie.core.model.result_types import RESULT_TYPES, type_of_noun
from coterie.core.model.results import Clustering, Embedding, Ranking, Score, Trace
from coterie.core.numerics.drawing.figures import figure_of
from coterie.core.version import VERSION
from coterie.projects.recipe.toml import write_recipe
from coterie.projects.report.blocks import (
    Block,
    FigureBlock,
    Heading,
    Listing,
    Paragraph,
    TableBlock,
)
from coterie.projects.report.distinctive_features import mean_table
from coterie.projects.report.findings import findings
from coterie.projects.report.snapshot import Snapshot

FIRST = 10  # items of each group that are named
MOST_GROUPS = 24
MOST_LINES = 24  # of a table of classes and groups


def contents(project: Snapshot) -> Iterator[Block]:
    """Show the findings on one page, then figures, then results step by step, then how it was made.

    Results that are not in reach are said to be so.
    """
    yield Heading(project.title, 1)
    yield Paragraph(
        f"Created by Coterie {VERSION} on {clock.timestamp()[:16].replace('T', ' ')} "
        f"(UTC). {_count(len(project.recipe.steps), 'step')} on "
        f"{_count(len(project.recipe.sources), 'data set')}.",
        quiet=True,
    )
    yield from findings(project)
    clustering = _newest(project)
    parts: list[Source | Step] = [*project.recipe.sources, *project.recipe.in_order()]
    remarked: set[str] = set()  # data pass their notes on; once is enough
    yield from _figures(parts, project, clustering, remarked)
    yield from _overview(project)
    for part in parts:
        yield from _step(part, project, clustering, remarked)
    yield Heading("How it was made")
    for part in parts:
        if project.steps[part.name].noun is not None:
            yield Paragraph(f"{part.name}: {_how(part, project.steps[part.name].provenance)}", True)
    yield Heading("Recipe", 3)
    yield Paragraph("To reproduce this report, save this text as a file and use coterie run FILE.")
    yield Listing(write_recipe(project.recipe))
    yield from _versions(project)


def _overview(project: Snapshot) -> Iterator[Block]:
    rows = []
    for step in project.recipe.in_order():
        noun = project.steps[step.name].noun
        old = " (out of date)" if project.steps[step.name].stale else ""
        known = type_of_noun(noun)
        if known is not None and known.headline:
            rows.append((step.name, noun.title or step.use, f"{known.summary(noun)}{old}"))
    if rows:
        yield Heading("Results")
        yield TableBlock(("step", "method", "result"), tuple(rows))


def _step(
    part: Source | Step,
    project: Snapshot,
    clustering: Clustering | None,
    remarked: set[str],
) -> Iterator[Block]:
    found = project.steps[part.name]
    yield Heading(f"{part.name}: {found.title}", 3)
    if found.noun is None:
        yield Paragraph(found.failure or "Not computed.")
        return
    if found.stale:
        yield Paragraph("Out of date: settings or inputs changed after it was computed.")
    for note in getattr(found.noun, "notes", ()):
        if note not in remarked:
            remarked.add(note)
            yield Paragraph(note)
    yield from _tables(found.noun, clustering)
    if isinstance(found.noun, Clustering):
        means = mean_table(project, part.name, found.noun, _all_called(found.noun))
        yield from () if means is None else (means,)


def _figures(
    parts: Sequence[Source | Step],
    project: Snapshot,
    clustering: Clustering | None,
    remarked: set[str],
) -> Iterator[Block]:
    """What can be drawn, side by side where there is room."""
    drawn: list[Block] = []
    for part in parts:
        found = project.steps[part.name]
        if found.noun is None:
            continue
        # Data that were scaled or projected look much as before: shown as they came.
        if isinstance(part, Source) or not isinstance(found.noun, Dataset):
            drawn += _figure(_complete(part, project), part.name, clustering, remarked)
        if isinstance(found.trace, Trace) and _moves(found.trace):
            drawn += _figure(found.trace, f"{part.name}, how it converged", None, remarked)
    if drawn:
        yield Heading("Figures")
        yield from drawn


def _complete(part: Source | Step, project: Snapshot) -> Any:
    """The result of a part; of data with missing values, the data in which they are filled in."""
    noun = project.steps[part.name].noun
    if not isinstance(noun, Dataset) or _is_complete(noun):
        return noun
    for step in project.recipe.in_order():
        filled = project.steps[step.name].noun
        if part.name in step.of and isinstance(filled, Dataset) and _is_complete(filled):
            return filled
    return noun


def _is_complete(data: Dataset) -> bool:
    """Whether no feature is missing or infinite."""
    values: Any = data.features
    return values is None or bool(np.isfinite(values.data if is_sparse(values) else values).all())


def _moves(trace: Trace) -> bool:
    """Whether a figure of its first curve would show anything."""
    curve = trace.value(trace.first_name)
    known = curve[np.isfinite(curve)]
    return len(known) > 1 and float(np.ptp(known)) > 0


def _how(part: Source | Step, provenance: Mapping[str, Any]) -> str:
    """Method, parameters, seed and time, in a line."""
    use = str(provenance.get("component") or getattr(part, "use", ""))
    params = provenance.get("params", part.params)
    said = [use] if use else []
    shown = ", ".join(f"{name} = {json.dumps(value)}" for name, value in dict(params).items())
    if shown:
        said.append(shown)
    if isinstance(part, Step):
        said.append(f"of {', '.join(part.of)}" if part.of else "")
        said.append(f"seed {part.seed}")
    if "seconds" in provenance:
        said.append(f"{float(provenance['seconds']):.2g} s")
    return "; ".join(text for text in said if text) + "."


def _tables(noun: Any, clustering: Clustering | None) -> Iterator[Block]:
    match noun:
        case Dataset():
            yield Paragraph(_data_in_words(noun))
        case Clustering():
            yield _group_table(noun)
        case Ranking():
            yield from _ranking_tables(noun, clustering)
        case Score():
            yield Paragraph(f"{noun.title or 'Value'}: {noun.value:.6g}")
            if noun.table is not None and noun.table.ndim == 2:
                yield _count_table(noun, clustering)
        case _:
            yield Paragraph(f"{_capital(RESULT_TYPES[noun.encoding_type].summary(noun))}.")


def _data_in_words(data: Dataset) -> str:
    said = f"{_count(data.n, 'item')}"
    if data.d:
        said += f" with {_count(data.d, 'feature')}"
        names = ", ".join(data.columns[:12])
        said += f": {names}{' and more' if data.d > 12 else ''}"
    if data.truth is not None:
        known = len(np.unique(data.truth[data.truth >= 0]))
        said += f". Known classes ({data.truth_column or 'truth'}): {known}"
    return f"{said}."


def _group_table(groups: Clustering) -> TableBlock:
    rows = []
    for group in range(min(groups.k, MOST_GROUPS)):
        members = groups.members(group)
        share = f"{len(members) / max(1, groups.n):.1%}"
        row = [_called(groups, group), f"{len(members):,}", share]
        if groups.cohesiveness is not None:
            known = group < len(groups.cohesiveness)
            row.append(f"{groups.cohesiveness[group]:.4g}" if known else "")
        rows.append(tuple(row))
    more = f"Showing {MOST_GROUPS} of {groups.k:,} groups." if groups.k > MOST_GROUPS else ""
    titles = ("group", "items", "share", "cohesiveness")
    return TableBlock(titles if groups.cohesiveness is not None else titles[:3], tuple(rows), more)


def _ranking_tables(ranking: Ranking, clustering: Clustering | None) -> Iterator[Block]:
    assert ranking.order is not None
    yield Paragraph(f"Scores relative to {ranking.relative_to}.")
    columns: list[tuple[str, Any]] = [("all in scope", ranking.order[:FIRST])]
    if clustering is not None and clustering.n == len(ranking.scores):
        best = np.argsort(-ranking.scores, kind="stable")
        for group in range(min(clustering.k, 8)):
            members = best[clustering.labels[best] == group][:FIRST]
            if len(members):
                columns.append((_called(clustering, group), members))
    longest = max(len(items) for _, items in columns)
    rows = tuple(
        (
            str(place + 1),
            *(
                item_name(ranking.dataset, int(items[place])) if place < len(items) else ""
                for _, items in columns
            ),
        )
        for place in range(longest)
    )
    yield TableBlock(
        ("rank", *(title for title, _ in columns)), rows, "The top items of each group."
    )


def _count_table(score: Score, clustering: Clustering | None) -> TableBlock:
    table = np.asarray(score.table)[:MOST_LINES, :MOST_LINES]
    rows = tuple(
        (name, *(f"{value:,.4g}" for value in line))
        for name, line in zip(
            _names(score.rows, len(table), clustering), table.tolist(), strict=True
        )
    )
    return TableBlock(("", *_names(score.columns, table.shape[1], clustering)), rows)


def _names(names: tuple[str, ...], count: int, clustering: Clustering | None) -> tuple[str, ...]:
    """Return as many names as are counted; groups without one are counted from 1.

    A metric calls them by their label, from 0: two ways to count on one page would mislead.
    """
    found = [names[i] if i < len(names) else str(i + 1) for i in range(count)]
    if clustering is not None and not clustering.names:
        labels = {f"group {g}": _called(clustering, g) for g in range(clustering.k)}
        found = [labels.get(name, name) for name in found]
    return tuple(found)


def _called(groups: Clustering, group: int) -> str:
    """Return the name of a group, or its number from 1 as the window counts."""
    return groups.group_names[group]


def _all_called(groups: Clustering) -> tuple[str, ...]:
    return tuple(_called(groups, group) for group in range(groups.k))


def _figure(
    noun: Any, name: str, clustering: Clustering | None, remarked: set[str]
) -> Iterator[Block]:
    caption = RESULT_TYPES[noun.encoding_type].caption
    if not caption:
        return
    shown = noun
    if isinstance(noun, Embedding) and clustering is not None:
        shown = _coloured_by(noun, clustering)
    elif isinstance(noun, Clustering):
        shown = replace(noun, names=_all_called(noun))
    try:
        yield FigureBlock(figure_of(shown, title=name), caption)
    except CoterieError as error:
        if str(error) not in remarked:  # a missing package is missing for every figure
            remarked.add(str(error))
            yield Paragraph(str(error), quiet=True)


def _coloured_by(embedding: Embedding, clustering: Clustering) -> Embedding:
    """The same coordinates, with the groups in the place of known classes."""
    data = embedding.dataset
    if data is None or clustering.n != len(embedding.coordinates):
        return embedding
    names = _all_called(clustering)
    grouped = replace(data, truth=clustering.labels, truth_names=names, truth_column="group")
    return replace(embedding, dataset=grouped)


def _newest(project: Snapshot) -> Clustering | None:
    for step in reversed(project.recipe.in_order()):
        found = project.steps[step.name].noun
        if isinstance(found, Clustering):
            return found
    return None


def _versions(project: Snapshot) -> Iterator[Block]:
    found: dict[str, str] = {"coterie": VERSION}
    for step in project.steps.values():
        libraries = step.provenance.get("libraries", {})
        found |= {str(key): str(value) for key, value in dict(libraries).items()}
    yield Heading("Versions", 3)
    yield TableBlock(("software", "version"), tuple(sorted(found.items())))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"

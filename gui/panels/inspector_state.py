"""What the Inspector says about the selected items. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Ranking
from coterie.core.numerics.descriptions.measures import measured
from coterie.core.numerics.descriptions.why_here import GroupMeans, Reason
from coterie.gui.views.shown_items.columns import MISSING, ItemColumn, table_columns
from coterie.gui.views.shown_items.displayed import gives
from coterie.gui.views.shown_items.rank_positions import is_each_on_its_own
from coterie.projects.report.group_quality import GroupQuality, ItemQuality

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_LINES = 60
MOST_CELLS = 1_000_000  # items × columns; to take in more would hold the window up
MOST_COMPARED = 200_000  # of these, from evenly spread items; an item is compared with those
MOST_NAMES = 5
_UNDER = "\u2003"  # an em space before what belongs to the line above
MOST_MEASURED = 20_000  # items whose features are summarised; more are sampled evenly


@dataclass(frozen=True)
class Line:
    """A name and what it has; `note` is said more quietly."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class InspectorSection:
    """Lines that belong together."""

    title: str
    lines: tuple[Line, ...]


def inspect(session: Session) -> tuple[str, tuple[InspectorSection, ...]]:
    """Return a headline and sections about the selection; an empty headline when there is none."""
    dataset = root_dataset(session)
    items = session.selection.items
    if dataset is None or not len(items) or items[-1] >= dataset.n:
        return "", ()
    if len(items) == 1:
        return _one(session, dataset, int(items[0]))
    return _many(session, dataset, items)


def root_dataset(session: Session) -> Dataset | None:
    """Return the data set that the selection is about: the first of its size, not on disk."""
    steps = [s.name for s in session.recipe.in_order() if s.use.startswith("transform/")]
    for name in (*(source.name for source in session.recipe.sources), *steps):
        artefact = session.results.artefact(name)
        if isinstance(artefact, Dataset) and artefact.n == session.selection.n:
            return None if artefact.on_disk else artefact
    return None


def _one(session: Session, dataset: Dataset, item: int) -> tuple[str, tuple[InspectorSection, ...]]:
    own_name = dataset.items[item] if dataset.items else f"Item {item + 1}"
    sections = []
    facts = [Line("Position", f"{item + 1} of {dataset.n}")]
    if dataset.truth is not None:
        facts.append(Line(dataset.truth_column or "Known class", _truth(dataset, item)))
    if dataset.texts:
        facts.append(Line("Text", dataset.texts[item]))
    sections.append(InspectorSection("Item", tuple(facts)))
    belongs: list[Line] = []
    ranks: list[Line] = []
    for name, result in _results(session, dataset.n):
        if isinstance(result, Clustering):
            belongs += _membership(name, result, item)
        elif result.order is not None:
            ranks += _rank(session, name, result, item)
    if belongs:
        sections.append(InspectorSection("Groups", tuple(belongs)))
    sections += _why(session, dataset, item)
    if ranks:
        sections.append(InspectorSection("Ranks", tuple(ranks)))
    if dataset.table:
        columns = table_columns(dataset)
        lines = [Line(column.title, column.text(item)) for column in columns[:MOST_LINES]]
        sections.append(InspectorSection("Columns", _with_rest(lines, len(columns))))
    elif dataset.features is not None:
        row = _rows(dataset, slice(item, item + 1))[0]
        lines = [
            Line(column, f"{value:.6g}")
            for column, value in zip(dataset.columns[:MOST_LINES], row, strict=False)
        ]
        sections.append(InspectorSection("Features", _with_rest(lines, dataset.d)))
    return own_name, tuple(sections)


@dataclass(frozen=True, eq=False)
class _Groups:
    """The newest groups and what items are compared with, kept from one item to the next."""

    dataset: Dataset
    labels: Ints
    X: Floats
    means: GroupMeans
    some: Ints  # the items compared with
    quality_of_some: ItemQuality

    @classmethod
    def of(cls, dataset: Dataset, labels: Ints) -> _Groups:
        """Take in the items, or evenly spread ones of many."""
        X, measures = measured(dataset)
        some = np.arange(0, len(X), max(1, -(-X.size // MOST_COMPARED)))
        means = GroupMeans(X[some], measures, labels[some])
        return cls(dataset, labels, X, means, some, ItemQuality(X[some], labels[some]))

    def quality(self, item: int) -> GroupQuality | None:
        """Return how well an item is in its group."""
        at = int(np.searchsorted(self.some, item))
        if at < len(self.some) and self.some[at] == item:
            return self.quality_of_some.of(at)
        among = np.insert(self.some, at, item)
        return ItemQuality(self.X[among], self.labels[among]).of(at)


_KEPT: WeakKeyDictionary[Clustering, _Groups] = WeakKeyDictionary()


def _why(session: Session, dataset: Dataset, item: int) -> list[InspectorSection]:
    """How well the item is in its group, and why not in the nearest other one."""
    groups = [one for _, one in _results(session, dataset.n) if isinstance(one, Clustering)]
    dense = dataset.features is not None and not is_sparse(dataset.features)
    if not groups or dataset.kind != "table" or not dense or dataset.n * dataset.d > MOST_CELLS:
        return []
    found = groups[-1]
    kept = _KEPT.get(found)
    if kept is None or kept.dataset is not dataset:
        kept = _KEPT[found] = _Groups.of(dataset, found.labels)
    why = kept.means.why(kept.X[item], int(found.labels[item]))
    quality = kept.quality(item)
    sections = []
    if quality is not None and quality.stability is not None:
        lines = (
            Line("Silhouette", f"{quality.silhouette:.2f}".replace("-", "−")),
            Line("Stable", f"{quality.stability:.0%}"),
        )
        sections.append(InspectorSection("In its group", lines))
    if why is None or not why.reasons:
        return sections
    here, there = found.group_names[why.group], found.group_names[why.other]
    sections.append(InspectorSection(f"Why {here}, not {there}", _reasons(why.reasons)))
    if why.against:
        title = f"In favour of {there}"
        sections.append(InspectorSection(title, _reasons(why.against)))
    return sections


def _reasons(reasons: tuple[Reason, ...]) -> tuple[Line, ...]:
    """Each column with the item's value, the means of both groups, and how far apart they are."""
    lines = []
    for one in reasons:
        value = one.measure.value(one.value)
        lines.append(Line(one.measure.title, value, f"{one.apart:.1f} SD"))
        means = f"{one.measure.mean(one.own)} here, {one.measure.mean(one.other)} there"
        lines.append(Line(f"{_UNDER}{means}", ""))
    return tuple(lines)


def _rank(session: Session, name: str, ranking: Ranking, item: int) -> list[Line]:
    """The place of an item; a ranking relative to a group lists only the others."""
    assert ranking.order is not None
    labels = _ranked_groups(session, name)
    listed = ranking.order
    if labels is not None and is_each_on_its_own(ranking, labels):
        listed = listed[labels[listed] == labels[item]]
    found = np.flatnonzero(listed == item)
    place = f"{int(found[0]) + 1} of {len(listed)}" if len(found) else "not listed"
    return [Line(name, place), Line(f"{_UNDER}score", f"{ranking.scores[item]:.4g}")]


def _ranked_groups(session: Session, name: str) -> Ints | None:
    """The groups that a ranking was given, if any."""
    for given in session.recipe.step(name).of:
        if gives(session, given) != "clustering":
            continue
        result = session.results.artefact(given)
        if isinstance(result, Clustering):
            return result.labels
    return None


def _many(
    session: Session, dataset: Dataset, items: Array
) -> tuple[str, tuple[InspectorSection, ...]]:
    sections = []
    if dataset.items:
        lines = [Line(dataset.items[int(i)], f"item {int(i) + 1}") for i in items[:MOST_NAMES]]
        sections.append(InspectorSection("Items", _with_rest(lines, len(items))))
    if dataset.truth is not None:
        sections.append(
            _counts(
                dataset.truth_column or "Known class",
                dataset.truth,
                items,
                dataset.truth_names,
                none="unknown",
            )
        )
    for name, result in _results(session, dataset.n):
        if isinstance(result, Clustering):
            titles = result.names or tuple(f"group {g + 1}" for g in range(result.k))
            sections.append(_counts(f"Groups in “{name}”", result.labels, items, titles))
    if dataset.table:
        sections.append(_typed_summary(dataset, items))
    elif dataset.features is not None:
        sections.append(_summary(dataset, items))
    return f"{len(items)} of {dataset.n} items", tuple(sections)


def _results(session: Session, n: int) -> list[tuple[str, Clustering | Ranking]]:
    found: list[tuple[str, Clustering | Ranking]] = []
    for step in session.recipe.steps:
        if gives(session, step.name) not in ("clustering", "ranking"):
            continue  # looking at it would load it: similarities take long
        result = session.results.artefact(step.name)
        size = -1
        if isinstance(result, Clustering):
            size = result.n
        elif isinstance(result, Ranking):
            size = len(result.scores)
        if size == n:
            found.append((step.name, result))
    return found


def _membership(name: str, result: Clustering, item: int) -> list[Line]:
    group = int(result.labels[item])
    if group < 0:
        return [Line(name, "unassigned")]
    said = result.names[group] if group < len(result.names) else f"group {group + 1}"
    lines = [Line(name, said)]
    if result.membership is not None:
        lines.append(Line(f"{_UNDER}membership", f"{result.membership[item, group]:.3g}"))
    return lines


def _truth(dataset: Dataset, item: int) -> str:
    assert dataset.truth is not None
    known = int(dataset.truth[item])
    if known < 0:
        return "unknown"
    return dataset.truth_names[known] if known < len(dataset.truth_names) else str(known)


def _counts(
    title: str, labels: Array, items: Array, names: tuple[str, ...], none: str = "unassigned"
) -> InspectorSection:
    chosen = np.asarray(labels)[items]
    values, counts = np.unique(chosen, return_counts=True)
    lines = []
    for value, count in sorted(zip(values, counts, strict=True), key=lambda pair: -pair[1]):
        known = 0 <= value < len(names)
        said = names[int(value)] if known else none if value < 0 else str(int(value))
        lines.append(Line(said, str(int(count)), f"{count / len(items):.0%}"))
    return InspectorSection(title, _with_rest(lines[:MOST_LINES], len(lines)))


def _summary(dataset: Dataset, items: Array) -> InspectorSection:
    step = max(1, len(items) // MOST_MEASURED)
    rows = _rows(dataset, items[::step])[:, :MOST_LINES]
    with np.errstate(invalid="ignore"):
        means, lows, highs = rows.mean(axis=0), rows.min(axis=0), rows.max(axis=0)
    lines = [
        Line(column, f"{mean:.3g}", f"{low:.3g} to {high:.3g}")
        for column, mean, low, high in zip(dataset.columns, means, lows, highs, strict=False)
    ]
    return InspectorSection("Features, on average", _with_rest(lines, dataset.d))


def _typed_summary(dataset: Dataset, items: Array) -> InspectorSection:
    """Of numbers the mean, of categories the most frequent, of dates from when to when."""
    some = items[:: max(1, len(items) // MOST_MEASURED)]
    columns = [column for column in table_columns(dataset) if column.kind != "text"]
    lines = [_typical(column, some) for column in columns[:MOST_LINES]]
    return InspectorSection("Columns, on average", _with_rest(lines, len(columns)))


def _typical(column: ItemColumn, items: Array) -> Line:
    values = column.values[items]
    known = values[values >= 0] if column.kind == "category" else values[np.isfinite(values)]
    if not len(known):
        return Line(column.title, MISSING, "no values")
    if column.kind == "category":
        counts = np.bincount(known)
        most = int(counts.argmax())
        return Line(column.title, column.names[most], f"{counts[most] / len(known):.0%}")
    if column.kind == "date":
        first, last = (items[int(at)] for at in (np.nanargmin(values), np.nanargmax(values)))
        return Line(column.title, column.text(int(first)), f"to {column.text(int(last))}")
    low, high = float(known.min()), float(known.max())
    return Line(column.title, f"{known.mean():.3g}", f"{low:.3g} to {high:.3g}")


def _with_rest(lines: list[Line], total: int) -> tuple[Line, ...]:
    if total > len(lines):
        lines = [*lines, Line(f"and {total - len(lines)} more", "")]
    return tuple(lines)


def _rows(dataset: Dataset, items: Array | slice) -> Array:
    features: Any = dataset.features
    rows = features[items]
    return np.asarray(rows.toarray() if is_sparse(rows) else rows)

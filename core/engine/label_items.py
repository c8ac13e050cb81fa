"""Labels the rows of a table with the models that the steps of a recipe left, and writes a CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.components import Component, Transform
from coterie.core.api.context import Context
from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.label_parts import label_parts, parts_to_label
from coterie.core.engine.messages import Label
from coterie.core.errors import DataError, PluginError, RecipeError
from coterie.core.formats.columns.retyping import own_table, retyped, with_table
from coterie.core.formats.files.tables import Table, clustering_table, with_columns
from coterie.core.io.atomic_write import writing_place
from coterie.core.io.workspace import Workspace
from coterie.core.model.arrays import is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.embedding_items import items_of
from coterie.core.model.results import Clustering, Embedding, Model
from coterie.core.numerics.features.fitted_encoding import encoded_like, fitted_encoding
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.core.wording import counted, listed

# Parameters of readers about columns and rows; a table to be labelled need not have those.
ABOUT_COLUMNS = frozenset({"truth", "items", "leave_out", "types", "roles", "features", "sample"})


def label_items(
    order: Label, registry: Registry, workspace: Workspace, context: Context
) -> list[str]:
    """Write the group of each row of a table, or of the tables in a folder; return remarks."""
    fitted = workspace.load(order.source)
    assert isinstance(fitted, Dataset)
    links = _links(order, registry, workspace)
    names = _names(order, workspace)
    parts = None if order.whole_folder else parts_to_label(Path(order.path))
    if parts is not None:

        def labelled(data: Dataset) -> Clustering:
            part = _labelled(like_fitted(data, fitted), links, context)
            return replace(part, names=part.names or names)

        return label_parts(order, parts, labelled, context)
    tables: list[tuple[Path, Table]] = []
    notes: list[str] = []
    files = _files(Path(order.path), order, registry)
    failed: dict[str, str] = {}
    for number, file in enumerate(files, start=1):
        context.check()
        try:
            new = _opened(file, order, registry, context)
            found = _labelled(like_fitted(new, fitted), links, context)
        except DataError as error:
            if len(files) == 1:
                raise
            failed[file.name] = str(error)
            continue
        found = replace(found, names=found.names or names)
        table = clustering_table(found)
        tables.append((file, with_columns(table, new) if order.columns == "all" else table))
        notes += _remarks(file if len(files) > 1 else None, found)
        context.progress(number, len(files), file.name)
    if tables:
        _write(Path(order.target), tables)
    if failed:
        raise _incomplete(failed, len(files), Path(order.target).name)
    return notes


def _incomplete(failed: Mapping[str, str], files: int, target: str) -> DataError:
    """What to say when some files of a folder could not be labelled; the others are."""
    name, why = next(iter(failed.items()))
    also = f" Also: {listed(list(failed)[1:])}." if len(failed) > 1 else ""
    kept = f" The others are in '{target}'." if len(failed) < files else ""
    return DataError(
        f"{len(failed)} of {counted(files, 'file')} could not be labelled. "
        f"{name}: {why}{also}{kept}",
        code="incomplete",
    )


def like_fitted(new: Dataset, fitted: Dataset) -> Dataset:
    """Return new items with the columns and features of those that the models were fitted to.

    Columns are found by name and type; others are kept as information. Known classes and names
    need not be there.
    """
    if not is_default_encoding(fitted):
        return _like_features(new, fitted)
    entries = fitted_encoding(fitted.table)
    wanted = {entry["name"] for entry in entries}
    own = own_table(new)
    there = {column.name for column in own}
    before = {column.name: column for column in fitted.table if column.name in there}
    types = {name: str(column.type) for name, column in before.items() if name in wanted}
    roles = dict.fromkeys(there - wanted - set(before), "information")
    roles |= {name: str(column.role) for name, column in before.items()}
    table = retyped(own, types, roles, new.title)
    features, names = encoded_like(entries, table, new.title)
    return replace(with_table(new, table), features=features, columns=names)


def _like_features(new: Dataset, fitted: Dataset) -> Dataset:
    """The columns of the same names, in the same order; texts and the like as they are."""
    if fitted.features is None or new.features is None or fitted.kind != "table":
        if new.kind != fitted.kind:
            raise DataError(
                f"The models were fitted to {fitted.kind}, but '{new.title}' holds {new.kind}. "
                "Choose data of the same kind.",
                code="columns-mismatch",
            )
        return new
    absent = [name for name in fitted.columns if name not in new.columns]
    if absent:
        raise DataError(
            f"The models were fitted to a column '{absent[0]:.80}' of numbers, which "
            f"'{new.title:.80}' does not have. Choose data with the same columns.",
            code="columns-mismatch",
        )
    place = [new.columns.index(name) for name in fitted.columns]
    features: Any = new.features
    chosen = features[:, place]
    return replace(
        new, features=chosen if is_sparse(chosen) else np.asarray(chosen), columns=fitted.columns
    )


def _links(order: Label, registry: Registry, workspace: Workspace) -> list[tuple[Component, Model]]:
    links = []
    for use, key in zip(order.methods, order.models, strict=True):
        component = registry.component(use)()
        if key:
            links.append((component, workspace.load(key)))
        elif not (isinstance(component, Transform) and component.chooses_items):
            raise RecipeError(
                f"{use} has no model, so it cannot be applied to new items. Use a recipe "
                "without it.",
                code="no-model",
            )
    return links


def _labelled(
    data: Dataset, links: Sequence[tuple[Component, Model]], context: Context
) -> Clustering:
    found: Any = data
    for component, model in links:
        if isinstance(found, Embedding):
            found = items_of(found)
        try:
            found = component.apply(model, found, context)
        except TypeError as error:
            if type(component).apply is not Component.apply:
                raise
            raise DataError(str(error), code="no-model") from error
    if not isinstance(found, Clustering):
        raise PluginError(
            "The last step returned no groups. Report it to the author of the method.",
            code="invalid-result",
        )
    return replace(found, dataset=data)


def _names(order: Label, workspace: Workspace) -> tuple[str, ...]:
    """The names of the groups, where a person gave some."""
    groups = workspace.load(order.groups) if order.groups else None
    return groups.names if isinstance(groups, Clustering) else ()


def _files(path: Path, order: Label, registry: Registry) -> list[Path]:
    """The file, or the files of a folder that a reader of tables knows, by their names."""
    if not path.is_dir() or order.whole_folder:
        return [path]
    known = [
        file
        for file in sorted(path.iterdir())
        if file.is_file() and registry.catalogue.reader_for(file.name) is not None
    ]
    if not known:
        raise DataError(
            f"The folder '{path.name}' has no file that can be read. Choose another folder.",
            code="no-reader",
        )
    return known


def _opened(path: Path, order: Label, registry: Registry, context: Context) -> Dataset:
    """Read a file as the project's own was, or by its ending if that reader does not know it."""
    catalogue = registry.catalogue
    known = order.reader in catalogue and path.name.lower().endswith(
        catalogue.get(order.reader).extensions
    )
    usual = None if known or order.whole_folder else catalogue.reader_for(path.name)
    use = order.reader if usual is None else usual.name
    params: Mapping[str, Any] = order.reader_params if use == order.reader else {}
    own = {name: value for name, value in params.items() if name not in ABOUT_COLUMNS}
    reader = registry.component(use)
    data = reader().compute(path, params=parse_params(reader.Params, own, use), context=context)
    assert isinstance(data, Dataset)
    if data.on_disk:
        raise DataError(
            f"'{path.name}' is a scene. Write a map of it: choose a name ending in .tif.",
            code="wrong-extension",
        )
    return data


def _remarks(file: Path | None, found: Clustering) -> Iterator[str]:
    labels = found.labels
    groups = ", ".join(
        f"{found.group_names[group]}: {count:,}"
        for group, count in enumerate(np.bincount(labels[labels >= 0], minlength=found.k).tolist())
    )
    none = int((labels < 0).sum())
    where = f"{file.name}: " if file is not None else ""
    said = f"{where}{counted(found.n, 'row')}. {groups}"
    yield f"{said}, no group: {none:,}." if none else f"{said}."


def _write(target: Path, tables: Sequence[tuple[Path, Table]]) -> None:
    """One file with a row for each item; of several tables, the first column says which."""
    several = len(tables) > 1
    names = list(dict.fromkeys(name for _, table in tables for name in table.names))
    beside = writing_place(target)
    try:
        with beside.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["file", *names] if several else names)
            for file, table in tables:
                columns = dict(zip(table.names, table.columns, strict=True))
                empty = [""] * len(table)
                rows = zip(*(columns.get(name, empty) for name in names), strict=True)
                writer.writerows([file.name, *row] if several else row for row in map(_cells, rows))
        beside.replace(target)
    except OSError as error:
        raise DataError(
            f"'{target}' cannot be written: {error.strerror or error}. Choose another folder.",
            code="file-not-writable",
        ) from error
    finally:
        beside.unlink(missing_ok=True)


def _cells(row: Sequence[Any]) -> list[Any]:
    return ["" if isinstance(value, float) and np.isnan(value) else value for value in row]

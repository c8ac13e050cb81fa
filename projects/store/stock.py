"""What is known of a session's results without their arrays, wherever they are."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from coterie.core.errors import WorkspaceError
from coterie.core.model.result_types import RESULT_TYPES
from coterie.projects.store.held import Held

if TYPE_CHECKING:
    from coterie.core.io.workspace import Workspace
    from coterie.projects.store.artefacts import Storage


def held_by(storage: Storage, keys: Iterable[str]) -> dict[str, Held]:
    """Return what is known of results, in the workspace or in the project file."""
    found = {}
    for key in keys:
        if key in storage.workspace:
            # Of one that is damaged nothing is known: it is reported when it is to be written.
            with suppress(WorkspaceError):
                found[key] = _in_workspace(storage.workspace, key)
        elif storage.opened is not None and key in storage.opened.entries:
            entry = storage.opened.entries[key]
            found[key] = Held(
                entry.type, entry.nbytes, entry.shape, entry.dataset, entry.kind,
                storage.provenance_of(key),
            )  # fmt: skip
    return found


def _in_workspace(workspace: Workspace, key: str) -> Held:
    record = workspace.record(key)
    shapes, known = workspace.shapes(key), RESULT_TYPES.get(record["type"])
    parts = known.main_parts if known is not None else ()
    shape = next((shapes[name] for name in parts if name in shapes), ())
    if "indptr" in shapes:  # sparse similarities: a row for each pointer but the last
        shape = (shapes["indptr"][0] - 1,) * 2
    return Held(
        record["type"], workspace.nbytes_of(key), shape, record["dataset"],
        str(record["meta"].get("kind", "")), record["provenance"],
    )  # fmt: skip

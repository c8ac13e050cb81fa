"""Projects of 0.1, whose keys have the hash of a source file in them, under the keys of now.

The old key of a result is made again from how it came about and from the source that 0.1 had. Only
when it comes out as recorded is the result given the key that the same step has now. A method whose
version has changed since implies another key, so its results are stale, as they should be, unless
it is listed as computing the same with the defaults of 0.1.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.model.artefacts import Artefact, canonical_json, part_key, step_key
from coterie.projects.recipe.upgrade import (
    DEFAULTS_OF_FORMAT_1,
    RENAMED_SINCE_FORMAT_1,
    SAME_AS_FORMAT_1,
)

if TYPE_CHECKING:
    from coterie.core.io.workspace import Workspace
    from coterie.projects.store.confined_file import ConfinedFile
    from coterie.projects.store.hdf5.entries import ArtefactEntry, Header
    from coterie.projects.store.hdf5.reading import ProjectFile
    from coterie.projects.store.left_out import LeftOut

Defaults = Callable[[str], Mapping[str, Any]]


def is_of_0_1(recipe: str) -> bool:
    """Return whether a project was saved by 0.1, which wrote no format into its recipe."""
    return not recipe.startswith("format = ")


class TranslatedFile:
    """A project file of 0.1, read under the keys of now.

    Parameters
    ----------
    defaults : of a method, by "kind/id": parameters that 0.1 did not have get those, unless the
        table of old defaults says what 0.1 did
    """

    def __init__(self, file: ProjectFile | ConfinedFile, defaults: Defaults) -> None:
        self._file = file
        self._defaults = defaults
        self._old: dict[str, str] = {}
        self._new: dict[str, str] = {}
        self._translate()
        self.path: Path = file.path
        self.header: Header = file.header
        self.recipe, self.view = file.recipe, file.view
        self.left_out: Mapping[str, LeftOut] = {}  # 0.1 stored everything
        self.entries: Mapping[str, ArtefactEntry] = {
            self._now(key): replace(entry, key=self._now(key), dataset=self._link(entry.dataset))
            for key, entry in file.entries.items()
        }
        self.steps = {name: self._step(step) for name, step in file.steps.items()}

    @property
    def translated(self) -> frozenset[str]:
        """The keys that are not those of the file."""
        return frozenset(self._old)

    def provenance(self, key: str) -> dict[str, Any]:
        """Return how an artefact came about."""
        return self._restated(self._file.provenance(self._old.get(key, key)))

    def read(self, key: str) -> Artefact:
        """Read an artefact with all its arrays into memory."""
        found = self._file.read(self._old.get(key, key))
        link, provenance = self._link(found.dataset), self._restated(found.provenance)
        return replace(found, key=key, dataset=link, provenance=provenance)

    def write_into(self, workspace: Workspace, artefact: Artefact, stored: str) -> None:
        """Write an artefact that was read into a workspace."""
        self._file.write_into(workspace, artefact, self._old.get(stored, stored))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _translate(self) -> None:
        """Find the new key of each result; those it was computed from come before it."""
        records = {key: self._file.provenance(key) for key in self._file.entries}
        waiting = {key: about if _is_sound(about) else {} for key, about in records.items()}
        while waiting:
            ready = [
                key
                for key, about in waiting.items()
                if not any(of in waiting and of != key for of in about.get("inputs", ()))
            ]
            for key in ready:
                about = waiting.pop(key)
                if (source := _source_of(key, about)) is not None:
                    self._note(key, self._key(about), about.get("parts", {}))
                    self._note_request(about, source)
            if not ready:  # a file that says of two results that each was made of the other
                break

    def _note(self, old: str, new: str, parts: Mapping[str, str]) -> None:
        keys = {old: new}
        for name, part in parts.items():
            if part == part_key(old, name):
                keys[part] = part_key(new, name)
        self._new |= keys
        self._old |= {now: then for then, now in keys.items()}

    def _note_request(self, about: Mapping[str, Any], source: str) -> None:
        """A source is asked for by a text that has the hash of its reader's code in it as well."""
        if "source" in about:
            old = _request(about, source, about["params"])
            self._new[old] = _request(_as_of_now(about), "", self._params(about))

    def _key(self, about: Mapping[str, Any]) -> str:
        inputs = [self._now(key) for key in _inputs(about)]
        return _made(_as_of_now(about), "", inputs, self._params(about))

    def _params(self, about: Mapping[str, Any]) -> dict[str, Any]:
        name = about["component"]
        then = DEFAULTS_OF_FORMAT_1.get(name, {})
        return {**self._defaults(_name_of_now(name)), **then, **about["params"]}

    def _now(self, key: str) -> str:
        return self._new.get(key, key)

    def _link(self, key: str | None) -> str | None:
        return None if key is None else self._now(key)

    def _step(self, step: Mapping[str, Any]) -> dict[str, Any]:
        parts = {name: self._now(key) for name, key in step.get("parts", {}).items()}
        named = {"key": self._now(step["key"]), "parts": parts}
        if "request" in step:
            named["request"] = self._now(step["request"])
        return {**step, **named}

    def _restated(self, about: Mapping[str, Any]) -> dict[str, Any]:
        named = dict(about)
        if not _is_sound(about):
            return named
        if "inputs" in about:
            named["inputs"] = [self._now(key) for key in about["inputs"]]
        if "parts" in about:
            named["parts"] = {name: self._now(key) for name, key in about["parts"].items()}
        return named


def _is_sound(about: Mapping[str, Any]) -> bool:
    """Whether a record has texts, and lists and tables of texts, where they belong."""
    texts = (about.get(name, "") for name in ("component", "source_sha256"))
    tables = [about.get(name, {}) for name in ("parts", "companions")]
    inputs = about.get("inputs", [])
    if not isinstance(inputs, list) or not all(isinstance(table, dict) for table in tables):
        return False
    listed = (*texts, *inputs, *(value for table in tables for value in table.values()))
    return all(isinstance(text, str) for text in listed)


def _as_of_now(about: Mapping[str, Any]) -> Mapping[str, Any]:
    """How it came about, with the version that computes the same now."""
    name = about["component"]
    version = SAME_AS_FORMAT_1.get(name, about["version"])
    return {**about, "component": _name_of_now(name), "version": version}


def _name_of_now(method: str) -> str:
    return RENAMED_SINCE_FORMAT_1.get(method, method)


def _source_of(key: str, about: Mapping[str, Any]) -> str | None:
    """The hash of the source in a key that 0.1 made; None for a key that was made otherwise."""
    known = _sources_of_0_1().get(about.get("component", ""), {})
    if about.get("version") != known.get("version") or "part" in about:
        return None
    try:
        keys = {
            _made(about, source, _inputs(about), about["params"]): source
            for source in known.get("sources", ())
        }
    except (KeyError, TypeError, ValueError, AttributeError):  # a record that nobody can use
        return None
    return keys.get(key)


def _made(
    about: Mapping[str, Any], source: str, inputs: list[str], params: Mapping[str, Any]
) -> str:
    return step_key(
        component=about["component"],
        version=about["version"],
        fingerprint=source,
        params=params,
        inputs=inputs,
        seed=about["seed"],
    )


def _inputs(about: Mapping[str, Any]) -> list[str]:
    """What a result was computed from: of a reader, the hashes of its files."""
    if "source_sha256" in about:
        return [about["source_sha256"], *about.get("companions", {}).values()]
    return list(about["inputs"])


def _request(about: Mapping[str, Any], source: str, params: Mapping[str, Any]) -> str:
    """What was asked of a reader, as `recipe.keys.request_of` makes it."""
    asked = [about["source"], about["component"], about["version"], source, dict(params)]
    return hashlib.sha256(canonical_json(asked).encode()).hexdigest()


@cache
def _sources_of_0_1() -> dict[str, dict[str, Any]]:
    """Version and source of every method of 0.1: the hash of its file, and that in a bundle."""
    found: dict[str, dict[str, Any]] = json.loads(
        Path(__file__).with_name("sources_of_0_1.json").read_text(encoding="utf-8")
    )
    return found

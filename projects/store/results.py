"""The results of the steps of a project, and whether they are up to date."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from psygnal import Signal

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import CoterieError, WorkspaceError
from coterie.core.model.recipes import Recipe
from coterie.projects.jobs.background import BackgroundThread
from coterie.projects.recipe.keys import Computed, implied_keys
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.keeping import Keep
from coterie.projects.store.left_out import LeftOut, left_out_of
from coterie.projects.store.stock import held_by

if TYPE_CHECKING:
    from coterie.projects.store.state import ProjectState


class Results:
    """The newest artefact of each step, fresh or stale. Available as `session.results`.

    `brought` carries the steps of which an artefact was brought from the project file.
    """

    brought: ClassVar[Signal] = Signal(tuple)
    logged: ClassVar[Signal] = Signal(str)

    def __init__(self, storage: Storage, background: BackgroundThread) -> None:
        self._storage, self._background = storage, background
        self._computed: dict[str, Computed] = {}
        self._left_out: dict[str, LeftOut] = {}
        self._implied: dict[str, str] = {}
        self._nouns: dict[str, Any] = {}
        self._provenance: dict[str, Mapping[str, Any]] = {}

    def begin(
        self, computed: Mapping[str, Computed], left_out: Mapping[str, LeftOut] | None = None
    ) -> None:
        """Forget everything and start from what is known of another project."""
        self._computed = dict(computed)
        self._left_out = dict(left_out or {})
        self._nouns.clear()
        self._provenance.clear()

    def take(self, name: str, computed: Computed) -> bool:
        """Keep what a step was computed to; return whether that is news."""
        known = self._computed.get(name)
        self._computed[name] = computed
        return known is None or known.key != computed.key

    def copy(self, name: str, other: str) -> None:
        """Let a step that is called otherwise from now on have what it was computed to."""
        if name in self._computed:
            self._computed[other] = self._computed[name]
        if name in self._left_out:
            self._left_out[other] = self._left_out[name]

    def add_part(self, name: str, part: str, key: str) -> None:
        """Take note of a part that was published beside a step's artefact later."""
        known = self._computed[name]
        self._computed[name] = replace(known, parts={**known.parts, part: key})

    def drop_part(self, name: str, part: str) -> None:
        """Forget a part of a step's artefact."""
        known = self._computed[name]
        parts = {other: key for other, key in known.parts.items() if other != part}
        self._computed[name] = replace(known, parts=parts)

    def drop(self, name: str) -> None:
        """Forget what a step was computed to."""
        self._computed.pop(name, None)

    def refresh(self, recipe: Recipe, catalogue: Catalogue) -> set[str]:
        """Work out again what the recipe implies, and take up results that already exist.

        Returns the names of the steps for which a result was taken up.
        """
        self._implied = implied_keys(recipe, catalogue, self._computed)
        found = set()
        for name, key in self._implied.items():
            if not self.is_fresh(name) and self._storage.holds(key):
                parts = self._storage.parts_of(key)
                if parts is not None:
                    self._computed[name] = Computed(key, parts)
                    found.add(name)
        kept = self.keys()
        self._nouns = {key: noun for key, noun in self._nouns.items() if key in kept}
        self._provenance = {key: of for key, of in self._provenance.items() if key in kept}
        return found

    def left_out(self, name: str) -> LeftOut | None:
        """Return how a step's result came about that is not stored, and can be computed again.

        None when it is there, and when the recipe implies another result by now.
        """
        found = self._left_out.get(name)
        if found is None or name in self._computed:
            return None
        # Before the methods are known, nobody can say that it is another.
        return found if found.key == self._implied.get(name, found.key) else None

    def all_left_out(self, recipe: Recipe) -> dict[str, LeftOut]:
        """Return all steps whose results are not stored."""
        found = ((name, self.left_out(name)) for name in recipe.names)
        return {name: one for name, one in found if one is not None}

    def leave_out(self, left_out: Mapping[str, LeftOut]) -> None:
        """Take note of what the project file does without; what is in the workspace stays."""
        self._left_out = dict(left_out)
        for name, one in left_out.items():
            known = self._computed.get(name)  # another by now where it ran while this was saved
            if known is not None and known.key == one.key and not self._storage.holds(one.key):
                self.drop(name)

    def to_save(
        self, kept: ProjectState, fresh: Collection[str], keep: Keep
    ) -> tuple[dict[str, Computed], dict[str, LeftOut]]:
        """Return what is to be stored of what still exists, and what is left out.

        `fresh` are the results that the recipe implied when it was decided to save: this is called
        in the background, and the recipe may be another by now.
        """
        here = self.in_reach(kept.computed)
        keys = (key for one in here.values() for key in (one.key, *one.parts.values()))
        found = {
            name: replace(one, parts={p: k for p, k in one.parts.items() if self._storage.holds(k)})
            for name, one in kept.left_out.items()
        }
        found |= left_out_of(kept.recipe, here, fresh, held_by(self._storage, keys), keep)
        return {name: one for name, one in here.items() if name not in found}, found

    def is_computed(self, name: str) -> bool:
        """Return whether a step has an artefact at all."""
        return name in self._computed

    def is_fresh(self, name: str) -> bool:
        """Return whether a step's artefact is the one that the recipe implies now."""
        computed = self._computed.get(name)
        return computed is not None and computed.key == self._implied.get(name)

    def is_in_reach(self, name: str) -> bool:
        """Return whether a step's artefact is in the workspace or in the project file."""
        computed = self._computed.get(name)
        return computed is not None and self._storage.holds(computed.key)

    def key(self, name: str, part: str = "") -> str | None:
        """Return the key of a step's artefact, or of a part of it."""
        computed = self._computed.get(name)
        if computed is None:  # the parts of a result that is left out are stored
            left = self.left_out(name) if part else None
            return left.parts.get(part) if left is not None else None
        return computed.parts.get(part) if part else computed.key

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the parts that a step published beside its main result."""
        found = self._computed.get(name) or self.left_out(name)
        return () if found is None else tuple(found.parts)

    def is_here(self, key: str) -> bool:
        """Return whether an artefact is in the workspace."""
        return key in self._storage.workspace

    def type_of(self, key: str) -> str:
        """Return the type of an artefact, without loading it; empty when it is not in reach."""
        try:
            if self.is_here(key):
                return str(self._storage.workspace.record(key)["type"])
        except (WorkspaceError, KeyError):  # damaged: reported when it is looked at
            return ""
        opened = self._storage.opened
        entry = opened.entries.get(key) if opened is not None else None
        return entry.type if entry is not None else ""

    def load(self, key: str) -> Any:
        """Return the noun of an artefact in the workspace that is needed once."""
        return self._storage.workspace.load(key)

    def discard(self, keys: Iterable[str]) -> None:
        """Remove artefacts from the workspace, in the background, unless a step names them."""
        named = self.keys()
        if doomed := [key for key in keys if key not in named]:
            self._background.do_quietly(lambda: self._storage.let_go(doomed))

    def noun(self, key: str) -> Any:
        """Return the noun of an artefact in the workspace; one that is damaged is discarded."""
        if key not in self._nouns:
            self._nouns[key] = self._storage.workspace.load(key)
        return self._nouns[key]

    def artefact(self, name: str, part: str = "") -> Any:
        """Return a step's newest artefact, fresh or stale, or None.

        One that is still in the project file is brought to the workspace first: then this returns
        None, and the session's `step_changed` is emitted when it is there.
        """
        key = self.key(name, part)
        if key is None:
            return None
        if key not in self._storage.workspace:
            self.bring(name, (key,))
            return None
        try:
            return self.noun(key)
        except WorkspaceError as error:
            self.drop(name)
            self.logged.emit(f"{name}: {error}")
            return None

    def bring(self, name: str, keys: tuple[str, ...]) -> None:
        """Copy artefacts from the project file to the workspace, in the background."""
        what = " ".join(keys)
        if self._background.is_doing(what):
            return

        def action() -> str:
            try:
                self._storage.bring(keys)
            except CoterieError as error:
                return str(error)
            return ""

        def then(problem: str) -> None:
            if problem:
                self.drop(name)
                self.logged.emit(f"{name}: {problem}")
            self.brought.emit((name,))

        self._background.do(what, action, then)

    def provenance(self, name: str) -> dict[str, Any]:
        """Return how a step's newest artefact came about; empty when it is not in reach.

        Its record is read once.
        """
        key = self.key(name)
        if key is None or key not in self._storage.workspace:
            return {}
        if key not in self._provenance:
            try:
                self._provenance[key] = self._storage.workspace.record(key)["provenance"]
            except WorkspaceError:  # damaged: reported and recomputed when asked for
                return {}
        return dict(self._provenance[key])

    def shape_in_file(self, name: str) -> str:
        """Return how large a step's artefact in the project file is, without reading it.

        Of one that the file does without, how large it was.
        """
        if (left_out := self.left_out(name)) is not None:
            return " × ".join(map(str, left_out.shape))
        key, opened = self.key(name), self._storage.opened
        entry = opened.entries.get(key or "") if opened is not None else None
        if entry is None:
            return ""
        if entry.value is not None:
            return f"{entry.value:.4g}"
        return " × ".join(map(str, entry.shape))

    def length_in_file(self, name: str) -> int:
        """Return how many items a step's artefact in the project file has; 0 when none is there.

        One that the file does without is as good as there.
        """
        if (left_out := self.left_out(name)) is not None:
            return left_out.shape[0] if left_out.shape else 0
        key, opened = self.key(name), self._storage.opened
        entry = opened.entries.get(key or "") if opened is not None else None
        return int(entry.shape[0]) if entry is not None and entry.shape else 0

    def forget(self, keys: Iterable[str]) -> None:
        """Reload these artefacts when they are next looked at."""
        for key in keys:
            self._nouns.pop(key, None)
            self._provenance.pop(key, None)

    def keys(self) -> set[str]:
        """Return the keys of all artefacts that a step names."""
        return set(self._all_keys())

    def computed(self, names: Iterable[str]) -> dict[str, Computed]:
        """Return what these steps were computed to, wherever that is and if it is still there."""
        return {name: self._computed[name] for name in names if name in self._computed}

    def in_reach(self, computed: Mapping[str, Computed]) -> dict[str, Computed]:
        """Return what of `computed` still exists.

        A part that is lost costs only itself: the rest can be kept and saved without it.
        """
        holds = self._storage.holds
        found = {}
        for name, result in computed.items():
            if holds(result.key):
                parts = {part: key for part, key in result.parts.items() if holds(key)}
                found[name] = replace(result, parts=parts)
        return found

    def _all_keys(self) -> Iterator[str]:
        for left in self._left_out.values():
            yield from left.parts.values()
        for computed in self._computed.values():
            yield computed.key
            yield from computed.parts.values()

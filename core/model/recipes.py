"""A recipe: the data to open and the steps to take, as immutable values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from coterie.core.errors import RecipeError


@dataclass(frozen=True)
class Source:
    """A data set that a recipe opens: a sample's name, or a path.

    `reader` is "reader/csv" or empty, which means: by the file's ending.
    """

    name: str = "data"
    open: str = ""
    reader: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One method applied to earlier results.

    Attributes
    ----------
    name : what other steps call it
    use : the method, as "kind/id"
    of : the names of what it works on, in the order of the method's inputs
    params : those that differ from the defaults
    seed : of all that is random
    disabled : whether it is kept but not run
    """

    name: str
    use: str
    of: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    disabled: bool = False


@dataclass(frozen=True)
class Recipe:
    """Sources and steps, each with a unique name. Edits return a new recipe.

    Examples
    --------
    >>> recipe = Recipe(sources=(Source(open="iris"),))
    >>> recipe = recipe.with_step(Step("scaled", "transform/minmax", ("data",)))
    >>> recipe = recipe.with_step(Step("near", "kernel/gaussian", ("scaled",)))
    >>> [step.name for step in recipe.dependents("scaled")]
    ['near']
    """

    title: str = ""
    sources: tuple[Source, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def parts(self) -> tuple[Source | Step, ...]:
        """Sources and steps together, sources first."""
        return (*self.sources, *self.steps)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, sources first."""
        return tuple(part.name for part in self.parts)

    def find(self, name: str) -> Source | Step:
        """Return the source or step of that name."""
        for part in self.parts:
            if part.name == name:
                return part
        known = ", ".join(self.names) or "nothing yet"
        raise RecipeError(f"The recipe has no step '{name}'. It has: {known}.", code="unknown-step")

    def step(self, name: str) -> Step:
        """Return the step of that name; a source is not a step."""
        part = self.find(name)
        if isinstance(part, Source):
            raise RecipeError(f"'{name}' is the recipe's data, not a step.", code="invalid-recipe")
        return part

    def with_step(self, step: Step, at: int | None = None) -> Recipe:
        """Return the recipe with one more step, last unless `at` says otherwise."""
        if step.name in self.names:
            raise RecipeError(
                f"There is already a step '{step.name}'. Choose another name.",
                code="duplicate-step",
            )
        steps = list(self.steps)
        steps.insert(len(steps) if at is None else at, step)
        return replace(self, steps=tuple(steps))

    def without(self, name: str) -> Recipe:
        """Return the recipe without that step and without all that depends on it."""
        self.find(name)
        gone = {name, *(step.name for step in self.dependents(name))}
        return replace(
            self,
            sources=tuple(source for source in self.sources if source.name not in gone),
            steps=tuple(step for step in self.steps if step.name not in gone),
        )

    def changed(self, name: str, /, **changes: Any) -> Recipe:
        """Return the recipe with fields of one source or step replaced; a new name is followed."""
        new_name = changes.get("name", name)
        if new_name != name and new_name in self.names:
            raise RecipeError(
                f"There is already a step '{new_name}'. Choose another name.", code="duplicate-step"
            )
        self.find(name)

        def renamed(step: Step) -> Step:
            return replace(step, of=tuple(new_name if of == name else of for of in step.of))

        return replace(
            self,
            sources=tuple(
                replace(source, **changes) if source.name == name else source
                for source in self.sources
            ),
            steps=tuple(
                renamed(replace(step, **changes) if step.name == name else step)
                for step in self.steps
            ),
        )

    def dependents(self, name: str) -> tuple[Step, ...]:
        """Return the steps that directly or indirectly use `name`, in order."""
        reached = {name}
        found = []
        for step in self.in_order():
            if reached.intersection(step.of):
                reached.add(step.name)
                found.append(step)
        return tuple(found)

    def ancestors(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return `names` and all they depend on, in an order in which they can run."""
        wanted = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in wanted:
                wanted.add(name)
                part = self.find(name)
                pending.extend(part.of if isinstance(part, Step) else ())
        in_order = [source.name for source in self.sources]
        in_order += [step.name for step in self.in_order()]
        return tuple(name for name in in_order if name in wanted)

    def switched_off(self) -> dict[str, str]:
        """Return the steps that do not run, each with the disabled one that keeps it from running.

        >>> recipe = Recipe(steps=(Step("a", "x/y", disabled=True), Step("b", "x/z", ("a",))))
        >>> recipe.switched_off()
        {'a': 'a', 'b': 'a'}
        """
        found: dict[str, str] = {}
        if any(step.disabled for step in self.steps):
            for step in self.in_order():
                lacking = next((found[of] for of in step.of if of in found), "")
                if step.disabled or lacking:
                    found[step.name] = step.name if step.disabled else lacking
        return found

    def leading_to(self, name: str) -> Recipe:
        """Return the part of the recipe that `name` depends on, itself included.

        >>> recipe = Recipe(sources=(Source(open="iris"), Source("more", "wine")))
        >>> recipe.with_step(Step("scaled", "transform/minmax", ("more",))).leading_to("more").names
        ('more',)
        """
        needed = set(self.ancestors([name]))
        return replace(
            self,
            sources=tuple(source for source in self.sources if source.name in needed),
            steps=tuple(step for step in self.steps if step.name in needed),
        )

    def in_order(self) -> tuple[Step, ...]:
        """Return the steps in order, each after what it uses, or say which form a cycle."""
        done = {source.name for source in self.sources}
        waiting = list(self.steps)
        ordered: list[Step] = []
        while waiting:
            ready = [step for step in waiting if done.issuperset(step.of)]
            if not ready:
                raise RecipeError(_why_stuck(self, waiting), code="invalid-recipe")
            ordered += ready
            done.update(step.name for step in ready)
            waiting = [step for step in waiting if step not in ready]
        return tuple(ordered)

    def check(self) -> None:
        """Raise a clear error when names repeat, are unknown or go round in a circle.

        Neither may a parameter be an infinite or missing number: no key could be made of it.
        """
        seen: set[str] = set()
        for name in self.names:
            if not name:
                raise RecipeError(
                    'A step has no name. Give it one with name = "…".', code="invalid-recipe"
                )
            if name in seen:
                raise RecipeError(
                    f"Two steps are called '{name}'. Names must differ.", code="duplicate-step"
                )
            seen.add(name)
        for part in self.parts:
            for name, value in part.params.items():
                if not _is_finite(value):
                    raise RecipeError(
                        f"Parameter '{name}' of '{part.name}' must be finite. Got {value!r:.80}.",
                        code="invalid-parameters",
                    )
        self.in_order()

    def free_name(self, wanted: str) -> str:
        """Return `wanted`, or `wanted-2`, `wanted-3`, … when it is taken."""
        name, number = wanted, 1
        while name in self.names:
            number += 1
            name = f"{wanted}-{number}"
        return name


def _is_finite(value: Any) -> bool:
    """Return whether no number in a parameter is infinite or missing."""
    match value:
        case float():
            return isfinite(value)
        case Mapping():
            return all(map(_is_finite, value.values()))
        case list() | tuple():
            return all(map(_is_finite, value))
    return True


def _why_stuck(recipe: Recipe, waiting: list[Step]) -> str:
    for step in waiting:
        for of in step.of:
            if of not in recipe.names:
                known = ", ".join(recipe.names)
                return f"Step '{step.name}' uses '{of}', which does not exist. There are: {known}."
    circle = ", ".join(f"'{step.name}'" for step in waiting)
    return f"The steps {circle} use each other in a circle. Let one of them use something else."

"""What a step works on: the reader of a source, the types of results, the inputs that fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.errors import RecipeError, no_data_in, no_file
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.toml import is_plugin_sample, is_sample


def reader_of(source: Source, catalogue: Catalogue) -> Descriptor:
    """Return the reader of a source: the one it names, or the one for a file of its name.

    Nothing on disk is looked at: a project may name places that a person has not allowed.
    """
    if source.reader:
        return catalogue.get(source.reader)
    if is_plugin_sample(source.open):
        return catalogue.get(f"reader/{source.open}")
    if is_sample(source):
        return catalogue.get(well_known.READER_SAMPLE)
    reader = catalogue.reader_for(Path(source.open).name)
    if reader is None:
        endings = sorted({e for d in catalogue.of_kind("reader") for e in d.extensions})
        known = f"Coterie can open files ending in {', '.join(endings)}."
        raise RecipeError(
            f"No reader supports '{Path(source.open).name}'. "
            + (known if endings else "All readers are broken: see 'coterie methods'."),
            code="no-reader",
        )
    return reader


def is_scene(source: Source, catalogue: Catalogue) -> bool:
    """Return whether a source is a scene on disk, by its reader or its name."""
    named = source.reader
    if not named and not is_sample(source):
        found = catalogue.reader_for(Path(source.open).name)
        named = found.name if found is not None else ""
    return named == well_known.READER_RASTER


def with_reader(source: Source, catalogue: Catalogue) -> Source:
    """Return a source naming its reader, if only its folder shows which that is.

    Ask only for a source that may be read. What it names is known also when the folder is gone.
    """
    if source.reader or is_sample(source) or catalogue.reader_for(Path(source.open).name):
        return source
    found = catalogue.reader_of(Path(source.open))
    return source if found is None else replace(source, reader=found.name)


def reader_now(source: Source, catalogue: Catalogue) -> Descriptor:
    """Return the reader of a source that is about to be read, or say why there is none."""
    try:
        return reader_of(with_reader(source, catalogue), catalogue)
    except RecipeError:
        if not Path(source.open).exists():
            raise no_file(source.open) from None
        if Path(source.open).is_dir():
            raise no_data_in(Path(source.open).name) from None
        raise


def type_of(recipe: Recipe, catalogue: Catalogue, name: str) -> str:
    """Return the type of artefact that a step gives; empty when its method is not known."""
    part = recipe.find(name)
    if isinstance(part, Source):
        return "dataset"
    return catalogue.get(part.use).gives if part.use in catalogue else ""


def check_inputs(recipe: Recipe, catalogue: Catalogue, step: Step) -> None:
    """Raise a clear error when the inputs of a step are not what its method needs."""
    given = [type_of(recipe, catalogue, of) for of in step.of]
    refusal = catalogue.get(step.use).refusal(given)
    if refusal and all(given):  # of a method that is not known, the type is not known either
        raise RecipeError(refusal, code="input-mismatch")


def refuse_off(recipe: Recipe, name: str) -> None:
    """Raise a clear error when a step is switched off, or needs one that is."""
    off = recipe.switched_off().get(name)
    if off == name:
        raise RecipeError(
            f"Step '{name}' is switched off. Switch it on to run it.", code="step-off"
        )
    if off is not None:
        raise RecipeError(
            f"Step '{name}' needs '{off}', which is switched off. Switch it on.", code="step-off"
        )


def fitting_inputs(recipe: Recipe, catalogue: Catalogue, method: Descriptor) -> tuple[str, ...]:
    """Return, for each input a method requires, the latest step that fits."""
    chosen = []
    for need in method.inputs:
        fits = [
            name for name in recipe.names if need.accepts_type(type_of(recipe, catalogue, name))
        ]
        if fits:
            chosen.append(fits[-1])
        elif not need.optional:
            raise RecipeError(
                f"{method.title} needs {' or '.join(need.accepts)}, but there is none "
                "yet. Add a step that computes one first.",
                code="input-mismatch",
            )
        else:
            break
    return tuple(chosen)

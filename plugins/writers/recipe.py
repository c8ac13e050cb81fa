"""Write the steps that led to a result as a recipe."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from coterie.core import Context, Cost, DataError, Field, Writer


class RecipeWriter(Writer):
    """The data and the steps that led to a result, to be run again with `coterie run`.

    A result does not know its steps, the project does: whoever asks for the file gives their text.
    Paths in it are relative to the file.
    """

    id, title = "recipe", "Recipe"
    extensions = (".toml",)

    class Params(Writer.Params):
        """The steps; the program fills them in."""

        recipe: str = Field(
            "",
            description="The steps as TOML; empty: the steps of the project that lead to the "
            "result.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, artefact: Any, path: Path, *, params: Params, context: Context) -> None:
        """Write the recipe to `path`."""
        context.check()
        if not params.recipe:
            raise DataError(
                "The steps that led to this result are not known. Export it from its project.",
                code="not-exportable",
            )
        try:
            tomllib.loads(params.recipe)
        except tomllib.TOMLDecodeError as error:
            raise DataError(
                f"The steps are not valid TOML: {error}.", code="not-exportable"
            ) from None
        path.write_text(params.recipe, encoding="utf-8")

    def estimate(self, artefact: Any, path: Path, *, params: Params) -> Cost:
        """A page of text."""
        return Cost(bytes=1 << 20)

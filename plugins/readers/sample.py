"""Open a built-in sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from coterie.core import Context, DataError, Dataset, Field, ParameterError, Reader
from coterie.core.formats.samples import SAMPLES


class SampleReader(Reader):
    """Make one of the built-in data sets; its name is given in place of a path."""

    id, title = "sample", "Built-in sample"

    class Params(Reader.Params):
        """Which random draw of that sample."""

        n: int = Field(
            0,
            ge=0,
            le=1_000_000,
            description="Number of items; 0: the sample's own number.",
            json_schema_extra={"unit": "items"},
        )
        seed: int = Field(0, ge=0, description="A different seed draws different items.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the data set called `path`."""
        context.check()
        name = str(path)
        if name not in SAMPLES:
            known = ", ".join(SAMPLES)
            raise DataError(
                f"There is no sample '{name}'. The samples are: {known}.", code="unknown-sample"
            )
        sample = SAMPLES[name]
        if params.truth not in ("", sample.truth_column):
            raise ParameterError(
                f"The known classes of sample '{name}' are called '{sample.truth_column}', "
                f"not '{params.truth}'.",
                code="invalid-parameters",
            )
        if params.items:
            raise ParameterError(
                f"The items of sample '{name}' have no names. Leave 'items' empty.",
                code="invalid-parameters",
            )
        if params.n not in (0, sample.size) and not sample.resizable:
            raise ParameterError(
                f"Sample '{name}' has {sample.size} items. Got n = {params.n}.",
                code="invalid-parameters",
            )
        made = sample.make(seed=params.seed, n=params.n)
        return replace(made, details={**made.details, "sample": name, "seed": params.seed})

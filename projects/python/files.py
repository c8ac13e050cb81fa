"""`coterie.read` and `coterie.write`: data from files, results to files."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from coterie.core import well_known
from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.engine.file_output import write_whole
from coterie.core.errors import DataError, no_data_in, no_file
from coterie.core.model.recipes import Source
from coterie.core.optional_parts import naming_parts
from coterie.inputs import as_dataset, noun_of
from coterie.jobs import Job
from coterie.projects.recipe.guess_content import otherwise
from coterie.projects.recipe.toml import is_plugin_sample, is_sample
from coterie.registry import all_methods, built_ins, component, describe
from coterie.results import Result
from coterie.running import context_of, require_inputs, result_of


def read(path: str | PathLike[str], *, reader: str = "", **params: Any) -> Result:
    """Return the data in a file, or one of the built-in samples, as a dataset.

    Parameters
    ----------
    path : of a file or folder; or the name of a sample, such as "iris" or "mylab:galaxies"
    reader : which reader, such as "csv"; by default the one for the file's ending
    **params : of the reader, such as `truth="species"`

    Examples
    --------
    >>> read("iris").columns[0]
    'sepal length'
    """
    where = str(path)
    if reader:
        use = reader if "/" in reader else f"reader/{reader}"
    elif is_plugin_sample(where) and not Path(where).exists():
        use = f"reader/{where}"
    elif is_sample(Source(open=where)):
        use = well_known.READER_SAMPLE
    else:
        file = Path(where)
        if where.endswith(".coterie.h5"):
            raise DataError(f"'{file.name}' is a project. Use coterie.open.", code="no-reader")
        if not file.exists():
            raise _no_file_or_sample(where)
        known = built_ins().catalogue.reader_of(file) or all_methods().catalogue.reader_of(file)
        if known is None and file.is_dir():
            raise no_data_in(file.name)
        if known is None:
            raise DataError(
                f"No reader supports '{file.name}'. Name one with reader=.", code="no-reader"
            )
        use = known.name
    try:
        return read_with(describe(use), where, params, Job())
    except DataError:
        other = otherwise(where)
        if reader or params or not other:
            raise
        try:
            return read_with(describe(other), where, {}, Job())
        except DataError:
            pass
        raise  # what the usual reader says of it


def _no_file_or_sample(where: str) -> DataError:
    """Say that there is no such file and, if a sample has nearly that name, which."""
    from difflib import get_close_matches

    from coterie.core.formats.samples import SAMPLES

    near = get_close_matches(where, list(SAMPLES), n=1, cutoff=0.7)
    if not near:
        return no_file(where)
    return DataError(
        f"There is neither a file nor a sample '{where}'. Did you mean the sample '{near[0]}'?",
        code="file-not-found",
    )


def read_with(descriptor: Descriptor, path: Any, params: Mapping[str, Any], job: Job) -> Result:
    """Read a file with a reader."""
    where: Any = str(path)
    if descriptor.extensions:
        where = Path(path)
        if not where.exists():
            raise no_file(where)
    return result_of(descriptor.name, (where,), params, job)


def write(result: Any, path: str | PathLike[str], *, writer: str = "", **params: Any) -> None:
    """Write a result to a file, by the writer for its ending or the one that is named.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "groups.csv"
    >>> write([[0.0], [9.0]], place)
    >>> place.read_text().splitlines()
    ['x1', '0.0', '9.0']
    """
    target = Path(path)
    catalogue = built_ins().catalogue
    if writer:
        use = writer if "/" in writer else f"writer/{writer}"
    else:
        known = catalogue.writer_for(target.name) or all_methods().catalogue.writer_for(target.name)
        if known is None:
            endings = sorted({end for d in catalogue.of_kind("writer") for end in d.claims})
            raise DataError(
                f"No writer supports '{target.name}'. Endings that do: {', '.join(endings)}.",
                code="wrong-extension",
            )
        use = known.name
    if not target.parent.is_dir():
        raise DataError(
            f"The folder '{target.parent}' does not exist. Create it first.", code="file-not-found"
        )
    noun = noun_of(result)
    noun = as_dataset(result) if noun is None else noun
    parsed = parse_params(component(use).Params, params, use)
    made, context = component(use)(), context_of(use, Job())
    require_inputs(describe(use), (noun, target))
    with naming_parts():
        write_whole(
            describe(use),
            target,
            lambda beside: made.compute(noun, beside, params=parsed, context=context),
        )

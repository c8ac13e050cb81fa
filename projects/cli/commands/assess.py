"""`coterie assess`: check a map by eye at places drawn at random, and estimate areas from that."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import DataError, ParameterError
from coterie.core.wording import counted
from coterie.projects.cli.output_files import require_output

if TYPE_CHECKING:
    from coterie.core.formats.maps.map_file import MapFile
    from coterie.core.model.arrays import Ints


def assess(
    map_file: Annotated[Path, typer.Argument(metavar="MAP", help="A map of classes.")],
    places: Annotated[
        Path | None,
        typer.Argument(metavar="[PLACES]", help="The table of places, with its answers."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The places, or the accuracy, as CSV."),
    ] = None,
    size: Annotated[
        int, typer.Option(metavar="PLACES", help="Draw so many places in all.", min=0)
    ] = 0,
    error: Annotated[
        str,
        typer.Option(metavar="SHARE", help="Draw enough for ± this, such as 2%, at 95%."),
    ] = "",
    area_of: Annotated[
        str, typer.Option(metavar="CLASS", help="The error is that of the area of this class.")
    ] = "",
    expected: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of the map expected to be right.")
    ] = 0.85,
    least: Annotated[
        int, typer.Option(metavar="PLACES", help="At least so many of each class.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the random places.", min=0)] = 0,
) -> None:
    """Check a map by eye: draw places of each class, then estimate accuracy and areas.

    Without PLACES, a stratified random sample of the map is drawn and written as a table; fill in
    its column "reference" with the class seen there. With PLACES, the error matrix, accuracies and
    areas follow, with 95% intervals. Places without an answer are left out.
    """
    from coterie.core.formats.maps.map_file import open_map

    if output is not None:
        require_output(
            output, map_file, places, what="places and accuracies as CSV", endings=(".csv",)
        )
    with open_map(map_file) as made:
        if places is not None:
            if size or error or area_of:
                raise DataError(
                    "--size, --error and --area-of are for drawing places. Leave out the table.",
                    code="invalid-option",
                )
            _estimate(made, places, output)
        else:
            _draw(made, output, size, _share(error), area_of, expected, least, seed)
            then = shlex.join(["coterie", "assess", str(map_file), str(output)])
            typer.echo(f"Fill in the column reference, then: {then}")


def _draw(
    made: MapFile,
    output: Path | None,
    size: int,
    error: float,
    area_of: str,
    expected: float,
    least: int,
    seed: int,
) -> None:
    import numpy as np

    from coterie.core.formats.maps.assessment import drawn, pixels_of, write_places
    from coterie.core.numerics.assessing.sampling_plan import planned, shared_out

    names = made.grid.names
    if output is None:
        raise DataError("The places need a file: add -o FILE.csv.", code="invalid-option")
    if bool(size) == bool(error):
        raise DataError(
            "Set the number of places with --size, or the error to reach with --error.",
            code="invalid-option",
        )
    if area_of and not error:
        raise DataError("--area-of needs --error, such as 2%.", code="invalid-option")
    of = _class(area_of, names) if area_of else -1
    pixels = pixels_of(made.read, made.grid.height, len(names), lambda: None)
    pixels = _classified(pixels)
    if error:
        wanted = planned(pixels, error=error, of=of, expected=expected, least=least)
    else:
        wanted = shared_out(pixels, size, least=least, most=pixels)
    found = drawn(made.read, made.grid.height, pixels, wanted, np.random.default_rng(seed))
    write_places(output, found, names, made.grid.transform)
    typer.echo(f"Wrote {output}: {counted(len(found), 'place')}.")
    codes = [place.code for place in found]
    for at, name in enumerate(names):
        if pixels[at]:
            share = pixels[at] / pixels.sum()
            typer.echo(f"  {name}: {counted(codes.count(at), 'place')}, {share:.1%} of the map.")


def _classified(pixels: Ints) -> Ints:
    """The pixels of the classes, without those that have none."""
    pixels = pixels.copy()
    pixels[-1] = 0  # "unclassified" comes last
    if not pixels.any():
        raise DataError("The map has no pixel of any class.", code="no-valid-pixels")
    return pixels


def _estimate(made: MapFile, places: Path, output: Path | None) -> None:
    from coterie.core.formats.maps.accuracy_report import with_range, write_accuracy
    from coterie.core.formats.maps.assessment import judged, pixels_of, read_places

    grid = made.grid
    found = read_places(places, made)
    answered = [place for place in found if place.answer]
    if not answered:
        raise DataError(
            f"'{places.name}' has no answer. Fill in the column reference.",
            code="nothing-to-compare",
        )
    pixels = _classified(pixels_of(made.read, grid.height, len(grid.names), lambda: None))
    comparison = judged(answered, grid.names, pixels)
    accuracy = comparison.accuracy
    if len(answered) < len(found):
        typer.echo(f"Left out: {counted(len(found) - len(answered), 'place')} without an answer.")
    for line in comparison.in_words():
        typer.echo(line)
    for at, name in enumerate(accuracy.names):
        area = accuracy.areas[at]
        if area or pixels[at : at + 1].any():
            typer.echo(f"  {name}: {with_range(area, accuracy.areas_range[at])} of the area.")
    if output is not None:
        write_accuracy(output, accuracy)
        typer.echo(f"Wrote {output}.")


def _class(name: str, names: tuple[str, ...]) -> int:
    known = [one.casefold() for one in names[:-1]]
    if name.casefold() not in known:
        raise ParameterError(
            f"The map has no class '{name:.60}'. It has: {', '.join(names[:-1]):.200}.",
            code="unknown-group",
        )
    return known.index(name.casefold())


def _share(text: str) -> float:
    """The share that a text says.

    >>> _share("2%"), _share("0.02"), _share("")
    (0.02, 0.02, 0.0)
    """
    written = text.strip()
    if not written:
        return 0.0
    try:
        value = float(written.rstrip("% ")) / (100 if written.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise ParameterError(
            f"An error is a share of the map, such as 2% or 0.02. Got '{text:.20}'.",
            code="invalid-parameters",
        )
    return value

"""`coterie classify`: label the pixels of a scene, or the rows of a table, with a project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core.errors import Cancelled, CoterieError, DataError
from coterie.core.wording import counted
from coterie.projects.cli.engine_option import EngineName, chosen_engine
from coterie.projects.cli.label_rows import label_rows
from coterie.projects.cli.output_files import require_output
from coterie.projects.cli.scene_folder import (
    Outcome,
    is_collection,
    scenes_in,
    targets_for,
    write_summary,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from coterie.projects.cli.session_runner import Work
    from coterie.projects.jobs.classify_scene import MapRequest
    from coterie.projects.jobs.job import EngineJob, Failure


def classify(
    context: typer.Context,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    scene: Annotated[Path, typer.Argument(metavar="DATA", help="Scene, table or folder to label.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The GeoTIFF or CSV file.")
    ],
    step: Annotated[
        str, typer.Option(metavar="NAME", help="Classifier step; default: the last one.")
    ] = "",
    merge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS=GROUPS", help="Merge groups into a class: cloud=0,2; repeatable."
        ),
    ] = None,
    bands: Annotated[
        str, typer.Option(metavar="BANDS", help="Bands to use, by name or number.")
    ] = "",
    truth: Annotated[
        Path | None, typer.Option(metavar="MASK", help="Raster of known classes to compare with.")
    ] = None,
    classes: Annotated[
        str, typer.Option(metavar="VALUES", help='Classes of the mask: "4=cloud, 1=water".')
    ] = "",
    errors: Annotated[
        Path | None, typer.Option(metavar="RASTER", help="Also write an error map.")
    ] = None,
    errors_of: Annotated[
        str, typer.Option(metavar="CLASS", help="Show errors of this class only.")
    ] = "",
    uncertainty: Annotated[
        bool,
        typer.Option(help="Write MAP.uncertainty.tif, if the classifier gives memberships."),
    ] = True,
    mosaic: Annotated[
        Path | None,
        typer.Option(metavar="MAP", help="For a folder of scenes: also join their maps into one."),
    ] = None,
    all_columns: Annotated[
        bool, typer.Option("--all-columns", help="For a table: also write its columns.")
    ] = False,
    engine: EngineName = "process",
) -> None:
    """Classify a scene, tile by tile, as a map for QGIS, or the rows of tables as a CSV file.

    A table (-o FILE.csv) needs the columns that the recipe learnt from, by name and type. Its rows
    get the groups of the last classifier, or of the last clusterer that has a model.

    The recipe's transforms are done to the pixels as they were fitted to its sample. Beside the map
    go its style, a quick look and the area of each class. A run that was broken off goes on where
    it stopped when it is started again.

    Of a folder of scenes each gets a map in the folder MAP, and summary.csv lists all classes.
    """
    from coterie.projects.cli.session_runner import working
    from coterie.projects.jobs.classify_scene import MapRequest
    from coterie.projects.jobs.label_table import LabelRequest

    if output.suffix.lower() == ".csv":
        _require_rows_alone(merge, bands, truth, classes, errors, errors_of, mosaic)
        label_rows(context, project, LabelRequest(scene, output, step, all_columns), engine)
        return
    together = is_collection(scene) and output.suffix.lower() not in (".tif", ".tiff")
    if together:
        _require_folder(output, scene, truth, errors)
        if mosaic is not None:
            _require_map(mosaic, project)
    elif mosaic is not None:
        raise DataError(
            "--mosaic needs a folder of scenes, and a folder for their maps.", code="invalid-option"
        )
    else:
        _require_map(output, project, scene, truth)
    _require_sense(output, errors, errors_of, truth)
    if errors is not None:
        _require_map(errors, project, scene, truth)
    request = MapRequest(
        scene=scene,
        target=output,
        step=step,
        merge=tuple(merge or ()),
        truth=truth,
        truth_classes=classes,
        reader_params={"bands": bands} if bands else None,
        errors=errors,
        errors_of=errors_of,
        uncertainty=uncertainty,
    )
    kind, options = chosen_engine(engine, context.obj)
    with working(options, kind) as work:
        session = work.session
        work.result_of(session.project.open_file(project, lock=False))
        work.await_methods()
        if together:
            outcomes = _make_all(work, request)
            _tell_all(output, outcomes, mosaic, work.check)
            return
        if not scene.exists():  # it may be kept in the project
            request = replace(request, scene=session.files.place_of(scene))
        notes = _make(work, request)
    typer.echo(f"Wrote {output}." if errors is None else f"Wrote {output} and {errors}.")
    for note in notes:
        typer.echo(f"  {note}")
    if truth is not None:
        _print_accuracy(output.with_suffix(".accuracy.csv"))


def _require_rows_alone(*of_scenes: object) -> None:
    """Options that are about scenes say nothing about the rows of a table."""
    if any(of_scenes):
        raise DataError(
            "--merge, --bands, --truth, --classes, --errors, --errors-of and --mosaic are for "
            "scenes. Leave them out, or choose a name ending in .tif.",
            code="invalid-option",
        )


def _require_folder(output: Path, scenes: Path, truth: Path | None, errors: Path | None) -> None:
    """The maps of a folder of scenes go into a folder, and have no mask in common."""
    if truth is not None or errors is not None:
        raise DataError(
            "--truth and --errors are for one scene. Classify the scenes one by one.",
            code="invalid-option",
        )
    if output.exists() and not output.is_dir():
        raise DataError(
            f"'{output}' is a file. The maps of several scenes go into a folder.",
            code="file-not-writable",
        )
    if output.exists() and output.samefile(scenes):
        raise DataError(
            f"'{output}' is the folder of the scenes. Choose another folder for their maps.",
            code="output-is-input",
        )


def _make_all(work: Work, request: MapRequest) -> list[Outcome]:
    """Classify each scene of a folder; one that fails does not keep the others from theirs."""
    outcomes = []
    scenes = scenes_in(request.scene)
    request.target.mkdir(parents=True, exist_ok=True)
    for scene, target in zip(scenes, targets_for(scenes, request.target), strict=True):
        try:
            _make(work, replace(request, scene=scene, target=target))
            outcomes.append(Outcome(scene, target))
        except Cancelled:
            raise
        except CoterieError as error:
            outcomes.append(Outcome(scene, target, str(error)))
    return outcomes


def _tell_all(
    folder: Path, outcomes: list[Outcome], mosaic: Path | None, check: Callable[[], None]
) -> None:
    """Write the summary, and the mosaic if one is wanted; say what came of all scenes."""
    summary = write_summary(folder, outcomes)
    good = [one for one in outcomes if not one.problem]
    typer.echo(f"Wrote {counted(len(good), 'map')} and {summary}.")
    for one in outcomes:
        if one.problem:
            typer.echo(f"  {one.scene.name}: {one.problem}")
    if mosaic is not None and good:
        from coterie.core.formats.maps.mosaic import write_mosaic

        said = write_mosaic([one.target for one in good], mosaic, check)
        typer.echo(f"Wrote {mosaic}. {' '.join(said)}")
    if not good:
        raise CoterieError("No scene could be classified.", code="no-valid-pixels")
    if failed := len(outcomes) - len(good):
        raise CoterieError(
            f"{failed} of {counted(len(outcomes), 'scene')} could not be classified. "
            f"{summary.name} says why; the maps of the others are there.",
            code="incomplete",
        )


def _require_map(output: Path, *inputs: Path | None) -> None:
    require_output(output, *inputs, what="maps as GeoTIFF", endings=(".tif", ".tiff"))


def _require_sense(output: Path, errors: Path | None, of: str, truth: Path | None) -> None:
    """Errors need a mask, go beside the map, and are of a class only if they are wanted."""
    if errors is None:
        if of:
            raise DataError(
                "--errors-of needs --errors RASTER, the file to write.", code="invalid-option"
            )
        return
    if truth is None:
        raise DataError("An error map needs a mask: add --truth FILE.", code="known-classes-needed")
    if errors.absolute() == output.absolute():
        raise DataError(
            f"The error map cannot replace the map '{errors}'. Choose another name.",
            code="output-is-input",
        )


def _make(work: Work, request: MapRequest) -> list[str]:
    """Have the map made, showing how far it is; return the remarks on it."""
    from coterie.projects.cli.progress import StepLines

    session = work.session
    failures: list[Failure] = []
    notes: list[str] = []

    def take(_path: Path, said: list[str]) -> None:
        notes.extend(said)

    session.maps.failed.connect(failures.append)
    session.maps.mapped.connect(take)
    with StepLines((request.title,)) as lines:

        def show(job: EngineJob) -> None:
            if job.active:
                lines.at_work(job)

        session.job_changed.connect(show)
        try:
            session.maps.add(request)
            work.finish()
        finally:  # another scene may follow
            session.job_changed.disconnect(show)
            session.maps.failed.disconnect(failures.append)
            session.maps.mapped.disconnect(take)
    if failures:
        raise CoterieError(failures[0].message, code=failures[0].code)
    if work.interrupted:
        raise Cancelled("Cancelled. Run the same command again to resume.")
    return notes


def _print_accuracy(path: Path) -> None:
    import csv

    from coterie.projects.cli.console import print_rows

    with path.open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    wide = [row for row in rows if len(row) == len(head)]
    typer.echo("")
    print_rows(head, [[_short(cell) for cell in row] for row in wide])


def _short(cell: str) -> Any:
    return f"{float(cell):.4f}" if "." in cell and cell.replace(".", "").isdigit() else cell

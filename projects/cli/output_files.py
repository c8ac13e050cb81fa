"""Checks before any work that a command can write its output, and that it replaces no input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.wording import listed


def require_output(
    output: Path, *inputs: Path | None, what: str = "files", endings: Sequence[str] = ()
) -> None:
    """Raise a clear error when `output` cannot be written.

    Parameters
    ----------
    inputs : files that the command reads
    what : what is written, for the message, such as "maps as GeoTIFF"
    endings : what the name may end in; anything if empty
    """
    if endings and output.suffix.lower() not in endings:
        raise DataError(
            f"Coterie writes {what}. "
            f"Choose a name ending in {listed(endings, 'or')}, not {output}.",
            code="wrong-extension",
        )
    if not output.absolute().parent.is_dir():
        raise DataError(
            f"The folder '{output.parent}' does not exist. Create it first.", code="file-not-found"
        )
    require_other_file(output, *inputs)


def require_other_file(output: Path, *inputs: Path | None) -> None:
    """Refuse to write over a file that the command reads."""
    if output.exists() and any(
        output.samefile(one) for one in inputs if one is not None and one.exists()
    ):
        raise DataError(
            f"'{output}' is an input file. Choose another name.", code="output-is-input"
        )

"""The parts of Coterie that are installed on request, and what to say where one is missing."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType

from coterie.core.errors import CoterieError, DataError

# The package that an import names, with what people call it and the extra that brings it.
PARTS = {
    "PySide6": ("PySide6-Essentials", "desktop"),
    "dask": ("dask", "distributed"),
    "distributed": ("distributed", "distributed"),
    "faiss": ("faiss-cpu", "large"),
    "graspologic_native": ("graspologic-native", "large"),
    "matplotlib": ("matplotlib", "figures"),
    "openTSNE": ("openTSNE", "tsne"),
    "pyarrow": ("pyarrow", "tables"),
    "pyqtgraph": ("pyqtgraph", "desktop"),
    "pyreadstat": ("pyreadstat", "tables"),
    "python_calamine": ("python-calamine", "tables"),
    "rasterio": ("rasterio", "scenes"),
    "skimage": ("scikit-image", "scenes"),
    "umap": ("umap-learn", "umap"),
}


def missing_part(error: BaseException) -> DataError | None:
    """Return what to say of a failed import of an optional part; None of anything else.

    >>> str(missing_part(ModuleNotFoundError("No module named 'rasterio'", name="rasterio.crs")))
    'This needs rasterio, which is not installed. Install it with: pip install "coterie[scenes]".'
    """
    if not isinstance(error, ImportError) or isinstance(error, CoterieError):
        return None
    known = PARTS.get((error.name or "").partition(".")[0])
    if known is None:
        return None
    package, extra = known
    return DataError(
        f"This needs {package}, which is not installed. "
        f'Install it with: pip install "coterie[{extra}]".',
        code="missing-package",
    )


class naming_parts(AbstractContextManager[None]):  # noqa: N801 - read as a verb
    """Turns the failed import of an optional part into a sentence that says what to install.

    >>> with naming_parts():
    ...     raise ModuleNotFoundError("No module named 'faiss'", name="faiss")
    Traceback (most recent call last):
        ...
    coterie.core.errors.DataError: This needs faiss-cpu, which is not installed. ...
    """

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None and (said := missing_part(error)) is not None:
            raise said from error

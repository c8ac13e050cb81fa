"""Every error that Coterie raises on purpose, under one root.

A message says what was wrong, what was got, and what to do about it:
"Kernel width 'sigma' must be positive. Got -1.0." Its code names the kind of error for programs
and tests and never changes with the wording; `core/error_codes.py` lists the codes.
"""

from __future__ import annotations

# Offered when a file is not where it was: the window then helps to locate it.
FIND_FILE = "find-file"


class CoterieError(Exception):
    """Root of all errors that are written for people to read.

    Parameters
    ----------
    code : the kind of error, as listed in `core/error_codes.py`; that of the class by default
    offer : methods, as "kind/id", that would help if added before the step or used in its place,
        or `FIND_FILE`; the window shows them as buttons

    Examples
    --------
    >>> error = DataError("A value is missing.", code="missing-values", offer=("transform/impute",))
    >>> error.code, error.offer
    ('missing-values', ('transform/impute',))
    >>> DataError("Something else.").code
    'data'
    """

    code: str = "error"
    offer: tuple[str, ...] = ()

    def __init__(self, *args: object, code: str = "", offer: tuple[str, ...] = ()) -> None:
        super().__init__(*args)
        self.code = code or type(self).code
        self.offer = tuple(offer)


class ParameterError(CoterieError, ValueError):
    """A parameter has a wrong name, type or value."""

    code = "parameter"


class DataError(CoterieError, ValueError):
    """The data cannot be used in the way requested."""

    code = "data"


def no_file(path: object) -> DataError:
    """Return the error for a file or folder that is not where it was."""
    return DataError(
        f"There is no file '{path}'. Check the path, or locate the file.",
        code="file-not-found",
        offer=(FIND_FILE,),
    )


class RecipeError(CoterieError, ValueError):
    """A recipe names something unknown, or its steps do not fit together."""

    code = "recipe"


def no_data_in(name: str) -> RecipeError:
    """Return the error for a folder that no reader takes as one data set."""
    return RecipeError(
        f"No reader takes the folder '{name}' as one data set. Choose a file in it, or the folder "
        "in it that has the files.",
        code="no-reader",
    )


class PluginError(CoterieError, RuntimeError):
    """A plugin broke the contract: wrong result type, invalid schema, unknown id."""

    code = "plugin"


class UnknownComponentError(PluginError, KeyError):
    """No installed plugin provides the component."""

    code = "unknown-method"

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class CostError(CoterieError, MemoryError):
    """A step needs more memory than is available."""

    code = "out-of-memory"


class WorkspaceError(CoterieError, OSError):
    """The folder of computed results cannot be read or written."""

    code = "workspace"


class ProjectFileError(CoterieError, OSError):
    """A project file is damaged, unsafe, locked or of another type."""

    code = "project-file"


class EngineError(CoterieError, RuntimeError):
    """The engine process did not start, or sent an invalid answer."""

    code = "engine"


class Cancelled(CoterieError):  # noqa: N818 - an outcome that was asked for, not a mistake
    """The user asked to stop."""

    code = "cancelled"

    def __init__(self, message: str = "The run was cancelled.") -> None:
        super().__init__(message)


def in_words(error: BaseException) -> str:
    """Return an error as one line: our own as it is, others with their type in front.

    What our own repeats of a library may have several lines.

    >>> in_words(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    try:
        text = str(error)
    except Exception:  # a foreign error may itself fail to be printed
        text = ""
    if isinstance(error, CoterieError):
        return " ".join(text.split()) if "\n" in text else text
    first = text.strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {first:.300}" if first else type(error).__name__


def code_of(error: BaseException) -> str:
    """Return the code of an error: our own, or that of the nearest built-in kind.

    >>> code_of(ZeroDivisionError()), code_of(MemoryError())
    ('internal', 'out-of-memory')
    """
    if isinstance(error, CoterieError):
        return error.code
    if isinstance(error, MemoryError):
        return "out-of-memory"
    if isinstance(error, FileNotFoundError):
        return "file-not-found"
    return "file-access" if isinstance(error, OSError) else "internal"

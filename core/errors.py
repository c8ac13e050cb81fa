"""Every error that Coterie raises on purpose, under one root.

A message says what was wrong, what was got, and what to do about it:
"Kernel width 'sigma' must be positive. Got -1.0."
"""

# Offered where a file is not where it was: the window helps to find it.
FIND_FILE = "find-file"


class CoterieError(Exception):
    """Root of all errors that a person is meant to read.

    Parameters
    ----------
    offer : methods, as "kind/id", that would help when put before the step or in its place, or
        `FIND_FILE`; the window offers them as buttons

    Examples
    --------
    >>> DataError("Some values are missing.", offer=("transform/impute",)).offer
    ('transform/impute',)
    """

    offer: tuple[str, ...] = ()

    def __init__(self, *args: object, offer: tuple[str, ...] = ()) -> None:
        super().__init__(*args)
        self.offer = tuple(offer)


class ParameterError(CoterieError, ValueError):
    """A parameter has a wrong name, type or value."""


class DataError(CoterieError, ValueError):
    """The data cannot be used the way it was asked for."""


def no_file(path: str) -> DataError:
    """Return the error for a file or folder that is not where it was."""
    return DataError(
        f"There is no file '{path}'. Check the path, or find it again.", offer=(FIND_FILE,)
    )


class RecipeError(CoterieError, ValueError):
    """A recipe names something unknown, or its steps do not fit together."""


class PluginError(CoterieError, RuntimeError):
    """A plugin broke the contract: wrong result type, bad schema, unknown id."""


class UnknownComponentError(PluginError, KeyError):
    """No installed plugin offers the component that was asked for."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class CostError(CoterieError, MemoryError):
    """A step would need more memory than this machine can give."""


class WorkspaceError(CoterieError, OSError):
    """The folder of computed artefacts cannot be read or written."""


class ProjectFileError(CoterieError, OSError):
    """A project file is damaged, unsafe, locked or of another kind."""


class EngineError(CoterieError, RuntimeError):
    """The engine process could not be started or answered nonsense."""


class Cancelled(CoterieError):  # noqa: N818 - an outcome asked for, not a mistake
    """The person asked to stop."""

    def __init__(self, message: str = "The run was cancelled.") -> None:
        super().__init__(message)


def in_words(error: BaseException) -> str:
    """Return an error as one line: ours as they are, others with their kind before them.

    >>> in_words(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    try:
        text = str(error)
    except Exception:  # a stranger's error may fail at telling what failed
        text = ""
    if isinstance(error, CoterieError):
        return text
    first = text.strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {first:.300}" if first else type(error).__name__

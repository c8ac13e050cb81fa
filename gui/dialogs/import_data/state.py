"""How a data file will be read: the reader, its settings, and its preview."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.formats.columns.typed_table import ALL_MISSING
from coterie.core.formats.files.notation import THOUSANDS, Notation
from coterie.core.formats.files.tabular import MISSING, TablePreview
from coterie.core.io.fingerprints import stamp
from coterie.core.wording import counted
from coterie.gui.dialogs.import_data.detected_setting import (
    ABOUT_NUMBERS,
    CAPTIONS,
    DetectedSetting,
    in_words,
)
from coterie.gui.dialogs.import_data.file_columns import FileColumns
from coterie.gui.dialogs.import_data.hints import hints, possible_names
from coterie.projects.recipe.guess_content import LOOKED_INTO, likely_content, otherwise

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".pgm", ".ppm", ".webp")


class ImportState:
    """A file, the reader chosen for it, and the reader's preview of it.

    Attributes
    ----------
    preview : the newest preview; kept while the next one is awaited
    decision : why the file is not read as a table of numbers, in words; empty when it is
    kernel : what relates the items, when the content suggests one
    problem : why the file cannot be read as things stand; empty when it can
    waiting : whether an answer is awaited
    news : that the file is not what was shown any more, in words; empty when it is
    """

    def __init__(
        self,
        path: Path,
        catalogue: Catalogue,
        reader: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = path
        self.catalogue = catalogue
        self.params: dict[str, Any] = dict(params or {})
        self.reader = reader or self._usual_reader()
        self.preview: TablePreview | None = None
        self.problem = ""
        self.waiting = False
        self.news = ""
        self._shown = stamp(path)
        self._notation: Notation | None = None
        self._choices: tuple[str, Mapping[str, tuple[str, ...]]] = "", {}
        self.decision = self.kernel = ""
        # Whoever chose or set something before has seen what there is.
        self._may_name = self._may_decide = not params and not reader

    # Readers

    def readers(self) -> tuple[tuple[Descriptor, ...], tuple[Descriptor, ...]]:
        """Return the readers that know the file's ending, the usual one first, and all others."""
        name = self.path.name.lower()
        usual = self.catalogue.reader_of(self.path)
        known = [r for r in self.catalogue.of_kind("reader") if r.extensions]
        fitting = [r for r in known if r is usual or name.endswith(r.extensions)]
        fitting.sort(key=lambda r: r is not usual)
        return tuple(fitting), tuple(r for r in known if r not in fitting)

    @property
    def descriptor(self) -> Descriptor | None:
        """The reader chosen; None when it is not known."""
        return self.catalogue.get(self.reader) if self.reader in self.catalogue else None

    @property
    def remark(self) -> str:
        """What to say about the choice of the reader; empty when the ending decides it."""
        fitting, _ = self.readers()
        if fitting or not self.catalogue.methods:
            return ""
        if self.path.is_dir():
            return "This is a folder: each file becomes an item. Choose how to read them."
        ending = self.path.suffix or "this kind of file"
        return (
            f"No reader is registered for {ending}. Coterie tries the one shown; choose "
            "another if needed."
        )

    def choose_reader(self, reader: str) -> None:
        """Read with another reader; what both call the same is kept where it was set."""
        self.reader = reader
        self.decision = self.kernel = ""
        self._may_decide = False
        names = self.parameter_names()
        self.params = {n: v for n, v in self.params.items() if n in names and n in CAPTIONS}
        self.preview, self.problem = None, ""

    # What the reader says

    def begin_look(self) -> None:
        """Await a preview of the file as it is now."""
        self.waiting = True
        self._shown = stamp(self.path)

    def has_changed(self) -> bool:
        """Whether the file was written to since it was last looked at; it is to be shown again."""
        changed = stamp(self.path) != self._shown
        self.news = ""
        if changed:
            self.news = (
                "The file has changed since it was shown. Check what is shown now, then open it."
            )
        return changed

    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """Return what the file offers for a parameter, such as the arrays in it."""
        if self.preview is not None and self.preview.choices:
            self._choices = self.reader, self.preview.choices
        reader, choices = self._choices
        return choices if reader == self.reader else {}

    def take(self, answer: TablePreview | str) -> bool:
        """Take in a preview, or the sentence that came in its place; return whether to ask again.

        The first time, a table that is rather one of texts or pictures is taken for that. Else a
        column that could name the items is: rows without names say little in a ranking, and a
        click on its head takes it back.
        """
        self.waiting = False
        if isinstance(answer, str):
            other = otherwise(self.path.name) if self._may_decide else ""
            self._may_decide = False
            if other in self.catalogue and other != self.reader:
                self.reader = other
                return True
            self.problem = answer
            return False
        self.preview = answer
        self._notation = self._find_notation(answer)
        self.problem = self._trouble(answer)
        if self._decide(answer):
            return True
        name = possible_names(self) if self._may_name else ""
        self._may_name = False
        if name:
            self.params["items"] = name
        return bool(name)

    def _decide(self, answer: TablePreview) -> bool:
        """Read otherwise what is not a table of numbers; return whether that is to be asked for."""
        may_decide, self._may_decide = self._may_decide and self.reader in LOOKED_INTO, False
        likely = likely_content(answer) if may_decide and not self.ragged() else None
        if likely is None or likely.reader not in self.catalogue:
            return False
        self.reader, self.params = likely.reader, dict(likely.params)
        self.decision, self.kernel = likely.why, likely.kernel
        self.problem, self._may_name = "", False
        return True

    @property
    def can_open(self) -> bool:
        """Whether the file can be read, as far as is known."""
        return self.preview is not None and not self.problem and not self.waiting

    @property
    def summary(self) -> str:
        """How much is shown, in words."""
        if self.preview is None or not self.preview.columns:
            return ""
        roles = self.preview.roles
        if not roles:  # bands of a scene, which are all there are
            return ""
        words = [counted(len(self.preview.columns), "column")]
        if self.columns.is_typed:
            words.append(counted(roles.count("feature"), "feature"))
            missing = sum(about.missing for about in self.preview.about)
            words += [f"{counted(missing, 'cell')} missing"] if missing else []
        elif "feature" in roles:
            words.append(f"{roles.count('feature')} of numbers")
        if "left out" in roles:
            words.append(f"{roles.count('left out')} left out")
        if self.preview.rows:
            words.insert(0, f"First {counted(len(self.preview.rows), 'row')}")
        return " · ".join(words)

    def notes(self) -> list[str]:
        """Return what else the reader remarks; its guesses are among the findings."""
        said = self.preview.notes if self.preview is not None else ()
        notes = [note for note in said if not note.startswith("Guessed")]
        notes += hints(self)
        return notes

    def findings(self) -> list[DetectedSetting]:
        """Return what was guessed and what was set, the most important first."""
        if self.preview is None:
            return []
        guessed = self.preview.guessed
        found = []
        for name in dict.fromkeys([*CAPTIONS, *guessed]):
            is_set = self.params.get(name, "auto") not in ("auto", "")
            if name not in guessed and not is_set:
                continue
            if "text" in self.parameter_names() and name in ABOUT_NUMBERS:
                continue
            value = guessed.get(name) if name in guessed else self.params[name]
            caption = CAPTIONS.get(name, name.replace("_", " ").capitalize())
            found.append(DetectedSetting(name, caption, in_words(name, value), name in guessed))
        return found

    def ragged(self) -> list[int]:
        """Return which rows have more or fewer cells than there are columns."""
        if self.preview is None:
            return []
        count = len(self.preview.columns)
        return [i for i, row in enumerate(self.preview.rows) if len(row) != count]

    @property
    def columns(self) -> FileColumns:
        """The columns of the file, with what each is used for."""
        return FileColumns(self.preview, self.params, self.parameter_names(), self._notation)

    # Inside

    def _usual_reader(self) -> str:
        fitting, others = self.readers()
        if not fitting:
            likely = "csv" if not self.path.is_dir() else _reader_of_folder(self.path)
            fitting = tuple(r for r in others if r.id == likely) or others
        return fitting[0].name if fitting else ""

    def parameter_names(self) -> set[str]:
        """Return what can be set of the reader."""
        descriptor = self.descriptor
        return set(descriptor.params.get("properties", {})) if descriptor is not None else set()

    def _find_notation(self, preview: TablePreview) -> Notation | None:
        """How numbers are written, when the reader lets that be chosen."""
        if "decimal" not in self.parameter_names():
            return None
        values = {**self.params, **preview.guessed}
        missing = self.params.get("missing", "auto")
        usual = ALL_MISSING if self.columns.is_typed else MISSING
        marks = usual if missing == "auto" else (*missing.lower().split(), "")
        return Notation(
            str(values.get("decimal", ".")),
            THOUSANDS.get(str(values.get("thousands", "none")), ""),
            frozenset(marks),
        )

    def _trouble(self, preview: TablePreview) -> str:
        ragged = self.ragged()
        if ragged:
            row, count = ragged[0], len(preview.columns)
            return (
                f"Row {row + 1} has {counted(len(preview.rows[row]), 'cell')}, "
                f"but there {'is' if count == 1 else 'are'} {counted(count, 'column')}. "
                "Choose another delimiter, or correct that row in the file."
            )
        if preview.problem:
            return preview.problem
        if preview.columns and not preview.rows:
            return "The file has column names but no rows. Choose a file with values."
        readable = {"feature", "similarity", "text"}
        if preview.roles and not readable.intersection(preview.roles):
            return "No column contains numbers. Check the delimiter and the decimal mark."
        return ""


def _reader_of_folder(folder: Path) -> str:
    """Return which reader is likely to take a folder, by one of its files."""
    first = next((file for file in folder.rglob("*") if file.is_file()), folder)
    return "images" if first.suffix.lower() in PICTURES else "texts"

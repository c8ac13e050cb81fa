"""How a data file is about to be read: the reader, its settings, and what it makes of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.formats.columns.amounts import bare_number
from coterie.core.formats.columns.typed_table import ALL_MISSING
from coterie.core.formats.files.delimited import DELIMITERS
from coterie.core.formats.files.notation import THOUSANDS, Notation
from coterie.core.formats.files.tabular import MISSING, TablePreview
from coterie.core.model.columns import TYPES
from coterie.core.wording import counted
from coterie.gui.dialogs.import_data.hints import hints, possible_names
from coterie.gui.toolkit.forms.values import format_number, shown_value
from coterie.gui.views.shown_items.columns import COLUMN_ROLES, TYPE_WORDS
from coterie.projects.recipe.guess_content import LOOKED_INTO, likely_content, otherwise

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".pgm", ".ppm", ".webp")
ROLE_WORDS = {
    "feature": "number",
    "truth": "label",
    "items": "item name",
    "left out": "left out",
    "information": "information",
    "weight": "weight",
    "similarity": "similarity",
    "text": "text",
}
_ROLE_KEYS = {"label": "truth", "name": "items"}  # as parameters of readers call them
_TYPED_ROLES = {_ROLE_KEYS.get(role, role): text for role, text in COLUMN_ROLES.items()}
_CAPTIONS = {
    "delimiter": "Delimiter",
    "decimal": "Decimals",
    "thousands": "Thousands",
    "encoding": "Encoding",
    "header": "First line",
    "missing": "Missing",
    "text": "Texts",
    "truth": "Labels",
    "items": "Names",
}
_ABOUT_NUMBERS = ("decimal", "thousands", "missing")  # of no account where texts are read
_IN_WORDS: dict[str, dict[Any, str]] = {
    "delimiter": {
        ",": "comma ,",
        ";": "semicolon ;",
        "tab": "tab",
        "|": "bar |",
        "space": "space",
    },
    "decimal": {".": "point .", ",": "comma ,"},
    "thousands": {
        "none": "no mark",
        ",": "comma ,",
        ".": "point .",
        "space": "space",
        "'": "apostrophe '",
    },
    "header": {True: "names", False: "values", "yes": "names", "no": "values"},
    "missing": {"": "empty"},
    "truth": {"": "none"},
    "items": {"": "none"},
}


@dataclass(frozen=True)
class DetectedSetting:
    """One thing that was found out about the file, or that the person has set."""

    name: str
    caption: str
    value: str
    guessed: bool

    @property
    def sentence(self) -> str:
        """All of it in words."""
        return f"{self.caption}: {self.value} — {'guessed' if self.guessed else 'as set'}"


@dataclass(frozen=True)
class RoleChoice:
    """A role that a column may be given, and whether it has it."""

    role: str
    text: str
    chosen: bool
    allowed: bool = True


class ImportState:
    """A file, the reader chosen for it, and the reader's preview of it.

    Attributes
    ----------
    preview : the newest preview; kept while the next one is awaited
    decision : why the file is not read as a table of numbers, in words; empty when it is
    kernel : what relates the items, when the content suggests one
    problem : why the file cannot be read as things stand; empty when it can
    waiting : whether an answer is awaited
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
        self.params = {n: v for n, v in self.params.items() if n in names and n in _CAPTIONS}
        self.preview, self.problem = None, ""

    # What the reader says

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
        if self.is_typed:
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
        for name in dict.fromkeys([*_CAPTIONS, *guessed]):
            is_set = self.params.get(name, "auto") not in ("auto", "")
            if name not in guessed and not is_set:
                continue
            if "text" in self.parameter_names() and name in _ABOUT_NUMBERS:
                continue
            value = guessed.get(name) if name in guessed else self.params[name]
            caption = _CAPTIONS.get(name, name.replace("_", " ").capitalize())
            found.append(DetectedSetting(name, caption, _in_words(name, value), name in guessed))
        return found

    def ragged(self) -> list[int]:
        """Return which rows have more or fewer cells than there are columns."""
        if self.preview is None:
            return []
        count = len(self.preview.columns)
        return [i for i, row in enumerate(self.preview.rows) if len(row) != count]

    # Columns

    @property
    def is_typed(self) -> bool:
        """Whether the reader keeps typed columns, whose types and roles can be chosen."""
        preview = self.preview
        return preview is not None and bool(preview.about) and "roles" in self.parameter_names()

    def type(self, column: int) -> str:
        """Return the type of a column, or nothing when the reader keeps none."""
        about = self.preview.about if self.preview is not None else ()
        return about[column].type if column < len(about) else ""

    def types_for(self, column: int) -> list[RoleChoice]:
        """Return the types that a column can be given."""
        if not self.is_typed or self.preview is None or column >= len(self.preview.columns):
            return []
        chosen = self.params.get("types", {}).get(self.preview.columns[column], "")
        guess = RoleChoice("", "Guess", not chosen)
        return [guess, *(RoleChoice(kind, TYPE_WORDS[kind], kind == chosen) for kind in TYPES)]

    def with_type(self, column: int, kind: str) -> dict[str, Any]:
        """Return the parameters that give a column this type; an empty one is guessed."""
        if self.preview is None:
            return dict(self.params)
        params = {key: value for key, value in self.params.items() if key != "types"}
        types = {**self.params.get("types", {}), self.preview.columns[column]: kind}
        types = {name: chosen for name, chosen in types.items() if chosen}
        return params | ({"types": types} if types else {})

    def role(self, column: int) -> str:
        """Return what a column would become."""
        roles = self.preview.roles if self.preview is not None else ()
        return roles[column] if column < len(roles) else ""

    def cell(self, row: int, column: int) -> str:
        """Return a cell as it would be read: "1.234,5" is 1234.5 where that is the notation."""
        text = self.raw(row, column)
        if self._notation is None or (not self.is_typed and self.role(column) != "feature"):
            return text
        if self._notation.is_missing(text.strip()):
            return ""
        if self.is_typed and self.type(column) != "number":
            return text
        number = self._notation.number(bare_number(text) if self.is_typed else text)
        return text if number is None else format_number(number)

    def is_missing(self, row: int, column: int) -> bool:
        """Return whether a cell has no value."""
        if not self.is_typed:
            return self.role(column) in ("feature", "similarity") and not self.cell(row, column)
        return not self.cell(row, column)

    def is_number(self, column: int) -> bool:
        """Return whether the cells of a column are amounts, which are aligned at the right."""
        if not self.is_typed:
            return self.role(column) in ("feature", "similarity")
        return self.type(column) == "number" and self.role(column) not in ("truth", "items")

    def use(self, column: int) -> str:
        """Return in a word what becomes of a column: of a feature its type, else its role."""
        role = self.role(column)
        if role == "feature" and self.is_typed:
            return self.type(column)
        return ROLE_WORDS.get(role, "")

    def raw(self, row: int, column: int) -> str:
        """Return a cell as it stands in the file."""
        cells = self.preview.rows[row] if self.preview is not None else ()
        return cells[column] if column < len(cells) else ""

    def roles_for(self, column: int) -> list[RoleChoice]:
        """Return the roles that the reader's parameters can give a column."""
        if self.preview is None or column >= len(self.preview.columns) or not self.preview.named:
            return []
        if self.is_typed:
            return self._typed_roles(column)
        names, role = self.parameter_names(), self.role(column)
        name = self.preview.columns[column]
        left_out = name in self.params.get("leave_out", ())
        # A column of texts is left out automatically; one taken as labels for its name stays that.
        by_itself = role in ("left out", "information") and not left_out
        by_name = role == "truth" and self.params.get("truth", "") != name
        if "text" in names:
            choices = [RoleChoice("text", "Text", role == "text")]
        else:
            numeric = not by_itself and not by_name
            choices = [RoleChoice("feature", "Number", role == "feature", numeric)]
        if "truth" in names:
            choices.append(RoleChoice("truth", "Label (known class)", role == "truth"))
        if "items" in names:
            choices.append(RoleChoice("items", "Item names", role == "items"))
        if "leave_out" in names:
            unused = role in ("left out", "information")
            choices.append(RoleChoice("left out", "Leave out", unused))
        elif "text" in names:  # all that has no other use is left out
            allowed = name in (self.params.get("truth"), self.params.get("items"))
            choices.append(RoleChoice("left out", "Leave out", role == "left out", allowed))
        return choices if len(choices) > 1 else []

    def _typed_roles(self, column: int) -> list[RoleChoice]:
        role, preview = self.role(column), self.preview
        assert preview is not None
        chosen = preview.columns[column] in self._chosen()
        found = [RoleChoice("", "Guess", not chosen)]
        for key, text in _TYPED_ROLES.items():
            if key in ("truth", "items") and key not in self.parameter_names():
                continue
            found.append(RoleChoice(key, text, chosen and role == key))
        return found

    def _chosen(self) -> set[str]:
        """The columns to which a person gave a role."""
        params = self.params
        named = {params.get("truth", ""), params.get("items", "")}
        return {*named, *params.get("leave_out", ()), *params.get("roles", {})} - {""}

    def _with_typed_role(self, name: str, role: str) -> dict[str, Any]:
        """One label and one name have a parameter of their own; all others are listed."""
        single = ("truth", "items")
        params = {n: v for n, v in self.params.items() if n not in single or v != name}
        left_out = [other for other in params.pop("leave_out", ()) if other != name]
        roles = {other: of for other, of in params.pop("roles", {}).items() if other != name}
        if role == "information":
            left_out.append(name)
        elif role == "items" or (role == "truth" and not params.get("truth")):
            params[role] = name
        elif role:
            roles[name] = "label" if role == "truth" else role
        return (
            params
            | ({"leave_out": left_out} if left_out else {})
            | ({"roles": roles} if roles else {})
        )

    def with_role(self, column: int, role: str) -> dict[str, Any]:
        """Return the parameters that give a column this role; an empty one is guessed."""
        if self.preview is None:
            return dict(self.params)
        name = self.preview.columns[column]
        if self.is_typed:
            return self._with_typed_role(name, "information" if role == "left out" else role)
        single = ("text", "truth", "items")
        params = {n: v for n, v in self.params.items() if n not in single or v != name}
        left_out = [other for other in params.pop("leave_out", ()) if other != name]
        if role in single:
            params[role] = name
        elif role == "left out" and "leave_out" in self.parameter_names():
            left_out.append(name)
        if left_out:
            params["leave_out"] = left_out
        return params

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
        usual = ALL_MISSING if self.is_typed else MISSING
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


def _in_words(name: str, value: Any) -> str:
    if name == "delimiter":  # the readers give the character itself
        value = next((word for word, mark in DELIMITERS.items() if mark == value), value)
    known = _IN_WORDS.get(name, {})
    return known[value] if value in known else shown_value(value)

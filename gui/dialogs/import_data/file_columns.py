"""What each column of a file is used for, and what it could be used for instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from coterie.core.formats.columns.amounts import bare_number
from coterie.core.formats.files.notation import Notation
from coterie.core.formats.files.tabular import TablePreview
from coterie.core.model.columns import TYPES
from coterie.gui.toolkit.forms.values import format_number
from coterie.gui.views.shown_items.columns import COLUMN_ROLES, TYPE_WORDS

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


@dataclass(frozen=True)
class RoleChoice:
    """A role that a column may be given, and whether it has it."""

    role: str
    text: str
    chosen: bool
    allowed: bool = True


@dataclass(frozen=True)
class FileColumns:
    """The columns of a preview, and the parameters that would change what they are used for.

    Attributes
    ----------
    preview : the newest preview; None while there is none
    params : the parameters of the reader that are set
    settable : the names of all parameters of the reader
    notation : how numbers are written; None when the reader leaves no choice
    """

    preview: TablePreview | None
    params: Mapping[str, Any]
    settable: Collection[str]
    notation: Notation | None

    @property
    def is_typed(self) -> bool:
        """Whether the reader keeps typed columns, whose types and roles can be chosen."""
        preview = self.preview
        return preview is not None and bool(preview.about) and "roles" in self.settable

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
        if self.notation is None or (not self.is_typed and self.role(column) != "feature"):
            return text
        if self.notation.is_missing(text.strip()):
            return ""
        if self.is_typed and self.type(column) != "number":
            return text
        number = self.notation.number(bare_number(text) if self.is_typed else text)
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
        """Return in a word how a column is used: the type of a feature, otherwise the role."""
        role = self.role(column)
        if role == "feature" and self.is_typed:
            return self.type(column)
        return ROLE_WORDS.get(role, "")

    def raw(self, row: int, column: int) -> str:
        """Return a cell as it is written in the file."""
        cells = self.preview.rows[row] if self.preview is not None else ()
        return cells[column] if column < len(cells) else ""

    def roles_for(self, column: int) -> list[RoleChoice]:
        """Return the roles that the reader's parameters can give a column."""
        if self.preview is None or column >= len(self.preview.columns) or not self.preview.named:
            return []
        if self.is_typed:
            return self._typed_roles(column)
        names, role = self.settable, self.role(column)
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
            if key in ("truth", "items") and key not in self.settable:
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
        elif role == "left out" and "leave_out" in self.settable:
            left_out.append(name)
        if left_out:
            params["leave_out"] = left_out
        return params

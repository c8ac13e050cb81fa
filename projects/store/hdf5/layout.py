"""Names, numbers and places in a project file; `docs/file-format.md` describes them for people."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.model.result_types import SECTIONS as SECTIONS

SUFFIX = ".coterie.h5"
FORMAT = "coterie-project"

# What this program writes and reads. A reader older than a file's `min_reader` must not open it;
# one older than its `schema` may look, but not save: it would drop what it does not know.
SCHEMA = 2
MIN_READER = 1

DATA, GRAPHS, RESULTS = SECTIONS
STEPS, LEFT_OUT, RECIPE, VIEW = "steps", "left_out", "recipe", "view"
TEXTS = (STEPS, LEFT_OUT, RECIPE, VIEW)

META, PROVENANCE = "meta", "provenance"
TYPE, VERSION, DATASET = "encoding-type", "encoding-version", "dataset"
SOURCE, SOURCE_SHA256 = "source", "source_sha256"
RESERVED_ATTRIBUTES = frozenset({TYPE, VERSION, DATASET, SOURCE, SOURCE_SHA256})

# On a dataset of whole numbers or texts: the numpy type they stand for, a date or "str".
NUMPY_TYPE = "numpy-type"
# On the flat list of an array of texts: its shape, such as "2 3".
SHAPE = "shape"

# In a group that is a list of texts of very different lengths: where each starts.
STARTS = "starts"

_EMPTY = "%"  # quoting never leaves a bare percent sign, so this stands for no other name
_UNSAFE = re.compile(r"[%/\x00-\x1f\x7f\ud800-\udfff]")


def section(encoding_type: str) -> str:
    """Return the group at the root under which artefacts of this type live."""
    known = RESULT_TYPES.get(encoding_type)
    return RESULTS if known is None else known.section


def main_parts(encoding_type: str) -> tuple[str, ...]:
    """Return the names of the parts whose shape is the artefact's, in order of preference."""
    known = RESULT_TYPES.get(encoding_type)
    return () if known is None else known.main_parts


def part_path(name: str) -> str:
    """Return where the part `name` is within its artefact's group.

    The first slash separates a field from what it holds ("features/data"); any other slash belongs
    to a plugin's own name and is written as %2F, for "a" and "a/b" may both be arrays of a model.
    """
    field, slash, inner = name.partition("/")
    return f"{_link_name(field, top=True)}/{_link_name(inner)}" if slash else _link_name(name, True)


def part_name(path: str) -> str:
    """Return the name of the part at `path` within its artefact's group."""
    steps = ("" if step == _EMPTY else step for step in path.split("/"))
    return "/".join(unquote(step, errors="surrogatepass") for step in steps)


def _link_name(name: str, top: bool = False) -> str:
    """Return `name` as HDF5 can hold it: no slash, no NUL, not "." or empty, not one of ours."""
    if name == "":
        return _EMPTY
    if name in (".", "..") or (top and name in (META, PROVENANCE)):
        return f"%{ord(name[0]):02X}{_link_name(name[1:]) if name[1:] else ''}"
    return _UNSAFE.sub(lambda match: quote(match.group(), safe="", errors="surrogatepass"), name)

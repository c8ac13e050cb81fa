"""Rows of a table as small pictures: the possible sizes, and one row drawn."""

from __future__ import annotations

from coterie.core.formats.files.tabular import TablePreview
from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.features.picture_sizes import likely_size, picture_sizes
from coterie.core.numerics.features.pictures import thumbnails_of
from coterie.gui.dialogs.import_data.state import ImportState
from coterie.projects.recipe.guess_content import IMAGES, TABLE, pixels_of

Size = tuple[int, int]


class ImportPictures:
    """The pictures that the rows of a file may hold.

    Attributes
    ----------
    row : which of the first rows is looked at
    """

    def __init__(self, state: ImportState) -> None:
        self._state = state
        self._seen: TablePreview | None = None
        self._pixels: Floats | None = None
        self._likely: Size | None = None
        self.row = 0

    def sizes(self) -> list[Size]:
        """Return the sizes that the pictures may have, the likely one first; none for no table."""
        state = self._state
        if state.preview is None or state.reader not in (TABLE, IMAGES):
            return []
        if IMAGES not in state.catalogue or not state.preview.named:
            return []
        sizes = picture_sizes(state.preview.roles.count("feature"))
        self._look()
        sizes.sort(key=lambda size: size != self._likely)
        if self.size is not None and self.size not in sizes:
            sizes.append(self.size)
        return sizes

    @property
    def size(self) -> Size | None:
        """The size that is set; None when the rows are not read as pictures."""
        state = self._state
        if state.reader != IMAGES:
            return None
        size = int(state.params.get("height", 0)), int(state.params.get("width", 0))
        if all(size):
            return size
        d = state.preview.roles.count("feature") if state.preview is not None else 0
        side = round(d**0.5)
        return (side, side) if side and side * side == d else None

    def choose(self, size: Size | None) -> None:
        """Read the rows as pictures of this size, or as numbers alone."""
        reader = IMAGES if size is not None else TABLE
        if reader != self._state.reader:
            self._state.choose_reader(reader)
        if size is not None:
            self._state.params |= {"height": size[0], "width": size[1]}

    @property
    def count(self) -> int:
        """How many rows can be looked at."""
        return len(self._state.preview.rows) if self._state.preview is not None else 0

    def picture(self) -> Array | None:
        """Return the row that is looked at as a picture, in bytes; None when there is none."""
        self._look()
        if self._pixels is None or self.size is None:
            return None
        self.row %= self.count
        height, width = self.size
        count = self._pixels.shape[1]
        if count not in (height * width, 3 * height * width):
            return None
        shape = (height, width) if count == height * width else (height, width, 3)
        picture: Array = thumbnails_of(self._pixels, shape)[self.row]
        return picture

    def _look(self) -> None:
        """Take in the numbers of a new preview, once."""
        preview = self._state.preview
        if preview is not self._seen:
            self._seen = preview
            self._pixels = pixels_of(preview) if preview is not None else None
            self._likely = likely_size(self._pixels) if self._pixels is not None else None

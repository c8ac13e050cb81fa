"""Opening a data file: how it is read is shown, and may be changed, before it is taken in."""

from coterie.gui.importing.dialog import ImportDialog

__all__ = ["ImportDialog"]

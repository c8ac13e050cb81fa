"""A file whose end is whole and whose rows are not."""

from pathlib import Path


def damage(path: Path) -> None:
    """Overwrite the first part of a Parquet file, where its rows are; what they hold is behind."""
    content = bytearray(path.read_bytes())
    rows = len(content) // 4
    content[4 : 4 + rows] = b"\xff" * rows
    path.write_bytes(content)

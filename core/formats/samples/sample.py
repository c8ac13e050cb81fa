"""A built-in data set: what is known of it before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coterie.core.model.dataset import Dataset


@dataclass(frozen=True)
class BuiltInSample:
    """Describes a sample; its maker is imported when it is first made.

    Attributes
    ----------
    name : what recipes and the command line call it
    title, summary : what a person reads
    truth_column : what the known classes are called; empty when none are known
    size : number of items when none is asked for
    resizable : whether another number of items can be asked for
    """

    name: str
    title: str
    summary: str
    truth_column: str
    size: int
    resizable: bool = True

    def make(self, seed: int = 0, n: int = 0) -> Dataset:
        """Make the data set; the same for the same `seed` and `n` (0: its own size)."""
        maker = import_module(f"coterie.core.formats.samples.{self.name.replace('-', '_')}")
        made: Dataset = maker.make(seed, n or self.size)
        return made

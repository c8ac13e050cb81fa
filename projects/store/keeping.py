"""Which results between the data and the groups a project stores: what a person may choose."""

from __future__ import annotations

from typing import Final, Literal, get_args

# "quick": those that take long to compute, within a limit of size; "all"; or "none" that can be
# computed again. `left_out.py` follows it.
Keep = Literal["quick", "all", "none"]
KEEPS: Final[tuple[Keep, ...]] = get_args(Keep)

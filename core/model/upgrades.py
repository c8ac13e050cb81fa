"""Reads what earlier versions wrote: one function for each encoding type and version.

`UPGRADES[("trace", 1)]` takes the parts of a trace of version 1 and returns those of version 2.
`decode` applies them one version at a time, whichever store the parts come from, and sets the new
version. An upgrade stays for ever: it is how old projects open.

To raise `encoding_version` of a noun, write an upgrade from the version before. Reading an older
version without one is an error, and a test notices it before that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.artefacts import Encoded

Upgrade: TypeAlias = Callable[[Encoded], Encoded]


def _name_values(trace: Encoded) -> Encoded:
    """Version 2 of a trace has values by name; the first had always the same three.

    What a method did not show was not a number there, or a support of 0.
    """
    arrays = dict(trace.arrays)
    for name in ("objective", "residual", "support"):
        column = np.asarray(arrays.pop(name), dtype=np.float64)
        if np.isfinite(column).any() and (name != "support" or column.any()):
            arrays[f"values/{name}"] = column
    return replace(trace, arrays=arrays)


UPGRADES: dict[tuple[str, int], Upgrade] = {("trace", 1): _name_values}


def upgraded(encoded: Encoded, latest: int) -> Encoded:
    """Return the parts as version `latest` would have written them."""
    while encoded.version < latest:
        upgrade = UPGRADES.get((encoded.type, encoded.version))
        if upgrade is None:
            raise DataError(
                f"This {encoded.type} has encoding version {encoded.version!s:.80}, which "
                "Coterie never wrote. The file is damaged.",
                code="file-damaged",
            )
        try:
            changed = upgrade(encoded)
        except DataError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DataError(
                f"This {encoded.type} of encoding version {encoded.version} does not fit "
                f"together: {error}.",
                code="file-damaged",
            ) from error
        encoded = replace(changed, version=encoded.version + 1)
    return encoded

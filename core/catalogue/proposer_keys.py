"""Keys of the automatic answer follow the clusterers of plugins that it asks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.model.artefacts import canonical_json


def asking(methods: Mapping[str, Descriptor]) -> tuple[Descriptor, ...]:
    """Return all methods; of the automatic answer, with a fingerprint of those that it asks.

    Where no plugin proposes groups there is none, and its results keep their keys.
    """
    known = dict(methods)
    automatic = known.get(well_known.CLUSTERER_AUTOMATIC)
    asked = [
        [one.name, one.version, one.fingerprint, [dict(params) for params in one.proposes]]
        for one in known.values()
        if one.proposes
    ]
    if automatic is not None:
        code = hashlib.sha256(canonical_json(sorted(asked)).encode()).hexdigest() if asked else ""
        known[automatic.name] = replace(automatic, fingerprint=code)
    return tuple(known.values())

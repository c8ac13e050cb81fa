"""Facts about built-in methods that scikit-learn's tags need and the catalogue does not have."""

from __future__ import annotations

from typing import Any

from coterie.core import well_known

_NAN = {"_takes_nan": True}
_POSITIVE = {"_positive": True}
_PROBABLE = {"_probable": True}
TRAITS: dict[str, dict[str, Any]] = {
    well_known.CLASSIFIER_KERNEL_BAYES: _PROBABLE,
    well_known.CLASSIFIER_NEAREST_BAYES: _PROBABLE,
    well_known.CLUSTERER_K_PROTOTYPES: _NAN,
    well_known.CLUSTERER_MIXED_MIXTURE: _NAN,
    well_known.EMBEDDER_FAMD: _NAN,
    well_known.KERNEL_GOWER: _NAN,
    well_known.KERNEL_HISTOGRAM_INTERSECTION: _POSITIVE,
    well_known.KERNEL_SPATIAL_PYRAMID: _POSITIVE,
    well_known.KERNEL_TVERSKY: _POSITIVE,
    well_known.TRANSFORM_ENCODE: _NAN,
    well_known.TRANSFORM_FAMD: _NAN,
    well_known.TRANSFORM_IMPUTE: _NAN,
    well_known.TRANSFORM_TF_IDF: _POSITIVE,
    well_known.TRANSFORM_UNIT_SUM: _POSITIVE,
}
# Kernels of texts rather than of tables.
TEXTS = (well_known.KERNEL_BAG_OF_WORDS, well_known.KERNEL_SPECTRUM)

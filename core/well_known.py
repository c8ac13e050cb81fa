"""The built-in methods that core, projects and the window name.

Nobody imports plugins, so a method is named by text. Each such text is written here, and a test
checks that the method exists. Plugins and recipes name methods themselves.
"""

from __future__ import annotations

from typing import Final

CLASSIFIER_KERNEL_BAYES: Final = "classifier/kernel-bayes"
CLASSIFIER_NEAREST: Final = "classifier/nearest"
CLASSIFIER_NEAREST_BAYES: Final = "classifier/nearest-bayes"

CLUSTERER_AUTOMATIC: Final = "clusterer/automatic"
CLUSTERER_BY_HAND: Final = "clusterer/by-hand"
CLUSTERER_DIGRAPH_SPECTRAL: Final = "clusterer/digraph-spectral"
CLUSTERER_DOMINANT_OVERLAPPING: Final = "clusterer/dominant-overlapping"
CLUSTERER_DOMINANT_SETS: Final = "clusterer/dominant-sets"
CLUSTERER_EDIT_GROUPS: Final = "clusterer/edit-groups"
CLUSTERER_GAUSSIAN_MIXTURE: Final = "clusterer/gaussian-mixture"
CLUSTERER_GENIE: Final = "clusterer/genie"
CLUSTERER_HDBSCAN: Final = "clusterer/hdbscan"
CLUSTERER_ISOPERIMETRIC: Final = "clusterer/isoperimetric"
CLUSTERER_JOINT: Final = "clusterer/joint"
CLUSTERER_K_PROTOTYPES: Final = "clusterer/k-prototypes"
CLUSTERER_KMEANS: Final = "clusterer/kmeans"
CLUSTERER_MIXED_MIXTURE: Final = "clusterer/mixed-mixture"
CLUSTERER_NCUT: Final = "clusterer/ncut"
CLUSTERER_NJW: Final = "clusterer/njw"
CLUSTERER_SPLIT_GROUP: Final = "clusterer/split-group"
CLUSTERER_TRANSDUCTION: Final = "clusterer/transduction"

EMBEDDER_FAMD: Final = "embedder/famd"
EMBEDDER_JOINT: Final = "embedder/joint"
EMBEDDER_PCA: Final = "embedder/pca"
EMBEDDER_TSNE: Final = "embedder/tsne"

GRAPH_CONNECTED: Final = "graph/connected"
GRAPH_KNN: Final = "graph/knn"
GRAPH_LOCAL_GAUSSIAN: Final = "graph/local-gaussian"
GRAPH_NORMALISE_KERNEL: Final = "graph/normalise-kernel"
GRAPH_SCALE: Final = "graph/scale"
GRAPH_SYMMETRISE: Final = "graph/symmetrise"
GRAPH_THRESHOLD: Final = "graph/threshold"

KERNEL_BAG_OF_WORDS: Final = "kernel/bag-of-words"
KERNEL_GAUSSIAN: Final = "kernel/gaussian"
KERNEL_GOWER: Final = "kernel/gower"
KERNEL_HISTOGRAM_INTERSECTION: Final = "kernel/histogram-intersection"
KERNEL_PRECOMPUTED: Final = "kernel/precomputed"
KERNEL_SPATIAL_PYRAMID: Final = "kernel/spatial-pyramid"
KERNEL_SPECTRUM: Final = "kernel/spectrum"

METRIC_BAYES_RISK: Final = "metric/bayes-risk"
METRIC_ERROR: Final = "metric/error"
METRIC_GCE: Final = "metric/gce"
METRIC_LCE: Final = "metric/lce"
METRIC_NMI: Final = "metric/nmi"
METRIC_SILHOUETTE: Final = "metric/silhouette"

RANKER_JOINT: Final = "ranker/joint"
RANKER_MEMBERSHIP: Final = "ranker/membership"
RANKER_PERSONALISED_PAGERANK: Final = "ranker/personalised-pagerank"

READER_ARFF: Final = "reader/arff"
READER_CSV: Final = "reader/csv"
READER_EDGES: Final = "reader/edges"
READER_EXCEL: Final = "reader/excel"
READER_IMAGES: Final = "reader/images"
READER_NUMPY: Final = "reader/numpy"
READER_PARQUET: Final = "reader/parquet"
READER_RASTER: Final = "reader/raster"
READER_SAMPLE: Final = "reader/sample"
READER_SIMILARITY: Final = "reader/similarity"
READER_TEXTS: Final = "reader/texts"
READER_TRIPLETS: Final = "reader/triplets"

TRANSFORM_EDIT: Final = "transform/edit"
TRANSFORM_ENCODE: Final = "transform/encode"
TRANSFORM_FAMD: Final = "transform/famd"
TRANSFORM_IMPUTE: Final = "transform/impute"
TRANSFORM_KEEP: Final = "transform/keep"
TRANSFORM_MINMAX: Final = "transform/minmax"
TRANSFORM_PCA: Final = "transform/pca"
TRANSFORM_SAMPLE: Final = "transform/sample"
TRANSFORM_STANDARDISE: Final = "transform/standardise"
TRANSFORM_SVD: Final = "transform/svd"
TRANSFORM_TAKE: Final = "transform/take"
TRANSFORM_TF_IDF: Final = "transform/tf-idf"
TRANSFORM_UNIT_SUM: Final = "transform/unit-sum"

WRITER_CSV: Final = "writer/csv"
WRITER_RECIPE: Final = "writer/recipe"

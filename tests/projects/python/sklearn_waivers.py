"""Which of scikit-learn's checks an estimator does not pass, each with the reason."""

# Parameters for the checks, whose data have few items and columns.
PARAMS: dict[str, dict[str, object]] = {
    "clusterer/automatic": {"decide_on": 100, "repeat": False},
    "clusterer/dominant-hierarchy": {"k": 3},
    "clusterer/dominant-sets": {"k": 3, "rest": "nearest"},
    "clusterer/mixed-mixture": {"k": 3},
    "embedder/tsne": {},
    "kernel/cluster": {"max_components": 2, "initialisations": 3},
    "kernel/hausdorff": {"dimension": 1},
    "kernel/probabilistic-cluster": {"max_components": 2, "initialisations": 3},
    "kernel/spatial-pyramid": {"levels": 1},
    "transform/log": {"negative": "keep sign"},
}

_CLUTTER = "It leaves most items in no group, so it agrees with none of the known classes."
_UNIT = "It takes features between 0 and 1 only; a scaler comes before it in a pipeline."
_FORMULAS = "It computes what a person writes about columns, which differ between the checks."
_COUNTS = "It takes whole numbers of 0 or more, and the checks give others."
_PICTURES = "Its items are the pixels of a picture, or small pictures, which tables are not."
_GRAPH = (
    "Fitted items are compared by a graph of neighbours, in which an item is also near those that "
    "have it as a neighbour, and not near itself; a new item has its own neighbours alone. By a "
    "kernel both agree: test_a_map_places_fitted_items_where_they_are."
)

# Not checked as a whole; `test_estimators_outside_the_checks` fits them to data of their own.
OUTSIDE: dict[str, str] = {
    "clusterer/euler-kmeans": _UNIT,
    "embedder/euler-pca": _UNIT,
    "embedder/euler-pca-real": _UNIT,
    "kernel/bernoulli": "It takes zeros and ones, and the checks give others.",
    "kernel/euler-gaussian": _UNIT,
    "kernel/multinomial": _COUNTS,
    "kernel/poisson": _COUNTS,
    "transform/band-math": _FORMULAS,
    "transform/change": "It takes the bands of two dates, as many of each.",
    "transform/compute": _FORMULAS,
    "transform/local-statistics": _PICTURES,
    "transform/texture": _PICTURES,
    "transform/visual-words": _PICTURES,
}

COUNTS = tuple(use for use in OUTSIDE if use.startswith("kernel/") and "euler" not in use)

EXPECTED: dict[str, dict[str, str]] = {
    "classifier/dominant-extension": {
        "check_classifiers_train": "Items that no group takes in get the commonest class."
    },
    "classifier/nearest-bayes": {
        "check_classifiers_train": "Of classes that are equally probable it takes the nearer one, "
        "and scikit-learn expects the first."
    },
    "clusterer/dominant-constrained": dict.fromkeys(
        ("check_fit_score_takes_y", "check_clustering"),
        "Its groups grow from seeds, and these checks give none.",
    ),
    "clusterer/dominant-overlapping": {"check_clustering": _CLUTTER},
    "clusterer/hypergraph": {"check_clustering": _CLUTTER},
    "clusterer/multi-affinity": {"check_clustering": _CLUTTER},
    **dict.fromkeys(
        ("embedder/joint", "embedder/kernel-pca", "embedder/laplacian-eigenmaps"),
        dict.fromkeys(("check_transformer_general", "check_transformer_data_not_an_array"), _GRAPH),
    ),
    "clusterer/transduction": dict.fromkeys(
        ("check_fit_score_takes_y", "check_clustering"),
        "It spreads known labels, and this check gives none.",
    ),
}

"""Which of scikit-learn's checks an estimator does not pass, each with the reason."""

# Parameters for the checks, whose data have few items and columns.
PARAMS: dict[str, dict[str, object]] = {
    "clusterer/automatic": {"decide_on": 100, "repeat": False},
    "clusterer/dominant-hierarchy": {"k": 3},
    "clusterer/dominant-sets": {"k": 3, "rest": "nearest"},
    "clusterer/mixed-mixture": {"k": 3},
    "embedder/tsne": {},
    "kernel/cluster": {"max_components": 2, "initialisations": 3},
    "kernel/probabilistic-cluster": {"max_components": 2, "initialisations": 3},
    "kernel/spatial-pyramid": {"levels": 1},
}

_CLUTTER = "It leaves most items in no group, so it agrees with none of the known classes."
_UNIT = "It takes features between 0 and 1 only; a scaler comes before it in a pipeline."
_PICTURES = "Its items are the pixels of a picture, or small pictures, which tables are not."

# Not checked as a whole; `test_estimators_outside_the_checks` fits them to data of their own.
OUTSIDE: dict[str, str] = {
    "clusterer/euler-kmeans": _UNIT,
    "embedder/euler-pca": _UNIT,
    "kernel/euler-gaussian": _UNIT,
    "transform/local-statistics": _PICTURES,
    "transform/texture": _PICTURES,
    "transform/visual-words": _PICTURES,
}

EXPECTED: dict[str, dict[str, str]] = {
    "classifier/dominant-extension": {
        "check_classifiers_train": "Items that no group takes in get the commonest class."
    },
    "classifier/nearest-bayes": {
        "check_classifiers_train": "Of classes that are equally probable it takes the nearer one, "
        "and scikit-learn expects the first."
    },
    "clusterer/dominant-overlapping": {"check_clustering": _CLUTTER},
    "clusterer/hypergraph": {"check_clustering": _CLUTTER},
    "clusterer/multi-affinity": {"check_clustering": _CLUTTER},
    "clusterer/transduction": dict.fromkeys(
        ("check_fit_score_takes_y", "check_clustering"),
        "It spreads known labels, and this check gives none.",
    ),
}

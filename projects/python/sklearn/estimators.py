"""The behaviour that estimators of one kind share; `classes` makes a class for each method."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from coterie.core import well_known
from coterie.core.model.arrays import Array
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.inputs import as_affinity
from coterie.jobs import Job
from coterie.results import Result
from coterie.running import apply_model, result_of
from coterie.similarity import compare
from coterie.sklearn.validation import checked

PRECOMPUTED = "precomputed"
FEATURES = "features"
# What a constructor has beside the parameters of the method.
CHOOSES_SIMILARITY = {"kernel": None, "graph": None, "affinity": FEATURES}
RANDOM = {"random_state": 0}
OUTLIERS = {"outlier_label": "most_frequent"}


class _Features(ClassNamePrefixFeaturesOutMixin, TransformerMixin):  # type: ignore[misc]
    """A transformer whose columns are numbered."""


class CoterieEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator of one of Coterie's methods.

    Attributes
    ----------
    result_ : all that the method found: its result with its parts, as `coterie.run` returns it
    """

    _use: ClassVar[str]
    _params: ClassVar[tuple[str, ...]]
    _unshared: ClassVar[tuple[str, ...]] = ()
    _on_similarities: ClassVar[bool] = False
    _takes_nan: ClassVar[bool] = False
    _takes_texts: ClassVar[bool] = False
    _positive: ClassVar[bool] = False
    _least: ClassVar[int] = 2

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_nan
        tags.input_tags.positive_only = self._positive
        tags.input_tags.string = self._takes_texts
        tags.input_tags.two_d_array = not self._takes_texts
        tags.input_tags.pairwise = self._is_precomputed
        tags.non_deterministic = False
        return tags

    @property
    def _is_precomputed(self) -> bool:
        given = getattr(self, "affinity", None)
        return isinstance(given, str) and given == PRECOMPUTED

    def _data(self, X: Any, *, fitting: bool) -> Dataset:
        return checked(
            self,
            X,
            fitting=fitting,
            nan=self._takes_nan,
            texts=self._takes_texts,
            positive=self._positive,
            least=self._least,
        )

    def _job(self) -> Job:
        given = self.random_state
        whole = isinstance(given, int | np.integer) and not isinstance(given, bool)
        if whole and given >= 0:
            return Job(seed=int(given))
        return Job(seed=int(check_random_state(given).randint(np.iinfo(np.int32).max)))

    def _similarities(self, data: Dataset) -> Any:
        """The similarities of the items, as the constructor says."""
        if self._is_precomputed:
            held: Any = data.features
            return as_affinity(held)
        job = self._job()
        return compare(
            data,
            self.kernel,
            self.graph,
            lambda use, nouns, params: result_of(use, nouns, params, job).noun,
        )

    def _input(self, data: Dataset) -> Any:
        chosen = self._is_precomputed or any(
            getattr(self, name, None) is not None for name in ("kernel", "graph")
        )
        return self._similarities(data) if self._on_similarities or chosen else data

    def _given(self) -> dict[str, Any]:
        """The parameters of the method; None stands for a default that is a list or mapping."""
        given = {name: getattr(self, name) for name in self._params}
        return {n: v for n, v in given.items() if v is not None or n not in self._unshared}

    def _run(self, *nouns: Any) -> Result:
        params = self._given()
        self.result_ = result_of(self._use, nouns, params, self._job())
        self.notes_ = tuple(self.result_.noun.notes)
        return self.result_

    def _applied(self, X: Any) -> Any:
        check_is_fitted(self, "result_")
        data = self._data(X, fitting=False)
        noun = self.result_.noun
        model = noun if noun.encoding_type == "model" else self.result_.parts["model"].noun
        return apply_model(self._use, model, data)


class ClustererEstimator(ClusterMixin, CoterieEstimator):  # type: ignore[misc]
    """Finds groups.

    Attributes
    ----------
    labels_ : (n,) the group of each item, −1 for those in none
    n_clusters_ : the number of groups
    membership_ : (n, k) how much each item belongs to each group; only where the method says so
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the groups of X; `y` is used by methods that start from some known labels."""
        data = self._data(X, fitting=True)
        known = self._known(y) if y is not None and self._uses_labels else ()
        found = self._run(self._input(data), *known).noun
        self.labels_ = np.asarray(found.labels)
        self.n_clusters_ = int(found.k)
        if found.membership is not None:
            self.membership_ = np.asarray(found.membership)
        return self

    _uses_labels: ClassVar[bool] = False

    def _known(self, y: Any) -> tuple[Clustering, ...]:
        labels = np.asarray(y)
        classes = (
            np.unique(labels[labels != -1]) if labels.dtype.kind in "if" else np.unique(labels)
        )
        codes = np.searchsorted(classes, labels)
        codes = np.where(np.isin(labels, classes), codes, -1)
        return (Clustering(labels=codes),)


class PredictingClusterer(ClustererEstimator):
    """Finds groups, and the group of new items."""

    def predict(self, X: Any) -> Array:
        """Return the group of each new item, −1 for none."""
        return np.asarray(self._applied(X).labels)


class TransformEstimator(_Features, CoterieEstimator):
    """Changes features: `fit_transform`, and `transform` for new items."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from X."""
        self._fitted(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **more: Any) -> Any:
        """Learn from X and return it transformed."""
        return self._fitted(X)

    def _fitted(self, X: Any) -> Any:
        found = self._run(self._input(self._data(X, fitting=True))).noun
        made = _array(found)
        self._n_features_out = made.shape[1]
        return made

    def transform(self, X: Any) -> Any:
        """Return new items transformed."""
        return _array(self._applied(X))


class EmbedderEstimator(CoterieEstimator):
    """Gives each item coordinates: `fit_transform`. It has no model for new items.

    Attributes
    ----------
    embedding_ : (n, m) the coordinates
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the coordinates of X."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the coordinates of X and return them."""
        found = self._run(self._input(self._data(X, fitting=True))).noun
        self.embedding_ = _array(found)
        return self.embedding_


class KernelEstimator(_Features, CoterieEstimator):
    """Gives similarities: of all pairs when fitted, then of new items with the fitted ones."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the items of X, and what the kernel learns from them."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **more: Any) -> Any:
        """Return the (n, n) similarities of X."""
        self.data_ = self._data(X, fitting=True)
        found = self._run(self.data_).noun
        self._n_features_out = found.n
        return found.to_dense()

    def transform(self, X: Any) -> Any:
        """Return the (m, n) similarities of new items with those of `fit`."""
        check_is_fitted(self, "result_")
        return self._between(self._data(X, fitting=False))

    def pairwise(self, X: Any, Y: Any = None) -> Any:
        """Return the similarities of X with Y, or with itself, as `SVC(kernel=…)` asks for them."""
        same = type(self)(**self.get_params())
        return same.fit_transform(X) if Y is None else same.fit(Y).transform(X)

    def _between(self, new: Dataset) -> Any:
        if "model" in self.result_.parts:
            model = self.result_.parts["model"].noun
            fitted = apply_model(self._use, model, self.data_)
            other = apply_model(self._use, model, new)
            if fitted.factor is not None and other.factor is not None:
                return np.asarray(other.factor @ fitted.factor.T)
        both = _stacked(self.data_, new)
        params = self._given()
        # A width that came from the data is the one of the fitted items.
        used = {n: v for n, v in self.result_.noun.details.items() if params.get(n) == "auto"}
        whole = result_of(self._use, (both,), {**params, **used}, self._job()).noun
        return whole.rows(np.arange(self.data_.n, both.n))[:, : self.data_.n]


class RankerEstimator(CoterieEstimator):
    """Orders items.

    Attributes
    ----------
    scores_ : (n,) of each item, higher is better
    order_ : the items, best first
    """

    _needs: ClassVar[tuple[str, ...]] = ()

    def fit(self, X: Any, y: Any = None) -> Self:
        """Order the items of X; `y` is the group of each, for rankings within groups."""
        data = self._data(X, fitting=True)
        found = self._run(*self._nouns(data, y)).noun
        self.scores_, self.order_ = np.asarray(found.scores), np.asarray(found.order)
        return self

    def fit_score(self, X: Any, y: Any = None) -> Array:
        """Order the items of X and return their scores."""
        return np.asarray(self.fit(X, y).scores_)

    def _nouns(self, data: Dataset, y: Any) -> tuple[Any, ...]:
        groups = ClustererEstimator._known(self, y) if y is not None else ()
        if self._needs[0].startswith("clustering"):
            shares = np.asarray(data.dense_features())
            return (Clustering(labels=shares.argmax(axis=1), membership=shares, dataset=data),)
        if self._needs[0] == "embedding":
            near = self._similarities(data)
            places = result_of(well_known.EMBEDDER_JOINT, (near,), {}, self._job()).noun
            return (places, near, *groups)
        return (self._input(data), *(groups if len(self._needs) > 1 else ()))


class ClassifierEstimator(ClassifierMixin, CoterieEstimator):  # type: ignore[misc]
    """Learns groups and applies them to new items.

    Attributes
    ----------
    classes_ : the classes of `y`
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the classes `y` of the items X."""
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import _check_y, check_consistent_length

        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        data = self._data(X, fitting=True)
        target = _check_y(y, multi_output=False, y_numeric=False, estimator=self)
        check_consistent_length(X, target)
        check_classification_targets(target)
        self.classes_, codes = np.unique(target, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes. The data contains one class: "
                f"{self.classes_[0]!r}."
            )
        self._often = int(np.bincount(codes).argmax())
        self._run(data, Clustering(labels=codes.astype(np.int64), dataset=data))
        return self

    def predict(self, X: Any) -> Array:
        """Return the class of each new item; `outlier_label` for those that belong to none."""
        labels = np.asarray(self._applied(X).labels)
        if (labels >= 0).all():
            return np.asarray(self.classes_[labels])
        other = self.outlier_label
        found = self.classes_[np.where(labels < 0, self._often, labels)]
        if isinstance(other, str) and other == "most_frequent":
            return np.asarray(found)
        return np.where(labels < 0, other, found)


class ProbabilisticClassifier(ClassifierEstimator):
    """Learns groups, and how probable each is of new items."""

    def predict_proba(self, X: Any) -> Array:
        """Return the probability of each class for each new item."""
        return np.asarray(self._applied(X).membership)


def _array(noun: Any) -> Any:
    """The features or coordinates of a noun; sparse where they are."""
    held = noun.features if isinstance(noun, Dataset) else noun.coordinates
    return held if hasattr(held, "tocsr") else np.array(held, dtype=np.float64)


def _stacked(first: Dataset, second: Dataset) -> Dataset:
    if first.texts:
        return Dataset(kind="texts", texts=(*first.texts, *second.texts), title=first.title)
    if first.table:
        raise ValueError("This kernel has no model for new items described by categories.")
    held: list[Any] = [first.features, second.features]
    features = [part.toarray() if hasattr(part, "tocsr") else part for part in held]
    return Dataset(features=np.vstack(features), columns=first.columns, title=first.title)

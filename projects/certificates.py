"""Certificates of the results of a project: what is true of each group, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Clustering
from coterie.core.numerics.dynamics.certificates import (
    LabellingCertificate,
    SetCertificate,
    certify_labelling,
    certify_set,
)
from coterie.core.numerics.dynamics.constrained import seeds_of
from coterie.core.numerics.transduction.second_scale import SecondScale

FORMAT = 1  # of the JSON form


@dataclass(frozen=True, eq=False)
class CertifiedStep:
    """What holds of the result of a step.

    Attributes
    ----------
    use : method that gave the result
    sets : one certificate for each group that the method calls a dominant set
    labelling : whether the labels are consistent, for a transduction
    remark : what the certificates are about, as a sentence
    """

    use: str
    sets: tuple[SetCertificate, ...] = ()
    labelling: LabellingCertificate | None = None
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing fails; a tie within rounding fails nothing."""
        every = (*self.sets, *((self.labelling,) if self.labelling else ()))
        return all(one.verdict != "fails" for one in every)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "format": FORMAT,
            "use": self.use,
            "holds": self.holds,
            "remark": self.remark,
            "sets": [one.as_json() for one in self.sets],
            "labelling": self.labelling.as_json() if self.labelling else None,
        }


def certify_step(
    use: str, params: Mapping[str, Any], result: Any, inputs: Sequence[Any]
) -> CertifiedStep:
    """Certify the result of a step.

    Parameters
    ----------
    use : the method, as kind/id
    params : its parameters, defaults filled in or not
    result : what it gave
    inputs : what it was given, in order
    """
    affinity = next((one for one in inputs if isinstance(one, Affinity)), None)
    certify = _CERTIFIED.get(use)
    if certify is None or affinity is None or not isinstance(result, Clustering):
        known = ", ".join(name.partition("/")[2] for name in _CERTIFIED)
        raise DataError(
            f"Results of '{use}' have no certificate. There is one for: {known}.",
            code="wrong-type",
        )
    return certify(use, params, result, affinity, inputs)


def certify_items(affinity: Affinity, items: Sequence[int]) -> CertifiedStep:
    """Say whether chosen items are a dominant set of the similarities."""
    return CertifiedStep(
        "",
        (certify_set(affinity, np.asarray(items, dtype=np.int64)),),
        remark="The chosen items, compared with all others.",
    )


def _peeled(
    use: str, params: Mapping[str, Any], result: Clustering, affinity: Affinity, _: Sequence[Any]
) -> CertifiedStep:
    if params.get("clique"):
        raise DataError(
            "Maximal cliques have ½ on the diagonal and are not dominant sets by the definition, "
            "so they have no certificate. Compute the sets with clique = false.",
            code="wrong-type",
        )
    sets, before = [], np.zeros(0, dtype=np.int64)
    for members, shares in _supports(result):
        sets.append(certify_set(affinity, members, excluded=before, shares=shares))
        before = np.union1d(before, members)
    remark = "Each set is compared with the items that were left when it was found."
    rest = np.setdiff1d(np.flatnonzero(result.labels >= 0), before)
    labelling = None
    if params.get("rest") == "transduction" and len(rest):
        second = SecondScale(
            params.get("rest_sigma", "auto"),
            float(params.get("rest_euler", 0.0)),
            bool(params.get("rest_normalise")),
        )
        labelling = certify_labelling(
            affinity,
            result.labels,
            fixed=before,
            rows=lambda items: second.rows(affinity, items)[0],
        )
        remark += " The labels of all others are tested as those of a transduction."
    return CertifiedStep(use, tuple(sets), labelling, remark)


def _constrained(
    use: str,
    params: Mapping[str, Any],
    result: Clustering,
    affinity: Affinity,
    inputs: Sequence[Any],
) -> CertifiedStep:
    if params.get("every_seed"):
        raise DataError(
            "With 'every_seed' a group is several sets together, which have no certificate. "
            "Compute the sets without it.",
            code="wrong-type",
        )
    groups = next((one for one in inputs if isinstance(one, Clustering)), None)
    found = seeds_of(params.get("items", ()), groups, affinity)
    sets = tuple(
        certify_set(affinity, members, shares=shares, alpha=float(about["alpha"]), seeds=seeds)
        for (members, shares), seeds, about in zip(
            _supports(result), found, result.details["sets"], strict=True
        )
    )
    remark = "Each set is compared with all other items; who is not a seed has −α on the diagonal."
    return CertifiedStep(use, sets, remark=remark)


def _overlapping(
    use: str, _params: Mapping[str, Any], result: Clustering, affinity: Affinity, _: Sequence[Any]
) -> CertifiedStep:
    sets = tuple(
        certify_set(affinity, members, shares=shares) for members, shares in _supports(result)
    )
    return CertifiedStep(use, sets, remark="Each set is compared with all other items.")


def _transduced(
    use: str,
    params: Mapping[str, Any],
    result: Clustering,
    affinity: Affinity,
    inputs: Sequence[Any],
) -> CertifiedStep:
    if params.get("farthest"):
        raise DataError(
            "The labels spread along similarities that end at a distance, which are not stored. "
            "Certify a transduction with farthest = 0.",
            code="wrong-type",
        )
    start = next((one for one in inputs if isinstance(one, Clustering)), None)
    if start is None or params.get("labelled") == "truth":
        raise DataError(
            "Which items had known classes was drawn at random and is not stored. Certify a "
            "transduction that starts from groups.",
            code="groups-needed",
        )
    second = SecondScale(params.get("sigma", 0.0), normalise=bool(params.get("normalise")))
    labelling = certify_labelling(
        affinity,
        result.labels,
        fixed=np.flatnonzero(start.labels >= 0),
        rows=lambda items: second.rows(affinity, items)[0],
        compatibility=np.array(params["compatibility"]) if params.get("compatibility") else None,
        tolerance=float(params.get("tolerance", 1e-6)),
    )
    return CertifiedStep(use, labelling=labelling, remark="Items with a given label are fixed.")


def _supports(result: Clustering) -> Iterator[tuple[Any, Any]]:
    """Yield the members of each set and their shares in it."""
    if result.membership is not None:
        for column in np.asarray(result.membership).T:
            members = np.flatnonzero(column > 0)
            yield members, column[members]
    elif result.details.get("in_sets", -1) == int((result.labels >= 0).sum()):
        for group in range(result.k):
            yield np.flatnonzero(result.labels == group), None
    else:
        raise DataError(
            "This result also labels items outside its sets and has no memberships, so the sets "
            "cannot be recovered. "
            'Compute it with rest = "none".',
            code="groups-needed",
        )


Certify = Callable[[str, Mapping[str, Any], Clustering, Affinity, Sequence[Any]], CertifiedStep]
_CERTIFIED: dict[str, Certify] = {
    well_known.CLUSTERER_DOMINANT_SETS: _peeled,
    well_known.CLUSTERER_DOMINANT_OVERLAPPING: _overlapping,
    well_known.CLUSTERER_DOMINANT_CONSTRAINED: _constrained,
    well_known.CLUSTERER_TRANSDUCTION: _transduced,
}

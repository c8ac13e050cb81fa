"""Certificates of the results of a project: what is true of each group, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from coterie.core import Context, well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Clustering
from coterie.core.numerics.certificates.claims import certify_claims
from coterie.core.numerics.certificates.dominant_sets import SetCertificate, certify_set
from coterie.core.numerics.certificates.labellings import (
    LabellingCertificate,
    certify_labelling,
)
from coterie.core.numerics.certificates.stated_groups import CLAIMING, claims_of, remark_on
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.transduction.second_scale import SecondScale

FORMAT = 1  # of the JSON form
ROUNDING = 1e-12  # differences of payoffs up to this share of them
_TRANSDUCTION = well_known.CLUSTERER_TRANSDUCTION


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
    if not isinstance(result, Clustering) or not inputs or not is_certified(use):
        known = ", ".join(name.partition("/")[2] for name in (*CLAIMING, _TRANSDUCTION))
        raise DataError(
            f"Results of '{use}' have no certificate. There is one for: {known}.",
            code="wrong-type",
        )
    if use == _TRANSDUCTION:
        return _transduced(params, result, inputs)
    claims = claims_of(use, params, result, inputs)
    sets = certify_claims(claims, inputs, Context())
    if use == well_known.CLUSTERER_MULTI_AFFINITY:
        sets = _compared(sets, result, inputs)
    remark = remark_on(use)
    labelling = None
    if use == well_known.CLUSTERER_DOMINANT_SETS:
        labelling = _rest(params, result, inputs, sets)
        if labelling is not None:
            remark += " The labels of all others are tested as those of a transduction."
    return CertifiedStep(use, tuple(sets), labelling, remark)


def is_certified(use: str) -> bool:
    """Whether results of a method have a certificate."""
    return use in (*CLAIMING, _TRANSDUCTION)


def certify_items(affinity: Affinity, items: Sequence[int]) -> CertifiedStep:
    """Say whether chosen items are a dominant set of the similarities."""
    return CertifiedStep(
        "",
        (certify_set(affinity, np.asarray(items, dtype=np.int64)),),
        remark="The chosen items, compared with all others.",
    )


def _rest(
    params: Mapping[str, Any], result: Clustering, inputs: Sequence[Any], sets: list[SetCertificate]
) -> LabellingCertificate | None:
    """Test the labels of the items outside all sets, where they were found by a transduction."""
    affinity = _affinity(inputs)
    before = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *(s.members for s in sets)]))
    rest = np.setdiff1d(np.flatnonzero(result.labels >= 0), before)
    if params.get("rest") != "transduction" or not len(rest):
        return None
    second = SecondScale(
        params.get("rest_sigma", "auto"),
        float(params.get("rest_euler", 0.0)),
        bool(params.get("rest_normalise")),
    )
    return certify_labelling(
        affinity,
        result.labels,
        fixed=before,
        rows=lambda items: second.rows(affinity, items)[0],
    )


def _compared(
    sets: list[SetCertificate], result: Clustering, inputs: Sequence[Any]
) -> list[SetCertificate]:
    """Compare the sets of each round by their payoffs xᵀA_m x in all affinities."""
    games = [Game.of(one) for one in inputs if isinstance(one, Affinity)]
    payoffs = np.array(
        [
            [one.shares @ game.payoffs_of(one.members, one.shares)[one.members] for game in games]
            for one in sets
        ]
    )
    rounds = np.array([about["round"] for about in result.details["sets"]])
    compared = []
    for number, one in enumerate(sets):
        ahead = payoffs - payoffs[number]
        rounding = ROUNDING * np.maximum(np.abs(payoffs), np.abs(payoffs[number]))
        beats = (ahead >= -rounding).all(axis=1) & (ahead > rounding).any(axis=1)
        beaten = np.flatnonzero(beats & (rounds == rounds[number]))
        verdict = "fails" if len(beaten) else one.verdict
        compared.append(replace(one, beaten_by=beaten, verdict=verdict))
    return compared


def _transduced(
    params: Mapping[str, Any], result: Clustering, inputs: Sequence[Any]
) -> CertifiedStep:
    affinity = _affinity(inputs)
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
    remark = "Items with a given label are fixed."
    return CertifiedStep(_TRANSDUCTION, labelling=labelling, remark=remark)


def _affinity(inputs: Sequence[Any]) -> Affinity:
    found = next((one for one in inputs if isinstance(one, Affinity)), None)
    if found is None:
        raise DataError("A transduction is tested against similarities.", code="wrong-type")
    return found

"""Each group in words and small pictures: what sets it off, how well it holds together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coterie.core.model.arrays import Array
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.projects.report.group_means import Spectra, mean_pictures, mean_spectra
from coterie.projects.report.group_quality import group_certainty, group_quality

LEAST_FIT = 0.5


@dataclass(frozen=True, eq=False)
class GroupDescription:
    """What is said of one group.

    Attributes
    ----------
    rule : conditions on the columns that its items meet; empty where none was found
    score : how well the rule fits items that it was not made from; empty without a rule
    differences : what sets the group off, the most telling first
    typical, border : positions of items
    silhouette : how much nearer its items are to each other than to the nearest other group, from
        −1 to 1, on columns of equal spread; None where that says nothing
    stability : share of its items that their neighbours in a random half of the items give to it;
        None where that says nothing
    certainty : mean share of its items in it; None where the method gives no shares
    picture : (height, width) or (height, width, 3) bytes, the mean of its pictures
    spectra : the mean of its pixels in each band, and those of all groups; None for other items
    """

    group: int
    size: int
    rule: str = ""
    score: str = ""
    differences: tuple[str, ...] = ()
    typical: tuple[int, ...] = ()
    border: tuple[int, ...] = ()
    silhouette: float | None = None
    stability: float | None = None
    certainty: float | None = None
    picture: Array | None = None
    spectra: Spectra | None = None

    @property
    def held_together(self) -> str:
        """Silhouette, stability and certainty in words; nothing where none is known."""
        said = []
        if self.silhouette is not None:
            said.append(f"silhouette {self.silhouette:z.2f}".replace("-", "−"))
        if self.stability is not None:
            said.append(f"stable {self.stability:.0%}")
        if self.certainty is not None:
            said.append(f"certainty {self.certainty:.0%}")
        return ", ".join(said)


def describe_groups(groups: Clustering, data: Dataset | None) -> tuple[GroupDescription, ...]:
    """Return what can be said of each group.

    Parameters
    ----------
    data : the items with columns that a person knows, texts, pictures or pixels; None leaves the
        sizes
    """
    if data is None or not groups.k:
        return tuple(GroupDescription(g, len(groups.members(g))) for g in range(groups.k))
    if data.texts and data.kind == "texts":
        return _of_texts(groups, data.texts)
    from coterie.core.numerics.descriptions.group_rules import groups_in_words
    from coterie.core.numerics.descriptions.measures import measured

    found = []
    X, measures = measured(data)
    quality, certain = group_quality(X, groups), group_certainty(groups)
    pictures, spectra = mean_pictures(data, groups), mean_spectra(data, groups)
    for one in groups_in_words(X, measures, groups.labels):
        # A rule that is as often wrong as right describes nothing; nor do single pixels.
        rule = one.rule if one.rule is not None and one.rule.fit >= LEAST_FIT else None
        rule = None if pictures else rule
        held = quality.get(one.group)
        found.append(
            GroupDescription(
                one.group,
                one.size,
                "" if rule is None else rule.in_words,
                "" if rule is None else rule.score_in_words,
                () if pictures else tuple(map(str, one.effects)),
                one.typical,
                one.border,
                None if held is None else held.silhouette,
                None if held is None else held.stability,
                certain.get(one.group),
                pictures.get(one.group),
                spectra,
            )
        )
    return tuple(found)


def _of_texts(groups: Clustering, texts: Sequence[str]) -> tuple[GroupDescription, ...]:
    from coterie.core.numerics.descriptions.group_terms import telling_words

    words = telling_words(texts, groups.labels)
    return tuple(
        GroupDescription(g, len(groups.members(g)), differences=words[g]) for g in range(groups.k)
    )

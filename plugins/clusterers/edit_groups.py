"""Edit groups: name, colour, merge and reorder the groups of another step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from coterie.core import Clusterer, Clustering, Context, Cost, Field, ParameterError
from coterie.core.numerics.drawing.palette import is_colour
from coterie.core.numerics.partitions.regrouping import regrouped, with_identity
from coterie.core.wording import counted

LONGEST_NAME = 200


class EditGroups(Clusterer):
    """Rename, recolour, reorder or merge the groups of another step.

    Made in the window by naming, colouring, merging and moving groups. Numbers count from 1, as
    people read them. Groups are first put together and ordered; names and colours then go by the
    new numbers. A group that is made of others keeps the colour of the first of them.
    """

    id, title = "edit-groups", "Edited groups"
    needs = ("clustering",)

    class Params(Clusterer.Params):
        """What becomes of the groups."""

        groups: list[list[int]] = Field(
            default_factory=list,
            description="The new groups in order, each as the numbers of the groups to merge; "
            "the other groups follow unchanged.",
        )
        names: dict[str, str] = Field(
            default_factory=dict, description="Names, by the number of the new group."
        )
        colours: dict[str, str] = Field(
            default_factory=dict,
            description='Colours as "#rrggbb", by the number of the new group.',
        )

    def compute(self, groups: Clustering, *, params: Params, context: Context) -> Clustering:
        """Return the same items in the edited groups."""
        context.check()
        made = groups
        if params.groups:
            made = regrouped(groups, [[number - 1 for number in old] for old in params.groups])
        for number, colour in params.colours.items():
            if colour and not is_colour(colour):
                raise ParameterError(
                    f"The colour of group {number:.40} must be like #1f77b4. Got '{colour:.40}'.",
                    code="invalid-parameters",
                )
        names = {at: _tidy(name) for at, name in _by_group(params.names, made).items()}
        made = with_identity(made, names, _by_group(params.colours, made))
        merged = groups.k - made.k
        notes = [f"{counted(merged + 1, 'group')} merged."] if merged else []
        return replace(made, title=f"{counted(made.k, 'group')}, edited", notes=tuple(notes))

    def estimate(self, groups: Clustering, *, params: Params) -> Cost:
        """A label for each item, and its shares."""
        return Cost(bytes=(64 + 16 * groups.k) * groups.n, seconds=1e-7 * groups.n)


def _tidy(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME]


def _by_group(values: Mapping[str, str], groups: Clustering) -> dict[int, str]:
    found = {}
    for number, value in values.items():
        if not number.isdecimal() or not 1 <= int(number) <= groups.k:
            raise ParameterError(
                f"There are groups 1 to {groups.k}. Got group '{number:.40}'. Remove its name "
                "and colour.",
                code="unknown-group",
            )
        found[int(number) - 1] = value
    return found

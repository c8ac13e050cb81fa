"""What `coterie compare` finds: the stable form of its JSON, and tables to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import typer

from coterie.core.model.results import Clustering
from coterie.projects.candidates import agreement_of, candidates_of
from coterie.projects.cli.console import print_rows

MOST_SIZES = 8  # groups whose sizes are printed


def candidates_json(
    title: str, answer: Clustering, groups_of: Callable[[str], Clustering | None]
) -> dict[str, Any]:
    """Return the automatic answer and its candidates, each compared with the known classes."""
    details = answer.details
    rows = [
        {
            "title": one.title,
            "family": one.family,
            "groups": one.k,
            "sizes": list(one.sizes),
            "unassigned": one.unassigned,
            "expected": one.expected,
            "agreement": one.agreement,
            "stability": one.stability,
            "truth": None if one.groups is None else agreement_of(one.groups, answer.dataset),
            "chosen": one.chosen,
            "answer": one.is_answer,
            "steps": [dict(step) for step in one.steps],
        }
        for one in candidates_of(answer, groups_of)
    ]
    return {
        "title": title,
        "verdict": details["verdict"],
        "sentence": details["sentence"],
        "expected": details.get("expected"),
        "candidates": rows,
        "curve": details.get("curve", []),
        "left_out": dict(details.get("left_out", {})),
        "decided_on": details.get("decided_on", answer.n),
    }


def groupings_json(title: str, found: Mapping[str, Clustering]) -> dict[str, Any]:
    """Return groupings of a project, and how far every two of the same items agree."""
    return {
        "title": title,
        "groupings": [
            {
                "name": name,
                "title": groups.title,
                "groups": groups.k,
                "items": groups.n,
                "sizes": np.bincount(groups.labels[groups.labels >= 0]).tolist(),
                "unassigned": int((groups.labels < 0).sum()),
                "truth": agreement_of(groups, groups.dataset),
            }
            for name, groups in found.items()
        ],
        "agreement": [
            [agreement_of(groups, other) for other in found.values()] for groups in found.values()
        ],
    }


def print_candidates(found: Mapping[str, Any]) -> None:
    """Print the verdict and a line for each candidate."""
    if found["title"]:
        typer.echo(found["title"])
    typer.echo(found["sentence"])
    rows = found["candidates"]
    if not rows:
        return
    typer.echo("")
    columns = {
        "": [_mark(row) for row in rows],
        "method": [row["title"].rpartition(", ")[0] or row["title"] for row in rows],
        "groups": [str(row["groups"]) for row in rows],
        "expected": [_number(row["expected"]) for row in rows],
        "agreement": [_number(row["agreement"]) for row in rows],
        "stability": [_number(row["stability"]) for row in rows],
        "truth": [_number(row["truth"]) for row in rows],
        "sizes": [_sizes(row, filled=True) for row in rows],
    }
    _print_columns(columns)
    for name, why in found["left_out"].items():
        typer.echo(f"Left out: {name} ({why.rstrip('.')}).")


def print_groupings(found: Mapping[str, Any]) -> None:
    """Print a line for each grouping, and the agreement of every two."""
    if found["title"]:
        typer.echo(found["title"])
    rows = found["groupings"]
    _print_columns(
        {
            "name": [row["name"] for row in rows],
            "method": [row["title"] for row in rows],
            "groups": [str(row["groups"]) for row in rows],
            "truth": [_number(row["truth"]) for row in rows],
            "sizes": [_sizes(row) for row in rows],
        }
    )
    if len(rows) < 2:
        return
    typer.echo("\nAdjusted Rand index of every two")
    names = [row["name"] for row in rows]
    lines = zip(names, found["agreement"], strict=True)
    print_rows(("", *names), [[name, *map(_number, values)] for name, values in lines])


def _print_columns(columns: Mapping[str, list[str]]) -> None:
    """Print those columns that say something."""
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    print_rows(tuple(shown), [list(row) for row in zip(*shown.values(), strict=True)])


def _mark(row: Mapping[str, Any]) -> str:
    return "chosen" if row["chosen"] else "alternative" if row["answer"] else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _sizes(row: Mapping[str, Any], *, filled: bool = False) -> str:
    """Return the sizes in words; `filled` says that they include what was left unassigned."""
    sizes = row["sizes"]
    said = ", ".join(map(str, sizes[:MOST_SIZES]))
    more = f", … ({len(sizes)} in total)" if len(sizes) > MOST_SIZES else ""
    among = " of these at first" if filled else ""
    loose = f"; {row['unassigned']}{among} unassigned" if row["unassigned"] else ""
    return f"{said}{more}{loose}"

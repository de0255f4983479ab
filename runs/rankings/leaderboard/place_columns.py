"""The columns of the leaderboard that say who an agent is, and on which rank."""

from __future__ import annotations

from runs.analysis.outcomes.ties import Place, TieGroup
from runs.presentation.formatting.numbers import DASH, counted
from runs.presentation.formatting.text import one_line
from runs.rankings.leaderboard.column import BoardRow, CellText, Column, missing, with_interval

CONTRADICTED = "no rank: what its source prints contradicts its results"
PEOPLE = "no rank: people are compared with no agent, they choose their tasks"
TOO_FEW = "too few tasks"


def no_place(row: BoardRow) -> str | None:
    """Why a row of the table has no rank; None if it has one."""
    standing = row.standing
    if standing.place:
        return None
    if row.agent.is_person:
        return PEOPLE
    if standing.lacks_of is None:
        return CONTRADICTED
    return f"{TOO_FEW}: it tried {counted(standing.tasks, 'task')} of this board, and a rank needs {standing.lacks_of}"


def _place(row: BoardRow) -> CellText:
    if row.standing.place:
        return CellText(str(row.standing.place), title=_claims_of_place(row))
    reason = no_place(row) or ""
    return missing(reason) if row.standing.lacks_of is None else CellText(TOO_FEW, title=reason, muted=True)


def _claims_of_place(row: BoardRow) -> str:
    """What its rank is about, and its rank on other repositories."""
    other = row.standing.place_elsewhere
    said = str(other) if other else f"none, {row.standing.elsewhere.reason}"
    undecided = (
        "rank undecided: "
        if row.standing.place and row.standing.place.last > row.standing.place.first
        else ""
    )
    return f"{undecided}{row.standing.place} on tasks of these repositories; on other repositories {said}"


def _elsewhere(row: BoardRow) -> CellText:
    found, place = row.standing.elsewhere, row.standing.place_elsewhere
    if found.value is None:
        return missing(found.reason)
    return CellText(
        str(place or DASH), with_interval(found), f"n {counted(found.n, 'repository', 'repositories')}"
    )


def _span(name: str, span: Place | TieGroup[int] | None) -> dict[str, int | None]:
    return {f"{name}_first": span.first if span else None, f"{name}_last": span.last if span else None}


def _graded(row: BoardRow) -> CellText:
    if row.agent.executed_here:
        return CellText("here", title="This site executed and graded its runs")
    if row.agent.graded_here:
        return CellText("graded here", title="Executed elsewhere; this site graded every patch again")
    if row.agent.reported_by:
        return CellText("reported by others", title=f"By {row.agent.reported_by}", muted=True)
    return CellText(
        "recorded elsewhere", title="Executed and graded with BenchBench by another site", muted=True
    )


def _graded_rank(row: BoardRow) -> int | None:
    """None for a row that needs no word: executed here, or on a board of reported results."""
    needs_none = row.agent.executed_here or row.agent.reported_by
    return None if needs_none else int(row.agent.graded_here)


def _corrected_place(row: BoardRow) -> CellText:
    place, before, after = row.standing.corrected_place, row.standing.order, row.standing.corrected_order
    if place is None:
        return missing(row.standing.corrected.reason or CONTRADICTED)
    moved = f"order {before} → {after}" if before != after else f"order {after}"
    return CellText(str(place), moved, "Position in the order by pass@1, and by the corrected score")


PLACE = Column(
    key="place",
    title="Rank",
    kind="place",
    hint="The possible ranks on tasks of these repositories: only significant differences separate agents",
    method="groups",
    order=lambda row: row.standing.place and (row.standing.place.first, row.standing.place.last),
    descending=False,
    text=_place,
    fields=(
        lambda row: _span("place", row.standing.place),
        lambda row: _span("group", row.standing.group),
        lambda row: {"no_place": no_place(row)},
        lambda row: _span("place_on_other_repositories", row.standing.place_elsewhere),
    ),
)

AGENT = Column(
    key="name",
    title="Agent",
    kind="agent",
    order=lambda row: row.agent.name.casefold(),
    descending=False,
    text=lambda row: CellText(one_line(row.marked_name), one_line(row.under)),
    fields=(
        lambda row: {"agent": row.agent.slug, "name": row.agent.name, "kind": row.agent.kind},
        lambda row: {"calibration": row.agent.is_calibration},
        lambda row: {"reported_by": row.agent.reported_by or None},
        lambda row: {"model": row.agent.model.name if row.agent.model else None},
        lambda row: {"people": row.people},
    ),
)

VERDICTS = Column(
    key="graded",
    title="Verdicts",
    kind="word",
    hint="Whether this site graded every run of the row, or who else did",
    order=_graded_rank,
    text=_graded,
    fields=(lambda row: {"graded_here": row.agent.executed_here or row.agent.graded_here},),
)

CORRECTED_PLACE = Column(
    key="correctedplace",
    title="Rank",
    under="corrected",
    kind="word",
    hint="The possible ranks by the corrected score, among the agents that have one",
    method="corrected-score",
    order=lambda row: row.standing.corrected_order,
    descending=False,
    text=_corrected_place,
    fields=(
        lambda row: _span("corrected_place", row.standing.corrected_place),
        lambda row: {"order": row.standing.order, "corrected_order": row.standing.corrected_order},
    ),
)

ELSEWHERE = Column(
    key="elsewhere",
    title="Other repositories",
    under="rank, solved",
    hint="The possible ranks, and pass@1 with its 95 % interval, on other repositories like these",
    method="places-elsewhere",
    essential=False,
    descending=False,
    order=lambda row: (
        (place := row.standing.place_elsewhere)
        and (place.first, place.last, -(row.standing.elsewhere.value or 0))
    ),
    text=_elsewhere,
)

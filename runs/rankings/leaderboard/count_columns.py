"""The columns of the leaderboard that count attempts, also excluded and flagged ones."""

from __future__ import annotations

from urllib.parse import urlencode

from runs.analysis.estimate import Estimate
from runs.analysis.exploits.flagged_share import flagged_share
from runs.models import Run
from runs.presentation.formatting.numbers import counted, percent
from runs.rankings.leaderboard.column import BoardRow, CellText, Column, FigureField, missing

NO_FLAGS = "its trajectories are not known here"


def _n(row: BoardRow) -> CellText:
    standing = row.standing
    attempts = str(standing.fewest_attempts)
    if standing.most_attempts != standing.fewest_attempts:
        attempts += f"–{standing.most_attempts}"
    text = f"{standing.tasks} × {attempts}"
    title = f"{standing.resolved} of {standing.attempts} attempts resolved"
    if not standing.infrastructure_failed:
        return CellText(text, title=title)
    return CellText(text, f"{standing.infrastructure_failed} not counted", title, runs=_excluded_runs(row))


def _excluded(row: BoardRow) -> CellText:
    if not row.standing.infrastructure_failed:
        return CellText("0", muted=True)
    with_them = f"{percent(row.standing.pass_1_strict)} with them"
    title = "Solved per attempt if they counted as failures"
    return CellText(str(row.standing.infrastructure_failed), with_them, title, runs=_excluded_runs(row))


def _excluded_runs(row: BoardRow) -> str:
    return urlencode({"agent": row.agent.slug, "outcome": Run.Outcome.INFRASTRUCTURE_FAILED.value})


def _flagged(row: BoardRow) -> CellText:
    if row.flagged is None:
        return missing(NO_FLAGS)
    if not row.flagged:
        return CellText("0", muted=True)
    found = flagged_share(row.flagged, row.standing.attempts)
    runs = urlencode({"agent": row.agent.slug, "exploit": "flagged"})
    return CellText(str(row.flagged), percent(found.value), f"of {counted(found.n, 'attempt')}", runs=runs)


def _flagged_share(row: BoardRow) -> Estimate:
    if row.flagged is None:
        return Estimate.unknown(NO_FLAGS, row.standing.attempts)
    return flagged_share(row.flagged, row.standing.attempts)


N = Column(
    key="n",
    title="n",
    heading="Attempts",
    hint="Tasks × attempts at each; failures of the infrastructure are excluded",
    method="row",
    order=lambda row: (row.standing.tasks, row.standing.attempts),
    text=_n,
    fields=(
        lambda row: {"tasks": row.standing.tasks, "attempts": row.standing.attempts},
        lambda row: {"resolved": row.standing.resolved},
        lambda row: {"infrastructure_failed": row.standing.infrastructure_failed},
        FigureField(
            "pass_at_1_with_infrastructure_failures",
            "pass@1, infrastructure failures counted as unresolved",
            "share",
            lambda row: row.standing.pass_1_strict,
            method="excluded",
        ),
        lambda row: {"odd_records": row.standing.odd},
    ),
)

EXCLUDED = Column(
    key="excluded",
    title="Excluded",
    heading="Not counted",
    under="infrastructure",
    hint="Attempts lost to the infrastructure, counted in no other column",
    method="excluded",
    essential=False,
    order=lambda row: row.standing.infrastructure_failed,
    text=_excluded,
)

FLAGGED = Column(
    key="flagged",
    title="Flagged",
    under="of attempts",
    hint="Attempts that show a successful exploit of the benchmark: a suspicion",
    method="flagged-share",
    essential=False,
    text=_flagged,
    fields=(
        FigureField(
            "flagged_share",
            "Flagged attempts",
            "share",
            _flagged_share,
            per_task=False,
            has_interval=True,
        ),
        lambda row: {"flagged": row.flagged},
    ),
)

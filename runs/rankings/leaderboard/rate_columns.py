"""The columns of the leaderboard about resolved attempts: pass@1, pass@k, and the score after corrections."""

from __future__ import annotations

from dataclasses import replace

from runs.presentation.formatting.numbers import counted, percent, points, whole_percent
from runs.rankings.leaderboard.column import (
    BoardRow,
    CellText,
    Column,
    FigureField,
    interval_text,
    missing,
    rate_cell,
    with_interval,
)


def _pass_1(row: BoardRow) -> CellText:
    return replace(
        rate_cell(row.standing.pass_1, _claims_of_rate(row)),
        warning="; ".join(one.sentence for one in row.findings),
    )


def _claims_of_rate(row: BoardRow) -> str:
    """What the interval of pass@1 is about, and the estimate for other repositories."""
    found = row.standing.elsewhere
    other = f"none, {found.reason}" if found.value is None else with_interval(found)
    return f"95 % interval on tasks of these repositories; pass@1 on other repositories: {other}"


def _corrected(row: BoardRow) -> CellText:
    corrected = row.standing.corrected
    if corrected.value is None:
        return missing(corrected.reason)
    ends = corrected.interval
    return CellText(
        percent(corrected.value),
        f"{whole_percent(ends.low)} % to {whole_percent(ends.high)} %" if ends else "",
    )


def _pass_k(row: BoardRow) -> CellText:
    if row.standing.pass_k is None:
        attempts = f"{row.standing.fewest_attempts} of {row.k} attempts at a task"
        return CellText("n too small", attempts, muted=True)
    return rate_cell(row.standing.pass_k)


def _retry_gain(row: BoardRow) -> CellText:
    gain = row.standing.retry_benefit
    if gain.value is None:
        return missing(gain.reason)
    return CellText(points(gain.value), interval_text(gain.interval), f"n {counted(gain.n, 'task')}")


PASS_1 = Column(
    key="pass1",
    title="pass@1",
    heading="Solved per attempt",
    under="95 % interval",
    kind="rate",
    hint="pass@1: chance that one attempt resolves a task, with its interval on tasks of these repositories",
    method="pass-rate",
    text=_pass_1,
    fields=(
        FigureField("pass_at_1", "pass@1", "share", lambda row: row.standing.pass_1, has_interval=True),
        FigureField(
            "pass_at_1_on_other_repositories",
            "pass@1 on other repositories",
            "share",
            lambda row: row.standing.elsewhere,
            has_interval=True,
            method="other-repositories",
        ),
        lambda row: {"printed_otherwise": "; ".join(one.sentence for one in row.findings) or None},
    ),
)

CORRECTED = Column(
    key="corrected",
    title="Corrected",
    under="95 % interval",
    kind="word",
    hint="pass@1 after the verdicts were judged: an incorrect one counts as its opposite",
    method="corrected-score",
    order=lambda row: row.standing.corrected.value,
    text=_corrected,
    fields=(
        FigureField(
            "corrected_pass_at_1",
            "pass@1 after verdicts were judged",
            "share",
            lambda row: row.standing.corrected,
            has_interval=True,
        ),
    ),
)

PASS_K = Column(
    key="passk",
    title="pass@{k}",
    heading="Solved in {k} attempts",
    under="95 % interval",
    kind="rate",
    hint="Chance that one of {k} attempts resolves a task",
    method="pass-rate",
    with_retries=True,
    text=_pass_k,
    fields=(
        lambda row: {"k": row.k},
        FigureField(
            "pass_at_k",
            "pass@k",
            "share",
            lambda row: row.standing.pass_k,
            reason="not every task has k attempts",
            has_interval=True,
        ),
    ),
)

RETRY_GAIN = Column(
    key="retry",
    title="Retry gain",
    under="in points",
    hint="pass@{k} less pass@1, in percentage points",
    method="retry-benefit",
    with_retries=True,
    essential=False,
    text=_retry_gain,
    fields=(
        FigureField(
            "retry_benefit",
            "Retry benefit: pass@k − pass@1",
            "share",
            lambda row: row.standing.retry_benefit,
            has_interval=True,
        ),
    ),
)

BY_REPOSITORY = Column(
    key="strip",
    title="By repository",
    under="solved per attempt, %",
    kind="strip",
    method="pass-rate",
    fields=(lambda row: {f"pass_at_1_in_{one.repository}": one.value for one in row.standing.repositories},),
)

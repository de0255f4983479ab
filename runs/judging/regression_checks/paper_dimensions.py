"""The paper's flags of dimensions: from the scores of compared pairs, and from the alert of the judge itself.

They are shown and never cause an alarm: the paper's own judge calls all five dimensions of its example alarming.
"""

from __future__ import annotations

from dataclasses import dataclass

from runs.analysis.regression.pair_scores import PairScore, compared_dimensions
from runs.data.run_facts.judged_scores import dimension_title
from runs.models import JudgeSummary, JudgeWork, JudgingPass, RunComparison
from runs.models.judge_summary import WHOLE


@dataclass(frozen=True, slots=True)
class PaperDimension:
    """One dimension. `value`: the mean score ÷ 5, negative if the anchor is better; `p`: not corrected.

    `judge_alert` None: the judge gave none, and `reason` says why; the flags are then those of the scores alone.
    """

    title: str
    pairs: int
    value: float | None
    p: float | None
    score_alert: bool
    judge_alert: bool | None
    reason: str
    warning: bool
    alert: bool


def paper_dimensions(compared: JudgingPass) -> list[PaperDimension]:
    """The flags of all dimensions of a pass that compared the anchor's runs, as the first, with new ones."""
    rows = RunComparison.objects.filter(judging_pass=compared, state=JudgeWork.State.DONE)
    scores = [
        PairScore(
            dimension=row.dimension,
            scenario=f"{row.run_one.task.repository_id}/{row.run_one.task.scenario or row.run_one.task.slug}",
            pair=f"{row.run_one_id} {row.run_two_id}",
            score=row.score or 0,
            flipped=row.flipped,
        )
        for row in rows.select_related("run_one__task").order_by("pk")
    ]
    alerts = {name: judge_alert(compared, name) for name in compared.panel.dimensions}
    known = {name: alert for name, (alert, _) in alerts.items() if alert is not None}
    found = {row.dimension: row for row in compared_dimensions(scores, known)}
    shown = []
    for name, (alert, reason) in alerts.items():
        row = found.get(name)
        flags = row.paper.flags if row else None
        shown.append(
            PaperDimension(
                title=dimension_title(name),
                pairs=row.paper.value.n if row else 0,
                value=row.paper.value.value if row else None,
                p=row.paper.p.value if row else None,
                score_alert=bool(row and row.paper.score_alert),
                judge_alert=alert,
                reason=reason,
                warning=flags.warning if flags else bool(alert),
                alert=bool(flags and flags.alert),
            )
        )
    return shown


def judge_alert(compared: JudgingPass, dimension: str) -> tuple[bool | None, str]:
    """Whether the judge calls the difference alarming, in any dataset; None, and why, without its answer."""
    summaries = JudgeSummary.objects.filter(judging_pass=compared).exclude(dimension=WHOLE)
    own = list(summaries.filter(dimension=dimension).order_by("pk"))
    alerts = [each.alert for each in own if each.state == JudgeWork.State.DONE and each.alert is not None]
    if alerts:
        return any(alerts), ""
    if own:
        return None, f"{own[0].get_state_display().lower()}: {own[0].reason}"
    return None, "too few pairs of runs for a summary"

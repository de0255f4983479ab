"""How two agents differ, in a judge's words: of each dataset and dimension the newest summary of their comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from runs.judging.judge_summaries.shown_summaries import groups_of, sources_of, title_of
from runs.models import Agent, JudgeSummary, JudgeWork, Panel, SummaryGroup, SummarySource
from runs.models.judge_summary import WHOLE
from runs.models.open_rows import without_hidden


@dataclass(frozen=True, slots=True)
class ShownPairGroup:
    """What some pairs of runs have in common. `count`: "k of n"; `first`, `ties`, `second`: of these, by better run.

    `pairs`: the numbers of both runs, first that of the page's agent A.
    """

    title: str
    claim: str
    count: str
    first: int
    ties: int
    second: int
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """A summary of one dimension, or of the whole with `text`. `reason`: why there is none, and no alert.

    `first` and `second` are the agents as the judge knew them: its first agent may be the page's B.
    """

    dimension: str
    title: str
    dataset: str
    judge: str
    first: str
    second: str
    alert: bool | None
    reason: str
    text: str
    groups: tuple[ShownPairGroup, ...]


def differences_of(one: Agent, two: Agent, panel: Panel) -> list[ShownDifference]:
    """The newest ended summaries of comparisons of two agents by a panel, the whole first. Three queries."""
    either = Q(agent=one, other_agent=two) | Q(agent=two, other_agent=one)
    rows = without_hidden(
        JudgeSummary.objects.filter(either, judge__panel=panel).exclude(
            state__in=(*JudgeWork.OPEN, JudgeWork.State.CANCELLED)
        )
    ).select_related("judge", "dataset", "agent", "other_agent")
    newest = {(row.dataset_id, row.dimension): row for row in rows.order_by("judging_pass_id", "pk")}
    sources, groups = sources_of(list(newest.values())), groups_of(list(newest.values()))
    order = {name: place for place, name in enumerate((WHOLE, *panel.dimensions))}
    shown = [
        _shown_difference(row, groups[row.pk], sources[row.pk], swapped=row.agent_id == two.pk)
        for row in newest.values()
    ]
    return sorted(shown, key=lambda each: (order.get(each.dimension, len(order)), each.dataset))


def _shown_difference(
    row: JudgeSummary,
    groups: list[SummaryGroup],
    sources: Mapping[int, SummarySource],
    *,
    swapped: bool,
) -> ShownDifference:
    done = row.state == JudgeWork.State.DONE
    assert row.other_agent is not None, "differences are those of two agents"
    return ShownDifference(
        dimension=row.dimension,
        title=title_of(row),
        dataset=row.dataset.title,
        judge=row.judge.name,
        first=row.agent.name,
        second=row.other_agent.name,
        alert=row.alert if done else None,
        reason="" if done else f"{row.get_state_display().lower()}: {row.reason}",
        text=row.text if done else "",
        groups=tuple(_group(row, group, sources, swapped=swapped) for group in groups) if done else (),
    )


def _group(
    row: JudgeSummary, group: SummaryGroup, sources: Mapping[int, SummarySource], *, swapped: bool
) -> ShownPairGroup:
    own = [sources[number] for number in group.numbers if number in sources]
    scores = [source.score or 0 for source in own]
    pairs = [(source.run_id, source.other_run_id) for source in own if source.other_run_id is not None]
    return ShownPairGroup(
        group.title,
        group.claim,
        f"{len(group.numbers)} of {row.shown}",
        sum(score < 0 for score in scores),
        sum(score == 0 for score in scores),
        sum(score > 0 for score in scores),
        tuple((two, one) if swapped else (one, two) for one, two in pairs),
    )

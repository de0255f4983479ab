"""The summaries that reports show: of each agent and dataset, those of the newest pass over exactly these runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from runs.data.run_facts.judged_scores import dimension_title
from runs.models import JudgeReview, JudgeSummary, JudgeWork, Panel, Run, SummaryGroup, SummarySource
from runs.models.judge_summary import WHOLE
from runs.models.open_rows import without_hidden

OUTDATED = "a run was tried again since; judge the runs again"
Place = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """What some runs have in common. `count`: "k of n", from the list; `places`: (run, step) or (run,)."""

    title: str
    claim: str
    count: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class ShownSummary:
    """A summary of one dimension, with `groups`, or of the whole, with `text`. `reason`: why there is none.

    `agent`: its number; `dataset`: its slug.
    """

    agent: int
    dataset: str
    dimension: str
    title: str
    judge: str
    reason: str
    text: str
    groups: tuple[ShownGroup, ...]


def summaries_of(runs: QuerySet[Run], panel: Panel) -> list[ShownSummary]:
    """The ended summaries of these runs' reviews by a panel, by agent and dataset, the whole first. Six queries."""
    tries = dict(runs.order_by().values_list("pk", "tries"))
    rows = _ended(runs, panel)
    sources = sources_of(rows)
    topics: dict[tuple[int, int], dict[int, list[JudgeSummary]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        topics[row.agent_id, row.dataset_id][row.judging_pass_id].append(row)
    groups = groups_of(rows)
    found = []
    for _, passes in sorted(topics.items()):
        named = {
            each: [source for row in passes[each] for source in sources[row.pk].values()] for each in passes
        }
        fitting = [each for each in passes if all(source.run_id in tries for source in named[each])]
        if fitting:
            outdated = any(source.run_try != tries[source.run_id] for source in named[max(fitting)])
            for row in passes[max(fitting)]:
                found.append(_shown(row, groups[row.pk], sources[row.pk], OUTDATED if outdated else ""))
    order = {name: place for place, name in enumerate((WHOLE, *panel.dimensions))}
    return sorted(found, key=lambda each: (each.agent, each.dataset, order.get(each.dimension, len(order))))


def summaries_version(runs: QuerySet[Run]) -> tuple[object, ...]:
    """Changes whenever a summary of a pass over some of these runs does. One query."""
    passes = without_hidden(JudgeReview.objects.filter(run__in=runs)).order_by().values("judging_pass")
    found = without_hidden(JudgeSummary.objects.filter(judging_pass__in=passes)).order_by()
    states = found.aggregate(
        n=Count("pk"),
        last=Max("pk"),
        at=Max("finished_at"),
        open=Count("pk", filter=Q(state__in=JudgeWork.OPEN)),
    )
    return tuple(states.values())


def _ended(runs: QuerySet[Run], panel: Panel) -> list[JudgeSummary]:
    reviewed = without_hidden(JudgeReview.objects.filter(judge__panel=panel, run__in=runs)).order_by()
    rows = without_hidden(
        JudgeSummary.objects.filter(
            judging_pass__in=reviewed.values("judging_pass"),
            agent__in=runs.order_by().values("agent"),
            other_agent=None,
        ).exclude(state__in=(*JudgeWork.OPEN, JudgeWork.State.CANCELLED))
    )
    return list(rows.select_related("judge", "dataset").order_by("pk"))


def sources_of(rows: Sequence[JudgeSummary]) -> dict[int, dict[int, SummarySource]]:
    """What each summary, by its row, was made of, by number. One query."""
    found: dict[int, dict[int, SummarySource]] = defaultdict(dict)
    for source in without_hidden(SummarySource.objects.filter(summary__in=[row.pk for row in rows])):
        found[source.summary_id][source.number] = source
    return found


def groups_of(rows: Sequence[JudgeSummary]) -> dict[int, list[SummaryGroup]]:
    """The groups of each summary, by its row, in their order. One query."""
    found: dict[int, list[SummaryGroup]] = defaultdict(list)
    of_rows = without_hidden(SummaryGroup.objects.filter(summary__in=[row.pk for row in rows]))
    for group in of_rows.order_by("summary", "place"):
        found[group.summary_id].append(group)
    return found


def title_of(row: JudgeSummary) -> str:
    """The title of the summary's dimension."""
    return "All dimensions" if row.dimension == WHOLE else dimension_title(row.dimension)


def _shown(
    row: JudgeSummary, groups: Sequence[SummaryGroup], sources: Mapping[int, SummarySource], outdated: str
) -> ShownSummary:
    done = row.state == JudgeWork.State.DONE
    reason = outdated if done else f"{row.get_state_display().lower()}: {row.reason}"
    shown = [
        ShownGroup(
            group.title,
            group.claim,
            f"{len(group.numbers)} of {row.shown}",
            tuple(_place(sources[number]) for number in group.numbers if number in sources),
        )
        for group in groups
    ]
    return ShownSummary(
        agent=row.agent_id,
        dataset=row.dataset.slug,
        dimension=row.dimension,
        title=title_of(row),
        judge=row.judge.name,
        reason=reason,
        text="" if reason else row.text,
        groups=() if reason else tuple(shown),
    )


def _place(source: SummarySource) -> Place:
    return (source.run_id,) if source.step is None else (source.run_id, source.step)

"""Success by repository: small charts of equal size, and a table."""

from __future__ import annotations

from collections import defaultdict

from runs.analysis.estimate import Estimate
from runs.analysis.facts import sift
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.solved import scores_of
from runs.presentation.charts.axis import Axis, Tick
from runs.presentation.charts.small_multiples import ChartPanel, PanelMark, SmallMultiples
from runs.presentation.formatting.numbers import bounds, counted, percent
from runs.reporting.topics.section_parts import matrix, one_picture
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, TableColumn

MAX_PANELS = 12
_NOT_TRIED = "no graded attempt in this repository"
_SHARES = Axis("solved per attempt", 0.0, 1.0, (Tick(0.0, "0"), Tick(0.5, "50 %"), Tick(1.0, "100 %")))


def repositories_section(data: TopicData) -> ResultSection:
    """pass@1 of every agent in every repository, those with most tasks first."""
    scores = scores_of(sift(data.runs).usable)
    agents = [one.agent for one in data.outcomes.agents if one.agent in scores]
    theirs: dict[tuple[str, str], list[TaskScore]] = defaultdict(list)
    tasks: dict[str, set[str]] = defaultdict(set)
    for agent, scored in scores.items():
        for task, score in scored.items():
            repository = task.partition("/")[0]
            theirs[agent, repository].append(score)
            tasks[repository].add(task)
    order = sorted(tasks, key=lambda repository: (-len(tasks[repository]), repository))
    rates = {key: pass_rate(made) for key, made in theirs.items()}

    def rate(agent: str, repository: str) -> Estimate:
        return rates.get((agent, repository)) or Estimate.unknown(_NOT_TRIED)

    panels = tuple(
        ChartPanel(
            data.repository(each),
            f"n {len(tasks[each])}",
            tuple(_mark(data, agent, rate(agent, each)) for agent in agents),
        )
        for each in order[:MAX_PANELS]
    )
    several = len(order) > 1
    shown = (
        f"The {len(panels)} repositories with most tasks" if len(order) > MAX_PANELS else "Each repository"
    )
    return ResultSection(
        "by-repository",
        "Success by repository",
        "Agents stand from left to right in the order of the whole board, the best first, in each little chart: where "
        "that order holds the dots fall from left to right. Lines are 95 % intervals; n counts tasks.",
        ("repository-rates",),
        one_picture(
            "by-repository-chart",
            f"{shown}: the share of attempts that solve a task, of {counted(len(agents), 'agent')}.",
            SmallMultiples(panels, _SHARES) if several and agents else None,
        ),
        matrix(
            "by-repository",
            "Solved per attempt, by agent and repository",
            agents,
            [(each, data.repository(each)) for each in order],
            rate,
            head=TableColumn("agent", "Agent", "agent"),
            shown=several,
        ),
        "All tasks are of one repository." if order else "No agent has a graded attempt.",
    )


def _mark(data: TopicData, agent: str, rate: Estimate) -> PanelMark:
    return PanelMark(
        rate.value, *bounds(rate), (data.chart_name(agent), f"{percent(rate.value)}, n {rate.n:,}")
    )

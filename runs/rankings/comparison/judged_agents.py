"""Two agents by judges: each dimension with its test, flips, and the aspects that judges named, with their runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Q, QuerySet

from runs.analysis.regression.pair_scores import ComparedDimension, PairScore, compared_dimensions
from runs.analysis.regression.paired_use import PairedRun, UseRow, paired_quantities, paired_tools
from runs.data.cache.results import cached
from runs.data.run_facts.facts_query import run_facts
from runs.judging.judge_summaries.shown_differences import ShownDifference, differences_of
from runs.judging.reviews.comparison_pairs import agent_pairs
from runs.models import Agent, JudgingPass, Panel, Run, RunComparison
from runs.models.open_rows import without_hidden
from runs.rankings.comparison.shown_comparisons import TIE, ShownComparison, shown, title_of

MAX_ASPECTS = 12  # of a dimension
MAX_FLIPS = 100
MAX_COMPARISONS = 5_000
MAX_PAIRS = 1_000  # whose counted trajectories a page reads
TITLES = {
    "price": "Price",
    "seconds": "Time",
    "tokens_per_second": "Tokens a second",
    "tool_calls": "Tool calls",
    "completion_tokens": "Generated tokens",
    "cache_hits": "Prompt tokens from a cache",
    "parallel_calls": "Calls per step with a call",
}


@dataclass(slots=True)
class AspectGroup:
    """An aspect of one dimension: the comparisons in which it speaks for A, for B, or for neither, each once."""

    aspect: str
    a: list[ShownComparison] = field(default_factory=list)
    tie: list[ShownComparison] = field(default_factory=list)
    b: list[ShownComparison] = field(default_factory=list)

    @property
    def count(self) -> int:
        """In how many comparisons it is named."""
        return len({each.row.pk for each in (*self.a, *self.tie, *self.b)})

    @property
    def sides(self) -> tuple[list[ShownComparison], list[ShownComparison], list[ShownComparison]]:
        """For A, for neither, for B."""
        return self.a, self.tie, self.b


@dataclass(frozen=True, slots=True)
class DimensionOfPair:
    """One dimension. `without_score`: comparisons that ended without one, by state; `aspects`: the commonest first.

    `judge_alert` None: the judge gave none.
    """

    title: str
    found: ComparedDimension | None
    without_score: Sequence[tuple[str, int]]
    aspects: Sequence[AspectGroup]
    more_aspects: int
    judge_alert: bool | None = None


@dataclass(frozen=True, slots=True)
class JudgedAgents:
    """Two agents by one panel. `flips`: comparisons whose two orders had opposite winners. `cut`: not all are read.

    `differences`: what judges wrote about all comparisons.
    """

    panel: Panel
    dimensions: Sequence[DimensionOfPair]
    flips: Sequence[ShownComparison]
    pairs: int
    cut: bool
    differences: Sequence[ShownDifference] = ()


def panels_of(one: Agent, two: Agent) -> list[Panel]:
    """The panels that compared runs of these agents which everybody may see, the one of the latest pass first."""
    passes = JudgingPass.objects.filter(comparisons__in=_rows(one, two)).select_related("panel")
    return list({each.panel_id: each.panel for each in passes.order_by("-created_at", "-pk")}.values())


def judged_agents(one: Agent, two: Agent, panel: Panel) -> JudgedAgents:
    """The comparisons of two agents by a panel, of runs that everybody may see. `one` is A."""
    rows = _rows(one, two).filter(judging_pass__panel=panel)
    some = rows.filter(pk__in=list(rows.order_by("-pk").values_list("pk", flat=True)[:MAX_COMPARISONS]))
    found = shown(some, lambda row: row.run_one.agent_id == two.pk)
    scored = [each for each in found if each.score is not None]
    differences = differences_of(one, two, panel)
    alerts: dict[str, bool] = {}
    for written in differences:
        if written.alert is not None:
            alerts[written.dimension] = alerts.get(written.dimension, False) or written.alert
    results = {row.dimension: row for row in compared_dimensions(map(_score, scored), alerts)}
    names = list(dict.fromkeys(each.row.dimension for each in found))
    return JudgedAgents(
        panel,
        [replace(_dimension(name, results.get(name), found), judge_alert=alerts.get(name)) for name in names],
        [each for each in scored if each.row.flipped][:MAX_FLIPS],
        len({(each.first.pk, each.second.pk) for each in found}),
        rows.count() > MAX_COMPARISONS,
        differences,
    )


def _rows(one: Agent, two: Agent) -> QuerySet[RunComparison]:
    either = Q(run_one__agent=one, run_two__agent=two) | Q(run_one__agent=two, run_two__agent=one)
    return without_hidden(RunComparison.objects.filter(either))


def _score(each: ShownComparison) -> PairScore:
    return PairScore(
        dimension=each.row.dimension,
        scenario=_scenario(each.first),
        pair=f"{each.first.pk} {each.second.pk}",
        score=each.score or 0,
        flipped=each.row.flipped,
    )


def _dimension(
    name: str, found: ComparedDimension | None, comparisons: Iterable[ShownComparison]
) -> DimensionOfPair:
    own = [each for each in comparisons if each.row.dimension == name]
    missing: dict[str, int] = defaultdict(int)
    for each in own:
        if each.score is None:
            missing[RunComparison.State(each.row.state).label.lower()] += 1
    groups = _aspects(own)
    return DimensionOfPair(
        title_of(name),
        found,
        sorted(missing.items()),
        groups[:MAX_ASPECTS],
        max(0, len(groups) - MAX_ASPECTS),
    )


def _aspects(comparisons: Iterable[ShownComparison]) -> list[AspectGroup]:
    """Aspects with the same words, whatever their case; struck quotes count as well: it is the judge's claim."""
    groups: dict[str, AspectGroup] = {}
    for each in comparisons:
        named: set[tuple[str, str]] = set()
        for order in each.orders:
            for line in order.lines:
                words = " ".join(line.line.aspect.split())
                key = words.casefold()
                if (key, line.winner) in named:
                    continue
                named.add((key, line.winner))
                group = groups.setdefault(key, AspectGroup(words))
                {"A": group.a, "B": group.b, TIE: group.tie}[line.winner].append(each)
    return sorted(groups.values(), key=lambda group: (-group.count, group.aspect))


@dataclass(frozen=True, slots=True)
class AgentUse:
    """Two agents over `pairs` paired runs of open datasets. `cut`: they have more, of which the first ones count."""

    pairs: int
    cut: bool
    quantities: Sequence[UseRow]
    tools: Sequence[UseRow]

    @property
    def unknown(self) -> list[UseRow]:
        """The quantities that no pair has of both runs."""
        return [row for row in self.quantities if not row.pairs]


def agent_use(one: Agent, two: Agent) -> AgentUse:
    """What both agents used, of runs that everybody may see."""
    return cached("paired-use", f"{one.pk} {two.pk}", lambda: _agent_use(one, two))


def _agent_use(one: Agent, two: Agent) -> AgentUse:
    pairs = agent_pairs(one, two, without_hidden(Run.objects.all()))
    read = pairs[:MAX_PAIRS]
    numbers = [run.pk for pair in read for run in pair]
    known = run_facts(without_hidden(Run.objects.filter(pk__in=numbers)), with_behaviour=True)
    facts = {each.run: each for each in known}
    paired = [
        PairedRun(_scenario(first), facts[first.pk], facts[second.pk])
        for first, second in read
        if first.pk in facts and second.pk in facts
    ]
    return AgentUse(len(paired), len(pairs) > MAX_PAIRS, paired_quantities(paired), paired_tools(paired))


def _scenario(run: Run) -> str:
    return f"{run.task.repository_id}/{run.task.scenario or run.task.slug}"

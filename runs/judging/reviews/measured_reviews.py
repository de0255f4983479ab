"""All reviews and comparisons that readers may see, in the form in which judges are measured."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from harness.errors import ConfigurationError
from harness.judges.panel import JudgeParameters
from runs.data.cache.digests import text_digest
from runs.data.cache.results import keyed_version
from runs.judging.reviews.panel_specs import panel_spec, read_parameters
from runs.models import (
    ComparisonOrder,
    JudgeReview,
    LanguageModel,
    Panel,
    PanelJudge,
    ReviewEvidence,
    RunComparison,
)
from runs.models.open_rows import with_fault_catalogue, without_hidden

MAX_REVIEWS = 100_000  # the newest ones
_FIELDS = (
    *("pk", "key", "judge_id", "dimension", "sample", "state", "score"),
    *("reused", "spent_usd", "cost_unknown", "seconds", "asks"),
    *("run_id", "run__key", "run__agent__model_id"),
    *("run__task_id", "run__task__scenario", "run__task__repository_id"),
)
_COMPARED = (
    *("pk", "judge_id", "dimension", "sample", "run_one_id", "run_two_id"),
    *("run_one__task_id", "run_one__task__scenario", "run_one__task__repository_id"),
)


@dataclass(frozen=True, slots=True)
class KnownJudge:
    """A model with its parameters and prompts. Another of them makes another judge, whatever panels call it.

    `label`: its model's name, with a digest where judges share one. `parameters`: those unlike the default. `prompts`:
    '' for those of this version; else the digest of the panel that has others. `names`: in panels.
    """

    label: str
    model: LanguageModel
    family: str
    parameters: Mapping[str, Any]
    prompts: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeasuredReview:
    """One review that ended, by the judge with this label. `cost_usd` None: unknown. `run`: its key.

    `scenario`: what is independent of other runs: that of the run's task, or the task.
    """

    judge: str
    dimension: str
    run: str
    scenario: str
    sample: int
    state: str
    score: float | None
    quotes: int
    struck: int
    asks: int
    cost_usd: float | None
    seconds: float
    agent_family: str


@dataclass(frozen=True, slots=True)
class MeasuredComparison:
    """A comparison of two runs by the judge with this label, who was asked in both orders.

    `first` and `second`: the scores with the first and the second run shown first, negative if the run shown first is
    better; None without an answer. `runs`: their numbers.
    """

    pk: int
    judge: str
    dimension: str
    scenario: str
    runs: tuple[int, int]
    first: int | None
    second: int | None


@dataclass(frozen=True, slots=True)
class MeasuredReviews:
    """The reviews with their judges, and the comparisons. `left_out`: older reviews that are not among them."""

    judges: tuple[KnownJudge, ...]
    reviews: tuple[MeasuredReview, ...]
    comparisons: tuple[MeasuredComparison, ...]
    left_out: int


def measured_reviews() -> MeasuredReviews:
    """The newest review of each judge, run, dimension and sample; one with a score before one without.

    `judges` are those with a review; comparisons may be by others.
    """
    rows = list(_ended().order_by("-pk").values_list(*_FIELDS, named=True)[:MAX_REVIEWS])
    compared = list(_compared().order_by("-pk").values_list(*_COMPARED, named=True)[:MAX_REVIEWS])
    judges = _judges({row.judge_id for row in (*rows, *compared)})
    paid = {row.key: row for row in rows if not row.reused}
    families = _families()
    quotes = _quotes(rows[-1].pk if rows else 0)
    chosen: dict[tuple[str, str, int, int], Any] = {}
    for row in rows:
        place = (judges[row.judge_id].label, row.dimension, row.run_id, row.sample)
        if place not in chosen or (chosen[place].score is None and row.score is not None):
            chosen[place] = row
    reviews = []
    for (label, *_), row in chosen.items():
        asked = paid.get(row.key, row) if row.reused else row
        known = not (asked.reused or asked.cost_unknown)
        count, struck = quotes.get(row.pk, (0, 0))
        reviews.append(
            MeasuredReview(
                label,
                row.dimension,
                row.run__key,
                scenario_name(row.run__task_id, row.run__task__scenario, row.run__task__repository_id),
                row.sample,
                row.state,
                row.score,
                count,
                struck,
                row.asks,
                asked.spent_usd if known else None,
                row.seconds,
                families.get(row.run__agent__model_id, ""),
            )
        )
    unique = {judge.label: judge for judge in (judges[row.judge_id] for row in rows)}
    left_out = _ended().count() - len(rows) if len(rows) == MAX_REVIEWS else 0
    return MeasuredReviews(
        tuple(unique[label] for label in sorted(unique)),
        tuple(reviews),
        tuple(_comparisons(compared, judges)),
        left_out,
    )


def _comparisons(rows: Sequence[Any], judges: Mapping[int, KnownJudge]) -> Iterator[MeasuredComparison]:
    """The newest of each judge, pair of runs, dimension and sample."""
    orders = without_hidden(ComparisonOrder.objects.filter(comparison__gte=rows[-1].pk if rows else 0))
    scores = {
        (comparison, shown_first): score
        for comparison, shown_first, score in orders.values_list("comparison", "shown_first", "score")
    }
    seen = set()
    for row in rows:
        label = judges[row.judge_id].label
        place = (label, row.dimension, row.run_one_id, row.run_two_id, row.sample)
        if place in seen:
            continue
        seen.add(place)
        second = scores.get((row.pk, 2))
        yield MeasuredComparison(
            row.pk,
            label,
            row.dimension,
            scenario_name(
                row.run_one__task_id, row.run_one__task__scenario, row.run_one__task__repository_id
            ),
            (row.run_one_id, row.run_two_id),
            scores.get((row.pk, 1)),
            None if second is None else -second,  # rows have the score for the first run
        )


def scenario_name(task: int, scenario: str, repository: int) -> str:
    """What is independent of the runs at other tasks: the scenario of a task, or the task, with their numbers."""
    return f"scenario {scenario} of {repository}" if scenario else f"task {task}"


def reviews_version() -> str:
    """Changes whenever one of these reviews does, or what judges are called."""
    sums = _ended().aggregate(n=Count("pk"), newest=Max("pk"), at=Max("finished_at"))
    judges = PanelJudge.objects.order_by("pk").values_list(
        "pk", "name", "family", "model__name", "panel__digest"
    )
    compared = _compared().aggregate(n=Count("pk"), newest=Max("pk"), at=Max("finished_at"))
    return keyed_version(repr((sums, compared, list(judges))))


def _ended() -> QuerySet[JudgeReview]:
    """Those of the present try of each run, and those that ended without an answer."""
    ended = with_fault_catalogue(JudgeReview.objects.all()).exclude(
        state__in=(*JudgeReview.OPEN, JudgeReview.State.CANCELLED)
    )
    return ended.filter(Q(run_try=0) | Q(run_try=F("run__tries")))


def _compared() -> QuerySet[RunComparison]:
    """The comparisons of present tries that ended, and for which a judge was asked."""
    ended = without_hidden(RunComparison.objects.filter(computed=False)).exclude(
        state__in=(*RunComparison.OPEN, RunComparison.State.CANCELLED)
    )
    return ended.filter(
        Q(try_one=0) | Q(try_one=F("run_one__tries")), Q(try_two=0) | Q(try_two=F("run_two__tries"))
    )


def _judges(keys: Iterable[int]) -> Mapping[int, KnownJudge]:
    """The judges by the numbers of their rows in panels."""
    rows = list(PanelJudge.objects.filter(pk__in=keys).select_related("model", "panel").order_by("pk"))
    groups: dict[tuple[str, ...], list[PanelJudge]] = defaultdict(list)
    prompts = {panel.pk: _prompts(panel) for panel in {row.panel for row in rows}}
    for row in rows:
        values = json.dumps(_parameters(row), sort_keys=True)
        groups[row.model.litellm_id, row.model.api_base, values, prompts[row.panel_id]].append(row)
    shared = Counter(members[0].model.name for members in groups.values())
    found: dict[int, KnownJudge] = {}
    default = JudgeParameters().to_json()
    for identity, members in groups.items():
        first = members[0]
        name = first.model.name
        judge = KnownJudge(
            label=name if shared[name] == 1 else f"{name} ({text_digest(*identity)[:6]})",
            model=first.model,
            family=_family(first),
            parameters={key: value for key, value in _parameters(first).items() if default.get(key) != value},
            prompts=identity[3],
            names=tuple(dict.fromkeys(member.name for member in members)),
        )
        found |= {member.pk: judge for member in members}
    return found


def _parameters(judge: PanelJudge) -> Mapping[str, Any]:
    try:
        return read_parameters(judge.parameters).to_json()
    except ConfigurationError:  # of an imported judge
        return judge.parameters


def _prompts(panel: Panel) -> str:
    """'' if the panel asks with the prompts of this version; else a part of its digest."""
    try:
        current = panel_spec(panel).prompt_digest
    except ConfigurationError:
        current = ""
    return "" if panel.digest == current else panel.digest[:8] or "unknown"


def _family(judge: PanelJudge) -> str:
    return (judge.family or judge.model.provider).strip().casefold()


def _families() -> Mapping[int, str]:
    """The families of all models by their numbers: as a panel names it, else the provider's."""
    named = {
        judge.model_id: _family(judge)
        for judge in PanelJudge.objects.exclude(family="").select_related("model")
    }
    providers = LanguageModel.objects.values_list("pk", "provider")
    return {pk: provider.strip().casefold() for pk, provider in providers} | named


def _quotes(oldest: int) -> Mapping[int, tuple[int, int]]:
    """How many quotes each review has, and how many of them are struck."""
    lines = with_fault_catalogue(ReviewEvidence.objects.filter(review__gte=oldest)).order_by()
    counted: Sequence[tuple[int, int, int]] = list(
        lines.values_list("review").annotate(
            n=Count("pk"), struck=Count("pk", filter=Q(status=ReviewEvidence.Status.UNVERIFIED))
        )
    )
    return {review: (n, struck) for review, n, struck in counted}

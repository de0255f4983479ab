"""All reviews that readers may see, in the form in which judges are measured."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from harness.errors import ConfigurationError
from harness.judges.panel import JudgeParameters
from runs.cache.digests import text_digest
from runs.cache.results import keyed_version
from runs.models import JudgeReview, LanguageModel, Panel, PanelJudge, ReviewEvidence
from runs.models.open_rows import with_fault_catalogue
from runs.reviews.panel_specs import panel_spec, read_parameters

MOST_REVIEWS = 100_000  # the newest ones
_FIELDS = (
    *("pk", "key", "judge_id", "dimension", "sample", "state", "score"),
    *("reused", "spent_usd", "cost_unknown", "seconds", "asks"),
    *("run_id", "run__key", "run__task_id", "run__agent__model_id"),
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
    """One review that ended, by the judge with this label. `cost_usd` None: unknown. `run`: its key."""

    judge: str
    dimension: str
    run: str
    task: int
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
class MeasuredReviews:
    """The reviews with their judges. `left_out`: how many older reviews are not among them."""

    judges: tuple[KnownJudge, ...]
    reviews: tuple[MeasuredReview, ...]
    left_out: int


def measured_reviews() -> MeasuredReviews:
    """The newest review of each judge, run, dimension and sample; one with a score before one without."""
    rows = list(_ended().order_by("-pk").values_list(*_FIELDS, named=True)[:MOST_REVIEWS])
    judges = _judges({row.judge_id for row in rows})
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
                row.run__task_id,
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
    unique = {judge.label: judge for judge in judges.values()}
    left_out = _ended().count() - len(rows) if len(rows) == MOST_REVIEWS else 0
    return MeasuredReviews(tuple(unique[label] for label in sorted(unique)), tuple(reviews), left_out)


def reviews_version() -> str:
    """Changes whenever one of these reviews does, or what judges are called."""
    sums = _ended().aggregate(n=Count("pk"), newest=Max("pk"), at=Max("finished_at"))
    judges = PanelJudge.objects.order_by("pk").values_list(
        "pk", "name", "family", "model__name", "panel__digest"
    )
    return keyed_version(repr((sums, list(judges))))


def _ended() -> QuerySet[JudgeReview]:
    """Those of the present try of each run, and those that ended without an answer."""
    ended = with_fault_catalogue(JudgeReview.objects.all()).exclude(
        state__in=(*JudgeReview.OPEN, JudgeReview.State.CANCELLED)
    )
    return ended.filter(Q(run_try=0) | Q(run_try=F("run__tries")))


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

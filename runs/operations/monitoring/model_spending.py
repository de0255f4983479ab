"""What this site paid for calls of language models, by model and day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate

from runs.data.queries.visibility import Reader, visible
from runs.models import (
    GenerationJob,
    JudgeReview,
    JudgeSummary,
    LanguageModel,
    RecallProbe,
    RunComparison,
    Try,
)

RUNS, JUDGES, TASKS = "runs", "judges", "tasks"


@dataclass(slots=True)
class ModelSpending:
    """The known cost of one model in US dollars, by day in UTC.

    `unknown`: how many tries, answers of judges, replies in generations of tasks and recall probes had an unknown cost,
    which is in no sum. `doubtful`: the most that calls without a response may have cost, in addition. `uses`: dollars
    by use: RUNS, JUDGES, or TASKS for generations and probes. `unknown_days`, `unknown_uses`: those of what is unknown.
    """

    model: LanguageModel
    days: dict[date, float] = field(default_factory=lambda: defaultdict(float))
    uses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    unknown: int = 0
    doubtful: float = 0.0
    unknown_days: set[date] = field(default_factory=set)
    unknown_uses: set[str] = field(default_factory=set)

    def used(self, use: str) -> float | None:
        """Dollars of this use; None if nothing is known but that calls have unknown costs."""
        total = self.uses.get(use, 0.0)
        return None if use in self.unknown_uses and not total else total

    def between(self, first: date, last: date) -> float | None:
        """Dollars of these days, both included; None if nothing is known but that calls have unknown costs."""
        total = sum((dollars for day, dollars in self.days.items() if first <= day <= last), 0.0)
        is_unknown = any(first <= day <= last for day in self.unknown_days)
        return None if is_unknown and not total else total


@dataclass(frozen=True, slots=True)
class SiteSpending:
    """The spending of last month and of this one. `models`: those that were called, the most expensive first."""

    today: date
    models: tuple[ModelSpending, ...]

    @property
    def month(self) -> date:
        """The first day of this month."""
        return self.today.replace(day=1)

    @property
    def last_month(self) -> date:
        """The first day of last month."""
        return (self.month - timedelta(days=1)).replace(day=1)

    @property
    def days(self) -> tuple[date, ...]:
        """Every day from the first of last month until today."""
        count = (self.today - self.last_month).days + 1
        return tuple(self.last_month + timedelta(days=number) for number in range(count))

    @property
    def this_months(self) -> float | None:
        """The known dollars of this month; None if nothing is known but that calls have unknown costs."""
        return self._total(self.month, self.today)

    @property
    def last_months(self) -> float | None:
        """The known dollars of last month; None as for this one."""
        return self._total(self.last_month, self.month - timedelta(days=1))

    @property
    def unknown(self) -> int:
        """How many calls, or tries and answers with a call, had an unknown cost."""
        return sum(one.unknown for one in self.models)

    def _total(self, first: date, last: date) -> float | None:
        known = [dollars for one in self.models if (dollars := one.between(first, last)) is not None]
        return sum(known) if known or not self.models else None


def spending(reader: Reader, now: datetime) -> SiteSpending:
    """What this site paid, as far as this reader may see what for: tries of runs, reviews, comparisons, summaries,
    generations of tasks and recall probes. Seven queries of rows.

    Of runs and answers that were made here; imported ones were paid elsewhere.
    The cost of a try contains that of its simulated user, and counts for the agent's model.
    """
    found = SiteSpending(now.astimezone(UTC).date(), ())
    since = datetime.combine(found.last_month, time(), UTC)
    sums: dict[int, _Sums] = defaultdict(_Sums)
    for model, day, use, row in _rows(reader, since):
        sums[model].add(day, use, row)
    known = visible(LanguageModel.objects.filter(pk__in=list(sums)), reader)
    models = [sums[model.pk].of(model) for model in known]
    models.sort(key=lambda one: (-sum(one.days.values()), -one.unknown, one.model.name))
    return SiteSpending(found.today, tuple(models))


@dataclass(slots=True)
class _Sums:
    """What the rows of one model add up to."""

    days: dict[date, float] = field(default_factory=lambda: defaultdict(float))
    uses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    unknown: int = 0
    doubtful: float = 0.0
    unknown_days: set[date] = field(default_factory=set)
    unknown_uses: set[str] = field(default_factory=set)

    def add(self, day: date, use: str, row: Mapping[str, Any]) -> None:
        """Adds the rows of one day."""
        self.days[day] += row["dollars"] or 0.0
        self.uses[use] += row["dollars"] or 0.0
        self.unknown += row["unknown"]
        if row["unknown"]:
            self.unknown_days.add(day)
            self.unknown_uses.add(use)
        self.doubtful += row["doubtful"] or 0.0

    def of(self, model: LanguageModel) -> ModelSpending:
        """As the spending of this model."""
        return ModelSpending(
            model, self.days, self.uses, self.unknown, self.doubtful, self.unknown_days, self.unknown_uses
        )


def _rows(reader: Reader, since: datetime) -> Iterator[tuple[int, date, str, Mapping[str, Any]]]:
    """The model, the day, the use and the sums of each group of rows."""
    tries = visible(Try.objects.filter(run__agent__model__isnull=False, started_at__gte=since), reader)
    tries = tries.filter(run__evaluation__origin="")
    for row in _by_model_and_day(tries, "run__agent__model", F("started_at")):
        yield row["model_pk"], row["day"], RUNS, row
    ended = Coalesce("finished_at", "heartbeat_at")
    answers: tuple[QuerySet[Any], ...] = (
        visible(JudgeReview.objects.all(), reader),
        visible(RunComparison.objects.all(), reader),
        visible(JudgeSummary.objects.all(), reader),
    )
    for rows in answers:
        begun = rows.annotate(ended=ended).filter(ended__gte=since)
        for row in _by_model_and_day(begun, "judge__model", F("ended")):
            yield row["model_pk"], row["day"], JUDGES, row

    yield from _of_generations(reader, since)
    probes = visible(RecallProbe.objects.filter(asked_at__gte=since), reader).order_by()
    probed = probes.annotate(model_pk=F("model"), day=TruncDate("asked_at", tzinfo=UTC))
    sums = {
        "dollars": Sum("cost_usd"),
        "unknown": Count("pk", filter=Q(cost_usd=None)),
        "doubtful": Sum("doubtful_usd"),
    }
    for probe in probed.values("model_pk", "day").annotate(**sums):
        yield probe["model_pk"], probe["day"], TASKS, probe


def _of_generations(reader: Reader, since: datetime) -> Iterator[tuple[int, date, str, Mapping[str, Any]]]:
    """What each day of each generation cost, as its worker stored it."""
    recent = Q(finished_at=None) | Q(finished_at__gte=since)
    jobs = visible(GenerationJob.objects.filter(recent, model__isnull=False), reader)
    for model, counts in jobs.values_list("model", "counts"):
        for text, (dollars, unknown) in counts.get("spending", {}).items():
            if (day := date.fromisoformat(text)) >= since.date():
                yield model, day, TASKS, {"dollars": dollars, "unknown": unknown, "doubtful": 0.0}


def _by_model_and_day(rows: QuerySet[Any], model: str, moment: F) -> QuerySet[Any, dict[str, Any]]:
    """Sums by model and day, of rows that cost something or may have."""
    paid = rows.filter(Q(spent_usd__gt=0) | Q(doubtful_usd__gt=0) | Q(cost_unknown=True)).order_by()
    found: QuerySet[Any, dict[str, Any]] = (
        paid.annotate(model_pk=F(model), day=TruncDate(moment, tzinfo=UTC))
        .values("model_pk", "day")
        .annotate(
            dollars=Sum("spent_usd"),
            doubtful=Sum("doubtful_usd"),
            unknown=Count("pk", filter=Q(cost_unknown=True)),
        )
    )
    return found

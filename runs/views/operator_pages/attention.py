"""What needs an operator now: what stands still, what failed, and what waits for a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, islice
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from harness.errors import CANCELLED_BY_OPERATOR
from harness.judges.dimensions import dimensions
from runs.data.queries.visibility import Reader, visible, visible_evaluations
from runs.jobs.disk_space import free_bytes
from runs.judging.reviews.judge_reliability import judge_reliability
from runs.judging.reviews.judging_passes import judged_runs
from runs.models import Evaluation, JudgeReview, RegressionCheck, Run, Submission, Try, Upload
from runs.operations.evaluations.paused_models import OF_MODELS, paused_models
from runs.operations.monitoring.health import problems
from runs.presentation.formatting.numbers import fixed, gigabytes

RECENT = timedelta(days=14)  # older failures are history
MAX_OF_A_KIND = 3
LOW_SPACE = 8  # times the space without which no run starts
# Krippendorff's least alpha for tentative conclusions (Content Analysis, 2004, page 241).
LEAST_ALPHA = 0.667


@dataclass(frozen=True, slots=True)
class Concern:
    """Something to look at. `stops`: work stands still because of it. `act` is the text of the link to `address`."""

    what: str
    why: str
    act: str
    address: str
    stops: bool = False


def concerns(reader: Reader) -> tuple[Concern, ...]:
    """All of them, those first that stop work; for operators. A fixed number of queries."""
    since = timezone.now() - RECENT
    found = [
        *_down(),
        *_paused_models(reader),
        *_failing_models(reader, since),
        *_failing_tries(reader),
        *_spending_limits(reader, since),
        *_limits_of_passes(reader, since),
        *_refused_panels(reader, since),
        *_failed_runs(reader, since),
        *_regressions(reader, since),
        *_decisions(reader),
        *_disagreeing_judges(),
    ]
    return tuple(sorted(found, key=lambda one: not one.stops))


def _down() -> Iterator[Concern]:
    """Parts of the site that are down, and a disk that fills."""
    for trouble in problems():
        sentence, _, effect = trouble.partition(": ")
        yield Concern(f"{sentence}.", effect.capitalize(), "State of the site", reverse("status"), stops=True)
    free = free_bytes()
    least = settings.MIN_FREE_MB << 20
    if free is not None and least <= free < LOW_SPACE * least:
        why = f"Runs wait when less than {gigabytes(least)} are left."
        yield Concern(
            f"Only {gigabytes(free)} are free for runs.", why, "State of the site", reverse("status")
        )


def _paused_models(reader: Reader) -> Iterator[Concern]:
    """Models whose account failed: their runs wait until an operator lets them go on."""
    for model in paused_models(visible(Run.objects.all(), reader)):
        what = (
            f"{model.name} is paused: {model.n_waiting} {_plural(model.n_waiting, 'run waits', 'runs wait')}."
        )
        address = reverse("operate_model", args=[model.pk])
        yield Concern(what, model.reason, "Mend its account and go on", address, stops=True)


def _failing_models(reader: Reader, since: datetime) -> Iterator[Concern]:
    """Models whose calls failed, of which no later try succeeded."""
    tries = visible(
        Try.objects.filter(run__agent__model__isnull=False, started_at__gte=since), reader
    ).order_by()
    settled = tries.filter(
        state=Try.State.SETTLED, failure="", run__agent__model=OuterRef("run__agent__model")
    )
    failed = tries.filter(failure__in=OF_MODELS).annotate(
        worked=Subquery(settled.order_by("-pk").values("pk")[:1])
    )
    since_then = failed.filter(Q(worked=None) | Q(pk__gt=F("worked"))).values("run__agent__model")
    since_then = since_then.filter(run__agent__model__paused_at=None)
    rows = since_then.annotate(n=Count("pk"), last=Max("pk"), model=Max("run__agent__model__name"))
    broken = list(rows.order_by("-last")[:MAX_OF_A_KIND])
    reasons = visible(Try.objects.filter(pk__in=[row["last"] for row in broken]), reader).in_bulk()
    for row in broken:
        what = f"{row['model']} does not answer: {row['n']} {_plural(row['n'], 'try', 'tries')} failed."
        address = reverse("operate_model", args=[row["run__agent__model"]])
        yield Concern(what, reasons[row["last"]].reason, "Test the model", address, stops=True)


def _failing_tries(reader: Reader) -> Iterator[Concern]:
    """Evaluations under way with failed tries, which are repeated; those of models are named above."""
    failed = visible(Try.objects.filter(state__in=[Try.State.FAILED, Try.State.LOST]), reader)
    running = failed.filter(run__evaluation__state=Evaluation.State.RUNNING).exclude(failure__in=OF_MODELS)
    rows = running.order_by().values("run__evaluation", "run__evaluation__title")
    found = list(rows.annotate(n=Count("pk"), last=Max("pk")).order_by("-last")[:MAX_OF_A_KIND])
    reasons = visible(Try.objects.filter(pk__in=[row["last"] for row in found]), reader).in_bulk()
    for row in found:
        what = f"{row['n']} {_plural(row['n'], 'try', 'tries')} of {row['run__evaluation__title']} failed."
        address = f"{reverse('evaluation', args=[row['run__evaluation']])}#failures"
        yield Concern(what, f"The last one: {reasons[row['last']].reason}", "See all reasons", address)


def _spending_limits(reader: Reader, since: datetime) -> Iterator[Concern]:
    """Evaluations with runs that were cancelled because their budget ended or cannot be enforced."""
    runs = visible(Run.objects.filter(evaluation__budget_usd__isnull=False), reader)
    stopped = runs.filter(state=Run.State.CANCELLED, evaluation__finished_at__gte=since).exclude(
        detail__in=("", CANCELLED_BY_OPERATOR)
    )
    for number, title, n, why in _with_reasons(stopped, "evaluation", "detail"):
        what = f"{n} {_plural(n, 'run was', 'runs were')} cancelled because of the budget of {title}."
        address = f"{reverse('evaluation_start')}?{urlencode({'from': number})}"
        yield Concern(what, why, "Start it again with another budget", address)


def _limits_of_passes(reader: Reader, since: datetime) -> Iterator[Concern]:
    """Judging passes whose budget ended before their reviews."""
    unpaid = visible(JudgeReview.objects.filter(state=JudgeReview.State.UNPAID), reader)
    recent = unpaid.filter(judging_pass__created_at__gte=since)
    for number, title, n, why in _with_reasons(recent, "judging_pass", "reason"):
        what = f"The budget of {title} ended before {n} {_plural(n, 'review')}."
        yield Concern(what, why, "Open the pass", reverse("judging_pass", args=[number]))


def _refused_panels(reader: Reader, since: datetime) -> Iterator[Concern]:
    """Evaluations that ended and were to be judged, but whose panel could not begin; without those judged since.

    Those without a run that judges can review are left out: every panel would be refused.
    """
    refused = visible_evaluations(reader).exclude(judging_refused="").filter(judging_passes=None)
    runs = judged_runs(visible(Run.objects.filter(evaluation=OuterRef("pk")), reader))
    recent = refused.filter(Exists(runs), state=Evaluation.State.FINISHED, finished_at__gte=since)
    for found in recent.order_by("-finished_at")[:MAX_OF_A_KIND]:
        address = reverse("evaluation_judge", args=[found.pk])
        yield Concern(
            f"Judges did not review {found.title}.", found.judging_refused, "Choose a panel", address
        )


def _with_reasons(rows: QuerySet[Any], owner: str, reason: str) -> Iterator[tuple[int, str, int, str]]:
    """The newest owners of these rows: number, title, how many rows, and the most frequent reason. One query.

    Of equally frequent reasons it is the newest.
    """
    groups = rows.order_by().values(owner, f"{owner}__title", reason).annotate(n=Count("pk"), last=Max("pk"))
    for (number, title), found in islice(
        groupby(
            groups.order_by(f"-{owner}", "-n", "-last"), lambda row: (row[owner], row[f"{owner}__title"])
        ),
        MAX_OF_A_KIND,
    ):
        first, *others = found
        yield number, title, first["n"] + sum(row["n"] for row in others), first[reason]


def _failed_runs(reader: Reader, since: datetime) -> Iterator[Concern]:
    """Runs of this site without a verdict: the infrastructure failed each of their tries."""
    failed = visible(Run.objects.filter(outcome=Run.Outcome.INFRASTRUCTURE_FAILED), reader)
    here = failed.filter(evaluation__origin="", play__isnull=True, finished_at__gte=since)
    rows = here.order_by().values("evaluation", "evaluation__title", "failure")
    by_evaluation: dict[tuple[int, str], Counter[str]] = {}
    for row in rows.annotate(n=Count("pk")).order_by("-evaluation", "failure"):
        kinds = by_evaluation.setdefault((row["evaluation"], row["evaluation__title"]), Counter())
        kinds[row["failure"] or "the infrastructure"] += row["n"]
    for (number, title), kinds in list(by_evaluation.items())[:MAX_OF_A_KIND]:
        n = kinds.total()
        what = f"{n} {_plural(n, 'run has', 'runs have')} no verdict in {title}."
        mostly = "mostly " if len(kinds) > 1 else ""
        why = f"Every try failed, {mostly}because of: {kinds.most_common(1)[0][0]}."
        address = reverse("evaluation_retry", args=[number])
        yield Concern(what, why, f"Retry {n} {_plural(n, 'run')}…", address)


def _regressions(reader: Reader, since: datetime) -> Iterator[Concern]:
    """Scheduled checks that found that something became worse."""
    checks = visible(RegressionCheck.objects.select_related("schedule"), reader).order_by("-pk")
    alarms = checks.filter(verdict=RegressionCheck.Verdict.REGRESSION, created_at__gte=since)
    for check in alarms[:MAX_OF_A_KIND]:
        address = reverse("regression", args=[check.pk])
        yield Concern(f"{check.schedule.title} became worse.", check.reason, "See what moved", address)


def _decisions(reader: Reader) -> Iterator[Concern]:
    """Uploads and submissions that wait for an operator; a single one is a click away."""
    uploads = visible(Upload.objects.filter(state=Upload.State.CHECKED), reader)
    n, last = uploads.aggregate(n=Count("pk"), last=Max("pk")).values()
    if n:
        what = f"{n} {_plural(n, 'upload waits', 'uploads wait')} for a decision."
        why = f"Files are deleted after {settings.UPLOAD_KEPT_DAYS} days without one."
        address = reverse("upload", args=[last]) if n == 1 else reverse("uploads")
        yield Concern(what, why, "Import or discard", address)
    submissions = visible(Submission.objects.filter(state=Submission.State.STAGED), reader)
    n, last = submissions.aggregate(n=Count("pk"), last=Max("pk")).values()
    if n:
        what = f"{n} {_plural(n, 'submission waits', 'submissions wait')} for a decision."
        why = (
            "Its runs are in no list until it is accepted."
            if n == 1
            else "Their runs are in no list until then."
        )
        address = reverse("submission", args=[last]) if n == 1 else reverse("submissions")
        yield Concern(what, why, "Grade, accept or reject", address)


def _disagreeing_judges() -> Iterator[Concern]:
    """Dimensions in which judges agree too little for conclusions."""
    found = [
        f"{dimensions()[one.dimension].title if one.dimension in dimensions() else one.dimension} "
        f"(alpha {fixed(one.alpha.value, 2)}, n {one.alpha.n})"
        for one in judge_reliability().agreement
        if one.alpha.value is not None and one.alpha.value < LEAST_ALPHA
    ]
    if found:
        what = f"Judges disagree in {len(found)} {_plural(len(found), 'dimension')}."
        why = f"Below {LEAST_ALPHA}: {'; '.join(found[:MAX_OF_A_KIND])}."
        yield Concern(what, why, "Compare the judges", reverse("judges"))


def _plural(n: int, one: str, several: str = "") -> str:
    """The word for so many."""
    return one if n == 1 else several or f"{one}s"

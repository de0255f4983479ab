"""Evaluations: what was started, how far it is, what failed and why."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import timedelta

from django.core.paginator import Paginator
from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_headers

from runs.analysis.progress import seconds_left
from runs.budget import Account, account_of
from runs.conditions import in_words
from runs.health import troubles
from runs.models import Agent, Evaluation, Run, Try
from runs.queries import evaluations_with_counts
from runs.views import asking
from runs.visibility import Reader, is_operator, visible, visible_tasks, visible_tries
from tasks.models import Task

PAGE = 30
REASONS = 20
WAITING = 20


@dataclass(slots=True)
class Square:
    """One agent on one task within an evaluation: how many runs there are, and how they stand.

    What the infrastructure failed is in `failed` alone.
    """

    total: int = 0
    finished: int = 0
    resolved: int = 0
    failed: int = 0
    active: int = 0
    cancelled: int = 0

    @property
    def to_come(self) -> int:
        """Runs that are still to end, those under way too."""
        return self.total - self.finished - self.failed - self.cancelled


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason why tries failed, and how many did. `final`: how many attempts were lost to it for good."""

    kind: str
    reason: str
    count: int
    final: int


@dataclass(frozen=True, slots=True)
class Cancellation:
    """One reason why runs were cancelled: an operator's wish, or a budget without room."""

    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How an evaluation stands. `spent` is None where all costs are unknown; `left` None: too early to say.

    `account` is what all tries spent, failed ones too; `waiting` are runs that wait before they are tried again, of
    `waiting_count` in all; `held` are runs under way in which nothing happens, each with its reason. `behind` counts
    the runs of other evaluations that workers do or take first, while none of its own is under way.
    """

    states: tuple[tuple[str, int], ...]
    outcomes: tuple[tuple[str, int], ...]
    total: int
    done: int
    agents: tuple[Agent, ...]
    rows: tuple[tuple[Task, tuple[Square, ...]], ...]
    failures: tuple[Failure, ...]
    cancellations: tuple[Cancellation, ...]
    behind: int
    waiting: tuple[Run, ...]
    waiting_count: int
    held: tuple[Run, ...]
    account: Account
    spent: float | None
    left: timedelta | None

    @property
    def open(self) -> int:
        """Runs that are still to come or under way."""
        return self.total - self.done

    @property
    def lost(self) -> int:
        """Attempts that the infrastructure failed for good: they can be tried again by hand."""
        return sum(failure.final for failure in self.failures)


@require_safe
def evaluations(request: HttpRequest) -> HttpResponse:
    """All evaluations, newest first."""
    page = Paginator(evaluations_with_counts(), PAGE).get_page(asking.page_number(request.GET))
    context = {"section": "evaluations", "page": page, "start": admin_address("runs_evaluation_start")}
    return render(request, "runs/evaluations.html", context)


def _version(request: HttpRequest, pk: int) -> str | None:
    """Changes whenever a run changes state or spends; None for the whole page, which is never cached."""
    if not request.headers.get("X-Partial"):
        return None
    states = Run.objects.filter(evaluation=pk).order_by("state", "outcome")
    counted = states.values_list("state", "outcome").annotate(
        n=Count("pk"), tries=Sum("tries"), due=Min("not_before")
    )
    state = Evaluation.objects.filter(pk=pk).values_list("state", flat=True).first()
    held = list(_held(pk).values_list("pk", "detail"))
    behind = 0 if any(row[0] in Run.ACTIVE for row in counted) else _behind(pk)
    shown = (is_operator(request.user), state, list(counted), held, account_of(pk), _troubles(state), behind)
    seen = repr(shown).encode()
    return f'"{hashlib.sha256(seen).hexdigest()[:24]}"'


def _held(evaluation: int) -> QuerySet[Run]:
    """Runs under way that wait for something: only then has a run that is not over a detail."""
    active = Run.objects.filter(evaluation=evaluation, state__in=Run.ACTIVE)
    return active.exclude(detail="").order_by("pk")


def _troubles(state: str | None) -> tuple[str, ...]:
    """What holds a running evaluation up; of no interest once it is over."""
    return troubles() if state == Evaluation.State.RUNNING else ()


@require_safe
@vary_on_headers("X-Partial")
@condition(etag_func=_version)
def evaluation(request: HttpRequest, pk: int) -> HttpResponse:
    """One evaluation; the part that changes alone when a script asks for it."""
    found = get_object_or_404(Evaluation, pk=pk)
    allowed = request.user.is_staff and request.user.has_perm("runs.start_evaluation")
    context = {
        "section": "evaluations",
        "evaluation": found,
        "progress": progress_of(found, request.user),
        "limits": in_words(found.limits),
        "troubles": _troubles(found.state),
        "cancel": admin_address("runs_evaluation_cancel", pk) if allowed else None,
        "retry": admin_address("runs_evaluation_retry", pk) if allowed else None,
    }
    partial = request.headers.get("X-Partial")
    return render(request, "runs/_evaluation.html" if partial else "runs/evaluation.html", context)


def admin_address(name: str, *arguments: object) -> str | None:
    """The address of an operator's page; None on a site without it."""
    try:
        return reverse(f"admin:{name}", args=arguments)
    except NoReverseMatch:
        return None


def progress_of(found: Evaluation, reader: Reader) -> Progress:
    """Everything that the page says to this reader, in a fixed number of queries."""
    runs = visible(found.runs.all(), reader)
    counted = list(runs.order_by().values_list("agent", "task", "state", "outcome").annotate(n=Count("pk")))
    squares: dict[tuple[int, int], Square] = defaultdict(Square)
    states: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    for agent, task, state, outcome, n in counted:
        states[state] += n
        if outcome:
            outcomes[outcome] += n
        _add(squares[task, agent], state, outcome, n)
    agents = tuple(Agent.objects.filter(pk__in={row[0] for row in counted}))
    tasks = visible_tasks(reader).filter(pk__in={row[1] for row in counted})
    total = sum(states.values())
    done = states[Run.State.FINISHED] + states[Run.State.CANCELLED]
    account = account_of(found.pk)
    waiting = runs.filter(state=Run.State.QUEUED, not_before__isnull=False).order_by("not_before", "pk")
    return Progress(
        states=tuple((state, states[state]) for state in Run.State.values if states[state]),
        outcomes=tuple((str(o.label), outcomes[o.value]) for o in Run.Outcome if outcomes[o.value]),
        total=total,
        done=done,
        agents=agents,
        rows=tuple((task, tuple(squares[task.pk, agent.pk] for agent in agents)) for task in tasks),
        failures=_failures(found, reader),
        cancellations=_cancellations(runs) if states[Run.State.CANCELLED] else (),
        behind=_behind(found.pk) if states[Run.State.QUEUED] == total - done else 0,
        waiting=tuple(waiting.select_related("agent", "task__repository")[:WAITING]),
        waiting_count=waiting.count(),
        held=tuple(visible(_held(found.pk), reader).select_related("agent", "task__repository")[:WAITING]),
        account=account,
        spent=None if account.unknown and not account.spent else account.spent,
        left=None
        if found.state == Evaluation.State.CANCELLED
        else _left(runs, states[Run.State.FINISHED], total - done),
    )


def _add(square: Square, state: str, outcome: str, n: int) -> None:
    square.total += n
    square.finished += n * (state == Run.State.FINISHED and outcome != Run.Outcome.INFRASTRUCTURE_FAILED)
    square.active += n * (state in Run.ACTIVE)
    square.resolved += n * (outcome == Run.Outcome.RESOLVED)
    square.cancelled += n * (state == Run.State.CANCELLED)
    square.failed += n * (outcome == Run.Outcome.INFRASTRUCTURE_FAILED)


def _failures(found: Evaluation, reader: Reader) -> tuple[Failure, ...]:
    """Why tries failed, the most frequent kind first. Lost ones count; those that were handed back did not fail."""
    tries = Try.objects.filter(run__evaluation=found.pk, state__in=[Try.State.FAILED, Try.State.LOST])
    failed = visible_tries(tries, reader)
    final = Q(run__outcome=Run.Outcome.INFRASTRUCTURE_FAILED, number=F("run__tries"))
    counted = (
        failed.order_by()
        .values_list("failure", "reason")
        .annotate(n=Count("pk"), final=Count("pk", filter=final))
        .order_by("-n", "failure", "reason")[:REASONS]
    )
    return tuple(Failure(kind or "infrastructure", reason, n, final) for kind, reason, n, final in counted)


def _cancellations(runs: QuerySet[Run]) -> tuple[Cancellation, ...]:
    """Why runs were cancelled, the most frequent reason first."""
    cancelled = runs.filter(state=Run.State.CANCELLED).order_by()
    counted = cancelled.values_list("detail").annotate(n=Count("pk")).order_by("-n", "detail")[:REASONS]
    return tuple(Cancellation(reason or "No reason is known.", n) for reason, n in counted)


def _behind(pk: int) -> int:
    """How many runs of other evaluations workers do, or take before its first one: they go in order."""
    queued = Run.objects.filter(state=Run.State.QUEUED, not_before__isnull=True)
    first = queued.filter(evaluation=pk).aggregate(first=Min("pk"))["first"]
    if first is None:
        return 0
    others = Run.objects.exclude(evaluation=pk).order_by()
    return others.filter(state__in=Run.ACTIVE).count() + queued.filter(pk__lt=first).count()


def _left(runs: QuerySet[Run], finished: int, remaining: int) -> timedelta | None:
    started = runs.aggregate(first=Min("started_at"))["first"]
    if started is None or not remaining:
        return None
    left = seconds_left(finished, remaining, (timezone.now() - started).total_seconds())
    return None if left is None else timedelta(seconds=math.ceil(left))

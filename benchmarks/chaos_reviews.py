"""One round of chaos for a judging pass: reviews, summaries, a fault, and the check of what is left. Needs Django."""

from __future__ import annotations

import contextlib
import random
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import QuerySet

from benchmarks.chaos_faults import FAULTS, POSTGRES_FAULTS, Target
from benchmarks.processes import TimedOut, wait
from benchmarks.running_site import ORACLE, STEPS, RunningSite
from harness.judges.review_file import Review, ReviewFileError, read_stored
from harness.judges.stand_ins import STAND_INS
from harness.judges.summary_file import Summary
from harness.llm.scripted_server import Entry, ModelServer, Request
from runs.judging.reviews.judging_passes import start_pass
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.pass_summaries import summary_topics
from runs.judging.reviews.review_budget import account_of_pass
from runs.models import JudgeReview, JudgeSummary, JudgingPass, LanguageModel, Panel, Run

DIMENSIONS = ("end_result", "pitfalls", "tool_calls")
ANSWER_SECONDS = 0.15
JUDGED_RUNS = 6
SETTLE_SECONDS = 180.0
POLL_SECONDS = 0.002
# Every fourth round has a budget for about half of its reviews.
BUDGET, TIGHT_BUDGET = 1.0, 0.004
HEADING = f"{'round':>5}  {'victim':<24}{'took':>8}{'calls':>6}  what became of its reviews"
State = JudgeReview.State


@dataclass(frozen=True, slots=True)
class ReviewRound:
    """The result of one round. `calls`: requests that the judge got."""

    number: int
    fault: str
    seconds: float
    calls: int
    ends: str
    violations: tuple[str, ...]

    def __str__(self) -> str:
        trouble = "; ".join(self.violations) or "ok"
        return f"{self.number:>5}  {self.fault:<24}{self.seconds:>6.1f} s{self.calls:>6}  {self.ends:<30}  {trouble}"


@dataclass(slots=True)
class JudgedSite:
    """A site with finished runs, and a judge that answers slowly enough to be hit by a fault."""

    site: RunningSite
    server: ModelServer
    runs: list[Run] = field(default_factory=list)

    def prepare(self) -> None:
        """Finds the runs that all rounds review: those of earlier rounds, or new ones."""
        if Run.objects.filter(state=Run.State.FINISHED).count() < JUDGED_RUNS:
            evaluation = self.site.start("Judged", (ORACLE, STEPS), JUDGED_RUNS // 2)
            wait("the runs", lambda: not evaluation.runs.filter(state__in=Run.OPEN).exists(), SETTLE_SECONDS)
        finished = Run.objects.filter(state=Run.State.FINISHED).order_by("-pk")
        self.runs = [
            run for slug in (ORACLE, STEPS) for run in finished.filter(agent__slug=slug)[: JUDGED_RUNS // 2]
        ]

    def start(self, number: int, budget: float) -> JudgingPass:
        """A pass whose seed makes its reviews differ from those of other rounds."""
        model, _ = LanguageModel.objects.update_or_create(
            slug="chaos-judge",
            defaults={
                "name": "Chaos judge",
                "provider": "chaos",
                "litellm_id": "openai/judge",
                "api_base": self.server.url,
                "input_price": 0.1,
                "output_price": 1.0,
            },
        )
        judge = NewJudge("Judge", model, "chaos", {"seed": number, "max_output_tokens": 500})
        panel = create_panel(
            slug=f"chaos-{number}", title=f"Chaos {number}", dimensions=DIMENSIONS, judges=[judge]
        )
        return start_pass(title=f"Round {number}", panel=panel, runs=self.runs, budget_usd=budget)


def slow_judge(request: Request) -> Entry:
    """The stand-in `quoting`, after a moment."""
    time.sleep(ANSWER_SECONDS)
    respond = STAND_INS["quoting"]
    assert callable(respond)
    return respond(request)


def run_review_round(judged: JudgedSite, number: int, fault: str, chance: random.Random) -> ReviewRound:
    """Has the runs reviewed, injects the fault ('' for none) and checks everything."""
    began, before = time.monotonic(), len(judged.server.requests)
    budget = TIGHT_BUDGET if number % 4 == 3 else BUDGET
    started = judged.start(number, budget)
    if fault:
        _inject(judged.site, started, fault, chance)
    violations = []
    try:
        wait("the end of the reviews", lambda: not _is_open(started), SETTLE_SECONDS)
    except TimedOut as violation:
        violations.append(str(violation))
    calls = len(judged.server.requests) - before
    violations += _violations(judged, started, budget)
    counts = Counter(
        state for rows in _work(started) for state in rows.order_by().values_list("state", flat=True)
    )
    if counts.keys() == {State.DONE}:
        violations += _second_press(judged, started.panel)
    ends = ", ".join(f"{count} {ended}" for ended, count in sorted(counts.items()))
    return ReviewRound(number, fault, time.monotonic() - began, calls, ends, tuple(violations))


def report_reviews(done: Sequence[ReviewRound], left: Sequence[str]) -> int:
    """Prints the counts of all rounds; returns the exit code."""
    broken = [one for one in done if one.violations]
    print(f"\n{len(done) - 1} rounds, {sum(one.calls for one in done)} calls")
    for name, count in sorted(Counter(one.fault for one in done if one.fault).items()):
        print(f"  {name:<24}{count:>4}")
    violations = sum(len(one.violations) for one in broken)
    print(f"violations: {violations} in {len(broken)} rounds; left at the end: {left or 'nothing'}")
    return 1 if broken or left else 0


def _inject(site: RunningSite, started: JudgingPass, fault: str, chance: random.Random) -> None:
    """Injects the fault a seeded moment after a seeded number of reviews has ended."""
    after = chance.randrange(started.reviews.count() + started.summaries.count())
    delay = chance.uniform(0.0, 2 * ANSWER_SECONDS)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and _is_open(started):
        alive = [rows.filter(state=State.RUNNING).exclude(worker="").first() for rows in _work(started)]
        running = alive[0] or alive[1]
        ended = sum(rows.exclude(state__in=JudgeReview.OPEN).count() for rows in _work(started))
        if running is not None and ended >= after:
            time.sleep(delay)
            with contextlib.suppress(ProcessLookupError, FileNotFoundError, subprocess.CalledProcessError):
                {**FAULTS, **POSTGRES_FAULTS}[fault](Target(site, running))
            connection.close()  # the fault may have broken it
            return
        time.sleep(POLL_SECONDS)


def _is_open(started: JudgingPass) -> bool:
    return any(rows.filter(state__in=JudgeReview.OPEN).exists() for rows in _work(started))


def _work(started: JudgingPass) -> tuple[QuerySet[JudgeReview], QuerySet[JudgeSummary]]:
    return started.reviews.all(), started.summaries.all()


def _violations(judged: JudgedSite, started: JudgingPass, budget: float) -> list[str]:
    """What is wrong with the pass, which should have ended."""
    found = []
    started.refresh_from_db()
    if started.state != JudgingPass.State.FINISHED:
        found.append(f"the pass is {started.state}")
    reviews = list(started.reviews.select_related("run"))
    if len(reviews) != len(judged.runs) * len(DIMENSIONS):
        found.append(f"{len(reviews)} reviews")
    allowed = {State.DONE} if budget == BUDGET else {State.DONE, State.UNPAID}
    for review in reviews:
        if review.state not in allowed:
            found.append(f"{review} is {review.state}: {review.reason[:200]}")
        elif review.state == State.DONE:
            found += _wrong_with(review)
    found += _wrong_summaries(judged, started, allowed)
    account = account_of_pass(started.pk)
    if account.used > budget or account.reserved:
        found.append(f"${account.used:.5f} used and ${account.reserved:.5f} reserved of ${budget}")
    return found


def _wrong_summaries(judged: JudgedSite, started: JudgingPass, allowed: set[JudgeReview.State]) -> list[str]:
    """What is wrong with the summaries. Without its reviews, one may be missing where reviews may be."""
    found = []
    expected = len(summary_topics(judged.runs)) * (len(DIMENSIONS) + 1)
    if started.summaries.count() != expected:
        found.append(f"{started.summaries.count()} summaries instead of {expected}")
    if State.UNPAID in allowed:
        allowed = {*allowed, State.NO_REVIEW}
    first = {run.agent_id: run for run in sorted(judged.runs, key=lambda run: -run.pk)}
    for summary in started.summaries.all():
        if summary.state not in allowed:
            found.append(f"{summary} is {summary.state}: {summary.reason[:200]}")
        elif summary.state == State.DONE:
            stored = read_stored(first[summary.agent_id].path, summary.key, Summary)
            if stored is None:
                found.append(f"{summary} has no file")
            elif len(stored.groups) != summary.groups.count() or stored.text != summary.text:
                found.append(f"{summary} differs from its file")
    return found


def _wrong_with(review: JudgeReview) -> list[str]:
    try:
        stored = read_stored(review.run.path, review.key, Review)
    except ReviewFileError as error:
        return [str(error)]
    if stored is None:
        return [f"{review} has no file"]
    if stored.score != review.score or len(stored.evidence) != review.evidence.count():
        return [f"{review} differs from its file"]
    return []


def _second_press(judged: JudgedSite, panel: Panel) -> list[str]:
    """Starts the same pass again: it must not cost a call."""
    before = len(judged.server.requests)
    again = start_pass(title="Again", panel=panel, runs=judged.runs, budget_usd=BUDGET)
    with contextlib.suppress(TimedOut):
        wait("the second pass", lambda: not _is_open(again), SETTLE_SECONDS)
    reused = [rows.filter(state=State.DONE, reused=True).count() for rows in _work(again)]
    calls = len(judged.server.requests) - before
    if calls or reused != [rows.count() for rows in _work(again)]:
        return [f"the second press made {calls} calls and used {reused} reviews and summaries again"]
    return []

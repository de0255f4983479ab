"""Judges summarise what a pass made, once its reviews and comparisons have ended; files first, never paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from rq import Queue

from harness.judges.review_file import all_stored
from harness.judges.stand_ins import OVERVIEW, STAND_INS
from harness.judges.summary_file import SUMMARIES, Summary
from harness.llm.scripted_server import ModelServer
from runs.jobs import queue
from runs.jobs.job_kinds import REVIEWS, SUMMARISE
from runs.judging.judge_summaries.summary_jobs import summarise_topic
from runs.judging.reviews.comparison_pairs import agent_pairs, runs_of
from runs.judging.reviews.judging_passes import cancel_pass, retry_failed
from runs.judging.reviews.pass_summaries import waiting_summaries
from runs.judging.reviews.review_jobs import review_run
from runs.models import (
    JudgeReview,
    JudgeSummary,
    JudgingPass,
    LanguageModel,
    Run,
    SummaryGroup,
    SummarySource,
)
from runs.models.judge_summary import WHOLE
from runs.work.execution.run_signature import is_signed
from tests.conftest import RedisServer
from tests.runs.cast import Cast
from tests.runs.judging.judge_summaries.summarised import (
    DIMENSIONS,
    runs_of_bob,
    stand_ins,
    start,
    three_runs,
    work,
    written,
)

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeSummary.State


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """The shipped stand-ins for judges, over HTTP."""
    with stand_ins() as served:
        yield served


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def runs(cast: Cast) -> list[Run]:
    """Three runs of Alice, one at each of three tasks."""
    return three_runs(cast)


def test_a_pass_writes_a_summary_of_each_dimension_and_then_of_the_whole(
    runs: list[Run], server: ModelServer
) -> None:
    started = work(start(runs, server))

    assert started.state == JudgingPass.State.FINISHED
    assert written(started) == [
        ("tool_calls", State.DONE, "", 3),
        ("pitfalls", State.DONE, "", 3),
        (WHOLE, State.DONE, OVERVIEW, 3),
    ]
    groups = SummaryGroup.objects.values_list("summary__dimension", "title", "numbers")
    assert sorted(groups) == [
        ("pitfalls", "Medium severity", [1, 2, 3]),
        ("tool_calls", "Medium severity", [1, 2, 3]),
    ]
    sources = SummarySource.objects.filter(summary__dimension="pitfalls").values_list(
        "number", "run", "score"
    )
    assert list(sources) == [(number, run.pk, None) for number, run in enumerate(runs, 1)]
    assert len(server.requests) == 3 * 2 + 3
    assert all(spent > 0 for spent in started.summaries.values_list("spent_usd", flat=True))


def test_files_are_signed_in_the_directory_of_the_first_run(runs: list[Run], server: ModelServer) -> None:
    started = work(start(runs, server))

    files = {stored.key for stored in all_stored(runs[0].path, Summary)}
    assert files == set(started.summaries.values_list("key", flat=True))
    assert all(is_signed(runs[0].path / SUMMARIES / f"{key}.json") for key in files)
    assert not list(all_stored(runs[1].path, Summary))


def test_a_second_press_and_a_worker_that_died_after_the_file_cost_no_call(
    runs: list[Run], server: ModelServer
) -> None:
    first = work(start(runs, server))
    calls = len(server.requests)

    second = work(start(runs, server, title="Again"))

    assert len(server.requests) == calls
    assert set(second.summaries.values_list("state", "reused", "spent_usd")) == {(State.DONE, True, 0.0)}
    assert set(second.summaries.values_list("key")) == set(first.summaries.values_list("key"))

    JudgeSummary.objects.update(state=State.QUEUED, text="", key="")
    SummaryGroup.objects.all().delete()
    work(second)
    assert len(server.requests) == calls
    assert set(JudgeSummary.objects.values_list("state")) == {(State.DONE,)}
    assert SummaryGroup.objects.count() == 4


@pytest.mark.redis
def test_they_are_enqueued_when_the_last_review_has_ended(
    redis: RedisServer, runs: list[Run], server: ModelServer
) -> None:
    started = start(runs, server)
    jobs = Queue(REVIEWS, connection=queue.connection())
    (topic,) = started.summaries.order_by().values_list("dataset", "agent", "judge").distinct()
    dataset, agent, judge = topic

    summarise_topic(started.pk, dataset, agent, 0, judge)
    assert {state for _, state, *_ in written(started)} == {State.QUEUED}
    for run in runs:
        assert not any(name.startswith("summarise") for name in jobs.get_job_ids())
        review_run(started.pk, run.pk, judge)

    name = f"summarise-{started.pk}-{dataset}-{agent}-0-{judge}-0"
    assert name in jobs.get_job_ids()
    assert [job.job_id for job in SUMMARISE.jobs(waiting_summaries())] == [name]


def test_with_too_few_runs_nothing_is_planned_and_with_too_few_reviews_nothing_is_asked(
    runs: list[Run], server: ModelServer
) -> None:
    assert not start(runs[:2], server).summaries.exists()

    started = start(runs, server, title="Prose", judge="prose")
    work(started)
    states = [(dimension, state) for dimension, state, *_ in written(started)]
    assert states == [(name, State.NO_REVIEW) for name in (*DIMENSIONS, WHOLE)]
    reasons = list(started.summaries.order_by("pk").values_list("reason", flat=True))
    assert reasons[0] == "0 of 3 runs have a review with a score; a summary needs 3."
    assert reasons[-1] == "No dimension has a summary."
    assert set(started.summaries.values_list("asks")) == {(0,)}


def test_a_malformed_summary_is_asked_for_again_and_then_missing_with_its_reason(
    runs: list[Run], server: ModelServer
) -> None:
    with ModelServer({"quoting": lambda request: {**respond(request, "quoting")}}) as lying:
        started = work(start(runs, lying))
    found = started.summaries.get(dimension="pitfalls")
    assert (found.state, found.asks) == (State.MALFORMED, 2)
    assert "must have no digits" in found.reason
    assert not found.groups.exists()
    assert started.summaries.get(dimension=WHOLE).state == State.NO_REVIEW
    assert started.state == JudgingPass.State.FINISHED

    LanguageModel.objects.update(api_base=server.url)
    assert retry_failed(started) == 3
    assert {state for _, state, *_ in written(work(started))} == {State.DONE}


def respond(request: Any, model: str) -> Any:
    """As the stand-in, but the claims of its summaries count by themselves."""
    answer: Any = STAND_INS[model](request)
    for call in answer["calls"]:
        for group in call["arguments"].get("groups", ()):
            group["claim"] = "It happens in 2 of 3 runs."
    return answer


def test_a_review_that_is_made_later_makes_other_summaries(runs: list[Run], server: ModelServer) -> None:
    started = start(runs, server)
    lost = JudgeReview.objects.filter(run=runs[0], dimension="pitfalls")
    lost.update(state=State.FAILED, reason="the provider failed")
    work(started)
    assert started.summaries.get(dimension="pitfalls").state == State.NO_REVIEW

    assert retry_failed(started) == 1 + 3
    calls = len(server.requests)
    work(started)
    # The review, the summary that was missing and that of the whole; the other dimension's is taken from its file.
    assert len(server.requests) == calls + 3
    assert {state for _, state, *_ in written(started)} == {State.DONE}


def test_the_budget_of_the_pass_pays_for_them(runs: list[Run], server: ModelServer) -> None:
    free = work(start(runs, server))
    for path in (runs[0].path / SUMMARIES).glob("*"):
        path.unlink()
    # The reviews cost nothing again. Each call reserves 4,000 tokens of an answer and its prompt.
    budget = sum(each.spent_usd for each in free.summaries.exclude(dimension=WHOLE)) + 0.0042
    started = work(start(runs, server, title="Poor", budget_usd=budget))

    assert set(started.reviews.values_list("state", "spent_usd")) == {("done", 0.0)}
    states = [state for _, state, *_ in written(started)]
    assert (states[0], states[-1]) == (State.DONE, State.UNPAID)
    assert started.state == JudgingPass.State.FINISHED
    assert sum(started.summaries.values_list("spent_usd", flat=True)) <= budget


def test_a_cancelled_pass_summarises_nothing(runs: list[Run], server: ModelServer) -> None:
    started = start(runs, server)
    assert cancel_pass(started) == 3 * 2 + 3
    work(started)
    assert not server.requests
    assert set(started.summaries.values_list("state", flat=True)) == {State.CANCELLED}


def test_comparisons_have_a_summary_of_differences_with_an_alert(
    cast: Cast, runs: list[Run], server: ModelServer
) -> None:
    bob = runs_of_bob(cast, runs)[0].agent
    pairs = agent_pairs(runs[0].agent, bob, Run.objects.all())
    started = work(start(runs_of(pairs), server, judge="first", pairs=pairs))

    found = {row.dimension: row for row in started.summaries.all()}
    assert found.keys() == {*DIMENSIONS, WHOLE}
    assert {(row.state, row.reason, row.other_agent) for row in found.values()} == {(State.DONE, "", bob)}
    assert (found["tool_calls"].alert, found["pitfalls"].alert, found[WHOLE].alert) == (False, False, None)
    source = found["tool_calls"].sources.get(number=1)
    assert (source.run, source.other_run, source.score) == (*pairs[0], 0)

"""Workers compare runs in both orders, once both are reviewed; files first and rows second, and never paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from rq import Queue

from harness.judges.review_file import COMPARISONS, Comparison, all_stored
from harness.judges.stand_ins import STAND_INS
from harness.llm.scripted_server import ModelServer
from runs.jobs import queue
from runs.jobs.job_kinds import COMPARE, REVIEWS
from runs.judging.reviews.comparison_jobs import compare_pair
from runs.judging.reviews.comparison_pairs import agent_pairs, runs_of
from runs.judging.reviews.judging_passes import (
    cancel_pass,
    retry_failed,
    start_pass,
    waiting_comparisons,
    waiting_reviews,
)
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.review_jobs import review_run
from runs.models import (
    ComparisonLine,
    ComparisonOrder,
    JudgingPass,
    LanguageModel,
    Panel,
    Run,
    RunComparison,
)
from runs.transfer.import_reviews import ReviewOwners
from runs.work.execution.run_signature import is_signed
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db(transaction=True)
State = RunComparison.State
ASKED = ("end_result", "tool_calls")
DIMENSIONS = [*ASKED, "pitfalls"]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """The shipped stand-ins for judges, over HTTP."""
    with ModelServer(STAND_INS) as served:
        yield served


@pytest.fixture
def pair() -> tuple[Run, Run]:
    """One attempt each of Alice and Bob at one task."""
    cast = Cast()
    (task,) = cast.add_tasks(1)
    alice, bob = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    record(alice)
    record(bob, astray=True)
    return alice, bob


def start(pair: tuple[Run, Run], server: ModelServer, judge: str = "first", **more: Any) -> JudgingPass:
    """A pass that compares both runs by one stand-in. A second one uses the same panel."""
    panel = Panel.objects.filter(slug=judge).first()
    if panel is None:
        model = LanguageModel.objects.create(
            slug=judge,
            name=judge.title(),
            provider="Ada Works",
            litellm_id=f"openai/{judge}",
            api_base=server.url,
            input_price=1.0,
            output_price=1.0,
        )
        panel = create_panel(
            slug=judge, title="Panel", dimensions=DIMENSIONS, judges=[NewJudge("Portia", model)]
        )
    pairs = agent_pairs(pair[0].agent, pair[1].agent, Run.objects.all())
    values = {"title": "Night watch", "budget_usd": None, **more}
    return start_pass(panel=panel, runs=runs_of(pairs), pairs=pairs, **values)


def work(started: JudgingPass) -> JudgingPass:
    """What workers do for the pass's jobs, in their order."""
    for batch in waiting_reviews():
        review_run(*batch[:-1])
    for pair in waiting_comparisons():
        compare_pair(*pair[:-1])
    started.refresh_from_db()
    return started


def test_a_judge_that_prefers_what_it_sees_first_gives_ties_that_are_marked_as_flips(
    pair: tuple[Run, Run], server: ModelServer
) -> None:
    started = work(start(pair, server))

    assert started.state == JudgingPass.State.FINISHED
    asked = started.comparisons.filter(dimension__in=ASKED)
    assert (
        list(asked.values_list("state", "score", "flipped", "computed")) == [(State.DONE, 0, True, False)] * 2
    )
    orders = ComparisonOrder.objects.order_by("comparison", "shown_first")
    assert list(orders.values_list("shown_first", "state", "score")) == [(1, "done", -3), (2, "done", 3)] * 2
    assert set(
        ComparisonLine.objects.values_list("order__shown_first", "winner", "quoted_run", "status")
    ) == {
        (1, "A1", 1, "verified"),
        (2, "A2", 2, "verified"),
    }
    computed = started.comparisons.get(dimension="pitfalls")
    assert (computed.state, computed.score, computed.computed) == (State.DONE, 0, True)
    assert (computed.asks, computed.orders.count()) == (0, 0)
    assert all(spent > 0 for spent in asked.values_list("spent_usd", flat=True))
    assert len(server.requests) == 2 * len(DIMENSIONS) + 2 * len(ASKED)


def test_a_steady_judge_has_no_flips(pair: tuple[Run, Run], server: ModelServer) -> None:
    started = work(start(pair, server, "quoting"))
    assert set(started.comparisons.values_list("state", "score", "flipped")) == {(State.DONE, 0, False)}


@pytest.mark.redis
def test_comparisons_are_enqueued_when_the_last_review_has_ended(
    redis: RedisServer, pair: tuple[Run, Run], server: ModelServer
) -> None:
    started = start(pair, server)
    jobs = Queue(REVIEWS, connection=queue.connection())
    judge = started.panel.judges.get()
    assert all(name.startswith("review-") for name in jobs.get_job_ids())

    compare_pair(started.pk, pair[0].pk, pair[1].pk, judge.pk)
    assert set(started.comparisons.values_list("state", flat=True)) == {State.QUEUED}
    for run in pair:
        review_run(started.pk, run.pk, judge.pk)

    name = f"compare-{started.pk}-{pair[0].pk}-{pair[1].pk}-{judge.pk}-0"
    assert name in jobs.get_job_ids()
    assert [job.job_id for job in COMPARE.jobs(waiting_comparisons())] == [name]
    assert waiting_reviews() == []


def test_a_second_press_and_a_worker_that_died_after_the_file_cost_no_call(
    pair: tuple[Run, Run], server: ModelServer
) -> None:
    first = work(start(pair, server))
    calls = len(server.requests)

    second = work(start(pair, server, title="Again"))

    assert len(server.requests) == calls
    assert set(second.comparisons.filter(computed=False).values_list("state", "reused", "spent_usd")) == {
        (State.DONE, True, 0.0)
    }
    assert set(second.comparisons.values_list("key")) == set(first.comparisons.values_list("key"))

    RunComparison.objects.update(state=State.QUEUED, score=None, key="")
    ComparisonOrder.objects.all().delete()
    work(second)
    assert len(server.requests) == calls
    assert ComparisonOrder.objects.count() == 2 * 2 * len(ASKED)
    assert set(second.comparisons.values_list("state", "score")) == {(State.DONE, 0)}


def test_files_are_signed_in_the_directory_of_the_first_run(
    pair: tuple[Run, Run], server: ModelServer
) -> None:
    started = work(start(pair, server))

    files = {stored.key: stored for stored in all_stored(pair[0].path, Comparison)}
    assert files.keys() == set(started.comparisons.values_list("key", flat=True))
    assert all(is_signed(pair[0].path / COMPARISONS / f"{key}.json") for key in files)
    assert not list(all_stored(pair[1].path, Comparison))


def test_without_a_review_no_judge_is_asked_and_the_reason_is_stored(
    pair: tuple[Run, Run], server: ModelServer
) -> None:
    started = work(start(pair, server, "prose"))

    assert set(started.comparisons.values_list("state", "score", "asks")) == {(State.NO_REVIEW, None, 0)}
    reason = started.comparisons.values_list("reason", flat=True)[0]
    assert reason.startswith("The review of run 1 is malformed: ")
    assert len(server.requests) == 2 * len(DIMENSIONS) * 2
    assert started.state == JudgingPass.State.FINISHED
    assert retry_failed(started) == len(DIMENSIONS)


def test_the_budget_is_shared_by_reviews_and_comparisons(pair: tuple[Run, Run], server: ModelServer) -> None:
    free = work(start(pair, server))
    reviews = sum(free.reviews.values_list("spent_usd", flat=True))
    for run in pair:
        for folder in ("reviews", "comparisons"):
            for path in (run.path / folder).glob("*"):
                path.unlink()

    budget = reviews + 0.009
    started = work(start(pair, server, title="Poor", budget_usd=budget))

    assert set(started.reviews.values_list("state", flat=True)) == {"done"}
    states = set(started.comparisons.values_list("state", flat=True))
    assert State.UNPAID in states
    assert started.state == JudgingPass.State.FINISHED
    spent = [*started.reviews.values_list("spent_usd"), *started.comparisons.values_list("spent_usd")]
    assert sum(dollars for (dollars,) in spent) <= budget


def test_a_cancelled_pass_compares_nothing(pair: tuple[Run, Run], server: ModelServer) -> None:
    started = start(pair, server)
    assert cancel_pass(started) == 3 * len(DIMENSIONS)
    work(started)
    assert not server.requests
    assert set(started.comparisons.values_list("state", flat=True)) == {State.CANCELLED}


def test_import_rebuilds_comparisons_from_their_files(pair: tuple[Run, Run], server: ModelServer) -> None:
    work(start(pair, server))

    def rows() -> list[Any]:
        return [
            *RunComparison.objects.order_by("dimension").values_list(
                *("run_one", "run_two", "dimension", "state", "score", "flipped", "computed", "key"),
                *("prompt_tokens", "judging_pass__kind", "judging_pass__slug"),
            ),
            *ComparisonOrder.objects.order_by("comparison__dimension", "shown_first").values_list(
                "score", "text"
            ),
            *ComparisonLine.objects.order_by(
                "order__comparison__dimension", "order__shown_first"
            ).values_list("aspect", "winner", "quote", "found_step", "quoted_run"),
        ]

    before = rows()
    JudgingPass.objects.all().delete()
    owners = ReviewOwners("")
    for run in pair:
        owners.restore(run)
    assert owners.restore_comparisons(pair[0], {}) == 0
    assert sum(owners.restore_comparisons(run) for run in pair) == len(DIMENSIONS)
    assert rows() == before
    assert len(before) == len(DIMENSIONS) + 4 * len(ASKED)

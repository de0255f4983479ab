"""Workers make reviews: rendered once, asked over HTTP, stored as files first and rows second, and never paid twice."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import CANCELLED_BY_OPERATOR, RunCancelled
from harness.judges.review_file import Review, all_stored, write_stored
from harness.judges.stand_ins import STAND_INS
from harness.llm.scripted_server import ModelServer
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.storing import store
from runs.jobs.claims import LEAVING
from runs.judging.reviews import judge_jobs, review_jobs
from runs.judging.reviews.judging_passes import CANCELLED, cancel_pass, start_pass
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.pass_file import read_passes
from runs.judging.reviews.review_jobs import review_run
from runs.judging.reviews.run_reviews import reviews_of
from runs.models import Evaluation, JudgeReview, JudgingPass, LanguageModel, Run
from runs.work.execution.run_signature import FILE_SIGNATURE, is_signed
from tests.runs.cast import Cast, record
from tests.runs.intake.reported.forms.test_inspect_logs import log, scored

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeReview.State
DIMENSIONS = ["end_result", "pitfalls", "tool_calls"]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """The shipped stand-ins for judges, over HTTP."""
    with ModelServer(STAND_INS) as served:
        yield served


@pytest.fixture
def run() -> Run:
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(found)
    return found


def start(run: Run, server: ModelServer, judge: str = "quoting", **more: Any) -> JudgingPass:
    """A pass over one run by one stand-in."""
    count = JudgingPass.objects.count()
    model = LanguageModel.objects.create(
        slug=f"{judge}-{count}",
        name=judge.title(),
        provider="Ada Works",
        litellm_id=f"openai/{judge}",
        api_base=server.url,
        input_price=1.0,
        output_price=1.0,
    )
    panel = create_panel(
        slug=f"panel-{model.pk}", title="Panel", dimensions=DIMENSIONS, judges=[NewJudge("Portia", model)]
    )
    return start_pass(title="Night watch", panel=panel, runs=[run], **{"budget_usd": None, **more})


def work(started: JudgingPass) -> JudgingPass:
    """What a worker does for the pass's only job."""
    judge = started.panel.judges.get()
    review_run(started.pk, started.reviews.all()[0].run_id, judge.pk)
    started.refresh_from_db()
    return started


def test_a_job_makes_all_reviews_of_a_run_and_finishes_the_pass(run: Run, server: ModelServer) -> None:
    started = work(start(run, server))

    assert started.state == JudgingPass.State.FINISHED
    reviews = list(started.reviews.order_by("pk"))
    assert [review.state for review in reviews] == [State.DONE] * 3
    assert {review.score for review in reviews} == {0.5}
    assert all(review.spent_usd > 0 and not review.reused and review.shown_share == 1 for review in reviews)
    assert {line.status for review in reviews for line in review.evidence.all()} == {"verified"}
    assert reviews[1].burden is not None
    assert reviews[0].burden is None
    assert len(server.requests) == 3


def test_a_trajectory_of_another_tool_is_judged_like_our_own(tmp_path: Path, server: ModelServer) -> None:
    messages = [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]
    store(read_trajectories(log(tmp_path / "log.json", {"messages": messages, **scored("C")}), {}))
    imported = Run.objects.get()

    work(start(imported, server))

    assert [shown.review.state for shown in reviews_of(imported)] == [State.DONE] * 3


def test_the_files_are_in_the_run_directory_with_the_panel(run: Run, server: ModelServer) -> None:
    started = work(start(run, server))

    files = {review.key: review for review in all_stored(run.path, Review)}
    assert files.keys() == set(started.reviews.values_list("key", flat=True))
    assert {review.dimension for review in files.values()} == set(DIMENSIONS)
    assert [stored.slug for stored in read_passes(run.path)] == [started.slug]


def test_a_run_without_its_directory_fails_at_once(run: Run, server: ModelServer) -> None:
    started = start(run, server)
    shutil.rmtree(run.path)
    work(started)
    assert set(started.reviews.values_list("state", "reason")) == {
        (State.FAILED, "the directory of the run is gone")
    }
    assert started.state == JudgingPass.State.FINISHED


def test_no_path_of_this_machine_is_a_reason(
    run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(run.path))

    started = start(run, server)
    monkeypatch.setattr(review_jobs, "write_pass", fails)
    work(started)
    assert set(started.reviews.values_list("reason", flat=True)) == {"PermissionError: Permission denied"}


def test_equal_reviews_of_an_earlier_pass_are_used_again_without_a_call(
    run: Run, server: ModelServer
) -> None:
    first = work(start(run, server))
    calls = len(server.requests)

    second = work(start_pass(title="Again", panel=first.panel, runs=[run], budget_usd=None))

    assert len(server.requests) == calls
    assert set(second.reviews.values_list("state", "reused", "spent_usd")) == {(State.DONE, True, 0.0)}
    assert set(second.reviews.values_list("key")) == set(first.reviews.values_list("key"))


def test_a_review_whose_worker_died_after_writing_its_file_is_not_asked_again(
    run: Run, server: ModelServer
) -> None:
    started = work(start(run, server))
    calls = len(server.requests)
    JudgeReview.objects.update(state=State.QUEUED, score=None, key="")
    JudgingPass.objects.update(state=JudgingPass.State.RUNNING)

    work(started)

    assert len(server.requests) == calls
    assert set(started.reviews.values_list("state", "score")) == {(State.DONE, 0.5)}


def test_an_answer_that_does_not_fit_has_no_score(run: Run, server: ModelServer) -> None:
    started = work(start(run, server, "prose"))

    assert set(started.reviews.values_list("state", "score", "asks")) == {(State.MALFORMED, None, 2)}
    assert started.state == JudgingPass.State.FINISHED
    assert len(server.requests) == 6


def test_invented_quotes_are_stored_as_unverified(run: Run, server: ModelServer) -> None:
    started = work(start(run, server, "inventing"))
    statuses = {line.status for review in started.reviews.all() for line in review.evidence.all()}
    assert statuses == {"unverified"}


def test_a_budget_pays_for_as_many_reviews_as_it_can(run: Run, server: ModelServer) -> None:
    started = work(start(run, server, budget_usd=0.0075))

    states = sorted(started.reviews.values_list("state", flat=True))
    assert states == [State.DONE, State.DONE, State.UNPAID]
    assert started.state == JudgingPass.State.FINISHED
    assert "budget" in started.reason
    assert sum(started.reviews.values_list("spent_usd", flat=True)) <= 0.0075


def test_a_provider_that_is_down_fails_the_try_not_the_agent(
    run: Run, server: ModelServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_TRIES = 1
    started = start(run, server)
    model = started.panel.judges.get().model
    model.litellm_id = "openai/nobody"
    model.save()

    work(started)

    assert set(started.reviews.values_list("state", "score")) == {(State.FAILED, None)}
    assert all(started.reviews.values_list("reason", flat=True))


def test_a_run_without_a_trajectory_has_no_reviews(run: Run, server: ModelServer) -> None:
    started = start(run, server)
    (run.path / "trajectory.jsonl").unlink()

    work(started)

    assert set(started.reviews.values_list("state", flat=True)) == {State.FAILED}
    assert not server.requests


def test_a_cancelled_pass_makes_no_call(run: Run, server: ModelServer) -> None:
    started = start(run, server)
    cancel_pass(started)
    work(started)
    assert not server.requests


def test_a_review_that_is_cancelled_in_its_call_says_so(
    run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled(*_: object) -> None:
        cancel_pass(started)
        raise RunCancelled(CANCELLED_BY_OPERATOR)

    started = start(run, server)
    monkeypatch.setattr(judge_jobs, "_answer", cancelled)
    work(started)
    assert set(started.reviews.values_list("state", "reason")) == {(State.CANCELLED, CANCELLED)}


def test_a_worker_that_has_to_end_leaves_the_rest_queued(run: Run, server: ModelServer) -> None:
    started = start(run, server)
    LEAVING.set()
    try:
        work(started)
    finally:
        LEAVING.clear()
    assert set(started.reviews.values_list("state", flat=True)) == {State.QUEUED}


def test_a_damaged_file_fails_the_try_with_its_name(run: Run, server: ModelServer, settings: Any) -> None:
    settings.MAX_TRIES = 1
    started = work(start(run, server))
    for stored in all_stored(run.path, Review):
        write_stored(run.path, stored).write_text("{")
    JudgeReview.objects.update(state=State.QUEUED)

    work(started)

    for reason in started.reviews.values_list("reason", flat=True):
        assert ".json: " in reason


def test_files_that_came_with_a_run_from_elsewhere_are_asked_for(run: Run, server: ModelServer) -> None:
    first = work(start(run, server))
    calls = len(server.requests)
    for stored in all_stored(run.path, Review):
        write_stored(run.path, replace(stored, score=1.0, text="It is perfect. Nothing is wrong."))
    Evaluation.objects.update(origin="a friend")

    second = work(start_pass(title="Again", panel=first.panel, runs=[run], budget_usd=None))

    assert len(server.requests) == calls + 3
    assert set(second.reviews.values_list("score", "reused")) == {(0.5, False)}


def test_a_file_that_a_dead_worker_did_not_sign_is_signed_when_it_is_used(
    run: Run, server: ModelServer
) -> None:
    started = work(start(run, server))
    paths = sorted((run.path / "reviews").glob("*.json"))
    for path in paths:
        path.with_suffix(FILE_SIGNATURE).unlink()

    work(start_pass(title="Again", panel=started.panel, runs=[run], budget_usd=None))

    assert all(map(is_signed, paths))


def test_a_judge_that_has_become_invalid_fails_its_reviews_with_the_reason(
    run: Run, server: ModelServer, settings: Any
) -> None:
    settings.MAX_TRIES = 1
    started = start(run, server)
    LanguageModel.objects.update(context_window=100)

    work(started)

    assert set(started.reviews.values_list("state", flat=True)) == {State.FAILED}
    assert "leaves no room for input" in started.reviews.all()[0].reason
    assert started.state == JudgingPass.State.FINISHED

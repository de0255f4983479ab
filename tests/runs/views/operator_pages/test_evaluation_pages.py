"""The page of an evaluation: progress, results, costs and failures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from runs.models import Agent, Evaluation, Run, Try
from runs.work.progress import evaluation_status
from tests.markup import compact
from tests.runs.cast import Cast, act, add_try, recorder_of

pytestmark = pytest.mark.django_db


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def test_an_evaluation_shows_progress_failures_and_spending(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING, budget_usd=10.0)
    alice = cast.alice()
    done = cast.add_run(alice, task, 1, evaluation=evaluation)
    due = datetime(2026, 3, 1, 12, 30, 15, tzinfo=UTC)
    waits: dict[str, Any] = {
        "state": Run.State.QUEUED,
        "outcome": "",
        "ending": "",
        "failure": "worker",
        "not_before": due,
    }
    waiting = cast.add_run(
        alice, task, 2, evaluation=evaluation, detail=f"Try 1 failed: gone{' a line' * 200}, the end", **waits
    )
    lost = cast.add_run(alice, task, 3, evaluation=evaluation, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    add_try(done, 1, Try.State.SETTLED, spent_usd=0.25)
    add_try(waiting, 1, Try.State.LOST, "no sign of life", failure="worker", spent_usd=0.5)
    log = "cannot be built: " + "a line\n" * 200 + "no such package"
    add_try(lost, 1, Try.State.FAILED, log, failure="image build")
    add_try(waiting, 2, Try.State.LIVE, reserved_usd=0.125)

    page = body(client, evaluation.get_absolute_url())

    assert "<b>2</b> of 3 runs done" in page
    assert ">1/1 !1 +1</a>" in page
    assert 'title="1 of 1 resolved, 1 failed by the infrastructure, 1 not started"' in page
    assert "Spent of $10.00" in page
    assert '<p class="big">$0.75</p>' in page
    assert "<b>$0.13</b> reserved" in page
    assert "<b>$0.50</b> on failed tries" in page
    waiting_part, _, failures = page.partition("Failures of the infrastructure")
    assert "Waiting to be tried again" in waiting_part
    assert "12:30:15 UTC" in waiting_part
    assert "Try 1 failed: gone" in waiting_part
    assert "a line, the end</td>" in waiting_part
    build, worker = failures.split("</tr>")[1:3]
    assert ">image build<" in build
    assert "no such package" in build
    assert '<td class="num" data-name="Tries">1</td>' in build
    assert '<td class="num" data-name="Lost">1</td>' in build
    assert ">worker<" in worker
    assert '<td class="num" data-name="Tries">1</td><td class="num" data-name="Lost">0</td>' in worker
    assert "data-live" in page
    assert "Cancel" not in page


def test_a_waiting_run_shows_the_reason(client: Client, cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    running: dict[str, Any] = {"state": Run.State.RUNNING, "outcome": "", "ending": "", "finished_at": None}
    run = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], 1, evaluation=evaluation, detail="No <reply> yet.", **running
    )
    addresses = (evaluation.get_absolute_url(), reverse("run_live", args=[run.pk]))
    headers = {"X-Partial": "1"}
    page, live = (client.get(address, headers=headers) for address in addresses)
    assert "Under way now" in page.content.decode()
    assert "No &lt;reply&gt; yet." in page.content.decode()
    assert '<p class="note" role="status">No &lt;reply&gt; yet.</p>' in live.json()["verdict"]
    assert body(client, run.get_absolute_url()).count("No &lt;reply&gt; yet.") == 1

    run.detail = ""
    run.save()
    for address, before in zip(addresses, (page, live), strict=True):
        after = client.get(address, headers={**headers, "If-None-Match": before["ETag"]})
        assert after.status_code == 200
        assert "reply&gt; yet" not in after.content.decode()


def test_a_cancelled_run_is_not_counted_as_open_and_shows_its_reason(client: Client, cast: Cast) -> None:
    task, other = cast.add_tasks(2)
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.CANCELLED)
    gone: dict[str, Any] = {"state": Run.State.CANCELLED, "outcome": "", "evaluation": evaluation}
    alice = cast.alice()
    cast.add_run(alice, task, 1, evaluation=evaluation)
    cast.add_run(alice, task, 2, detail="The budget has <no> room.", **gone)
    cast.add_run(alice, task, 3, detail="The budget has <no> room.", **gone)
    cast.add_run(alice, other, 1, **gone)
    cast.add_run(alice, other, 2, evaluation=evaluation, state=Run.State.GRADING, outcome="")

    page = body(client, evaluation.get_absolute_url())

    assert "<b>1</b> of 5 runs done" in page
    assert "<b>3</b> cancelled" in page
    assert ">1/1 ⊘2</a>" in page
    assert ">● +1 ⊘1</a>" in page
    assert "<b>3 runs were cancelled, 2 of them for this reason:</b> The budget has &lt;no&gt; room." in page
    rows = page.partition("Cancelled runs</h2>")[2].split("</tr>")[1:3]
    assert '<td class="num">2</td><td class="text">The budget has &lt;no&gt; room.</td>' in rows[0]
    assert '<td class="num">1</td><td class="text">No reason is known.</td>' in rows[1]
    assert "Active runs stop after their current step" in page
    assert "Estimated end" not in page


def test_an_evaluation_that_waits_for_others_has_a_note(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    queued: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": ""}
    others: dict[str, Any] = {**queued, "evaluation": cast.add_evaluation("spring", "Spring")}
    active = cast.add_run(alice, task, 1, **{**others, "state": Run.State.RUNNING})
    cast.add_run(alice, task, 2, **others)
    neap = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    mine = cast.add_run(alice, task, 1, evaluation=neap, **queued)
    cast.add_run(alice, task, 3, **others)  # queued later: it comes after

    address = neap.get_absolute_url()
    assert "workers take runs in order; 2 of other evaluations come first" in body(client, address)
    seen = client.get(address, headers={"x-partial": "evaluation"})
    active.delete()
    again = {"x-partial": "evaluation", "if-none-match": seen["ETag"]}
    assert "1 of other evaluations comes first" in body(client, address, **again)
    mine.state = Run.State.PREPARING
    mine.save()
    assert "of other evaluations" not in body(client, address)


def test_the_live_part_of_an_evaluation_is_not_sent_twice(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    run = cast.add_run(cast.alice(), task, state=Run.State.RUNNING, outcome="", ending="")
    address = cast.evaluation.get_absolute_url()
    first = client.get(address, headers={"x-partial": "evaluation"})
    again = {"x-partial": "evaluation", "if-none-match": first["ETag"]}

    assert client.get(address, headers=again).status_code == 304
    run.state = Run.State.GRADING
    run.save()
    assert client.get(address, headers=again).status_code == 200


def test_results_so_far_have_an_interval_or_no_verdict(client: Client, cast: Cast) -> None:
    task, other = cast.add_tasks(2)
    alice, idler = cast.alice(), cast.idler()
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    cast.add_run(alice, task, 1, evaluation=evaluation)
    cast.add_run(alice, other, 1, evaluation=evaluation, passed=3)
    cast.add_run(idler, task, 1, evaluation=evaluation, state=Run.State.QUEUED, outcome="")

    results = body(client, evaluation.get_absolute_url()).partition("Results so far</h2>")[2]
    first, second = results.split("</tr>")[1:3]

    assert ">Alice<" in first
    assert "50.0 %" in first
    assert "1 of 2</a>" in first
    assert "80.0 %" in first  # of the tests
    assert "2,000" in first
    assert "$0.50" in first
    assert "no verdict yet" in second
    assert "No model: nothing to pay" in second


def test_an_end_is_estimated_from_three_runs_on(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING, budget_usd=0.9)
    for attempt in (1, 2):
        cast.add_run(alice, task, attempt, evaluation=evaluation)
    cast.add_run(alice, task, 4, evaluation=evaluation, state=Run.State.QUEUED, outcome="")
    address = evaluation.get_absolute_url()

    early = body(client, address)
    cast.add_run(alice, task, 3, evaluation=evaluation)
    later = body(client, address)

    assert early.count("too early to say") == 2  # the end, and the cost at the end
    assert "left, if it goes on like the last 3 runs" in later
    assert "about <b>$1.00</b>, n 3" in later
    assert "The budget is too small" in later


def test_a_finished_evaluation_shows_its_duration(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    now = timezone.now()
    cast.add_run(cast.alice(), task, started_at=now - timedelta(hours=2, minutes=5), finished_at=now)

    page = body(client, cast.evaluation.get_absolute_url())

    assert '<p class="big">2 h 5 min</p>' in page
    assert "Estimated end" not in page
    assert "data-live" not in page


def test_active_runs_show_their_step_and_silent_workers(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    run = cast.add_run(cast.alice(), task, evaluation=evaluation, state=Run.State.RUNNING, outcome="")
    one = add_try(run, 1, Try.State.LIVE, worker="secret-host:123")
    recorder = recorder_of(run)
    for _ in range(3):
        act(recorder, "read_file", {"path": "tide.py"}, "x" * 100_000)
    address = evaluation.get_absolute_url()

    part = body(client, address).partition("Under way now")[2].partition("</table>")[0]
    seen = client.get(address, headers={"x-partial": "evaluation"})
    act(recorder, "read_file", {"path": "tide.py"})
    again = {"x-partial": "evaluation", "if-none-match": seen["ETag"]}

    assert "Alice on Tide 1, attempt 1" in part
    assert 'data-name="Step">3</td>' in part
    assert "secret-host" not in part
    assert "no sign of life" not in part
    assert 'data-name="Step">4</td>' in body(client, address, **again)
    Try.objects.filter(pk=one.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=70))
    cache.clear()
    assert "no heartbeat for 1 min" in body(client, address)


def test_many_cells_are_grouped_by_repository(client: Client, cast: Cast) -> None:
    model = cast.add_model("Analytical")
    agents = [cast.add_agent(f"Agent-{number}", "ide", model) for number in range(21)]
    quay = cast.add_repository("quay", "Quay")
    for task in [*cast.add_tasks(10), *cast.add_tasks(20, quay)]:
        cast.add_run(agents[0], task)
    for agent in agents:
        cast.add_run(agent, quay.tasks.get(slug="tide-1"), 2)
    address = cast.evaluation.get_absolute_url()

    page = body(client, address)
    inside = body(client, f"{address}?repository=quay")

    assert "Repositories against agents" in page
    assert f'href="{address}?repository=quay#grid"' in page
    assert ">21/21</a>" in page
    assert "Tide 1<" not in page
    assert "Quay: tasks against agents" in inside
    assert inside.count('scope="row"><a class="plain" href="/tasks/quay/') == 20
    assert "No task of this evaluation" in body(client, f"{address}?repository=nowhere")


def test_the_page_takes_a_fixed_number_of_queries(
    client: Client,
    cast: Cast,
    django_assert_num_queries: DjangoAssertNumQueries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        evaluation_status, "REFRESH_SECONDS", 1e9
    )  # its end must not come between two requests
    model = cast.add_model("Analytical")
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    task, *more = cast.add_tasks(6)

    def fill(agent: Agent, tasks: list[Any]) -> None:
        for one in tasks:
            done = cast.add_run(agent, one, 1, evaluation=evaluation)
            add_try(done, 1, Try.State.SETTLED)
            active: dict[str, Any] = {
                "state": Run.State.RUNNING,
                "outcome": "",
                "finished_at": None,
                "evaluation": evaluation,
            }
            add_try(cast.add_run(agent, one, 2, **active), 1, Try.State.LIVE)
            cast.add_run(agent, one, 3, evaluation=evaluation, state=Run.State.QUEUED, outcome="")
            cast.add_run(agent, one, 4, evaluation=evaluation, state=Run.State.CANCELLED, outcome="")

    fill(cast.add_agent("A", "ide", model), [task])
    for _ in range(2):
        cache.clear()
        # evaluation; its version: rights, state, whether it is big, states, runs and tries under way, account
        # counts, agents, tasks, two of the pace, account, runs and tries under way, two of what waits, failures,
        # cancellations; in the version and on the page, paused models
        with django_assert_num_queries(22):
            client.get(evaluation.get_absolute_url())
        fill(cast.add_agent(f"B{_}", "ide", model), more)
    seen = client.get(evaluation.get_absolute_url(), headers={"x-partial": "evaluation"})
    with django_assert_num_queries(8):
        client.get(
            evaluation.get_absolute_url(), headers={"x-partial": "evaluation", "if-none-match": seen["ETag"]}
        )


def test_later_viewers_get_the_cached_part(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    first = body(client, cast.evaluation.get_absolute_url())

    with django_assert_num_queries(7):  # the evaluation, and what its version is made of
        assert body(Client(), cast.evaluation.get_absolute_url()) == first


def test_a_big_evaluation_is_counted_at_intervals(
    client: Client,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(evaluation_status, "BIG", 2)
    monkeypatch.setattr(evaluation_status, "REFRESH_SECONDS_OF_BIG", 10**9)
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    alice, task = cast.alice(), cast.add_tasks(1)[0]
    for attempt in (1, 2, 3):
        cast.add_run(alice, task, attempt, evaluation=evaluation)
    address = evaluation.get_absolute_url()
    seen = client.get(address, headers={"x-partial": "evaluation"})
    cast.add_run(alice, task, 4, evaluation=evaluation)

    with django_assert_num_queries(3):  # rights, its state, and whether it is big
        again = client.get(address, headers={"x-partial": "evaluation", "if-none-match": seen["ETag"]})
    assert again.status_code == 304
    evaluation.state = Evaluation.State.CANCELLED
    evaluation.save()
    assert "4</b> of 4 runs done" in body(client, address)


def test_tasks_of_several_repositories_name_their_repository(client: Client, cast: Cast) -> None:
    alice, evaluation = cast.alice(), cast.add_evaluation("neap", "Neap")
    (one,) = cast.add_tasks(1)
    cast.add_run(alice, one, evaluation=evaluation)
    home = f'{one.title}</a> <span class="faint">{one.repository.title}</span>'
    assert home not in body(client, evaluation.get_absolute_url())
    (other,) = cast.add_tasks(1, cast.add_repository("shipyard", "Shipyard"))
    cast.add_run(alice, other, evaluation=evaluation)
    page = body(client, evaluation.get_absolute_url())
    assert home in page
    assert 'Tide 1</a> <span class="faint">Shipyard</span>' in page


def test_a_failed_evaluation_says_first_why_and_what_helps(
    client: Client, admin_client: Client, cast: Cast
) -> None:
    failed = Evaluation.objects.create(slug="lost", title="Lost", state="failed", attempts=1)
    run = cast.add_run(
        cast.alice(),
        cast.add_tasks(1)[0],
        evaluation=failed,
        outcome="infrastructure_failed",
        ending="infrastructure",
        failure="model",
        detail="Analytical: 401 Unauthorized: Incorrect API key",
    )
    address = failed.get_absolute_url()
    part = compact(admin_client.get(address, headers={"X-Partial": "evaluation"}).content.decode())
    reason, remedy = "Analytical: 401 Unauthorized: Incorrect API key", "Check the value of the provider"
    assert part.index(reason) < part.index("Its run was lost") < part.index(remedy) < part.index("✕ failed")
    assert f'href="/operate/models/{run.agent.model_id}/">Test the model</a>' in part
    assert 'id="time"' not in part
    assert "✓ finished" not in part
    public = compact(client.get(address).content.decode())
    assert reason in public
    assert remedy not in public
    listed = compact(client.get("/evaluations/?state=failed").content.decode())
    assert "✕ failed" in listed
    assert reason in listed
    home = compact(admin_client.get("/operate/").content.decode())
    assert home.index("✕ failed") < home.index(f"<b>{reason}</b> Check the value")
    retry = compact(admin_client.get(f"{address}retry/").content.decode())
    assert "The evaluation has failed; it will be running again" in retry
    answer = client.get("/api/v1/evaluations/lost").json()
    assert (answer["state"], answer["lost_reason"]) == ("failed", reason)

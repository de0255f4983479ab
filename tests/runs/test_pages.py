"""What the pages say, and at what price in queries."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from runs.models import Agent, Evaluation, Run, Try
from runs.views.prose import Block, Span, blocks
from tests.runs.cast import Cast, add_try, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


@pytest.mark.parametrize(
    "name", ["leaderboard", "published", "repositories", "near_misses", "runs", "evaluations", "methods"]
)
def test_every_page_has_something_to_say_on_an_empty_site(client: Client, name: str) -> None:
    page = body(client, reverse(name))

    assert "<h1" in page
    assert ' aria-current="page"' in page


def test_no_page_carries_inline_script_or_style(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    run = cast.add_cell(cast.alice(), task, [5])[0]
    record(run)
    cast.settle()

    for address in ["/", "/runs/", run.get_absolute_url(), task.get_absolute_url(), "/agents/alice/"]:
        page = body(client, address)
        assert "style=" not in page
        assert "<style" not in page
        for script in page.split("<script")[1:]:
            assert " src=" in script.split(">")[0] or 'type="application/json"' in script.split(">")[0]


def test_the_leaderboard_names_figures_groups_and_calibration(client: Client, cast: Cast) -> None:
    tasks = cast.add_tasks(6)
    alice, idler = cast.alice(), cast.idler()
    for task in tasks:
        cast.add_cell(alice, task, [5, 5])
        cast.add_cell(idler, task, [2, 2])
    cast.settle()

    page = body(client, "/")

    assert "Which agent resolves real tasks?" in page
    assert "pass@2" in page  # every cell has two attempts, so five cannot be asked for
    assert "61 % to 100 %" in page  # Wilson: 6 of 6 tasks
    assert "$0.25" in page
    assert page.count("group-start") == 2  # all six tasks differ: p = 2 / 2**6 = 0.03
    assert "n too small" not in page
    assert page.index(">Alice<") < page.index(">Idler<")


def test_few_tasks_make_one_group_and_say_so(client: Client, cast: Cast) -> None:
    alice, idler = cast.alice(), cast.idler()
    for task in cast.add_tasks(5):
        cast.add_cell(alice, task, [5])
        cast.add_cell(idler, task, [0])
    cast.settle()

    page = body(client, "/")

    assert "n too small to tell apart" in page
    assert page.count("group-start") == 1


def test_an_unknown_price_is_unknown_and_no_model_is_a_dash(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.bob(), task, [5])
    cast.add_cell(cast.oracle(), task, [5])
    cast.settle()

    rows = {row["agent"]: row for row in client.get("/leaderboard.json").json()["rows"]}
    page = body(client, "/")

    assert rows["bob"]["cost_usd"] is None
    assert '<span class="muted">unknown</span>' in page
    assert "No model: nothing to pay" in page
    assert "$0" not in page


def test_infrastructure_failures_are_excluded_and_counted(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    cast.add_run(alice, task, 1)
    cast.add_run(alice, task, 2, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED, ending="infrastructure")
    cast.settle()

    (row,) = client.get("/leaderboard.json").json()["rows"]

    assert (row["attempts"], row["pass_at_1"], row["infrastructure_failed"]) == (1, 1.0, 1)
    assert row["pass_at_1_with_infrastructure_failures"] == 0.5


@pytest.mark.django_db(transaction=True)  # results are kept of what is committed
@pytest.mark.parametrize(("agents", "tasks"), [(1, 1), (6, 12)])
def test_the_leaderboard_costs_the_same_queries_for_any_number_of_cells(
    client: Client, cast: Cast, agents: int, tasks: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stored = cast.add_tasks(tasks)
    model = cast.add_model("Analytical")
    for number in range(agents):
        agent = cast.add_agent(f"Agent-{number}", "ide", model)
        for task in stored:
            cast.add_cell(agent, task, [5 if number % 2 else 3])
    cast.settle()

    # the version of what is shown (4) and of results (2), cells, agents with models, datasets, repositories, kinds
    with django_assert_num_queries(11):
        client.get("/")


def test_a_script_gets_the_table_alone(client: Client, cast: Cast) -> None:
    part = body(client, "/", x_partial="leaderboard")

    assert part.lstrip().startswith('<div class="block" data-part="leaderboard">')
    assert "<html" not in part


def test_sorting_is_in_the_address_and_marked_in_the_head(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.alice(), task, [5])
    cast.add_cell(cast.idler(), task, [0])
    cast.settle()

    page = body(client, "/?sort=name")

    assert 'aria-sort="ascending"' in page
    assert 'href="?sort=-name"' in page
    assert page.index(">Alice<") < page.index(">Idler<")
    falling = body(client, "/?sort=-name")
    assert falling.index(">Idler<") < falling.index(">Alice<")


def test_a_filter_that_matches_nothing_offers_a_way_out(client: Client, cast: Cast) -> None:
    page = body(client, "/?repository=nowhere")

    assert "Nothing matches these filters" in page
    assert "Clear all filters" in page


def test_csv_holds_what_is_on_the_screen_and_no_formula(client: Client, cast: Cast) -> None:
    easy, hard = cast.add_tasks(1)[0], cast.add_tasks(1, difficulty="hard", start=2)[0]
    alice = cast.alice()
    alice.name = "=cmd|calc"
    alice.save()
    cast.add_cell(alice, easy, [5])
    cast.add_cell(alice, hard, [0])
    cast.settle()

    response = client.get("/leaderboard.csv?difficulty=hard")

    (row,) = csv.DictReader(io.StringIO(response.content.decode()))
    assert (row["name"], row["pass_at_1"], row["tasks"]) == ("'=cmd|calc", "0.0", "1")


def test_a_task_shows_its_proof_and_each_test_of_each_attempt(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    for run in cast.add_cell(cast.alice(), task, [5, 4]):
        record(run)
    cast.settle()

    page = body(client, task.get_absolute_url())

    assert "untouched, 2 of 5 tests pass" in page
    assert "<code>tide.py</code>" in page
    assert page.count('class="mark passed"') == 9
    assert page.count('class="mark failed"') == 1


def test_a_task_shows_how_strong_its_tests_are_where_that_was_measured(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    assert "Strength" not in body(client, task.get_absolute_url())
    assert task.proof is not None
    task.proof["strength"] = {
        "files": ["tide.py"],
        "vacuous": ["tests/test_tide.py::test_<b>", "tests/test_tide.py::test_two"],
        "static": None,
        "note": "static tests were not looked for: no inert form is known of tide.c",
    }
    task.save()

    page = body(client, task.get_absolute_url())

    assert (
        "2 of 5 tests are vacuous; static tests were not looked for: no inert form is known of tide.c" in page
    )
    assert "2 vacuous: they pass without the code that the task is about" in page
    assert "tests/test_tide.py::test_&lt;b&gt;" in page


def test_an_agent_has_slices_runs_and_a_chart_with_its_table(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()

    page = body(client, "/agents/alice/")

    assert "Time against pass rate" in page
    assert page.count(">Alice</text>") == 2  # wide and narrow
    assert "plotly-basic" in page


def test_an_agents_slices_weigh_tasks_alike(client: Client, cast: Cast) -> None:
    first, second = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_cell(alice, first, [5])
    cast.add_cell(alice, second, [5, 0, 0, 0])
    cast.settle()

    (row,) = [row for row in body(client, "/agents/alice/").split("<tr>") if "Harbour master</a></th>" in row]
    # (1/1 + 1/4) / 2 of attempts and of tests, over two tasks; two of five attempts
    assert row.count("62.5 %") == 2
    assert '<td class="num">2</td><td class="num">2 of 5</td>' in row


def test_an_agents_page_shows_every_setting_in_effect_and_what_is_not_the_profiles(
    client: Client, cast: Cast
) -> None:
    alice = cast.alice()
    page = body(client, "/agents/alice/")
    assert "<dt>Profile</dt><dd>ide-bench, unchanged</dd>" in page
    assert '<dt>max output tokens</dt><dd><span class="mono">4000</span></dd>' in page
    assert '<dt>share of window</dt><dd><span class="mono">0.8</span></dd>' in page

    Agent.objects.filter(pk=alice.pk).update(settings={"temperature": None, "retries": 5})
    page = body(client, "/agents/alice/")
    assert "<dt>Profile</dt><dd>ide-bench</dd>" in page
    changed = '<dt>temperature</dt><dd><b class="mono">not set</b> <span class="chip">not the profile\'s</span></dd>'
    assert changed in page
    assert page.count("not the profile") == 1


def test_settings_of_another_version_are_shown_as_they_are(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    Agent.objects.filter(pk=alice.pk).update(settings={"charm": "<b>7</b>"})
    page = body(client, "/agents/alice/")
    assert '<dt>charm</dt><dd><span class="mono">&lt;b&gt;7&lt;/b&gt;</span></dd>' in page
    assert "ide-bench" not in page


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
    assert '>1/1 <span title="infrastructure failures">!1</span> +1</a>' in page
    assert "$0.75</b> spent of $10.00" in page
    assert ">$0.12</b> set aside" in page
    assert "<b>$0.50</b> on failed tries" in page
    waiting_part, _, failures = page.partition("Failures of the infrastructure")
    assert "Waiting to be tried again" in waiting_part
    assert "12:30:15 UTC" in waiting_part
    assert "Try 1 failed: gone" in waiting_part
    assert "a line, the end</td>" in waiting_part
    build, worker = failures.split("</tr>")[1:3]
    assert ">image build<" in build
    assert "no such package" in build
    assert build.count('<td class="num">1</td>') == 2
    assert ">worker<" in worker
    assert '<td class="num">1</td><td class="num">0</td>' in worker
    assert "data-live" in page
    assert "Cancel" not in page


def test_a_run_under_way_that_waits_says_what_for(client: Client, cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    running: dict[str, Any] = {"state": Run.State.RUNNING, "outcome": "", "ending": "", "finished_at": None}
    run = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], 1, evaluation=evaluation, detail="No <answer> yet.", **running
    )
    addresses = (evaluation.get_absolute_url(), reverse("run_live", args=[run.pk]))
    headers = {"X-Partial": "1"}
    page, live = (client.get(address, headers=headers) for address in addresses)
    assert "Under way, and waiting" in page.content.decode()
    assert "No &lt;answer&gt; yet." in page.content.decode()
    assert '<p class="note" role="status">No &lt;answer&gt; yet.</p>' in live.json()["head"]
    assert body(client, run.get_absolute_url()).count("No &lt;answer&gt; yet.") == 1

    run.detail = ""
    run.save()
    for address, before in zip(addresses, (page, live), strict=True):
        after = client.get(address, headers={**headers, "If-None-Match": before["ETag"]})
        assert after.status_code == 200
        assert "answer&gt; yet" not in after.content.decode()


def test_a_cancelled_run_is_not_still_to_come_and_its_reason_is_told(client: Client, cast: Cast) -> None:
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

    assert '>1/1 <span title="cancelled">⊘2</span></a>' in page
    assert '>0/0 ● +1 <span title="cancelled">⊘1</span></a>' in page
    rows = page.partition("Cancelled runs</h2>")[2].split("</tr>")[1:3]
    assert '<td class="num">2</td><td class="text">The budget has &lt;no&gt; room.</td>' in rows[0]
    assert '<td class="num">1</td><td class="text">No reason is known.</td>' in rows[1]
    assert "runs under way are asked to stop" in page
    assert "left</span>" not in page


def test_an_evaluation_that_waits_for_others_says_so(client: Client, cast: Cast) -> None:
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


def test_operators_alone_cancel_what_runs(admin_client: Client, client: Client, cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    cancel = reverse("admin:runs_evaluation_cancel", args=[evaluation.pk])

    assert cancel in body(admin_client, evaluation.get_absolute_url())
    assert cancel not in body(client, evaluation.get_absolute_url())


def test_the_buttons_follow_the_evaluation_without_a_reload(admin_client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome="infrastructure_failed")
    add_try(run, 1, "failed", "no engine")
    evaluation = run.evaluation
    cancel = reverse("admin:runs_evaluation_cancel", args=[evaluation.pk])
    retry = reverse("admin:runs_evaluation_retry", args=[evaluation.pk])

    part = admin_client.get(evaluation.get_absolute_url(), headers={"x-partial": "evaluation"})

    assert cancel not in part.content.decode()
    assert retry in part.content.decode()
    run.outcome = "unresolved"
    run.save()
    assert retry not in body(admin_client, evaluation.get_absolute_url())


def test_dead_tries_are_told_with_their_reason(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], tries=2)
    add_try(run, 1, "lost", "the worker stopped answering")
    add_try(run, 2, "settled")

    assert "the worker stopped answering" in body(client, run.get_absolute_url())


def test_published_tables_are_marked_and_apart(client: Client) -> None:
    page = body(client, "/published/")

    assert "Not run here" in page
    assert "IDE-Bench" in page
    assert "AgentLens" in page
    assert page.count("<table") == 12
    assert "GPT 5.2" not in body(client, "/")


def test_methods_come_from_the_code(client: Client) -> None:
    page = body(client, "/methods/")

    assert "runs.analysis.outcomes.passes.pass_at_k" in page
    assert "Wilson 1927" in page


def test_health_needs_no_database(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"ok\n"


def test_a_missing_page_is_a_page(client: Client) -> None:
    for address in ["/nowhere/", "/runs/999/", "/agents/nobody/", "/repositories/none/", "/tasks/a/b/"]:
        response = client.get(address)
        assert response.status_code == 404
        assert "There is nothing here" in response.content.decode()


def test_an_error_is_a_page_without_request_or_database() -> None:
    from django.template.loader import render_to_string

    assert "Something broke on our side" in render_to_string("500.html")


def test_a_description_shows_its_code_its_strong_words_and_its_tables() -> None:
    source = "# Title\nSome `code` and **weight**:\n| a | b |\n| - | - |\n\n- one\n- <b>two</b>\n"
    assert blocks(source) == (
        Block("heading", ((Span("Title"),),)),
        Block(
            "paragraph",
            ((Span("Some "), Span("code", "code"), Span(" and "), Span("weight", "strong"), Span(":")),),
        ),
        Block("code", text="| a | b |\n| - | - |"),
        Block("list", ((Span("one"),), (Span("<b>two</b>"),))),
    )

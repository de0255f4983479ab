"""The page that starts an evaluation: estimate, errors, and one start for each form."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from harness.sandbox.base import EngineStatus
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import Agent, Evaluation, JudgingPass, LanguageModel
from runs.operations.evaluations.lifecycle import cancel_evaluation
from runs.operations.evaluations.start_form import filled_from
from runs.operations.monitoring import site_status
from runs.views.operator_pages import start_page
from tasks.models import Task
from tests.conftest import RedisServer
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.panels import add_panel

pytestmark = pytest.mark.django_db

START = "/evaluations/start/"


@pytest.fixture(autouse=True)
def engine_responds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the container engine, which has its own tests."""
    monkeypatch.setattr(
        start_page, "engine_status", lambda: EngineStatus(available=True, description="an engine")
    )


def entered(agents: list[Agent], tasks: list[Task], **changes: Any) -> dict[str, Any]:
    """A filled form."""
    values: dict[str, Any] = {
        "mark": "0123abcd",
        "title": "Spring",
        "agents": [agent.pk for agent in agents],
        "tasks": [task.pk for task in tasks],
        "attempts": 3,
    }
    return {**values, **changes}


def body(client: Client, values: dict[str, Any] | None = None, **headers: str) -> str:
    response = client.post(START, values, headers=headers) if values else client.get(START)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_the_estimate_rests_on_earlier_runs_of_the_same_agent(admin_client: Client, cast: Cast) -> None:
    tasks = cast.add_tasks(2)
    alice = cast.alice()
    for attempt, cost in enumerate((0.1, 0.2, 0.3), 1):
        cast.add_run(alice, tasks[0], attempt, cost_usd=cost)

    page = body(admin_client, entered([alice], tasks, budget_usd=1.0))

    assert ">6 runs</output>" in page
    assert "about <b>$1.20</b>, $0.90 to $1.50, n 3" in page
    assert "✕ not enough" in page
    assert "3 earlier runs of it" in page
    assert "about <b>" in page.partition("Time<button")[2]
    assert not Evaluation.objects.exclude(pk=cast.evaluation.pk).exists()


def test_a_partial_request_gets_only_the_estimate(admin_client: Client, cast: Cast) -> None:
    tasks = cast.add_tasks(1)
    part = body(admin_client, entered([cast.idler()], tasks, title=""), x_partial="estimate")

    assert part.lstrip().startswith('<div class="estimate" data-part="estimate"')
    assert "<b>$0</b>: no agent has a model" in part
    nothing = body(admin_client, entered([], tasks, start="Start"), x_partial="estimate")
    assert "Choose agents and tasks" in nothing
    assert Evaluation.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"title": " "}, "title", "Give it a title."),
        ({"agents": []}, "agents", "Choose at least one agent."),
        ({"tasks": []}, "tasks", "Choose at least one task."),
        ({"attempts": "21"}, "attempts", "At most 20."),
        ({"budget_usd": "0"}, "budget_usd", "The budget must be more than 0."),
        (
            {"budget_usd": "5"},
            "budget_usd",
            "The price of Babbage is unknown, so a budget cannot be enforced.",
        ),
        ({"cost_usd": "5"}, "cost_usd", "The price of Babbage is unknown, so a budget cannot be enforced."),
    ],
)
def test_errors_are_at_their_field_and_the_input_is_shown_again(
    admin_client: Client, cast: Cast, changes: dict[str, Any], field: str, sentence: str
) -> None:
    bob, tasks = cast.bob(), cast.add_tasks(2)
    values = {**entered([bob], tasks, iterations=77, start="Start"), **changes}

    page = body(admin_client, values)

    errors = page.partition(f'id="id_{field}_error"')[2].partition("</ul>")[0]
    assert sentence in errors
    target = field if field in {"agents", "tasks"} else f"id_{field}"
    banner = page.partition('id="wrong"')[2].partition("</div>")[0]
    assert f'<a href="#{target}">' in banner
    assert sentence in banner
    assert f'id="{target}"' in page
    assert 'value="77"' in page
    assert page.count(" checked") == len(values["agents"]) + len(values["tasks"])
    assert Evaluation.objects.count() == 1


@pytest.mark.parametrize(
    ("attempts", "sentence"),
    [
        ("21", "At most 20."),
        ("9" * 21, "At most 20."),
        ("0", "At least 1."),
        ("", "Say how many."),
        ("two", "Enter a whole number."),
    ],
)
def test_an_invalid_number_of_attempts_is_explained(
    admin_client: Client, cast: Cast, attempts: str, sentence: str
) -> None:
    values = entered([cast.bob()], cast.add_tasks(2), attempts=attempts)

    page = body(admin_client, values)
    part = body(admin_client, values, x_partial="estimate")

    assert ">0 runs</output>" in page
    assert f"<li>Attempts: {sentence}</li>" in part
    assert "Choose agents and tasks" not in part


def test_free_space_is_shown_as_on_the_status_page(
    admin_client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (start_page, site_status):
        monkeypatch.setattr(module, "free_bytes", lambda: 63_400_000_000)
    assert "63.4\u00a0GB free for runs" in body(admin_client)
    assert "63.4\u00a0GB free for run directories" in admin_client.get("/status/").content.decode()


def test_a_form_starts_once_even_if_sent_twice(admin_client: Client, cast: Cast) -> None:
    values = entered([cast.idler()], cast.add_tasks(1), start="Start")

    first = admin_client.post(START, values)
    second = admin_client.post(START, values, follow=True)
    other = admin_client.post(START, {**values, "title": "Autumn"})

    assert second.redirect_chain[0][0] == first.headers["Location"]
    assert "This form was sent before" in second.content.decode()
    assert other.headers["Location"] != first.headers["Location"]
    assert Evaluation.objects.count() == 3


@pytest.mark.parametrize(
    ("chosen", "publication"),
    [
        ({}, "trial"),
        ({"publication": "trial"}, "trial"),
        ({"publication": "publish"}, "will be published when finished"),
    ],
)
def test_it_starts_a_trial_unless_publishing_is_chosen(
    admin_client: Client, cast: Cast, chosen: dict[str, str], publication: str
) -> None:
    assert re.search(r'value="trial"[^>]* checked', body(admin_client))

    admin_client.post(START, entered([cast.idler()], cast.add_tasks(1), start="Start", **chosen))

    started = Evaluation.objects.get(title="Spring")
    assert (started.listed, started.publication) == (False, publication)


def test_enter_in_a_field_estimates_and_does_not_start(admin_client: Client, cast: Cast) -> None:
    page = body(admin_client).partition('id="start-form"')[2]
    assert page.index('name="estimate"') < page.index('name="start"')  # browsers press the first button


def test_each_form_has_its_own_mark(admin_client: Client, cast: Cast) -> None:
    marks = [re.search(r'name="mark" value="([0-9a-f]{8})"', body(admin_client)) for _ in range(2)]
    first, second = (mark[1] for mark in marks if mark)
    assert first != second


def test_a_copy_has_the_values_of_the_earlier_evaluation(admin_client: Client, cast: Cast) -> None:
    tasks = cast.add_tasks(3)
    alice, idler = cast.alice(), cast.idler()
    before = cast.add_evaluation(
        "neap", "Neap", attempts=4, budget_usd=2.5, limits={"iterations": 33, "tokens": None}
    )
    for task in tasks[:2]:
        cast.add_run(alice, task, evaluation=before)

    page = compact(admin_client.get(f"{START}?from={before.pk}").content.decode())

    assert 'value="Neap (again)"' in page
    for name, value in (("attempts", "4"), ("budget_usd", "2.5"), ("iterations", "33")):
        assert re.search(rf'name="{name}" value="{value}"', page), name
    # An agent, two tasks, and the trial that a copy is at first.
    assert page.count(" checked") == 4
    assert idler.name in page
    assert admin_client.get(f"{START}?from=999").status_code == 404
    assert admin_client.get(f"{START}?from=x").status_code == 400


def test_only_operators_start(client: Client, cast: Cast) -> None:
    values = entered([cast.idler()], cast.add_tasks(1), start="Start")
    assert client.get(START).headers["Location"] == f"/admin/login/?next={START}"
    assert client.post(START, values).headers["Location"] == f"/admin/login/?next={START}"
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert client.get(START).status_code == 403
    assert client.post(START, values).status_code == 403
    assert Evaluation.objects.count() == 1


def test_a_form_without_csrf_token_is_refused_with_advice(admin_user: User, cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin_user)
    response = client.post(START, entered([cast.idler()], cast.add_tasks(1), start="Start"))
    assert response.status_code == 403
    assert "This form is out of date" in response.content.decode()
    assert Evaluation.objects.count() == 1


def test_the_url_in_the_admin_redirects_to_the_page(admin_client: Client) -> None:
    response = admin_client.get("/admin/runs/evaluation/start/?from=3")
    assert response.headers["Location"] == f"{START}?from=3"


def test_tasks_of_a_hidden_dataset_are_marked(admin_client: Client, cast: Cast) -> None:
    cast.add_tasks(1)
    cast.dataset.hidden = True
    cast.dataset.save()
    assert 'Ports 1.0 <span class="chip">hidden</span>' in body(admin_client)


def test_named_limits_replace_those_entered_and_nothing_else(admin_client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()

    page = body(admin_client, entered([alice], [task], iterations=5, tokens=7, limits="paper"))

    assert 'name="wall_seconds" value="21600"' in page
    assert 'name="iterations" value="100"' in page
    assert 'name="tokens" value="7"' not in page
    assert 'value="Spring"' in page
    assert 'name="mark" value="0123abcd"' in page
    assert page.count(" checked") == 2
    assert "Not started" not in page
    assert not Evaluation.objects.exclude(pk=cast.evaluation.pk).exists()


def test_unknown_limits_are_refused(admin_client: Client, cast: Cast) -> None:
    assert admin_client.post(START, {"limits": "endless"}).status_code == 400


def test_a_language_model_may_play_the_user_of_workflow_tasks(admin_client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    player = LanguageModel.objects.create(slug="player", name="Player", litellm_id="openai/player")
    alice = cast.alice()
    page = body(admin_client)
    assert "scripted, without a model" in page
    refused = body(admin_client, entered([alice], [task], user_model=player.pk))
    assert "Player would play the user, but no task has one." in refused
    Task.objects.filter(pk=task.pk).update(mode="workflow")
    estimated = body(admin_client, entered([alice], [task], user_model=player.pk))
    assert (
        "<b>Player</b> as the user, 3 runs: unknown <small>the price of Player is unknown</small>"
        in estimated
    )
    chosen = entered([alice], [task], user_model=player.pk, start="Start")
    assert admin_client.post(START, chosen).status_code == 302
    assert Evaluation.objects.get(title="Spring").user_model == player


def test_a_panel_can_be_chosen_for_the_end_and_one_that_cannot_judge_is_refused_at_its_field(
    admin_client: Client, cast: Cast
) -> None:
    tasks, idler = cast.add_tasks(1), cast.idler()
    free = create_panel(
        slug="p",
        title="Bench of two",
        dimensions=["pitfalls"],
        judges=[NewJudge("P", cast.add_model("Bench"))],
    )
    unpriced = body(admin_client, entered([idler], tasks, start="Start", panel=free.pk, judging_budget_usd=5))
    assert (
        "The price of Bench is unknown" in unpriced.partition('id="id_panel_error"')[2].partition("</ul>")[0]
    )
    assert "<details open><summary>Judges" in unpriced
    alone = body(admin_client, entered([idler], tasks, start="Start", judging_budget_usd=5))
    assert "Choose a panel, or leave its budget empty." in alone

    admin_client.post(START, entered([idler], tasks, start="Start", panel=free.pk))

    made = Evaluation.objects.get(title="Spring")
    assert made.panel_when_finished == free
    page = admin_client.get(made.get_absolute_url()).content.decode()
    assert "Bench of two, when all runs are done" in compact(page)
    assert "Bench of two" not in Client().get(made.get_absolute_url()).content.decode()


def test_again_chooses_the_judges_that_were_chosen_also_where_they_began_or_were_refused(
    admin_client: Client, cast: Cast
) -> None:
    panel = add_panel(cast.add_model("Portia")).panel
    waits = cast.add_evaluation("neap", "Neap", panel_when_finished=panel, judging_budget_usd=3.5)
    began = cast.add_evaluation("ebb", "Ebb")
    JudgingPass.objects.create(slug="ebb", title="Ebb", panel=panel, evaluation=began, budget_usd=3.5)
    cancelled = cast.add_evaluation(
        "flood", "Flood", state="running", panel_when_finished=panel, judging_budget_usd=3.5
    )
    cancel_evaluation(cancelled)
    for evaluation in (waits, began, cancelled):
        values = filled_from(evaluation)
        assert (values["panel"], values["judging_budget_usd"]) == (panel.pk, 3.5)
    assert filled_from(cast.evaluation)["panel"] is None
    page = admin_client.get(f"{START}?from={cancelled.pk}").content.decode()
    assert f'<option value="{panel.pk}" selected>' in page
    page = admin_client.get(cancelled.get_absolute_url()).content.decode()
    assert "They did not begin: The evaluation was cancelled." in page


@pytest.mark.redis
def test_a_model_that_was_never_tested_is_named_before_the_start_with_a_button_that_leaves_the_form(
    admin_client: Client, client: Client, cast: Cast, redis: RedisServer
) -> None:
    tasks, agent, idler = cast.add_tasks(1), cast.alice(), cast.idler()
    assert agent.model is not None
    part = body(admin_client, entered([agent, idler], tasks), x_partial="estimate")
    assert "<p><b>Analytical</b></p><p>It was never tested.</p>" in part
    button = (
        f'<button class="btn" form="test-model" formaction="/operate/models/{agent.model.pk}/test/">Test now'
    )
    assert button in part
    assert 'id="test-model" target="_blank"' in body(admin_client, entered([agent], tasks))
    assert "never tested" not in body(admin_client, entered([idler], tasks), x_partial="estimate")
    starter = User.objects.create_user("starter", is_staff=True)
    starter.user_permissions.set(Permission.objects.filter(codename="start_evaluation"))
    client.force_login(starter)
    part = body(client, entered([agent], tasks), x_partial="estimate")
    assert "It was never tested." in part
    assert "Test now" not in part

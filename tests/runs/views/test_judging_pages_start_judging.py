"""Operators have the runs of an evaluation judged."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import Evaluation, JudgingPass, Panel
from tests.markup import compact
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(cast: Cast) -> Panel:
    model = cast.add_model("Bench", input_price=3.0, output_price=15.0)
    return create_panel(
        slug="one", title="One", dimensions=["pitfalls"], judges=[NewJudge("Portia", model, "ada")]
    )


@pytest.fixture
def evaluation(cast: Cast) -> Evaluation:
    """One run with a verdict, and one that the infrastructure failed."""
    alice = cast.alice()
    record(cast.add_run(alice, cast.add_tasks(1)[0]))
    cast.add_run(alice, cast.add_tasks(1, start=2)[0], outcome="infrastructure_failed")
    return cast.evaluation


def address(evaluation: Evaluation) -> str:
    return reverse("evaluation_judge", args=[evaluation.pk])


def test_the_page_shows_runs_panel_and_estimate(
    admin_client: Client, evaluation: Evaluation, panel: Panel
) -> None:
    page = compact(admin_client.get(address(evaluation)).content.decode())

    assert "in 1 run with a verdict" in page
    assert ">One</option>" in page
    assert "<dt>Reviews</dt><dd>1</dd>" in page
    assert "about <b>$0.0" in page


def test_start_makes_a_pass_and_a_second_press_makes_none(
    admin_client: Client, evaluation: Evaluation, panel: Panel
) -> None:
    entered = {
        "title": "Night watch",
        "panel": panel.pk,
        "budget_usd": "2",
        "mark": "0123abcd",
        "start": "Start",
    }

    first = admin_client.post(address(evaluation), entered)
    again = admin_client.post(address(evaluation), entered)

    started = JudgingPass.objects.get()
    assert first.headers["Location"] == again.headers["Location"] == started.get_absolute_url()
    assert (started.evaluation, started.budget_usd, started.reviews.count()) == (evaluation, 2.0, 1)


def test_without_start_it_only_estimates(admin_client: Client, evaluation: Evaluation, panel: Panel) -> None:
    response = admin_client.post(
        address(evaluation), {"title": "x", "panel": panel.pk, "estimate": "Estimate"}
    )
    assert response.status_code == 200
    assert not JudgingPass.objects.exists()


@pytest.mark.parametrize(
    ("used", "remedy"), [(True, "Make a new panel."), (False, "Save it again in the admin.")]
)
def test_a_refusal_keeps_the_entries_and_names_the_remedy(
    admin_client: Client, evaluation: Evaluation, panel: Panel, used: bool, remedy: str
) -> None:
    entered = {"title": "Night watch", "panel": panel.pk, "start": "Start"}
    if used:
        admin_client.post(address(evaluation), {**entered, "mark": "0123abcd"})
    Panel.objects.update(digest="old")
    response = admin_client.post(address(evaluation), entered)
    assert response.status_code == 409
    page = compact(response.content.decode())
    assert f"The prompts of the panel One have changed since it was made. {remedy}" in page
    assert 'value="Night watch"' in page


def test_without_a_panel_it_links_to_the_form_of_one(admin_client: Client, evaluation: Evaluation) -> None:
    page = admin_client.get(address(evaluation)).content.decode()
    assert reverse("admin:runs_panel_add") in page


def test_readers_and_other_staff_cannot_judge(client: Client, evaluation: Evaluation) -> None:
    assert client.get(address(evaluation)).status_code == 302
    client.force_login(User.objects.create_user("guest", is_staff=True))
    assert client.post(address(evaluation), {"start": "Start"}).status_code == 403

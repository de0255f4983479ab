"""Panels are made in the admin, and frozen once a pass uses them."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from runs.judging.reviews.panel_specs import panel_spec
from runs.models import Evaluation, Panel, PanelJudge
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass

pytestmark = pytest.mark.django_db
ADD = "admin:runs_panel_add"


def entries(model: int, **more: Any) -> dict[str, Any]:
    return {
        "title": "Night panel",
        "slug": "night-panel",
        "dimensions": ["pitfalls", "tool_calls"],
        "samples": "1",
        "judges-TOTAL_FORMS": "1",
        "judges-INITIAL_FORMS": "0",
        "judges-MIN_NUM_FORMS": "1",
        "judges-MAX_NUM_FORMS": "1000",
        "judges-0-name": "Portia",
        "judges-0-model": str(model),
        "judges-0-family": "ada",
        "judges-0-temperature": "0.0",
        "judges-0-max_output_tokens": "4000",
        "judges-0-most_characters": "400000",
        "judges-0-force_call": "on",
        **more,
    }


def test_an_operator_makes_a_panel_with_the_digest_of_its_prompts(admin_client: Client) -> None:
    model = Cast().add_model("Bench")
    page = admin_client.get(reverse(ADD)).content.decode()
    assert "Pitfalls" in page

    response = admin_client.post(reverse(ADD), entries(model.pk))

    assert response.status_code == 302, response.content.decode()
    panel = Panel.objects.get()
    assert panel.digest == panel_spec(panel).prompt_digest
    judge = panel.judges.get()
    assert (judge.name, judge.parameters) == ("Portia", {})


def test_each_parameter_of_a_judge_has_a_field_and_only_what_differs_is_stored(
    admin_client: Client,
) -> None:
    model = Cast().add_model("Bench")
    chosen = {"temperature": "", "reasoning_effort": "high", "seed": "7", "max_output_tokens": "9000"}
    sent = {f"judges-0-{name}": value for name, value in chosen.items()}
    admin_client.post(reverse(ADD), {**entries(model.pk), **sent, "judges-0-force_call": ""})
    panel = Panel.objects.get()
    stored = {
        "temperature": None,
        "reasoning_effort": "high",
        "seed": 7,
        "max_output_tokens": 9000,
        "force_call": False,
    }
    assert panel.judges.get().parameters == stored
    address = reverse("admin:runs_panel_change", args=[panel.pk])
    page = admin_client.get(address).content.decode()
    for name, value in chosen.items():
        field = page.partition(f'name="judges-0-{name}"')[2].partition(">")[0]
        assert (f'value="{value}"' in field) == bool(value)
    force_call = page.partition('name="judges-0-force_call"')[2].partition(">")[0]
    assert "checked" not in force_call
    add_pass(panel.judges.get())
    assert "&quot;seed&quot;: 7" in admin_client.get(address).content.decode()


def test_wrong_entries_are_refused_at_their_field(admin_client: Client) -> None:
    model = Cast().add_model("Bench")
    for more, sentence in (
        ({"dimensions": ["charm"]}, "charm is not one of the available choices"),
        ({"judges-0-temperature": "warm"}, "Enter a number."),
        ({"judges-0-most_characters": "9"}, "greater than or equal to 20000"),
        ({"dimensions": []}, "This field is required"),
    ):
        response = admin_client.post(reverse(ADD), entries(model.pk, **more))
        assert response.status_code == 200
        assert sentence in response.content.decode()
    assert not Panel.objects.exists()


@pytest.mark.parametrize("use", ["a pass", "an evaluation that waits for it"])
def test_a_panel_in_use_does_not_change(admin_client: Client, use: str) -> None:
    cast = Cast()
    model = cast.add_model("Bench")
    admin_client.post(reverse(ADD), entries(model.pk))
    panel = Panel.objects.get()
    if use == "a pass":
        add_pass(panel.judges.get())
    else:
        cast.add_evaluation("neap", "Neap", panel_when_finished=panel)
    address = reverse("admin:runs_panel_change", args=[panel.pk])

    page = admin_client.get(address).content.decode()
    assert 'name="samples"' not in page
    assert 'name="judges-0-name"' not in page
    admin_client.post(address, entries(model.pk, samples="5"))
    panel.refresh_from_db()
    assert panel.samples == 1
    assert admin_client.post(reverse("admin:runs_panel_delete", args=[panel.pk])).status_code == 403
    Evaluation.objects.update(judging_refused="The evaluation was cancelled.")
    assert ('name="samples"' in admin_client.get(address).content.decode()) == (use != "a pass")


def test_staff_who_may_only_view_panels_read_the_stored_parameters_of_each_judge(client: Client) -> None:
    judge = add_panel(Cast().add_model("Bench"))
    PanelJudge.objects.update(parameters={"seed": 7})
    reader = User.objects.create_user("vera", is_staff=True)
    views = Permission.objects.filter(codename__in=["view_panel", "view_paneljudge"])
    reader.user_permissions.set(views)
    client.force_login(reader)

    page = client.get(reverse("admin:runs_panel_change", args=[judge.panel_id])).content.decode()

    assert "&quot;seed&quot;: 7" in page
    assert "Parameters of its calls" not in page


@pytest.mark.parametrize("name", ["panel", "judgingpass", "judgereview"])
def test_the_lists_open(admin_client: Client, name: str) -> None:
    assert admin_client.get(reverse(f"admin:runs_{name}_changelist")).status_code == 200

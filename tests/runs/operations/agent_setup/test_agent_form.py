"""The form of an agent: what it refuses, and where it says why."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from runs.models import Agent, LanguageModel
from runs.operations.agent_setup.agent_form import AgentForm, AgentSetupForm
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def agent_form(**changes: Any) -> AgentForm:
    """A form for an agent."""
    return AgentForm({"slug": "a", "name": "A", "kind": "null", "settings": "{}", **changes})


def test_settings_that_make_no_sense_are_refused(admin_client: Client) -> None:
    values = {"slug": "odd", "name": "Odd", "kind": "scripted", "settings": '{"seed": "x"}'}
    page = compact(admin_client.post("/admin/runs/agent/add/", values).content.decode())
    assert "seed must be a whole number" in page
    values["settings"] = '{"seed": 1, "success_rate": 0.5, "hunk_fraction": 0.5}'
    assert admin_client.post("/admin/runs/agent/add/", values).status_code == 302
    assert Agent.objects.filter(slug="odd").exists()


@pytest.mark.parametrize(
    ("values", "field", "sentence"),
    [
        ({"kind": "ide"}, "model", "an ide agent needs a model."),
        ({"kind": "null", "settings": "[1]"}, "settings", "Settings are a JSON object"),
        (
            {"kind": "null", "settings": '{"a": 0'},
            "settings",
            "in line 1, column 8. Settings are a JSON object",
        ),
        ({"kind": "null", "settings": "[" * 200_000}, "settings", "nested too deeply"),
        ({"kind": "scripted", "settings": '{"seed": "x"}'}, "settings", "seed must be a whole number"),
    ],
)
def test_what_is_wrong_with_an_agent_stands_at_its_field(
    admin_client: Client, values: dict[str, str], field: str, sentence: str
) -> None:
    page = admin_client.post(
        "/admin/runs/agent/add/", {"slug": "odd", "name": "Odd", **values}
    ).content.decode()
    assert sentence in page.partition(f'id="id_{field}_error"')[2].partition("</ul>")[0]
    assert not Agent.objects.exists()


@pytest.mark.parametrize("written", ["", "{}", "null"])
def test_no_settings_are_an_empty_object(written: str) -> None:
    form = agent_form(settings=written)

    assert form.is_valid(), form.errors
    assert form.save().settings == {}


def test_a_kind_that_does_not_exist_is_refused() -> None:
    assert list(agent_form(kind="wizard").errors) == ["kind"]


def test_a_person_has_settings_and_needs_no_mailbox_here() -> None:
    assert not agent_form(kind="person", settings='{"idle_seconds": 600}').errors
    assert list(agent_form(kind="person", settings='{"idle": 600}').errors) == ["settings"]


def test_an_agent_with_a_model_is_stored_with_its_settings() -> None:
    model = LanguageModel.objects.create(slug="m", name="M", provider="P", litellm_id="openai/m")

    good = agent_form(kind="ide", model=model.pk, settings='{"iterations": 3, "tools": "shell"}')
    bad = agent_form(kind="ide", model=model.pk, settings='{"iterations": 0}')

    assert bad.errors == {"settings": ["iterations: expected more than zero, not 0."]}
    unknown = agent_form(kind="ide", model=model.pk, settings='{"tools": ["cat"]}')
    assert str(unknown.errors["settings"][0]).startswith(
        "tools: there is no tool 'cat'; there are: read_file, "
    )
    assert good.is_valid(), good.errors
    agent = good.save()
    assert (agent.model, agent.settings) == (model, {"iterations": 3, "tools": "shell"})


def setup_form(**changes: Any) -> AgentSetupForm:
    """The operator's form of a new agent."""
    return AgentSetupForm(
        {"name": "Ada", "program": "ide", "settings": "{}", "enabled": "on", **changes},
        models=LanguageModel.objects.all(),
    )


def test_a_program_gives_kind_recipe_and_slug() -> None:
    model = LanguageModel.objects.create(slug="m", name="M", provider="P", litellm_id="openai/m")
    form = setup_form(program="mini-swe-agent", model=model.pk, settings='{"max_output_tokens": 900}')
    assert form.is_valid(), form.errors
    stored = form.save()
    assert (stored.slug, stored.kind, stored.enabled) == ("ada", "command", True)
    assert stored.settings == {"max_output_tokens": 900, "recipe": "mini-swe-agent"}

    again = AgentSetupForm(instance=stored, models=LanguageModel.objects.all())
    assert again["program"].value() == "mini-swe-agent"
    assert again.initial["settings"] == {"max_output_tokens": 900}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({}, "model"),
        ({"program": "wizard"}, "program"),
        ({"program": "null", "settings": "[]"}, "settings"),
        ({"program": "null", "settings": "[" * 100_000}, "settings"),
    ],
)
def test_what_the_harness_refuses_stands_at_its_field_of_the_setup(
    changes: dict[str, str], field: str
) -> None:
    form = setup_form(**changes)
    assert field in form.errors
    assert str(form)
    assert not Agent.objects.exists()


def test_an_agent_with_runs_keeps_program_model_and_settings() -> None:
    cast = Cast()
    alice = cast.alice()
    Agent.objects.filter(pk=alice.pk).update(kind="command", settings={"recipe": "codex"})
    alice.refresh_from_db()
    cast.add_run(alice, cast.add_tasks(1)[0])

    changed = {"name": "Alicia", "program": "null", "settings": '{"iterations": 1}'}
    form = AgentSetupForm(changed, instance=alice, models=LanguageModel.objects.all())

    assert form.is_frozen
    assert form.is_valid(), form.errors
    form.save()
    alice.refresh_from_db()
    assert (alice.name, alice.kind, alice.enabled) == ("Alicia", "command", False)
    assert (alice.settings, alice.model) == ({"recipe": "codex"}, LanguageModel.objects.get())

"""The admin's forms for models and agents: what they refuse, and where they say why."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from runs.admin_pages.admin_forms import AgentForm, LanguageModelForm
from runs.models import Agent, LanguageModel
from tests.markup import compact

pytestmark = pytest.mark.django_db


def model_form(**changes: str) -> LanguageModelForm:
    """A form for a model, filled as a browser sends it."""
    data = QueryDict(mutable=True)
    data.update({"slug": "m", "name": "M", "provider": "P", "litellm_id": "openai/m", **changes})
    return LanguageModelForm(data)


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
        ({"kind": "null", "settings": "{bad"}, "settings", "Enter a valid JSON."),
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


def model_page(admin_client: Client, **changes: str) -> str:
    """The response to a model that is added."""
    values = {"slug": "m", "name": "M", "provider": "P", "litellm_id": "openai/m", **changes}
    return admin_client.post("/admin/runs/languagemodel/add/", values).content.decode()


def test_a_key_in_place_of_a_name_is_refused_and_not_shown_again(admin_client: Client) -> None:
    page = model_page(admin_client, api_key_variable="sk-ant-0123456789")
    assert "This is not the name of an environment variable" in page
    assert "sk-ant-0123456789" not in page
    assert not LanguageModel.objects.exists()
    model_page(admin_client, api_key_variable="ANTHROPIC_API_KEY")
    assert LanguageModel.objects.get().api_key_variable == "ANTHROPIC_API_KEY"


@pytest.mark.parametrize("price", ["-1", "inf", "nan"])
def test_an_invalid_price_is_refused(admin_client: Client, price: str) -> None:
    page = model_page(admin_client, input_price=price)
    errors = page.partition('id="id_input_price_error"')[2].partition("</ul>")[0]
    assert "A price is 0 or more US dollars" in errors or "Enter a number." in errors
    assert not LanguageModel.objects.exists()


@pytest.mark.parametrize("name", ["", "OPENAI_API_KEY", "K2"])
def test_the_name_of_a_variable_is_unchanged(name: str) -> None:
    form = model_form(api_key_variable=name)

    assert form.is_valid(), form.errors
    assert form.save().api_key_variable == name


@pytest.mark.parametrize("name", ["openai_api_key", "1KEY", "MY-KEY", "KEY=sk-1", "SCHLÜSSEL"])
def test_what_may_be_a_key_is_taken_out_of_the_form(name: str) -> None:
    form = model_form(api_key_variable=name)

    assert list(form.errors) == ["api_key_variable"]
    assert form["api_key_variable"].value() == ""
    assert name not in str(form)


def test_unknown_and_zero_prices_are_distinguished() -> None:
    form = model_form(input_price="0", output_price="")

    assert form.is_valid(), form.errors
    model = form.save()
    assert (model.input_price, model.output_price) == (0.0, None)


@pytest.mark.parametrize("name", ["input_price", "output_price", "cached_price", "cache_write_price"])
def test_each_price_is_checked(name: str) -> None:
    assert model_form(**{name: "-0.01"}).errors == {
        name: ["A price is 0 or more US dollars; leave it empty when it is unknown."]
    }


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

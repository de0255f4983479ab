"""The forms of a language model: what they refuse, and what follows from the kind of its provider."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import Client

from runs.models import LanguageModel
from runs.operations.agent_setup.model_form import LanguageModelForm, ModelSetupForm

pytestmark = pytest.mark.django_db


def model_form(**changes: str) -> LanguageModelForm:
    """A form for a model, filled as a browser sends it."""
    data = QueryDict(mutable=True)
    data.update({"slug": "m", "name": "M", "provider": "P", "litellm_id": "openai/m", **changes})
    return LanguageModelForm(data)


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


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_URL", "BENCHBENCH_DATA"])
def test_a_secret_of_the_site_is_never_sent_to_an_address(name: str) -> None:
    form = model_form(api_key_variable=name)
    assert f"{name} belongs to the site" in form.errors["api_key_variable"][0]


def test_the_key_of_a_provider_is_never_sent_to_another_address() -> None:
    sent = {"api_key_variable": "OPENAI_API_KEY", "api_base": "http://127.0.0.1:9/v1"}
    for form in (model_form(**sent), setup_form(kind="own", **sent)):
        assert str(form.errors["api_key_variable"][0]).startswith("OPENAI_API_KEY is the key of OpenAI")
    assert setup_form(kind="openai", **sent).is_valid()  # the provider itself has no address


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("https://openrouter.ai/api/v1", True),
        ("https://OpenRouter.ai:443/api/v1", True),
        ("http://openrouter.ai/api/v1", False),
        ("https://openrouter.ai.example.org/api/v1", False),
        ("https://openrouter.ai:8443/api/v1", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_the_key_of_a_provider_is_sent_to_the_providers_own_address(address: str, is_own: bool) -> None:
    sent = {"api_key_variable": "OPENROUTER_API_KEY", "api_base": address}
    for form in (model_form(**sent), setup_form(kind="own", **sent)):
        assert form.is_valid() == is_own


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


def setup_form(_instance: LanguageModel | None = None, /, **changes: str) -> ModelSetupForm:
    """The operator's form, filled as a browser sends it."""
    data = QueryDict(mutable=True)
    data.update({"kind": "anthropic", "model_name": "claude-sonnet-4-5", **changes})
    return ModelSetupForm(data, instance=_instance)


def stored(form: ModelSetupForm) -> LanguageModel:
    """What a valid form stores."""
    assert form.is_valid(), form.errors
    return form.save()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ("anthropic/claude-sonnet-4-5", "", "ANTHROPIC_API_KEY", "claude-sonnet-4-5", "Anthropic")),
        (
            {"kind": "own", "model_name": "qwen/q3", "api_base": "http://vllm:8000/v1"},
            ("openai/qwen/q3", "http://vllm:8000/v1", "", "q3", "A server of your own"),
        ),
        (
            {
                "kind": "openai",
                "model_name": "openai/gpt-5.2",
                "api_base": "nonsense",
                "api_key_variable": "KEY_2",
            },
            ("openai/gpt-5.2", "", "KEY_2", "gpt-5.2", "OpenAI"),
        ),
        (
            {"kind": "other", "model_name": "groq/llama", "name": "Llama", "provider": "Groq"},
            ("groq/llama", "", "", "Llama", "Groq"),
        ),
    ],
)
def test_the_kind_of_provider_gives_id_address_variable_and_names(
    changes: dict[str, str], expected: tuple[str, ...]
) -> None:
    made = stored(setup_form(**changes))
    assert (made.litellm_id, made.api_base, made.api_key_variable, made.name, made.provider) == expected
    assert made.slug
    again = ModelSetupForm(instance=made)
    assert again["kind"].value() == changes.get("kind", "anthropic")


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"kind": ""}, "kind", "Choose who serves it."),
        ({"model_name": ""}, "model_name", "Enter the name by which the provider calls it."),
        ({"model_name": "my model"}, "model_name", "A model's name has no spaces."),
        ({"kind": "own"}, "api_base", "Enter the address of the server"),
        ({"kind": "own", "api_base": "localhost:8000"}, "api_base", "Enter an address with http://"),
        ({"kind": "own", "api_base": "http://me:pass@host/v1"}, "api_base", "An address is shown on pages"),
        (
            {"api_key_variable": "sk-ant-1"},
            "api_key_variable",
            "This is not the name of an environment variable",
        ),
        ({"output_price": "-1"}, "output_price", "A price is 0 or more US dollars"),
    ],
)
def test_what_is_wrong_stands_at_its_field(changes: dict[str, str], field: str, sentence: str) -> None:
    form = setup_form(**changes)
    assert list(form.errors) == [field]
    assert str(form.errors[field][0]).startswith(sentence)
    assert "sk-ant-1" not in str(form)
    assert "me:pass" not in str(form)


def test_a_name_that_followed_from_the_model_follows_again_and_the_slug_stays() -> None:
    made = stored(setup_form())
    changed = stored(setup_form(made, model_name="claude-opus-5", name="claude-sonnet-4-5"))
    assert (changed.pk, changed.name, changed.slug) == (made.pk, "claude-opus-5", "claude-sonnet-4-5")
    chosen = stored(setup_form(made, model_name="claude-opus-6", name="Opus"))
    assert chosen.name == "Opus"

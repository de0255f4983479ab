"""The forms of a language model, with their checks: of the admin, and of the operator's page."""

from __future__ import annotations

import math
import re
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError

from runs.models import LanguageModel
from runs.operations.agent_setup.free_slug import free_slug
from runs.operations.agent_setup.provider_kinds import KINDS, kind_named, kind_of, name_at_provider

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
# A test sends the value to the address of the model: it must not be a secret of the site itself.
_OF_THE_SITE = re.compile(
    r"BENCHBENCH_\w*|DJANGO_\w*|SECRET_KEY\w*|DATABASE_URL|REDIS_URL|PG\w*|AWS_SECRET_\w*"
)
PRICES = ("input_price", "output_price", "cached_price", "cache_write_price")


class LanguageModelForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Refuses invalid prices, and an API key in the field for the name of its variable."""

    api_base = forms.CharField(
        required=False, max_length=200, label="API base", help_text="Only for a server of your own."
    )

    class Meta:
        model = LanguageModel
        fields = (
            *("name", "slug", "provider", "litellm_id", "api_base", "api_key_variable", "context_window"),
            *PRICES,
            "open_weights",
        )
        labels: ClassVar = {
            "litellm_id": "LiteLLM id",
            "api_key_variable": "API key variable",
            **{name: f"{name.replace('_', ' ').capitalize()} (US$ / million tokens)" for name in PRICES},
        }

    def clean_api_base(self) -> str:
        """An address of http or https. Its host may be the name of a container, which Django's field refuses."""
        entered: str = self.cleaned_data["api_base"].strip()
        try:
            parts = urlsplit(entered)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_address = False
        if entered and (not is_address or any(sign.isspace() for sign in entered)):
            raise ValidationError(
                "Enter an address with http:// or https://, such as http://127.0.0.1:8410/v1."
            )
        if entered and (parts.username or parts.password):
            self.data = {**self.data.dict(), self.add_prefix("api_base"): ""}  # type: ignore[attr-defined]
            raise ValidationError("An address is shown on pages: put the key into a variable, and name that.")
        return entered

    def _get_validation_exclusions(self) -> set[str]:
        """The model's own check of addresses refuses hosts without a dot."""
        return {*super()._get_validation_exclusions(), "api_base"}  # type: ignore[misc]  # has no stub

    def clean_api_key_variable(self) -> str:
        """The name of a variable. An invalid value is not shown again: it may be a key."""
        name: str = self.cleaned_data["api_key_variable"]
        if name and not _VARIABLE.fullmatch(name):
            self.data = {**self.data.dict(), self.add_prefix("api_key_variable"): ""}  # type: ignore[attr-defined]
            raise ValidationError(
                "This is not the name of an environment variable, such as OPENAI_API_KEY. The key itself belongs into "
                "the workers' environment, never here. If you entered one, treat it as exposed and replace it."
            )
        if _OF_THE_SITE.fullmatch(name):
            raise ValidationError(
                f"{name} belongs to the site, and its value would be sent to the provider. Name the variable with the "
                "key of the provider."
            )
        return name

    def clean(self) -> dict[str, Any]:
        """Refuses negative and infinite prices, and an address that would get the key of a known provider."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name in PRICES:
            price = values.get(name)
            if price is not None and not (math.isfinite(price) and price >= 0):
                self.add_error(name, "A price is 0 or more US dollars; leave it empty when it is unknown.")
        key, address = values.get("api_key_variable"), values.get("api_base")
        owner = next((kind for kind in KINDS if key and kind.key_variable == key), None)
        if owner and address and not owner.owns(address):
            self.add_error(
                "api_key_variable",
                f"{key} is the key of {owner.title}, and would be sent to this address; that of {owner.title} begins "
                f"with https://{owner.host}/. Put the key of another server into a variable of its own.",
            )
        return values


class ModelSetupForm(LanguageModelForm):
    """A model by the kind of its provider: what the kind needs, and nothing else.

    The id, the default variable of the key, and the slug follow from it. What a kind does not have is not stored.
    """

    kind = forms.ChoiceField(
        choices=[(kind.name, kind.title) for kind in KINDS],
        widget=forms.RadioSelect,
        label="Who serves it",
        error_messages={"required": "Choose who serves it."},
    )
    model_name = forms.CharField(
        max_length=180,
        label="Model",
        help_text="As the provider calls it.",
        error_messages={"required": "Enter the name by which the provider calls it."},
    )
    field_order = (
        *("kind", "model_name", "api_base", "api_key_variable", "name", "provider", "context_window"),
        *(*PRICES, "open_weights"),
    )

    class Meta:
        model = LanguageModel
        fields = (
            *("name", "provider", "api_base", "api_key_variable", "context_window"),
            *(*PRICES, "open_weights"),
        )
        labels: ClassVar = {
            "name": "Name on pages",
            "provider": "Provider on pages",
            "api_key_variable": "Variable with the key",
            "context_window": "Context window (tokens)",
            "input_price": "Input (US$ / million tokens)",
            "output_price": "Output (US$ / million tokens)",
            "cached_price": "Read from cache",
            "cache_write_price": "Written to cache",
            "open_weights": "Open weights",
        }
        help_texts: ClassVar = {
            "api_key_variable": "Its name in the workers' environment; never the key. Empty: the usual one.",
            "input_price": "Empty: as LiteLLM knows it, else unknown. Unknown prices allow no budget.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "provider"):
            self.fields[name].required = False
        self.fields["name"].help_text = "Empty: as the provider calls it."
        self.fields["provider"].help_text = "Empty: as chosen above."
        self.fields["api_base"].label = "Address"
        self.fields["api_base"].help_text = "Of the server, with /v1 where it has one."
        if self.instance.pk:
            self.initial["kind"] = kind_of(self.instance).name
            self.initial["model_name"] = name_at_provider(self.instance)

    @property
    def always(self) -> list[forms.BoundField]:
        """The fields that every kind has, after the kind itself."""
        return [self[name] for name in ("model_name", "api_key_variable")]

    @property
    def prices(self) -> list[forms.BoundField]:
        """The fields of prices and window."""
        return [self[name] for name in ("input_price", "output_price", "context_window")]

    @property
    def rarely(self) -> list[forms.BoundField]:
        """The fields that most operators leave empty."""
        return [
            self[name] for name in ("name", "provider", "cached_price", "cache_write_price", "open_weights")
        ]

    @property
    def has_rare_errors(self) -> bool:
        """Whether one of the fields that most operators leave empty is wrong."""
        return any(field.errors for field in self.rarely)

    def clean_model_name(self) -> str:
        """One word that an id can hold."""
        name: str = self.cleaned_data["model_name"].strip()
        if not name.isprintable() or " " in name:
            raise ValidationError("A model's name has no spaces.")
        return name

    def clean(self) -> dict[str, Any]:
        """Checks what the kind needs, and fills in what follows from it."""
        kind = kind_named(self.cleaned_data["kind"]) if "kind" in self.cleaned_data else None
        if kind and not kind.has_address:
            self.cleaned_data["api_base"] = ""
            self.errors.pop("api_base", None)
        values = super().clean()
        if kind is None:
            return values
        if not kind.has_address:
            values["api_key_variable"] = values.get("api_key_variable") or kind.key_variable
        elif kind.name == "own" and not values.get("api_base") and "api_base" not in self.errors:
            self.add_error("api_base", "Enter the address of the server, such as http://127.0.0.1:8410/v1.")
        if "model_name" in values:
            name = values["model_name"]
            given = values.get("name")
            if self.instance.pk and given == _short_name(self.instance.litellm_id):
                given = ""  # it was not chosen, but followed from the model
            self.instance.litellm_id = name if name.startswith(kind.prefix) else f"{kind.prefix}{name}"
            values["name"] = given or _short_name(name)
        values["provider"] = values.get("provider") or kind.title
        return values

    def save(self, commit: bool = True) -> LanguageModel:
        """Stores it; a new one gets a slug."""
        if not self.instance.pk:
            self.instance.slug = free_slug(LanguageModel, self.cleaned_data["name"])
        stored: LanguageModel = super().save(commit)
        return stored


def _short_name(name: str) -> str:
    """What stands behind the last slash."""
    return name.rpartition("/")[2]

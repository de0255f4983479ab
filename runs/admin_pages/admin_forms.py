"""The admin's forms for models and agents, with their checks."""

from __future__ import annotations

import math
import re
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from harness.agents.profile import PROFILES, PROMPTS, SETTINGS
from harness.agents.registry import AGENTS, check_agent
from harness.errors import HarnessError
from harness.tools.selection import BY_MODE, SETS
from runs.models import Agent, LanguageModel
from runs.operations.evaluations.harness_specs import agent_spec

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
PRICES = ("input_price", "output_price", "cached_price", "cache_write_price")


class LanguageModelForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Refuses invalid prices, and an API key in the field for the name of its variable."""

    api_base = forms.URLField(
        required=False, assume_scheme="https", label="API base", help_text="Only for a server of your own."
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

    def clean_api_key_variable(self) -> str:
        """The name of a variable. An invalid value is not shown again: it may be a key."""
        name: str = self.cleaned_data["api_key_variable"]
        if name and not _VARIABLE.fullmatch(name):
            self.data = {**self.data.dict(), self.add_prefix("api_key_variable"): ""}  # type: ignore[attr-defined]
            raise ValidationError(
                "This is not the name of an environment variable, such as OPENAI_API_KEY. The key itself belongs into "
                "the workers' environment, never here. If you entered one, treat it as exposed and replace it."
            )
        return name

    def clean(self) -> dict[str, Any]:
        """Refuses negative and infinite prices."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name in PRICES:
            price = values.get(name)
            if price is not None and not (math.isfinite(price) and price >= 0):
                self.add_error(name, "A price is 0 or more US dollars; leave it empty when it is unknown.")
        return values


class AgentForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Refuses settings that the kind does not understand."""

    kind = forms.ChoiceField(choices=[(name, name) for name in AGENTS], initial="ide")

    class Meta:
        model = Agent
        fields = ("name", "slug", "kind", "model", "settings", "description", "enabled")
        help_texts: ClassVar = {
            "settings": f"A JSON object, {{}} for the defaults. ide: profile, {', '.join(SETTINGS)}; "
            f"all times in seconds. profile: {', '.join(PROFILES)}. "
            f"tools: {', '.join((*SETS, BY_MODE))}, or a list of names. "
            f"system_prompt: {', '.join(PROMPTS)}, or a text. "
            'command: {"recipe": "mini-swe-agent"}, or the absolute path of a recipe of your own '
            "(docs/operations.md), and settings of its model calls. "
            "person: idle_seconds, command_timeout, tools, iterations, tool_uses, submissions, wall_seconds.",
        }

    def clean_settings(self) -> dict[str, Any]:
        """Refuses JSON that is not an object."""
        settings = self.cleaned_data["settings"]
        if settings in (None, ""):
            return {}
        if not isinstance(settings, dict):
            raise ValidationError('Settings are a JSON object, such as {"temperature": 0}.')
        return settings

    def clean(self) -> dict[str, Any]:
        """Creates the agent in memory, to check its settings."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        known = {name: values[name] for name in ("name", "kind", "model", "settings") if name in values}
        if "kind" in known and not self.errors:
            try:
                check_agent(agent_spec(Agent(**known)))
            except HarnessError as error:
                blamed = "model" if known.get("model") is None and "model" in str(error) else "settings"
                self.add_error(blamed, f"{str(error).rstrip('.')}.")
        return values

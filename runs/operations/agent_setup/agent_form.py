"""The form of an agent, with its checks: of the admin, and of the operator's page."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html

from harness.agents.command.recipe import shipped_recipes
from harness.agents.profile import PROFILES, PROMPTS, SETTINGS
from harness.agents.registry import AGENTS, check_agent
from harness.errors import HarnessError
from harness.tools.selection import BY_MODE, SETS
from runs.models import Agent, LanguageModel
from runs.operations.agent_setup.free_slug import free_slug
from runs.operations.evaluations.harness_specs import agent_spec

IDE, COMMAND = "ide", "command"
SETTINGS_ARE = 'Settings are a JSON object, such as {"temperature": 0}.'
PROGRAMS = {
    IDE: "BenchBench's own loop and tools",
    "null": "none: changes nothing (calibration)",
    "oracle": "none: applies the reference patch (calibration)",
    "scripted": "none: follows a script (calibration)",
    "person": "a person in the browser",
}


class SettingsDecoder(json.JSONDecoder):
    """Refuses JSON that is nested too deeply to be read, as other invalid JSON."""

    def decode(self, s: str, *more: Any) -> Any:
        """The value."""
        try:
            return super().decode(s, *more)
        except RecursionError:
            raise json.JSONDecodeError("nested too deeply", "", 0) from None


class SettingsField(forms.JSONField):
    """Says where the entered JSON is wrong, and what is expected."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # A hidden field for the first value would have `aria-describedby`, which HTML forbids.
        super().__init__(*args, **{**kwargs, "decoder": SettingsDecoder, "show_hidden_initial": False})

    def to_python(self, value: Any) -> Any:
        """The value."""
        try:
            return super().to_python(value)
        except ValidationError as error:
            try:
                json.loads(value, cls=SettingsDecoder)
            except json.JSONDecodeError as wrong:
                raise ValidationError(
                    f"This is no JSON: {wrong.msg}, in line {wrong.lineno}, column {wrong.colno}. {SETTINGS_ARE}"
                ) from error
            raise


class AgentForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Refuses settings that the kind does not understand."""

    kind = forms.ChoiceField(choices=[(name, name) for name in AGENTS], initial="ide")

    class Meta:
        model = Agent
        fields = ("name", "slug", "kind", "model", "settings", "description", "enabled")
        field_classes: ClassVar = {"settings": SettingsField}
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
            raise ValidationError(SETTINGS_ARE)
        return settings

    def clean(self) -> dict[str, Any]:
        """Creates the agent in memory, to check its settings."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        known = {name: values[name] for name in ("name", "kind", "model", "settings") if name in values}
        if "kind" in known and not self.errors:
            try:
                check_agent(agent_spec(Agent(**known)))
            except HarnessError as error:
                sentence = str(error).removeprefix(f"agent {known.get('name')!r}: ").rstrip(".")
                blamed = "model" if known.get("model") is None and "model" in sentence else "settings"
                self.add_error(blamed, f"{sentence}.")
        return values


class AgentSetupForm(AgentForm):
    """An agent by the program that calls its model. The slug and the kind follow from it.

    What defines an agent that has runs does not change: it would be another agent.
    """

    program = forms.ChoiceField(label="Program", help_text="What calls the model and works in the container.")
    kind = None  # type: ignore[assignment]  # follows from the program
    field_order = ("name", "program", "model", "settings", "description", "enabled")

    class Meta:
        model = Agent
        fields = ("name", "model", "settings", "description", "enabled")
        field_classes: ClassVar = {"settings": SettingsField}
        labels: ClassVar = {"settings": "Settings (JSON)", "enabled": "Offered at the start"}
        help_texts: ClassVar = {
            "name": "As it stands on the leaderboard.",
            "model": "",
            "enabled": "",
        }
        widgets: ClassVar = {
            "settings": forms.Textarea(attrs={"rows": 3}),
            "description": forms.Textarea(attrs={"rows": 2}),
        }

    def __init__(self, *args: Any, models: QuerySet[LanguageModel], **kwargs: Any) -> None:
        """`models`: those that can be chosen and are callable."""
        super().__init__(*args, **kwargs)
        recipes = [(name, f"{name}, inside the container") for name in shipped_recipes()]
        first, *rest = PROGRAMS.items()
        self._programs = [first, *recipes, *rest]
        model = self.fields["model"]
        assert isinstance(model, forms.ModelChoiceField)
        model.queryset = models.exclude(litellm_id="")
        model.empty_label = "none"
        self.fields["settings"].help_text = format_html(
            '{} for the defaults; others are such as {}. <a href="{}#the-agents-settings">All names</a>.',
            "{}",
            '{"temperature": 0, "iterations": 50}',
            reverse("document", args=["operations"]),
        )
        if self.instance.pk:
            self._show_stored()
        program = self.fields["program"]
        assert isinstance(program, forms.ChoiceField)
        program.choices = self._programs

    @property
    def is_frozen(self) -> bool:
        """Whether the agent has runs."""
        return bool(self.instance.pk and self.instance.runs.exists())

    def clean(self) -> dict[str, Any]:
        """Makes kind and settings of the program, and checks them as the harness does."""
        values: dict[str, Any] = self.cleaned_data
        program = values.get("program")
        if program and not self.fields["program"].disabled:
            is_own = program in PROGRAMS
            self.instance.kind = program if is_own else COMMAND
            if "settings" in values and not is_own:
                values["settings"] = {**values["settings"], "recipe": program}
        values["kind"] = self.instance.kind
        return super().clean()

    def save(self, commit: bool = True) -> Agent:
        """Stores it; a new one gets a slug."""
        if not self.instance.pk:
            self.instance.slug = free_slug(Agent, self.cleaned_data["name"])
        stored: Agent = super().save(commit)
        return stored

    def _show_stored(self) -> None:
        """The program of a stored agent, also one that cannot be chosen: a recipe of the operator's own."""
        settings = dict(self.instance.settings)
        chosen = settings.pop("recipe", "") if self.instance.kind == COMMAND else self.instance.kind
        if chosen not in dict(self._programs):
            self._programs.append((chosen, chosen))
        self.initial["program"] = chosen
        if not self.is_frozen:
            self.initial["settings"] = settings
        else:
            for name in ("program", "model", "settings"):
                self.fields[name].disabled = True
            model = self.fields["model"]
            assert isinstance(model, forms.ModelChoiceField)
            model.queryset = LanguageModel.objects.filter(pk=self.instance.model_id)

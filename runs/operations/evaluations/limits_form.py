"""The form for attempts, budget and limits of an evaluation, used by the start page and by the command."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django import forms

from harness.limits import DEFAULT_LIMITS, LIMIT_PROFILES, Limits

MAX_ATTEMPTS = 20
NONE = "none"
BOUNDS = {"min_value": "At least %(limit_value)s.", "max_value": "At most %(limit_value)s."}
_OPTIONAL: dict[str, Any] = {"required": False, "error_messages": BOUNDS}


def _whole(number: float | None) -> float | None:
    """The number as an int if it has no fraction: 3600, not 3600.0."""
    return int(number) if number is not None and float(number).is_integer() else number


class LimitsForm(forms.Form):
    """Attempts and budget of an evaluation, and the limits of each of its runs: those of `harness.limits.Limits`.

    Tool uses and submissions are not among them: they belong to the settings of an agent.
    """

    attempts = forms.IntegerField(
        min_value=1,
        max_value=MAX_ATTEMPTS,
        initial=1,
        help_text="Of each agent at each task.",
        error_messages={**BOUNDS, "required": "Say how many."},
    )
    budget_usd = forms.FloatField(
        min_value=0, label="Budget (US$)", help_text="For all runs together. Empty: none.", **_OPTIONAL
    )
    iterations = forms.IntegerField(
        min_value=1,
        initial=Limits().iterations,
        help_text="Responses of the model. Empty: no limit.",
        **_OPTIONAL,
    )
    tokens = forms.IntegerField(
        min_value=1, help_text="Of prompts and responses together. Empty: no limit.", **_OPTIONAL
    )
    cost_usd = forms.FloatField(
        min_value=0,
        label="Cost (US$)",
        help_text="Of one run: a call that might exceed it is not made. Empty: no limit.",
        **_OPTIONAL,
    )
    wall_seconds = forms.FloatField(
        min_value=1,
        initial=_whole(Limits().wall_seconds),
        label="Wall time (s)",
        help_text="For the agent's work, without its grade. Empty: no limit.",
        **_OPTIONAL,
    )
    grade_repeats = forms.IntegerField(
        min_value=1,
        max_value=MAX_ATTEMPTS,
        initial=Limits().grade_repeats,
        label="Test runs for each grade",
        help_text="More than one detects flaky tests: a run is resolved only if all of them pass. Empty: one.",
        **_OPTIONAL,
    )
    of_evaluation = ("attempts", "budget_usd")
    of_each_run = ("iterations", "tokens", "cost_usd", "wall_seconds", "grade_repeats")

    def limits(self) -> Limits:
        """The limits of each run. Call it when the form is valid."""
        chosen = {name: self.cleaned_data[name] for name in self.of_each_run}
        return Limits(**{**chosen, "grade_repeats": chosen["grade_repeats"] or Limits().grade_repeats})

    def rows_of_evaluation(self) -> list[forms.BoundField]:
        """The fields of the evaluation as a whole, for the page."""
        return [self[name] for name in self.of_evaluation]

    def rows_of_each_run(self) -> list[forms.BoundField]:
        """The fields of `Limits`, for the page."""
        return [self[name] for name in self.of_each_run]


def limits_named(profile: str) -> dict[str, float | None]:
    """The values of the fields for a profile of limits, by name."""
    return {name: _whole(value) for name, value in LIMIT_PROFILES[profile].stored().items()}


def in_words(limits: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The limits of an evaluation, each with the label of its field; None for no limit."""
    form = LimitsForm()
    return [(str(form[name].label), limits[name]) for name in form.of_each_run if name in limits]


def add_options(parser: ArgumentParser) -> None:
    """Adds an option for each field, with its help text, and one for a profile of limits.

    Values are strings, which the form reads; None: not given.
    """
    parser.add_argument(
        "--limits",
        choices=LIMIT_PROFILES,
        default=DEFAULT_LIMITS,
        help="the limits of each run that no other option sets: paper allows 6 hours (default: %(default)s)",
    )
    for name, field in LimitsForm.base_fields.items():
        text = str(field.help_text).replace("Empty", f"'{NONE}'")
        default = NONE if field.initial is None else str(field.initial)
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="N", help=f"{text} (default: {default})")


def from_options(options: Mapping[str, Any]) -> LimitsForm:
    """The form, filled from the options of `add_options`. It may be invalid; see `option_errors`."""
    usual = {name: field.initial for name, field in LimitsForm.base_fields.items()}
    usual |= limits_named(options["limits"])
    given = {name: options[name] for name in usual if options[name] is not None}
    values = {**usual, **given}
    return LimitsForm({name: "" if value in (None, NONE) else value for name, value in values.items()})


def option_errors(form: LimitsForm) -> list[str]:
    """The errors of the form, each after the name of its option."""
    return [
        f"--{name.replace('_', '-')}: {sentence}"
        for name, sentences in form.errors.items()
        for sentence in sentences
    ]

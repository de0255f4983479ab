"""The operator's form that starts a generation of tasks, and the one that publishes its output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from runs.models import LanguageModel
from runs.work.generation.generation_jobs import (
    GenerationRefused,
    SourceRepository,
    check_budget_of,
    check_output,
)
from tasks.generation.corrupting.candidates import Kind
from tasks.generation.generation_request import MIN_LINES, Plan
from tasks.generation.suite.screening import Thresholds

MAX_NUMBER = 2**31 - 1
MAX_COUNT = 100_000
BOUNDS = {"min_value": "At least %(limit_value)s.", "max_value": "At most %(limit_value)s."}
HIDDEN, OPEN = "hidden", "open"
AUDIENCES = ((HIDDEN, "Hidden"), (OPEN, "Open"))
KINDS = (
    (Kind.REMOVE.value, "remove: the body of a function is removed"),
    (Kind.CORRUPT.value, "corrupt: one expression or statement of a function is changed"),
    (Kind.MULTI.value, "multi: corruptions that became tasks are combined; needs a map"),
    (Kind.ADVERSARIAL.value, "adversarial: a model corrupts a function so that the fault is hard to find"),
)


def _count(label: str, initial: int | None, text: str, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(
        **{
            "min_value": 1,
            "max_value": MAX_COUNT,
            "label": label,
            "initial": initial,
            "help_text": text,
            "error_messages": {**BOUNDS, "required": "Give a number."},
            **more,
        }
    )


class GenerationForm(forms.Form):
    """What to generate. `places`: the repositories to choose from."""

    place = forms.ChoiceField(
        label="Repository",
        error_messages={"required": "Choose a repository."},
        help_text="With hidden tests.",
    )
    kinds = forms.MultipleChoiceField(
        choices=KINDS,
        initial=[Kind.REMOVE.value, Kind.CORRUPT.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one kind."},
    )
    seed = _count("Seed", 0, "The same seed makes the same tasks.", min_value=0, max_value=MAX_NUMBER)
    limit = _count("Candidates of each kind", 20, "Empty: all.", required=False)
    per_function = _count("Corruptions of each function", 1, "At most, by different operators.", max_value=23)
    least_lines = _count("Lines of a function", MIN_LINES, "Shorter functions are left out.")
    least_removal = _count(
        "Failing tests, removal", Thresholds().removal, "So many tests must newly fail, at least."
    )
    least_corruption = _count("Failing tests, corruption", Thresholds().corruption, "The same.")
    suite_seconds = forms.FloatField(
        min_value=1,
        max_value=3600,
        initial=60,
        label="CPU time of all tests (s)",
        help_text="A repository whose tests take longer is refused.",
        error_messages={**BOUNDS, "required": "Give a number."},
    )
    model = forms.ModelChoiceField(
        LanguageModel.objects.none(),
        required=False,
        empty_label="none",
        help_text="For the kind adversarial alone.",
    )
    budget_usd = forms.FloatField(
        min_value=0,
        required=False,
        label="Budget (US$)",
        help_text="For the model, with all its earlier replies for this output. Empty: none.",
        error_messages=BOUNDS,
    )
    output = forms.CharField(
        label="Dataset",
        max_length=50,
        validators=[RegexValidator(r"\A[a-z0-9][a-z0-9-]*\Z", "Use lower-case letters, digits and hyphens.")],
        error_messages={"required": "Give the dataset a name."},
        help_text="That gets the tasks; made if it is missing.",
    )
    title = forms.CharField(
        max_length=200,
        initial="Generated tasks",
        help_text="Of the dataset, if it is new.",
        error_messages={"required": "Give the dataset a title."},
    )
    audience = forms.ChoiceField(
        choices=AUDIENCES, widget=forms.RadioSelect, initial=HIDDEN, label="When it is published"
    )
    numbers = (
        "seed",
        "limit",
        "per_function",
        "least_lines",
        "least_removal",
        "least_corruption",
        "suite_seconds",
    )

    def __init__(self, places: Sequence[SourceRepository], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._places = {place.name: place for place in places}
        field = self.fields["place"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, name) for name in self._places]
        models = self.fields["model"]
        assert isinstance(models, forms.ModelChoiceField)
        models.queryset = LanguageModel.objects.exclude(litellm_id="")

    def clean(self) -> dict[str, Any]:
        """Checks what `start_generation` checks, so that each error is shown at its field."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if Kind.ADVERSARIAL.value in values.get("kinds", ()) and not values.get("model"):
            self.add_error("model", "Choose a model: the kind adversarial needs one.")
        try:
            if "place" in values and "output" in values:
                check_output(self.chosen_place(), values["output"])
            check_budget_of(values.get("model"), values.get("budget_usd"))
        except GenerationRefused as refused:
            self.add_error(refused.field or None, str(refused))
        return values

    def chosen_place(self) -> SourceRepository:
        """The chosen repository. Call it when its field is valid."""
        return self._places[self.cleaned_data["place"]]

    def plan(self) -> Plan:
        """What to make. Call it when the form is valid."""
        values = self.cleaned_data
        chosen = set(values["kinds"])
        kinds = tuple(kind for kind in Kind if kind.value in chosen)
        return Plan(
            kinds,
            values["seed"],
            values["limit"],
            values["per_function"],
            least_lines=values["least_lines"],
        )

    def thresholds(self) -> Thresholds:
        """What a candidate must reach. Call it when the form is valid."""
        values = self.cleaned_data
        return Thresholds(values["least_removal"], values["least_corruption"], values["suite_seconds"])

    def rows_of_numbers(self) -> list[forms.BoundField]:
        """The fields with numbers, for the page."""
        return [self[name] for name in self.numbers]

"""The operator's form that starts an evaluation, empty or filled from an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django.forms import BoundField
from django.http import QueryDict

from runs.models import Agent, Evaluation, JudgingPass, LanguageModel, Panel
from runs.operations.evaluations.lifecycle import MAX_TITLE_LENGTH, EvaluationRefused, check_start, new_mark
from runs.operations.evaluations.limits_form import BOUNDS, LimitsForm, limits_named
from tasks.models import Dataset, Repository, Task

AGAIN = " (again)"
TRIAL, PUBLISH = "trial", "publish"


class StartForm(LimitsForm):
    """Agents × tasks × attempts, and the limits. Offers enabled agents and admitted tasks only."""

    mark = forms.CharField(
        widget=forms.HiddenInput, required=False, validators=[RegexValidator(r"\A[0-9a-f]{8}\Z")]
    )
    title = forms.CharField(
        max_length=MAX_TITLE_LENGTH,
        error_messages={"required": "Give it a title."},
        help_text="Shown at the top of its page.",
    )
    agents = forms.ModelMultipleChoiceField(
        Agent.objects.none(), error_messages={"required": "Choose at least one agent."}
    )
    tasks = forms.ModelMultipleChoiceField(
        Task.objects.none(), error_messages={"required": "Choose at least one task."}
    )
    user_model = forms.ModelChoiceField(
        LanguageModel.objects.none(),
        required=False,
        label="Simulated user",
        empty_label="scripted, without a model",
        help_text="Plays the user of workflow tasks. Its cost counts against the budget, never as the agent's.",
    )
    panel = forms.ModelChoiceField(
        Panel.objects.none(), required=False, label="Panel of judges", empty_label="none"
    )
    judging_budget_usd = forms.FloatField(
        min_value=0.01,
        required=False,
        label="Budget of the judges (US$)",
        help_text="For all reviews together. Empty: none.",
        error_messages=BOUNDS,
    )
    publication = forms.ChoiceField(
        choices=[(TRIAL, "Trial"), (PUBLISH, "Publish when finished")],
        widget=forms.RadioSelect,
        initial=TRIAL,
        required=False,
    )
    ticked = ("agents", "tasks", "publication")
    field_order = ("title", "agents", "tasks")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choose("agents", Agent.objects.filter(enabled=True).select_related("model"))
        self._choose("user_model", LanguageModel.objects.exclude(litellm_id=""))
        self._choose("panel", Panel.objects.filter(origin=""))
        self._choose("tasks", Task.objects.filter(admitted=True).select_related("repository__dataset"))

    def clean(self) -> dict[str, Any]:
        """Checks what `start_evaluation` checks, so that each error is shown at its field."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                check_start(
                    values["title"],
                    agents=list(values["agents"]),
                    tasks=list(values["tasks"]),
                    attempts=values["attempts"],
                    budget_usd=values["budget_usd"],
                    limits=self.limits(),
                    user_model=values["user_model"],
                )
            except EvaluationRefused as refused:
                self.add_error(refused.field or None, str(refused))
        return values

    def chosen_agents(self) -> list[Agent]:
        """The agents that are ticked and offered, also if other fields are invalid."""
        return list(self.cleaned_data.get("agents") or ())

    def chosen_tasks(self) -> list[Task]:
        """The tasks that are ticked and offered."""
        return list(self.cleaned_data.get("tasks") or ())

    @property
    def has_judges(self) -> bool:
        """Whether the fields of the judges have a value or an error."""
        fields = [self[name] for name in ("panel", "judging_budget_usd")]
        return any(field.value() or field.errors for field in fields)

    def count(self) -> int:
        """How many runs the valid fields make."""
        return len(self.chosen_agents()) * len(self.chosen_tasks()) * (self.cleaned_data.get("attempts") or 0)

    def wrong_fields(self) -> list[tuple[BoundField, str]]:
        """Each field with an error, and the id for a link to it; '' for a hidden field.

        For check boxes and radio buttons it is the id of their section, which has the name of the field.
        """
        fields = [self[name] for name in self.errors if name in self.fields]
        ids = {field.name: "" if field.is_hidden else field.id_for_label for field in fields}
        return [(field, field.name if field.name in self.ticked else ids[field.name]) for field in fields]

    def selection_errors(self) -> list[str]:
        """The errors that leave no runs to estimate. Agents or tasks that are not chosen yet are no error here."""
        wrong = self.errors.as_data()
        return [
            f"{self[name].label}: {sentence}"
            for name in ("agents", "tasks", "attempts")
            for error in wrong.get(name, ())
            for sentence in error.messages
            if error.code != "required" or name == "attempts"
        ]

    def _choose(self, name: str, choices: QuerySet[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)  # one or several
        field.queryset = choices


def blank() -> dict[str, Any]:
    """The initial values of an empty form."""
    return {"mark": new_mark()}


def filled_from(evaluation: Evaluation) -> dict[str, Any]:
    """The initial values of a form that starts the same evaluation again."""
    pairs, limits = evaluation.runs.order_by(), evaluation.limits
    panel, judging_budget_usd = _judges_of(evaluation)
    return {
        **blank(),
        "title": evaluation.title.removesuffix(AGAIN)[: MAX_TITLE_LENGTH - len(AGAIN)] + AGAIN,
        "agents": list(pairs.values_list("agent", flat=True).distinct()),
        "tasks": list(pairs.values_list("task", flat=True).distinct()),
        "attempts": evaluation.attempts,
        "budget_usd": evaluation.budget_usd,
        "user_model": evaluation.user_model_id,
        "panel": panel,
        "judging_budget_usd": judging_budget_usd,
        **{name: limits[name] for name in LimitsForm.of_each_run if name in limits},
    }


def _judges_of(evaluation: Evaluation) -> tuple[int | None, float | None]:
    """The panel that was chosen for the end of this evaluation, or else reviewed it first, and its budget."""
    if evaluation.panel_when_finished_id:
        return evaluation.panel_when_finished_id, evaluation.judging_budget_usd
    reviews = evaluation.judging_passes.filter(kind=JudgingPass.Kind.REVIEWS, panel__origin="")
    first = reviews.order_by("pk").first()
    return (first.panel_id, first.budget_usd) if first else (None, None)


def as_entered(entered: QueryDict) -> dict[str, Any]:
    """The initial values of a form with what was entered, not yet checked."""
    fields = {name: entered[name] for name in StartForm.base_fields if name in entered}
    ticked = {name: entered.getlist(name) for name in StartForm.ticked}
    return {**blank(), **fields, **ticked}


def with_limits(entered: QueryDict, profile: str) -> dict[str, Any]:
    """The initial values of a form with what was entered, and the limits of a profile."""
    return {**as_entered(entered), **limits_named(profile)}


def with_group(entered: QueryDict, pick: str) -> dict[str, Any]:
    """The initial values of a form with what was entered, and all or none of a group: `all KEY` or `none KEY`.

    KEY is that of a CheckBoxGroup. An unknown one changes nothing.
    """
    values = as_entered(entered)
    word, _, key = pick.partition(" ")
    form = StartForm()
    for name, groups in (("agents", agent_groups(form)), ("tasks", task_sets(form))):
        inner = [*groups, *(group for outer in groups for group in outer.groups)]
        for group in inner:
            if group.key == key:
                boxes = {box.value for box in group.boxes}
                kept = [value for value in values[name] if value not in boxes]
                values[name] = [*kept, *sorted(boxes)] if word == "all" else kept
    return values


@dataclass(frozen=True, slots=True)
class CheckBox:
    """One check box."""

    value: str
    checked: bool
    item: Agent | Task


@dataclass(frozen=True, slots=True)
class CheckBoxGroup:
    """Check boxes under one heading, or groups of them. `key` names it in requests; `hidden`: only operators see it."""

    key: str
    title: str
    choices: Sequence[CheckBox] = ()
    groups: Sequence[CheckBoxGroup] = ()
    hidden: bool = False

    @property
    def boxes(self) -> list[CheckBox]:
        """Its check boxes, and those of its groups."""
        return [*self.choices, *(box for group in self.groups for box in group.boxes)]

    @property
    def chosen(self) -> int:
        """How many of them are checked."""
        return sum(box.checked for box in self.boxes)


def agent_groups(form: StartForm) -> list[CheckBoxGroup]:
    """Competing agents and calibration agents."""
    choices = _choices(form, "agents")
    competing = [box for box in choices if isinstance(box.item, Agent) and not box.item.is_calibration]
    rest = [box for box in choices if box not in competing]
    groups = (
        CheckBoxGroup("agents competing", "Competing", competing),
        CheckBoxGroup("agents calibration", "Calibration", rest),
    )
    return [group for group in groups if group.choices]


def task_sets(form: StartForm) -> list[CheckBoxGroup]:
    """Datasets with their repositories, and the tasks of each."""
    found: dict[Dataset, dict[Repository, list[CheckBox]]] = {}
    for choice in _choices(form, "tasks"):
        assert isinstance(choice.item, Task)
        repository = choice.item.repository
        found.setdefault(repository.dataset, {}).setdefault(repository, []).append(choice)
    return [
        CheckBoxGroup(
            f"dataset {dataset.slug}",
            str(dataset),
            groups=[
                CheckBoxGroup(f"repository {repository.slug}", repository.title, boxes)
                for repository, boxes in repositories.items()
            ],
            hidden=dataset.hidden,
        )
        for dataset, repositories in sorted(found.items(), key=lambda one: (len(one[1]), one[0].slug))
    ]


def _choices(form: StartForm, name: str) -> list[CheckBox]:
    given: Iterable[object] = form[name].value() or ()
    chosen = {str(value) for value in given}
    field = form.fields[name]
    assert isinstance(field, forms.ModelMultipleChoiceField)
    assert field.queryset is not None
    return [CheckBox(str(item.pk), str(item.pk) in chosen, item) for item in field.queryset]

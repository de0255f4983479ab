"""The operator's form that starts an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from runs import queue
from runs.conditions import ConditionsForm
from runs.engine import engine_status
from runs.evaluations import LONGEST_TITLE, EvaluationRefused, start_evaluation
from runs.models import Agent, Evaluation
from tasks.models import Repository, Task

PERMISSION = "runs.start_evaluation"


class StartForm(ConditionsForm):
    """What to run: agents × tasks × attempts, and what it may cost. Offers enabled agents and admitted tasks only."""

    title = forms.CharField(max_length=LONGEST_TITLE)
    agents = forms.ModelMultipleChoiceField(Agent.objects.none(), widget=forms.CheckboxSelectMultiple)
    tasks = forms.ModelMultipleChoiceField(Task.objects.none(), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choose("agents", Agent.objects.filter(enabled=True).select_related("model"))
        self._choose("tasks", Task.objects.filter(admitted=True).select_related("repository__dataset"))

    def count(self) -> int | None:
        """How many runs the valid part of what was entered makes; None before anything was."""
        if not self.is_bound:
            return None
        self.is_valid()
        chosen = self.cleaned_data
        return (
            len(chosen.get("agents") or ()) * len(chosen.get("tasks") or ()) * (chosen.get("attempts") or 0)
        )

    def _choose(self, name: str, choices: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = choices


@dataclass(frozen=True, slots=True)
class Choice:
    """One check box."""

    value: str
    checked: bool
    item: Agent | Task


@dataclass(frozen=True, slots=True)
class Group:
    """The tasks of one repository."""

    repository: Repository
    choices: Sequence[Choice]


def start_view(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Shows the form, counts, or starts: then the answer is the progress page's address."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    form = StartForm(request.POST or None)
    engine = engine_status()
    refused: EvaluationRefused | None = None
    if request.method == "POST" and "start" in request.POST and form.is_valid():
        try:
            evaluation = start_evaluation(
                title=form.cleaned_data["title"],
                agents=list(form.cleaned_data["agents"]),
                tasks=list(form.cleaned_data["tasks"]),
                attempts=form.cleaned_data["attempts"],
                budget_usd=form.cleaned_data["budget_usd"],
                limits=form.limits(),
                user=request.user,
                engine=engine,
            )
        except EvaluationRefused as error:
            refused = error
        else:
            return _started(request, evaluation)
    context = {
        **site.each_context(request),
        "title": "Start an evaluation",
        "opts": Evaluation._meta,
        "form": form,
        "agents": _choices(form, "agents"),
        "groups": _groups(_choices(form, "tasks")),
        "count": form.count(),
        "engine": engine,
        "queue_problem": queue.problem(),
        "refused": refused,
    }
    return TemplateResponse(
        request, "admin/runs/evaluation/start.html", context, status=409 if refused else 200
    )


def _started(request: HttpRequest, evaluation: Evaluation) -> HttpResponse:
    count = evaluation.runs.count()
    messages.success(request, f"{evaluation} is started: {count} {'run' if count == 1 else 'runs'}.")
    trouble = queue.problem()
    if trouble:
        messages.warning(request, trouble)
    return HttpResponseRedirect(evaluation.get_absolute_url())


def _choices(form: StartForm, name: str) -> list[Choice]:
    chosen = {str(value) for value in form[name].value() or ()}
    field = form.fields[name]
    assert isinstance(field, forms.ModelMultipleChoiceField)
    assert field.queryset is not None
    return [Choice(str(item.pk), str(item.pk) in chosen, item) for item in field.queryset]


def _groups(choices: Sequence[Choice]) -> list[Group]:
    groups: dict[Repository, list[Choice]] = {}
    for choice in choices:
        assert isinstance(choice.item, Task)
        groups.setdefault(choice.item.repository, []).append(choice)
    return [Group(repository, members) for repository, members in groups.items()]

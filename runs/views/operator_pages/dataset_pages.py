"""Datasets: what is public of each, hiding and showing, and loading one again from its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from harness.dataset import DatasetError
from runs.data.queries import parameters
from runs.data.queries.visibility import (
    Reader,
    visible,
    visible_datasets,
    visible_repositories,
    visible_tasks,
)
from runs.models import Run
from runs.rankings.leaderboard.snapshots import links_by_dataset
from runs.views.operator_pages.operators_only import permitted
from tasks.loading import hide, load
from tasks.models import Dataset

MAX_NUMBER = 2**31 - 1
ACTS = ("hide", "show", "load")
CHANGE = "tasks.change_dataset"
VIEW = ("tasks.view_dataset", CHANGE)


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A dataset with what is public of it, or would be. `boards`: one for each origin of its tasks with counted runs.

    `links`: how many of the newest permanent links show it.
    """

    dataset: Dataset
    repositories: int
    tasks: int
    admitted: int
    runs: int
    agents: int
    evaluations: int
    boards: int
    links: int


@permitted(*VIEW)
def datasets(request: HttpRequest) -> HttpResponse:
    """All datasets. POST with `act`: hides one, shows it, or loads it again."""
    if request.method == "POST":
        return _change(request)
    rows = _rows(request.user)
    context = {
        "section": "operate",
        "here": "datasets",
        "rows": rows,
        "hidden": sum(row.dataset.hidden for row in rows),
        "may_change": request.user.has_perm(CHANGE),
    }
    return render(request, "runs/operate/datasets.html", context)


def _rows(reader: Reader) -> list[DatasetRow]:
    """In seven queries, and one for the links."""
    found = list(visible_datasets(reader).order_by("-hidden", "reported_by", "slug"))
    of_tasks = visible_tasks(reader).order_by().values("repository__dataset")
    tasks = {
        row["repository__dataset"]: row
        for row in of_tasks.annotate(n=Count("pk"), admitted=Count("pk", filter=Q(admitted=True)))
    }
    repositories = _counted(visible_repositories(reader), "dataset", "pk")
    runs = visible(Run.objects.all(), reader).order_by()
    place = "task__repository__dataset"
    totals = {
        row[place]: row
        for row in runs.values(place).annotate(
            runs=Count("pk"),
            agents=Count("agent", distinct=True),
            evaluations=Count("evaluation", distinct=True),
        )
    }
    counted = runs.filter(evaluation__listed=True, state=Run.State.FINISHED)
    boards = _counted(counted, place, "task__origin")
    links = links_by_dataset()
    nothing = {"n": 0, "admitted": 0, "runs": 0, "agents": 0, "evaluations": 0}
    return [
        DatasetRow(
            dataset,
            repositories.get(dataset.pk, 0),
            tasks.get(dataset.pk, nothing)["n"],
            tasks.get(dataset.pk, nothing)["admitted"],
            totals.get(dataset.pk, nothing)["runs"],
            totals.get(dataset.pk, nothing)["agents"],
            totals.get(dataset.pk, nothing)["evaluations"],
            boards.get(dataset.pk, 0),
            links[dataset.slug],
        )
        for dataset in found
    ]


def _counted(rows: QuerySet, by: str, what: str) -> Mapping[int, int]:  # type: ignore[type-arg]
    """How many different values of `what` there are for each value of `by`."""
    return dict(rows.order_by().values_list(by).annotate(n=Count(what, distinct=True)))


def _change(request: HttpRequest) -> HttpResponse:
    if not request.user.has_perm(CHANGE):
        raise PermissionDenied
    act = parameters.required(request.POST, "act", ACTS, ", ".join(ACTS))
    number = parameters.whole(request.POST, "dataset", 0, least=0, most=MAX_NUMBER)
    found = get_object_or_404(visible_datasets(request.user), pk=number)
    if act == "load":
        _load(request, found)
    else:
        hide(found, hidden=act == "hide")
        said = "is hidden now" if found.hidden else "is open to everybody now"
        messages.success(request, f"{found} {said}.")
    return HttpResponseRedirect(reverse("operate_datasets"))


def _load(request: HttpRequest, found: Dataset) -> None:
    """Reads its files again. What is wrong with them is said, and nothing is changed then."""
    if not found.directory:
        messages.error(request, f"{found} has no files: its results were reported.")
        return
    try:
        again = load(settings.BASE_DIR / found.directory)
    except (DatasetError, OSError) as error:
        messages.error(request, f"{found} was not loaded: {error}")
        return
    tasks = visible_tasks(request.user).filter(repository__dataset=again)
    admitted = tasks.filter(admitted=True).count()
    messages.success(request, f"{again} is loaded: {admitted} of {tasks.count()} tasks are admitted.")

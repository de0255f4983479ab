"""The sessions of one person, and the start of a new one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from harness.agents.person import PROFILE_OF_MODE
from harness.tools.schema import Tool
from runs.data.queries.visibility import visible, visible_tasks
from runs.judging.raters.rater_names import rater_name
from runs.models import PlaySession
from runs.operations.monitoring.health import engine_status
from runs.play.play_sessions import PlayRefused, ask_for_process, open_session
from runs.play.play_tools import PlayTools, play_tools
from runs.views.operator_pages.operators_only import players_only
from tasks.models import Task

MAX_NAME_LENGTH = 200
NO_CONSENT = "Agree that the record of your work is published, or do not start."


@players_only
def play_list(request: HttpRequest) -> HttpResponse:
    """GET: the person's sessions, and with `task` the form for a new one. POST starts it and redirects to it."""
    task = _chosen(request)
    if request.method != "POST" or task is None:
        return _page(request, task)
    if not request.POST.get("consent"):
        return _page(request, task, NO_CONSENT)
    try:
        session = open_session(cast(User, request.user), task, consent=True)
    except PlayRefused as refused:
        return _page(request, task, str(refused))
    ask_for_process(session)
    messages.success(request, "The session is open. Its clock stands still until you let it go.")
    return HttpResponseRedirect(reverse("play_session", args=[session.run_id]))


def _page(request: HttpRequest, task: Task | None, refused: str = "") -> HttpResponse:
    user = cast(User, request.user)
    own = visible(
        PlaySession.objects.select_related("run__task__repository", "run__evaluation", "run__agent"), user
    ).filter(user=user)
    open_one = own.filter(ended_at=None).first()
    tools = _tools_of(task)
    context = {
        "section": "play",
        "task": task,
        "tools": tools,
        "kinds": _by_kind(tools.tools.values()) if tools else (),
        "refused": refused,
        "open": open_one,
        "ended": own.exclude(ended_at=None),
        "tasks": () if open_one or task else _by_repository(user),
        "pseudonym": rater_name(user),
        "engine": engine_status(),
        "places": settings.PLAY_SESSIONS,
    }
    return render(request, "runs/play/list.html", context, status=409 if refused else 200)


def _chosen(request: HttpRequest) -> Task | None:
    """The task that the request names as `repository/task`; None without one. 404 for one that cannot be played."""
    name = (request.POST if request.method == "POST" else request.GET).get("task", "")[:MAX_NAME_LENGTH]
    if not name:
        return None
    repository, _, slug = name.partition("/")
    return get_object_or_404(visible_tasks(request.user), _playable(), repository__slug=repository, slug=slug)


def _playable() -> Q:
    return Q(admitted=True, mode__in=list(PROFILE_OF_MODE))


def _by_repository(user: User) -> list[tuple[str, list[Task]]]:
    tasks = visible_tasks(user).filter(_playable()).order_by("repository__title", "repository_id", "title")
    return [(title, list(found)) for title, found in groupby(tasks, lambda task: task.repository.title)]


def _tools_of(task: Task | None) -> PlayTools | None:
    return None if task is None else play_tools(task)


def _by_kind(tools: Iterable[Tool]) -> list[tuple[str, list[Tool]]]:
    ordered = sorted(tools, key=lambda tool: tool.kind)
    return [(kind, list(found)) for kind, found in groupby(ordered, lambda tool: tool.kind)]

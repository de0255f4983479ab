"""The sessions of one person, and the start of a new one."""

from __future__ import annotations

from itertools import groupby
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from harness.agents.person import PROFILE_OF_MODE
from runs.data.queries.blind_sessions import blind_session, unblind
from runs.data.queries.visibility import visible, visible_tasks
from runs.judging.raters.rater_names import rater_name
from runs.models import PlaySession
from runs.operations.monitoring.health import engine_status
from runs.play.play_sessions import PlayRefused, ask_for_process, open_session
from runs.play.play_tools import play_tools
from runs.views.operator_pages.operators_only import players_only
from tasks.models import Task

MAX_NAME_LENGTH = 200
PLAYABLE = Q(admitted=True, mode__in=list(PROFILE_OF_MODE))
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
    open_now = own.filter(ended_at=None).first()
    tools = None if task is None else play_tools(task)
    by_kind = sorted(tools.tools.values(), key=lambda tool: tool.kind) if tools else []
    tasks = visible_tasks(user).filter(PLAYABLE).order_by("repository__title", "repository_id", "title")
    by_repository = () if open_now or task else groupby(tasks, lambda task: task.repository.title)
    context = {
        "section": "play",
        "task": task,
        "tools": tools,
        "kinds": [(kind, list(those)) for kind, those in groupby(by_kind, lambda tool: tool.kind)],
        "refused": refused,
        "open": open_now,
        "ended": own.exclude(ended_at=None),
        "tasks": [(title, list(those)) for title, those in by_repository],
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
    return get_object_or_404(visible_tasks(request.user), PLAYABLE, repository__slug=repository, slug=slug)


@never_cache
@require_POST
def stop_being_blind(request: HttpRequest) -> HttpResponse:
    """Marks the reader's open session as not blind, and goes on to the page that was wanted.

    404 without a session that is blind.
    """
    if not request.user.is_authenticated:
        return redirect_to_login("/")
    session = blind_session(request.user)
    if session is None:
        raise Http404("You have no session in which anything is hidden.")
    unblind(session)
    messages.warning(request, "Your session is marked as not blind. Nothing is hidden from you any more.")
    wanted = request.POST.get("wanted", "")
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(wanted if safe and wanted.startswith("/") else "/")

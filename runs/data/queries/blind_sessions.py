"""Blind sessions: what a person who plays a task does not see before the end.

While a session is open, its person sees no other run of the task, no review of one, and nothing that quotes its
solution. The same holds for tasks that would give the solution away, see `tasks_hidden_from`. Numbers over many runs
stay. `visibility.visible` leaves such rows out of lists; pages of single rows raise HiddenWhilePlaying through
`refuse_while_playing`.

A person who asks for it all the same gets it, and the session is marked `not_blind`: then nothing is hidden any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from runs.models import PlaySession, Run
from tasks.models import Task

_Reader = AbstractBaseUser | AnonymousUser
_Rows = TypeVar("_Rows", bound=QuerySet[Any, Any])
HIDDEN = "You are playing this task, or one that shares its code: what others did there is hidden until you finish."


class HiddenWhilePlaying(Exception):
    """The reader plays a task whose solution the page would give away. `session`: the open session."""

    def __init__(self, session: PlaySession) -> None:
        self.session = session
        super().__init__(HIDDEN)


class BlindSessions:
    """Middleware that answers a HiddenWhilePlaying with the reason, the way back, and a button that shows the page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The response to a HiddenWhilePlaying, never stored; None for all other errors."""
        if not isinstance(error, HiddenWhilePlaying):
            return None
        if request.path.endswith((".json", "/live/")):
            response: HttpResponse = JsonResponse({"error": HIDDEN}, status=403)
        else:
            context = {"session": error.session, "wanted": request.get_full_path()}
            response = render(request, "runs/play/hidden_while_playing.html", context, status=403)
        response.headers["Cache-Control"] = "no-store"
        return response


def blind_session(reader: _Reader) -> PlaySession | None:
    """The open session of this reader, if it is blind so far. One query; none for anonymous readers."""
    if not reader.is_authenticated:
        return None
    sessions = PlaySession.objects.filter(user=reader.pk, ended_at=None, not_blind=False)
    return sessions.select_related("run__task__repository").first()


def tasks_hidden_from(reader: _Reader) -> QuerySet[Task] | None:
    """The tasks whose runs this reader does not see now; None if there are none.

    The personas of a scenario are one task here: they have the same checks. A task that is not hand-made was cut out
    of the code of its repository, and every other task there starts with that code, so the whole repository is hidden,
    and its twins with other names. To hide only the tasks with the same functions would tell which these are.
    """
    session = blind_session(reader)
    return None if session is None else _hidden_with(session.run.task)


def unblind(session: PlaySession) -> None:
    """Marks a session whose person saw, or chose to see, what is hidden. It stays marked."""
    PlaySession.objects.filter(pk=session.pk).update(not_blind=True)


def is_hidden_while_playing(task: Task, reader: _Reader) -> bool:
    """Whether what others did at this task is hidden from the reader now."""
    hidden = tasks_hidden_from(reader)
    return hidden is not None and hidden.filter(pk=task.pk).exists()


def refuse_while_playing(reader: _Reader, runs: QuerySet[Run] | Iterable[Run]) -> None:
    """Raises HiddenWhilePlaying if one of these runs is hidden from the reader; that of the session itself never is."""
    session = blind_session(reader)
    if session is None:
        return
    hidden = _hidden_with(session.run.task)
    if isinstance(runs, QuerySet):
        is_hidden = runs.filter(task__in=hidden.values("pk")).exclude(pk=session.run_id).exists()
    else:
        tasks = {run.task_id for run in runs if run.pk != session.run_id}
        is_hidden = bool(tasks) and hidden.filter(pk__in=tasks).exists()
    if is_hidden:
        raise HiddenWhilePlaying(session)


def without_hidden_while_playing(rows: _Rows, reader: _Reader) -> _Rows:
    """These rows with a task, without those of hidden tasks: for lists that name failed tests, or quote patches."""
    hidden = tasks_hidden_from(reader)
    return rows if hidden is None else rows.exclude(task__in=hidden.values("pk"))


def _hidden_with(task: Task) -> QuerySet[Task]:
    same = Q(pk=task.pk)
    if task.origin != Task.Origin.HAND_MADE:
        slug = task.repository.slug
        twins = Task.objects.filter(twin_of__startswith=f"{slug}/").values("repository")
        ours = Task.objects.filter(repository=task.repository_id).exclude(twin_of="").order_by()
        originals = {name.partition("/")[0] for name in ours.values_list("twin_of", flat=True)}
        same = Q(repository__in=twins) | Q(repository__slug__in={slug, *originals})
    elif task.scenario:
        same |= Q(repository=task.repository_id, scenario=task.scenario)
    return Task.objects.filter(same)

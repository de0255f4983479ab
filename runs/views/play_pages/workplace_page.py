"""The page on which a person plays a task. Every action is one POST; a script may ask for JSON instead of a page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render

from harness.agents.mailbox import RequestKind
from harness.errors import DiskFull
from runs.data.queries import parameters
from runs.data.queries.visibility import visible
from runs.models import PlaySession
from runs.play.asking import Asked, ask
from runs.play.opened_file import saving_call
from runs.play.play_sessions import ask_for_process, store_help, want_no_process
from runs.play.play_tools import EXPLANATION, call_of
from runs.views.operator_pages.operators_only import players_only
from runs.views.play_pages.workplace_view import Workplace

JSON = "application/json"
SENT = "The site works on your request. This page shows the result when it is there."
ASSISTANT: Mapping[str, bool] = {"yes": True, "no": False}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an action. `refused`: why not, as a sentence. `draft`: a text that was sent and not saved."""

    note: str = ""
    refused: str = ""
    pending: bool = False
    draft: str | None = None


@players_only
def workplace(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: the page; `file` names the open file. POST: one action. 404 for sessions of others."""
    session = _own_session(request, pk)
    if request.method != "POST":
        return _page(request, Workplace.of(session, request.GET.get("file", "")))
    act = parameters.required(request.POST, "act", _ACTS, ", ".join(_ACTS))
    path = request.POST.get("file", "")
    done = _ACTS[act](session, request.POST, Workplace.of(session, path))
    session = _own_session(request, pk)  # the action may have changed it
    after = Workplace.of(session, path, done.draft)
    if JSON in request.headers.get("Accept", ""):
        return _json(request, after, request.POST, done)
    if done.draft is not None:
        return _page(request, after, done, status=409 if done.refused else 200)
    if done.refused:
        messages.error(request, done.refused)
    elif done.pending:
        messages.info(request, SENT)
    elif done.note:
        messages.success(request, done.note)
    return HttpResponseRedirect(after.address)


@players_only
def workplace_state(request: HttpRequest, pk: int) -> HttpResponse:
    """JSON: the state, and the parts of the page that changed after the step `after`."""
    session = _own_session(request, pk)
    return _json(request, Workplace.of(session, request.GET.get("file", "")), request.GET, Done())


def _own_session(request: HttpRequest, pk: int) -> PlaySession:
    """The session of a run, if it is that of this user: no one acts for a person."""
    sessions = visible(
        PlaySession.objects.select_related("run__task__repository__dataset", "run__evaluation", "run__agent"),
        request.user,
    )
    own = sessions.filter(user=cast(User, request.user))
    return get_object_or_404(own, run=pk)


def _page(
    request: HttpRequest, place: Workplace, done: Done | None = None, status: int = 200
) -> HttpResponse:
    return render(request, "runs/play/workplace.html", {**place.context(), "done": done}, status=status)


def _json(request: HttpRequest, place: Workplace, sent: Mapping[str, str], done: Done) -> HttpResponse:
    state = place.json(request, _number(sent, "after"), _number(sent, "file_step"))
    return JsonResponse(
        {
            **state,
            "note": done.note,
            "refused": done.refused,
            "sent": done.pending or bool(place.state.pending),
        }
    )


def _number(sent: Mapping[str, str], name: str) -> int:
    text = sent.get(name, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _start(session: PlaySession, _sent: Mapping[str, str], _place: Workplace) -> Done:
    if not ask_for_process(session):
        return Done(refused="This session has ended, or it starts already.")
    return Done("The session starts. Its clock stands still until you let it go.")


def _clock(kind: RequestKind, note: str) -> Callable[[PlaySession, Mapping[str, str], Workplace], Done]:
    def act(session: PlaySession, _sent: Mapping[str, str], place: Workplace) -> Done:
        if not place.state.has_process:
            return Done(refused="No process executes this session now: start it again first.")
        if kind in {RequestKind.LEAVE, RequestKind.FINISH}:
            want_no_process(session)
        return _done(ask(session, kind), note)

    return act


def _call(session: PlaySession, sent: Mapping[str, str], place: Workplace) -> Done:
    tool = place.tools.tools.get(sent.get("tool", ""))
    if tool is None:
        raise parameters.BadParameter("tool", sent.get("tool", ""), ", ".join(place.tools.tools))
    return _made(session, place, [call_of(tool, sent)])


def _open(session: PlaySession, _sent: Mapping[str, str], place: Workplace) -> Done:
    """Reads the file, if that is not done already; of a long one, the parts that are missing."""
    file = place.file
    if file is None:
        return Done(refused="Name a file.")
    if file.is_long and not file.changed_in:
        return Done()
    if file.lines and not file.only and not file.changed_in:
        parts = file.missing()
        if not parts:
            return Done()
        return _made(session, place, [_read(file.path, offset=first, limit=n) for first, n in parts])
    if file.is_whole and not file.changed_in:
        return Done()
    return _made(session, place, [_read(file.path)])


def _function(session: PlaySession, sent: Mapping[str, str], place: Workplace) -> Done:
    """Reads a function of the open file, by its place in the list."""
    functions = place.file.functions if place.file else ()
    number = sent.get("function", "")
    if "read_function" not in place.tools.tools or place.file is None:
        return Done(refused="This mode has no tool that reads a function.")
    if not (number.isascii() and number.isdigit() and len(number) < 7 and int(number) < len(functions)):
        return Done(refused="The list of functions has changed: choose again.")
    one = functions[int(number)]
    arguments: dict[str, Any] = {"explanation": EXPLANATION, "path": place.file.path, "name": one.name}
    if one.occurrence:
        arguments["occurrence"] = one.occurrence
    return _made(session, place, [{"name": "read_function", "arguments": arguments}])


def _save(session: PlaySession, sent: Mapping[str, str], place: Workplace) -> Done:
    """Saves the text of the editor by a call of an editing tool."""
    text = sent.get("content", "").replace("\r\n", "\n")
    if place.file is None:
        return Done(refused="Name a file.")
    if place.file.step != _number(sent, "file_step"):
        return Done(
            refused=f"Step {place.file.step} changed this file after you opened it. Compare, then save again.",
            draft=text,
        )
    try:
        call = saving_call(place.file, text, place.tools.tools)
    except ValueError as problem:
        return Done(refused=str(problem), draft=text)
    if call is None:
        return Done("Nothing is changed in this file.")
    call["arguments"] = {"explanation": EXPLANATION, **call["arguments"]}
    done = _made(session, place, [call])
    if done.refused or done.pending:
        return Done(done.note, done.refused, done.pending, text)
    return Done(f"{place.file.path} is saved.")


def _create(session: PlaySession, _sent: Mapping[str, str], place: Workplace) -> Done:
    """Makes an empty file, and opens it."""
    if place.file is None:
        return Done(refused="Name a file.")
    if "write_file" not in place.tools.tools:
        return Done(refused="This mode has no tool that makes a file.")
    if place.file.lines:
        return Done(refused=f"{place.file.path} is there already.")
    arguments = {"explanation": EXPLANATION, "path": place.file.path, "content": ""}
    return _made(session, place, [{"name": "write_file", "arguments": arguments}])


def _assistant(session: PlaySession, sent: Mapping[str, str], _place: Workplace) -> Done:
    """Stores whether a model or another person helped."""
    if session.ended_at is None:
        return Done(refused="This is asked when the session has ended.")
    said = sent.get("used_assistant", "")
    if said not in ASSISTANT:
        raise parameters.BadParameter("used_assistant", said, ", ".join(ASSISTANT))
    try:
        store_help(session, used_assistant=ASSISTANT[said])
    except (DiskFull, OSError):
        _log.exception("the marks of run %s could not be written", session.run_id)
        return Done(refused="The site cannot write files now. Ask its operator, then answer again.")
    return Done("Your answer is saved.")


def _made(session: PlaySession, place: Workplace, calls: list[dict[str, Any]]) -> Done:
    """Sends calls. A call that a tool refused is a step all the same: the reason is its result."""
    if not place.state.acts:
        return Done(refused="The clock stands still, or no process executes this session: let it go first.")
    asked = ask(session, RequestKind.ACT, calls)
    failed = [str(result["content"]) for result in asked.results if not result["ok"]]
    if failed:
        return Done(refused=failed[0][:500])
    return _done(asked, "")


def _done(asked: Asked, note: str) -> Done:
    return Done("" if asked.pending else note, asked.refused, asked.pending)


def _read(path: str, **more: int) -> dict[str, Any]:
    return {"name": "read_file", "arguments": {"explanation": EXPLANATION, "path": path, **more}}


_ACTS: Mapping[str, Callable[[PlaySession, Mapping[str, str], Workplace], Done]] = {
    "start": _start,
    "pause": _clock(RequestKind.PAUSE, "The clock stands still."),
    "resume": _clock(RequestKind.RESUME, "The clock goes on."),
    "leave": _clock(RequestKind.LEAVE, "You left the session. It can be resumed."),
    "finish": _clock(RequestKind.FINISH, "Your work is finished, and is graded now."),
    "call": _call,
    "open": _open,
    "function": _function,
    "save": _save,
    "create": _create,
    "assistant": _assistant,
}

"""What the forms of notes on steps send: the notes themselves are a part of the replay."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from runs.data.queries import parameters
from runs.data.queries.filters import replay_or_404
from runs.data.replay.open_index import outline
from runs.judging.raters.step_notes import (
    delete_note,
    edit_note,
    may_delete,
    may_edit,
    may_write,
    notes_of,
    write_note,
)
from runs.models import Run

ACTS = ("save", "delete")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def step_notes(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """POST: a new note with the text `text`. GET: back to the step, for readers who come here after signing in."""
    run = replay_or_404(request.user, pk)
    with outline(run.path) as steps:
        if steps.row(number) is None:
            raise Http404(f"run {pk} has no step {number}")
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_write(run, request.user):
            raise PermissionDenied
        write_note(run, number, request.user, request.POST.get("text", ""))
    return _back(run, number)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def step_note(request: HttpRequest, pk: int, note: int) -> HttpResponse:
    """POST: saves another text with `act=save`, or deletes the note with `act=delete`. GET: back to the step."""
    run = replay_or_404(request.user, pk)
    found = get_object_or_404(notes_of(run, request.user), pk=note)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        act = parameters.choice(request.POST, "act", ACTS)
        if not (may_edit(found, request.user) if act == "save" else may_delete(found, request.user)):
            raise PermissionDenied
        if act == "save":
            edit_note(found, request.POST.get("text", ""))
        elif act == "delete":
            delete_note(found)
        else:
            raise parameters.BadParameter("act", "", f"one of {', '.join(ACTS)}")
    return _back(run, found.step)


def _back(run: Run, step: int) -> HttpResponse:
    return HttpResponseRedirect(f"{run.get_absolute_url()}?step={step}#notes")

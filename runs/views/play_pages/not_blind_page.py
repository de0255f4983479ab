"""The button of a person who plays and wants to see what is hidden until the end."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from runs.data.queries.blind_sessions import blind_session, unblind


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

"""Two agents, or several, over the tasks that all of them tried."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe


@require_safe
def compare(_request: HttpRequest) -> HttpResponse:
    """Leads back as long as there is nothing to compare."""
    return redirect("leaderboard")

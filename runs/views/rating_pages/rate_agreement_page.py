"""How people agree with themselves, with each other and with judges."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from runs.judging.raters.agreement_context import agreement_context
from runs.views.operator_pages.operators_only import raters_only


@raters_only
def rate_agreement(request: HttpRequest) -> HttpResponse:
    """The tables of agreement, for people who rate."""
    return render(
        request, "runs/rating/agreement.html", {"section": "rate", **agreement_context(request.user)}
    )

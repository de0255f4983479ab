"""The refusal of a request for which this client has to wait."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


class TooMany(Exception):
    """A limit of one client is reached. `reason`: which one, without a full stop; `wait`: seconds until it is not."""

    def __init__(self, reason: str, wait: float) -> None:
        self.reason, self.wait = reason, max(1, round(wait))
        super().__init__(f"{reason}: try again in {time_in_words(self.wait)}")


def time_in_words(seconds: int) -> str:
    """A waiting time in seconds, or from two minutes on in minutes, rounded up."""
    return f"{seconds} s" if seconds < 120 else f"{-(-seconds // 60)} minutes"


def refusal(request: HttpRequest, error: TooMany) -> HttpResponse:
    """Status 429 with Retry-After: a page, or JSON for a JSON address."""
    headers = {"Retry-After": str(error.wait), "Cache-Control": "no-store"}
    if request.path.endswith(".json"):
        return JsonResponse({"error": f"{error}"}, status=429, headers=headers)
    page = render(request, "429.html", {"error": error}, status=429)
    for name, value in headers.items():
        page.headers[name] = value
    return page

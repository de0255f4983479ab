"""Views that only operators may use."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from runs.views.operator_pages.operators_only import operators_only

pytestmark = pytest.mark.django_db


@operators_only
def greeting(_request: HttpRequest, name: str = "you") -> HttpResponse:
    """Says hello."""
    return HttpResponse(f"Hello {name}")


def respond(
    user: User | AnonymousUser, method: str = "GET", address: str = "/greeting/?to=all"
) -> HttpResponse:
    request = RequestFactory().generic(method, address)
    request.user = user
    return greeting(request, name="Olga")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_an_operator_gets_the_page_and_no_cache_stores_it(admin_user: User, method: str) -> None:
    response = respond(admin_user, method)
    assert (response.status_code, response.content) == (200, b"Hello Olga")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_refused(admin_user: User, method: str) -> None:
    assert respond(admin_user, method).status_code == 405


def test_others_log_in_first_and_come_back() -> None:
    response = respond(AnonymousUser())
    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=/greeting/%3Fto%3Dall")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("staff", [False, True])
def test_users_who_may_not_start_evaluations_are_refused(staff: bool) -> None:
    with pytest.raises(PermissionDenied):
        respond(User.objects.create_user("clerk", is_staff=staff))


def test_an_operator_who_was_deactivated_is_refused(admin_user: User) -> None:
    admin_user.is_active = False
    with pytest.raises(PermissionDenied):
        respond(admin_user)

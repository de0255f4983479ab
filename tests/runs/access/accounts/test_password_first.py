"""A session of a one-time password can do nothing but set another password."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from runs.access.accounts import one_time_password
from runs.models import Agent
from tests.runs.roles import ADMINS, member

pytestmark = pytest.mark.django_db

FORM = "/admin/password_change/"
NEW = "pilot 17 tide"


@pytest.fixture
def first() -> str:
    """The one-time password of an admin."""
    return one_time_password.issue(member("ada", ADMINS))


@pytest.fixture
def session(first: str) -> Client:
    """A browser that has just used it."""
    client = Client()
    response = client.post("/admin/login/?next=/admin/", {"username": "ada", "password": first})
    assert response.headers["Location"] == "/admin/"
    return client


@pytest.mark.parametrize(
    "page",
    [
        "/",
        "/admin/",
        "/admin/auth/user/",
        "/account/",
        "/evaluations/start/",
        "/django-rq/",
        "/api/v1/agents",
    ],
)
def test_every_page_leads_to_the_form(session: Client, page: str) -> None:
    response = session.get(page)
    assert (response.status_code, response.headers["Location"]) == (302, FORM)


def test_the_form_says_why(session: Client) -> None:
    assert "does not work again" in session.get("/admin/", follow=True).content.decode()


def test_no_form_is_accepted_before(session: Client) -> None:
    agent = Agent.objects.create(slug="a", name="Alice", kind="null")
    session.post(f"/admin/runs/agent/{agent.pk}/delete/", {"post": "yes"})
    session.post("/account/", {"action": "begin"})
    assert Agent.objects.filter(pk=agent.pk).exists()


def test_a_logout_is_possible(session: Client) -> None:
    assert session.post("/admin/logout/").status_code == 200


def test_the_new_password_is_another_one(session: Client, first: str) -> None:
    answer = session.post(FORM, {"old_password": first, "new_password1": first, "new_password2": first})
    assert "This is the one-time password: choose another." in answer.content.decode()
    assert one_time_password.is_set(User.objects.get(username="ada"))


def test_with_a_new_password_the_session_goes_on(session: Client, first: str) -> None:
    answer = session.post(FORM, {"old_password": first, "new_password1": NEW, "new_password2": NEW})
    assert answer.headers["Location"] == "/admin/password_change/done/"
    assert session.get("/admin/").status_code == 200
    again = Client()
    again.post("/admin/login/", {"username": "ada", "password": NEW})
    assert again.get("/admin/").status_code == 200


def test_the_second_login_is_refused(session: Client, first: str) -> None:
    answer = Client().post("/admin/login/", {"username": "ada", "password": first})
    assert answer.status_code == 200
    assert "each work once" in answer.content.decode()
    assert session.get(FORM).status_code == 200


def test_other_accounts_are_not_asked(client: Client) -> None:
    client.force_login(member("vera", password=NEW))
    assert client.get("/admin/").status_code == 200

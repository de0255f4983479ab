"""Who did what, from where; without secrets; in the transaction of the act."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.test import Client, RequestFactory

from runs.access.audit.audit_log import record
from runs.models import Agent, AuditEntry
from tests.runs.access.audit.entries import entries
from tests.runs.roles import OPERATORS, member

pytestmark = pytest.mark.django_db

Act = AuditEntry.Act


def last() -> AuditEntry:
    """The newest entry."""
    found = AuditEntry.objects.first()
    assert found is not None
    return found


def test_an_act_in_a_command_is_that_of_the_systems_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "olga")
    record(Act.IMPORTED, name="/tmp/runs.tar", after={"new runs": 3})
    entry = last()
    assert (entry.account, entry.account_number, entry.address) == ("olga", None, "shell")
    assert (entry.kind, entry.object_number, entry.name) == ("", "", "/tmp/runs.tar")
    assert (entry.before, entry.after) == (None, {"new runs": 3})


def test_an_act_in_a_request_is_that_of_its_user_and_address(client: Client) -> None:
    operator = member("olga", OPERATORS)
    client.force_login(operator)
    agent = Agent.objects.create(slug="a", name="Alice", kind="null")
    values = {"name": "Alicia", "kind": "null", "slug": "a", "settings": "{}"}
    response = client.post(
        f"/admin/runs/agent/{agent.pk}/change/",
        values,
        REMOTE_ADDR="2001:db8::7",
        HTTP_X_FORWARDED_FOR="1.1.1.1",
    )
    assert response.status_code == 302
    entry = last()
    assert (entry.account, entry.account_number, entry.address) == ("olga", operator.pk, "2001:db8::7")
    assert (entry.kind, entry.object_number, entry.name) == ("agent", str(agent.pk), "Alicia")
    assert entry.before == {"name": "Alice", "enabled": True}
    assert entry.after == {"name": "Alicia", "enabled": False}


def test_an_act_of_nobody_names_no_account() -> None:
    request = RequestFactory().post("/")
    request.user = AnonymousUser()
    record(Act.SIGN_IN_FAILED, name="unknown account", request=request)
    assert (last().account, last().account_number, last().address) == ("", None, "127.0.0.1")


def test_secrets_are_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret-of-the-site")
    agent = Agent(slug="a", name="Alice", kind="null")
    agent.settings = {"headers": {"x": "s3cret-of-the-site"}, "api_key": "sk-ant-api03-" + "aB3" * 20}
    agent.save()
    text = str(last().after)
    assert "s3cret-of-the-site" not in text
    assert "aB3aB3" not in text
    assert "[OPENAI_API_KEY]" in text


def test_long_names_are_cut_to_their_columns(admin_user: User) -> None:
    admin_user.username = "n" * 150
    admin_user.save()
    record(Act.IMPORTED, name="x" * 5000, account=admin_user)
    assert (len(last().account), len(last().name)) == (150, 300)


@pytest.mark.django_db(transaction=True)
def test_an_act_that_is_undone_leaves_no_entry() -> None:
    before = len(entries())

    def undone() -> None:
        with transaction.atomic():
            Agent.objects.create(slug="a", name="Alice", kind="null")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        undone()
    assert entries(after=before) == []


@pytest.mark.django_db(transaction=True)
def test_an_act_whose_entry_cannot_be_stored_is_undone(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    operator = member("olga", OPERATORS, password="secret of olga")
    client.force_login(operator)

    def fail(*_arguments: Any, **_options: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(AuditEntry, "save", fail)
    new = {
        "old_password": "secret of olga",
        "new_password1": "pilot 17 tide",
        "new_password2": "pilot 17 tide",
    }
    with pytest.raises(ZeroDivisionError):
        client.post("/admin/password_change/", new)
    operator.refresh_from_db()
    assert operator.check_password("secret of olga")

"""The pages of agents: list, enabling and disabling, form, and who may do what."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from runs.models import Agent, AuditEntry
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.roles import OPERATORS, member

pytestmark = pytest.mark.django_db

LIST, ADD = "/operate/agents/", "/operate/agents/add/"


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_an_agent_is_disabled_and_enabled_with_an_entry_in_the_audit_log(client: Client, cast: Cast) -> None:
    client.force_login(member("olga", OPERATORS))
    alice = cast.alice()
    for act, enabled in (("disable", False), ("enable", True)):
        assert client.post(LIST, {"act": act, "agent": alice.pk}).status_code == 302
        alice.refresh_from_db()
        assert alice.enabled is enabled
        newest = AuditEntry.objects.first()
        assert newest is not None
        assert (newest.account, newest.name, newest.after) == ("olga", "Alice", {"enabled": enabled})
    assert client.post(LIST, {"act": "delete", "agent": alice.pk}).status_code == 400
    assert client.post(LIST, {"act": "enable", "agent": 999}).status_code == 404


def test_the_list_has_the_agents_of_this_site_by_state(admin_client: Client, cast: Cast) -> None:
    alice, idler = cast.alice(), cast.idler()
    Agent.objects.filter(pk=idler.pk).update(enabled=False)
    Agent.objects.create(slug="far", name="Far (reported)", kind="reported", origin="Far Works")
    cast.add_run(alice, cast.add_tasks(1)[0])
    page = body(admin_client, LIST)
    assert "1 agent can be started" in page
    assert "1 more agent is from elsewhere" in page
    assert "Far (reported)" not in page
    assert ">Idler<" in page
    assert ">Idler<" not in body(admin_client, f"{LIST}?state=enabled")
    assert ">Alice<" not in body(admin_client, f"{LIST}?state=disabled")
    assert admin_client.get(f"{LIST}?state=odd").status_code == 400


def test_a_form_is_filled_from_a_model_and_makes_an_agent(admin_client: Client, cast: Cast) -> None:
    model = cast.add_model("Analytical")
    page = body(admin_client, f"{ADD}?model={model.pk}")
    assert 'value="Analytical"' in page
    assert f'<option value="{model.pk}" selected>' in page
    wrong = admin_client.post(ADD, {"name": "Ada", "program": "ide", "settings": "{}"}).content.decode()
    assert "an ide agent needs a model." in wrong.partition('id="id_model_error"')[2].partition("</ul>")[0]
    values = {"name": "Ada", "program": "ide", "settings": "{}", "model": model.pk, "enabled": "on"}
    assert admin_client.post(ADD, values).headers["Location"] == LIST
    made = Agent.objects.get(slug="ada")
    assert admin_client.post(f"{LIST}{made.pk}/", {**values, "name": "Ada 2"}).status_code == 302
    assert Agent.objects.get(slug="ada").name == "Ada 2"
    assert admin_client.get(f"{ADD}?model=999").status_code == 404


@pytest.mark.parametrize(
    ("permissions", "statuses"),
    [
        ((), (403, 403, 403, 403, 403)),
        (("view_agent",), (200, 403, 200, 403, 403)),
        (("change_agent",), (200, 403, 200, 200, 302)),
        (("add_agent",), (403, 200, 403, 403, 403)),
    ],
)
def test_staff_may_do_what_they_may_do_in_the_admin(
    client: Client, cast: Cast, permissions: tuple[str, ...], statuses: tuple[int, ...]
) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(clerk)
    alice = cast.alice()
    address = f"{LIST}{alice.pk}/"
    found = (
        client.get(LIST).status_code,
        client.get(ADD).status_code,
        client.get(address).status_code,
        client.post(address, {"name": ""}).status_code,
        client.post(LIST, {"act": "disable", "agent": alice.pk}).status_code,
    )
    assert found == statuses


def test_who_may_only_add_agents_comes_home_after_one_is_stored(client: Client) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="add_agent"))
    client.force_login(clerk)
    stored = client.post(ADD, {"name": "Rest", "program": "null", "settings": "{}"})
    assert stored.headers["Location"] == "/operate/"
    assert client.get("/operate/").status_code == 200


def test_a_group_that_sees_no_hidden_dataset_gets_no_model_and_no_count_of_one(
    client: Client, cast: Cast
) -> None:
    alice, secret = cast.alice(), cast.bob()
    open_task, hidden_task = cast.add_tasks(1)[0], cast.add_hidden_task()
    cast.add_run(alice, open_task)
    cast.add_run(alice, hidden_task)
    cast.add_run(secret, hidden_task)
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=("add_agent", "change_agent")))
    for user, runs, offered in ((clerk, "1", False), (member("olga", OPERATORS), "2", True)):
        client.force_login(user)
        assert f'<a href="/runs/?agent=alice">{runs}</a>' in body(client, LIST)
        assert ("Babbage" in body(client, ADD)) is offered
    client.force_login(clerk)
    assert secret.model is not None
    forged = {"name": "Ada", "program": "ide", "settings": "{}", "model": secret.model.pk}
    assert "Select a valid choice" in client.post(ADD, forged).content.decode()
    assert client.post(LIST, {"act": "disable", "agent": secret.pk}).status_code == 404

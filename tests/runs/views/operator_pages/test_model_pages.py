"""The pages of models: list, form, test, and who may do what."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from rq import Queue

from runs.jobs import queue
from runs.models import AuditEntry, LanguageModel
from runs.operations.agent_setup.model_checks import run_check
from tests.conftest import RedisServer
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.roles import OPERATORS, member

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

LIST, ADD = "/operate/models/", "/operate/models/add/"
OWN = {"kind": "own", "model_name": "ada", "api_base": "http://127.0.0.1:9/v1"}


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_an_operator_adds_a_model_and_sees_what_its_test_found(client: Client, redis: RedisServer) -> None:
    client.force_login(member("olga", OPERATORS))

    stored = client.post(ADD, {**OWN, "test": "yes"})

    made = LanguageModel.objects.get()
    assert stored.headers["Location"] == f"/operate/models/{made.pk}/"
    newest = AuditEntry.objects.get(kind="language model")
    assert (newest.account, newest.act, (newest.after or {})["litellm_id"]) == (
        "olga",
        "created",
        "openai/ada",
    )
    page = body(client, f"/operate/models/{made.pk}/")
    assert "No worker has taken it yet" in page
    assert "data-live" in page
    (job,) = Queue("reviews", connection=queue.connection()).get_jobs()
    run_check(*job.args)
    part = body(client, f"/operate/models/{made.pk}/", x_partial="check")
    assert part.lstrip().startswith('<section data-part="check"')
    assert "Nothing answers at http://127.0.0.1:9/v1" in part
    assert "127.0.0.1 is the container itself" in part
    assert 'data-blamed="api_base"' in part
    assert '<a href="#id_api_base">Address</a>' in part
    assert "data-live" not in part
    assert "✕ Nothing answers" in body(client, LIST)


def test_a_change_is_stored_and_audited_and_an_error_stands_at_its_field(
    admin_client: Client, cast: Cast, redis: RedisServer
) -> None:
    made = cast.add_model("Babbage")
    address = f"/operate/models/{made.pk}/"
    wrong = admin_client.post(address, {"kind": "own", "model_name": "b"}).content.decode()
    assert (
        "Enter the address of the server"
        in wrong.partition('id="id_api_base_error"')[2].partition("</ul>")[0]
    )
    values = {"kind": "openai", "model_name": "b", "name": "Babbage", "input_price": "2"}
    assert admin_client.post(address, values).status_code == 302
    newest = AuditEntry.objects.filter(kind="language model").first()
    assert newest is not None
    assert (newest.before or {})["input_price"] is None
    assert (newest.after or {})["input_price"] == 2.0
    tested = admin_client.post(f"{address}test/", follow=True)
    assert "● waits" in tested.content.decode()
    assert admin_client.get(f"{address}test/").status_code == 405


def test_models_of_reported_results_are_counted_and_not_listed(admin_client: Client, cast: Cast) -> None:
    cast.add_model("Analytical")
    LanguageModel.objects.create(slug="far", name="Far", provider="?", litellm_id="")
    page = body(admin_client, LIST)
    assert "1 model can be called" in page
    assert "1 more model is known from reported results only" in page
    assert ">Far<" not in page


@pytest.mark.parametrize(
    ("permissions", "statuses"),
    [
        ((), (403, 403, 403, 403, 403)),
        (("view_languagemodel",), (200, 403, 200, 403, 403)),
        (("change_languagemodel",), (200, 403, 200, 302, 302)),
        (("add_languagemodel",), (403, 200, 403, 403, 403)),
    ],
)
def test_staff_may_do_what_they_may_do_in_the_admin(
    client: Client, cast: Cast, redis: RedisServer, permissions: tuple[str, ...], statuses: tuple[int, ...]
) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(clerk)
    address = f"/operate/models/{cast.add_model('Babbage').pk}/"
    values = {"kind": "openai", "model_name": "b"}
    found = (
        client.get(LIST).status_code,
        client.get(ADD).status_code,
        client.get(address).status_code,
        client.post(address, values).status_code,
        client.post(f"{address}test/").status_code,
    )
    assert found == statuses


def test_readers_are_asked_to_sign_in_and_a_model_that_is_hidden_is_not_found(
    client: Client, cast: Cast
) -> None:
    assert client.get(LIST).headers["Location"] == f"/admin/login/?next={LIST}"
    hidden = cast.alice()
    cast.add_run(hidden, cast.add_hidden_task())
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="change_languagemodel"))
    client.force_login(clerk)
    assert hidden.model is not None
    assert client.get(f"/operate/models/{hidden.model.pk}/").status_code == 404
    assert "Analytical" not in body(client, LIST)


def test_agents_of_hidden_datasets_are_in_no_count_for_a_group_that_sees_none(
    client: Client, cast: Cast, redis: RedisServer
) -> None:
    known = cast.alice()
    secret = cast.add_agent("Secret", "ide", known.model)
    cast.add_run(secret, cast.add_hidden_task())
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_languagemodel"))
    for user, agents in ((clerk, 1), (member("olga", OPERATORS), 2)):
        client.force_login(user)
        assert client.get(LIST).context["rows"][0][0].agents == agents


def test_prices_have_cents(admin_client: Client, cast: Cast) -> None:
    cast.add_model("Babbage", input_price=3.0, output_price=0.5)

    page = body(admin_client, LIST)

    assert ">$3.00</td>" in page
    assert ">$0.50</td>" in page


def test_a_misspelt_name_is_stored_with_a_warning_that_has_names_like_it(
    admin_client: Client, redis: RedisServer
) -> None:
    page = admin_client.post(ADD, {"kind": "openai", "model_name": "gpt-4oo"}, follow=True).content.decode()
    assert "LiteLLM does not list openai/gpt-4oo" in page
    assert "openai/gpt-4o" in page.partition("Names like it: ")[2][:200]
    assert LanguageModel.objects.get().litellm_id == "openai/gpt-4oo"
    page = admin_client.post(ADD, OWN, follow=True).content.decode()
    assert "LiteLLM does not list" not in page

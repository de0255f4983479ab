"""Accounts, roles and the audit log in the admin; sessions end with a password, an account and a role."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from runs.access.accounts import one_time_password
from runs.models import Agent, AuditEntry, LanguageModel
from tests.runs.access.accounts.devices import enrol
from tests.runs.roles import ADMINS, OPERATORS, VIEWERS, member

pytestmark = pytest.mark.django_db

LOG = "/admin/runs/auditentry/"
OLD, NEW = "pilot 17 tide", "harbour 18 moon"


def browser_of(user: User) -> Client:
    """A browser in which the user is signed in."""
    client = Client()
    client.force_login(user)
    return client


def set_password(client: Client, user: User) -> None:
    """As an admin does for another account."""
    form = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "x"}
    assert client.post(f"/admin/auth/user/{user.pk}/password/", form).status_code == 302


def test_an_admin_reads_the_audit_log_and_nobody_changes_it() -> None:
    ada = browser_of(member("ada", ADMINS))
    Agent.objects.create(slug="a", name="Alice of the harbour", kind="null")
    page = ada.get(LOG).content.decode()
    assert "Alice of the harbour" in page
    entry = AuditEntry.objects.get(name="Alice of the harbour")
    assert ada.get(f"{LOG}{entry.pk}/change/").status_code == 200
    assert ada.post(f"{LOG}{entry.pk}/change/", {"account": "x"}).status_code == 403
    assert ada.post(f"{LOG}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert ada.get(f"{LOG}add/").status_code == 403
    ada.post(LOG, {"action": "delete_selected", "_selected_action": entry.pk, "post": "yes"})
    assert AuditEntry.objects.filter(pk=entry.pk).exists()


def test_a_superuser_cannot_change_it_either(admin_client: Client) -> None:
    Agent.objects.create(slug="a", name="Alice", kind="null")
    entry = AuditEntry.objects.get(name="Alice")
    assert admin_client.post(f"{LOG}{entry.pk}/change/", {"account": "x"}).status_code == 403
    assert admin_client.post(f"{LOG}{entry.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_log_shows_values_before_and_after_and_is_filtered() -> None:
    ada = browser_of(member("ada", ADMINS))
    model = LanguageModel.objects.create(slug="m", name="Sphinx", provider="x", litellm_id="x/sphinx")
    model.input_price = 2.5
    model.save()
    page = ada.get(f"{LOG}?act=changed&kind=language+model").content.decode()
    assert "input_price: null → 2.5" in page
    assert "signed in" not in page.partition("result_list")[2].partition("</table>")[0]


@pytest.mark.parametrize("roles", [(), (VIEWERS,), (OPERATORS,)])
def test_other_roles_do_not_read_the_log(roles: tuple[str, ...]) -> None:
    client = browser_of(member("vera", *roles))
    assert client.get(LOG).status_code == 403
    assert "Audit log" not in client.get("/admin/").content.decode()


def test_who_may_not_see_hidden_datasets_does_not_read_the_log() -> None:
    clerk = member("carl")
    clerk.user_permissions.set(Permission.objects.filter(codename="view_auditentry"))
    assert browser_of(clerk).get(LOG).status_code == 403


def test_an_admin_manages_accounts_and_roles() -> None:
    ada = browser_of(member("ada", ADMINS))
    form = {"username": "nina", "password1": NEW, "password2": NEW, "usable_password": "true"}
    assert ada.post("/admin/auth/user/add/", form).status_code == 302
    nina = User.objects.get(username="nina")
    enrol(nina)
    page = ada.get("/admin/auth/user/").content.decode()
    assert "nina" in page
    assert ada.get(f"/admin/auth/user/{nina.pk}/change/").status_code == 200
    role = Group.objects.get(name=OPERATORS)
    assert ada.get(f"/admin/auth/group/{role.pk}/change/").status_code == 200
    assert ada.post(f"/admin/auth/user/{nina.pk}/delete/", {"post": "yes"}).status_code == 302


@pytest.mark.parametrize("role", [VIEWERS, OPERATORS])
def test_other_roles_manage_no_accounts(role: str) -> None:
    client = browser_of(member("vera", role))
    for page in ("user/", "group/", "user/add/", "user/1/change/", "user/1/password/"):
        assert client.get(f"/admin/auth/{page}").status_code == 403


def test_keys_of_second_factors_are_nowhere_in_the_admin(admin_client: Client) -> None:
    user = member("vera")
    enrol(user)
    device = TOTPDevice.objects.get()
    assert not admin.site.is_registered(TOTPDevice)
    assert admin_client.get(f"/admin/otp_totp/totpdevice/{device.pk}/change/").status_code == 404
    assert device.key not in admin_client.get(f"/admin/auth/user/{user.pk}/delete/").content.decode()


def test_a_new_password_ends_all_other_sessions_and_the_present_one_goes_on() -> None:
    vera = member("vera", VIEWERS, password=OLD)
    here, there = browser_of(vera), browser_of(vera)
    form = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
    assert here.post("/admin/password_change/", form).status_code == 302
    assert here.get("/admin/").status_code == 200
    assert there.get("/admin/").status_code == 302


def test_a_password_that_an_admin_sets_ends_the_sessions_of_the_account() -> None:
    vera = member("vera", VIEWERS, password=OLD)
    hers, his = browser_of(vera), browser_of(member("ada", ADMINS))
    set_password(his, vera)
    assert hers.get("/admin/").status_code == 302
    assert his.get("/admin/").status_code == 200
    entry = AuditEntry.objects.get(act="password changed")
    assert (entry.account, entry.name) == ("ada", "vera")


def test_disabling_the_password_of_an_account_is_recorded_and_ends_its_one_time_password() -> None:
    vera = member("vera", VIEWERS, password=OLD)
    file = one_time_password.write(vera, one_time_password.issue(vera))
    form = {"usable_password": "false", "unset-password": "x"}
    assert (
        browser_of(member("ada", ADMINS)).post(f"/admin/auth/user/{vera.pk}/password/", form).status_code
        == 302
    )
    entry = AuditEntry.objects.filter(name="vera", act="changed").first()
    assert entry is not None
    assert (entry.account, entry.before, entry.after) == (
        "ada",
        {"password login": True},
        {"password login": False},
    )
    assert not one_time_password.is_set(vera)
    assert not file.exists()


def test_a_deactivated_account_has_no_session() -> None:
    vera = member("vera", OPERATORS)
    client = browser_of(vera)
    assert client.get("/evaluations/start/").status_code == 200
    User.objects.filter(pk=vera.pk).update(is_active=False)
    assert client.get("/evaluations/start/").status_code == 302


def test_a_role_that_is_taken_away_ends_with_the_next_request() -> None:
    vera = member("vera", OPERATORS)
    client = browser_of(vera)
    assert client.get("/evaluations/start/").status_code == 200
    vera.groups.clear()
    assert client.get("/evaluations/start/").status_code == 403


def test_cookies_are_for_this_site_and_no_script(settings: object) -> None:
    member("vera", password=OLD)
    client = Client()
    client.post("/admin/login/", {"username": "vera", "password": OLD})
    session = client.cookies["sessionid"]
    assert (session["httponly"], session["samesite"]) == (True, "Lax")

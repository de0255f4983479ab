"""Every change of what operators manage is recorded, and no work of a worker."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db.models.deletion import Collector
from django.utils import timezone

from runs.models import Agent, AuditEntry, LanguageModel, Run, RunSign, Schedule, Snapshot
from runs.operations.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures, set_listed
from runs.rankings.leaderboard.snapshots import freeze
from runs.work.execution.settling import settle
from tasks.loading import hide, load
from tests.harness.worlds import write_tiny_dataset
from tests.runs.access.audit.entries import entries
from tests.runs.cast import Cast
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def system_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who acts in all of these tests."""
    monkeypatch.setenv("LOGNAME", "olga")


def test_a_price_has_its_values_before_and_after() -> None:
    model = LanguageModel.objects.create(slug="m", name="Sphinx", provider="x", litellm_id="x/sphinx")
    model.input_price = 2.5
    model.save()
    model.save()  # changes nothing
    model.delete()
    created, changed, deleted = entries()
    assert created[:3] == ("olga", "created", "Sphinx")
    assert created[4]["litellm_id"] == "x/sphinx"
    assert changed == ("olga", "changed", "Sphinx", {"input_price": None}, {"input_price": 2.5})
    assert deleted[1] == "deleted"
    assert deleted[3]["input_price"] == 2.5


def test_the_path_of_a_webhook_which_may_hold_a_key_is_left_out() -> None:
    agent = Agent.objects.create(slug="a", name="Alice", kind="null")
    made = Schedule.objects.create(title="Watch", agent=agent, webhook_url="https://hook.example/T1/SECRET")
    made.webhook_url = "https://hook.example/T2/SECRET"
    made.save()
    made.webhook_url = ""
    made.save()
    made.delete()
    shown = "https://hook.example/…"
    created, changed, emptied, deleted = entries(after=1)
    assert created[4]["webhook_url"] == shown
    assert changed[3:] == ({"webhook_url": shown}, {"webhook_url": shown})
    assert emptied[3:] == ({"webhook_url": shown}, {"webhook_url": ""})
    assert "SECRET" not in repr(entries())
    assert deleted[1] == "deleted"


def test_only_stored_fields_count() -> None:
    agent = Agent.objects.create(slug="a", name="Alice", kind="null")
    agent.name, agent.enabled = "Alicia", False
    agent.save(update_fields=["enabled"])
    assert entries(after=1) == [("olga", "changed", "Alicia", {"enabled": True}, {"enabled": False})]


def test_the_life_of_an_evaluation(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    before = len(entries())
    evaluation = tiny.start(attempts=2)
    first, _second = evaluation.runs.all()
    run = claimed(first)
    for number in range(1, 4):
        settle(run, number, failure_of(run))
        run.refresh_from_db()
        if run.state == Run.State.QUEUED:
            Run.objects.filter(pk=run.pk).update(not_before=None)
            run = claimed(run)
    cancel_evaluation(evaluation)
    cancel_evaluation(evaluation)  # changes nothing
    retry_infrastructure_failures(evaluation)
    set_listed(evaluation, False)
    name = evaluation.title
    found = entries(after=before)
    assert [(act, who) for _, act, who, _, _ in found] == [
        ("created", name),
        ("cancelled", name),
        ("retried", name),
        ("changed", name),
    ]
    assert found[0][4]["attempts"] == 2
    assert found[1][4] == {"cancelled runs": 1}
    assert found[2][4] == {"queued runs": 1}
    assert found[3][3:] == ({"listed": True}, {"listed": False})


def test_what_workers_do_is_no_act_of_an_operator(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    evaluation = tiny.start()
    before = len(entries())
    run = claimed(evaluation.runs.get())
    settle(run, 1, summary_of(run))
    evaluation.refresh_from_db()
    assert evaluation.state == "finished"
    assert entries(after=before) == []


def test_a_dataset_that_is_hidden(tmp_path: Path) -> None:
    dataset = load(write_tiny_dataset(tmp_path))
    before = len(entries())
    load(write_tiny_dataset(tmp_path / "again"), hidden=True)
    dataset.refresh_from_db()
    hide(dataset, hidden=False)
    changes = [(old, new) for _, act, _, old, new in entries(after=before) if "hidden" in (new or {})]
    assert changes == [({"hidden": False}, {"hidden": True}), ({"hidden": True}, {"hidden": False})]


def test_a_deleted_permanent_link_is_recorded_and_a_new_one_is_not() -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()
    before = len(entries())
    snapshot = freeze("ports")
    assert entries(after=before) == []
    Snapshot.objects.all().delete()
    (entry,) = entries(after=before)
    assert entry[1] == "deleted"
    assert entry[3]["digest"] == snapshot.digest


def test_accounts_roles_and_permissions() -> None:
    may = Permission.objects.get(codename="start_evaluation")
    user = User.objects.create_user("vera")
    role = Group.objects.create(name="Pilots")
    before = len(entries())
    user.is_staff = True
    user.save()
    user.groups.add(role)
    user.groups.add(role)  # changes nothing
    role.user_set.remove(user)
    user.user_permissions.set([may])
    role.permissions.set([may])
    role.permissions.clear()
    user.last_login = timezone.now()
    user.save()
    user.delete()
    found = entries(after=before)
    assert [(act, name) for _, act, name, _, _ in found] == [
        ("changed", "vera"),
        ("changed", "vera"),
        ("changed", "Pilots"),
        ("changed", "vera"),
        ("changed", "Pilots"),
        ("changed", "Pilots"),
        ("deleted", "vera"),
    ]
    assert [(old, new) for _, _, _, old, new in found[:6]] == [
        ({"is_staff": False}, {"is_staff": True}),
        ({"groups": []}, {"groups": ["Pilots"]}),
        ({"user_set": ["vera"]}, {"user_set": []}),
        ({"user_permissions": []}, {"user_permissions": [str(may)]}),
        ({"permissions": []}, {"permissions": [str(may)]}),
        ({"permissions": [str(may)]}, {"permissions": []}),
    ]


def test_no_password_is_in_the_log() -> None:
    user = User.objects.create_user("vera", password="pilot 17 tide")
    stored = user.password
    user.set_password("another 18 tide")
    user.save()
    text = str(list(AuditEntry.objects.values_list()))
    assert "tide" not in text
    assert stored not in text
    assert user.password not in text


def test_deletions_of_other_models_stay_fast() -> None:
    """A receiver of all deletions would load every row of a run that is deleted."""
    assert Collector(using="default").can_fast_delete(RunSign.objects.all())

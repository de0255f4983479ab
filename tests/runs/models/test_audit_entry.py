"""Entries of the audit log are added, and neither changed nor deleted."""

from __future__ import annotations

import pytest

from runs.models import AppendOnly, AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry() -> AuditEntry:
    """A stored one."""
    made = AuditEntry(act=AuditEntry.Act.CREATED, account="olga", kind="agent", name="Alice")
    made.save()
    return made


def test_a_stored_entry_is_not_changed(entry: AuditEntry) -> None:
    entry.account = "nobody"
    with pytest.raises(AppendOnly):
        entry.save()
    with pytest.raises(AppendOnly):
        entry.save(update_fields=["account"])
    with pytest.raises(AppendOnly):
        AuditEntry.objects.update(account="nobody")
    with pytest.raises(AppendOnly):
        AuditEntry.objects.bulk_update([entry], ["account"])
    assert AuditEntry.objects.get().account == "olga"


def test_a_stored_entry_is_not_replaced_by_a_new_one_of_its_number(entry: AuditEntry) -> None:
    with pytest.raises(AppendOnly):
        AuditEntry.objects.update_or_create(pk=entry.pk, defaults={"account": "nobody"})
    assert AuditEntry.objects.get().account == "olga"


def test_a_stored_entry_is_not_deleted(entry: AuditEntry) -> None:
    with pytest.raises(AppendOnly):
        entry.delete()
    with pytest.raises(AppendOnly):
        AuditEntry.objects.all().delete()
    assert AuditEntry.objects.count() == 1


def test_an_entry_reads_as_a_sentence(entry: AuditEntry) -> None:
    assert str(entry) == "olga: created agent Alice"


def test_entries_are_not_overwritten_or_deleted_in_bulk() -> None:
    stored = AuditEntry(act=AuditEntry.Act.CREATED, name="one")
    stored.save()
    other = AuditEntry(pk=stored.pk, act=AuditEntry.Act.CREATED, name="two")
    with pytest.raises(AppendOnly):
        AuditEntry.objects.bulk_create(
            [other], update_conflicts=True, unique_fields=["id"], update_fields=["name"]
        )
    with pytest.raises(AppendOnly):
        AuditEntry.objects.all()._raw_delete("default")
    assert AuditEntry.objects.get().name == "one"

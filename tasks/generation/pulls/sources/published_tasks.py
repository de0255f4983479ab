"""Merged changes from published tasks and a clone; the lists of tests are measured anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tasks.generation.pulls.changes import Issue, MergedChange, Reason, Refusal
from tasks.generation.pulls.schema import Form, Instance, SchemaError, read_instances
from tasks.generation.pulls.sources.git_clone import GitClone


def changes_of_published(path: Path, clone: GitClone) -> Iterator[MergedChange | Refusal]:
    """The change of each record in a file, or in all files of a directory: see `read_instances`."""
    for found in read_instances(path):
        yield _unreadable(found) if isinstance(found, SchemaError) else _change(found, clone)


def _change(instance: Instance, clone: GitClone) -> MergedChange | Refusal:
    try:
        clone.commit(instance.base_commit)
    except LookupError as error:
        return Refusal(instance.identifier, instance.title, Reason.UNREADABLE, str(error.args[0]))
    base = instance.base_commit
    number = instance.values["issue_number"] if instance.form is Form.PAPER else 0
    # Every published task is about an issue; in SWE-bench's form it has no number.
    text = instance.description.strip().removeprefix(instance.title).strip()
    return MergedChange(
        identifier=instance.identifier,
        title=instance.title,
        diff=instance.patch,
        base=base,
        files=lambda: clone.files(base),
        text=text,
        issue=Issue(number, instance.title, text, str(instance.values.get("issue_url") or "")),
        date=instance.created_at,
        url=str(instance.values.get("pr_url") or ""),
    )


def _unreadable(error: SchemaError) -> Refusal:
    place = f"{error.path}{f', {error.where}' if error.where else ''}"
    return Refusal(place, "", Reason.UNREADABLE, error.reason)

"""Which published tasks can be used, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from harness.patches import PatchError, ReadFile, apply_patch
from tasks.generation.pulls.schema import Form, Instance, SchemaError
from tasks.generation.pulls.splitting import split_patch

# The files of a repository at a commit. Raises LookupError, with a reason, if there is no such commit.
TreeAt = Callable[[str], ReadFile]


class Flaw(StrEnum):
    """Why a published task is refused. The value is what tables show."""

    UNREADABLE = "not readable"
    EMPTY = "empty: no test fails before and passes after"
    NO_TESTS = "the patch changes no test"
    NO_SOURCE = "the patch changes no source"
    BROKEN_PATCH = "the patch is damaged"
    NO_BASE = "the base commit is missing"
    NOT_APPLYING = "the patch does not apply"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one published task. `flaw` None: it is readable.

    `place`: its file, line and field. `detail` explains the flaw. `notes` are no flaws: the patch is split, fields are
    unknown, no test is named that has to keep passing.
    """

    identifier: str
    place: str
    flaw: Flaw | None
    detail: str = ""
    fail_to_pass: int = 0
    pass_to_pass: int = 0
    notes: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        """Whether the task can be used."""
        return self.flaw is None


def judge(found: Instance | SchemaError, tree_at: TreeAt | None = None) -> Verdict:
    """The verdict on one record. With `tree_at` the patch is applied to its base commit, too."""
    if isinstance(found, SchemaError):
        return Verdict("", _place(found), Flaw.UNREADABLE, found.reason)
    notes = list[str]()
    flaw, detail = _flaw(found, tree_at, notes)
    if found.unknown:
        notes.append(f"fields that {found.form} does not have: {', '.join(map(ascii, found.unknown[:10]))}")
    return Verdict(
        found.identifier,
        _place(found),
        flaw,
        detail,
        len(found.fail_to_pass),
        len(found.pass_to_pass),
        tuple(notes),
    )


def _flaw(instance: Instance, tree_at: TreeAt | None, notes: list[str]) -> tuple[Flaw | None, str]:
    """The first flaw with its explanation; adds to `notes`."""
    try:
        parts = split_patch(instance.patch)
    except PatchError as error:
        return Flaw.BROKEN_PATCH, str(error)
    if instance.form is Form.PAPER and parts.tests:
        notes.append("the gold patch contains the tests: it is split")
    if not instance.fail_to_pass:
        return Flaw.EMPTY, "its list of such tests is empty: measure it, or leave the task out"
    if not parts.tests:
        return Flaw.NO_TESTS, "nothing could verify a solution"
    if not parts.source:
        return Flaw.NO_SOURCE, "there is nothing to solve"
    if not instance.pass_to_pass:
        notes.append("no test is named that has to keep passing")
    return _applied(instance, tree_at) if tree_at else (None, "")


def _applied(instance: Instance, tree_at: TreeAt) -> tuple[Flaw | None, str]:
    """The flaw of a patch that does not apply to its base commit."""
    try:
        apply_patch(instance.patch, tree_at(instance.base_commit))
    except LookupError as error:
        return Flaw.NO_BASE, str(error.args[0] if error.args else error)
    except PatchError as error:
        return Flaw.NOT_APPLYING, str(error)
    return None, ""


def _place(found: Instance | SchemaError) -> str:
    return f"{found.path}{f', {found.where}' if found.where else ''}"

"""The patch of an agent's changes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import AgentError
from harness.patches import (
    FileState,
    PatchError,
    apply_patch,
    check_link,
    check_path,
    long_texts,
    make_patch,
)
from harness.records import Flag
from harness.sandbox.base import Changes

MAX_FLAGS = 20
# Reading a path takes time in proportion to the square of its depth, for each of ten thousand files.
MAX_LEVELS = 100
TOO_DEEP = f"it lies more than {MAX_LEVELS} directories deep"
TOO_LONG = "carried over: it is too long to be searched for code that could influence the test process"
# Finding one path among ten thousand takes 14 tries.
_MAX_TRIES = 100
_SECONDS = 30.0

Change = tuple[FileState, FileState]


@dataclass(frozen=True, slots=True)
class AgentPatch:
    """A patch that applies to the original workspace. `flags`: changes that it does not contain, or not as text."""

    diff: bytes = b""
    flags: tuple[Flag, ...] = ()


def patch_of(changes: Changes) -> AgentPatch:
    """The patch from the original workspace to the agent's final one; empty if nothing changed.

    Changes that a patch must not contain are left out, such as files of git repositories that the agent created
    (`sub/.git/...`), links named `.gitmodules`, and files more than MAX_LEVELS directories deep. Raises AgentError if
    the other changes make no patch.
    """
    before = {state.path: state for state in changes.before}
    everything = [(before.get(now.path, FileState(now.path, None)), now) for now in changes.after]
    if not everything:
        return AgentPatch()  # the common case of an unchanged workspace: saves the git processes
    search = _Search()
    carried, diff = search.patch_without_refused([one for one in everything if search.is_allowed(one)])
    unsearched = long_texts((was for was, _ in carried), (now for _, now in carried))
    flags = [*search.flags, *(Flag("too_long", path, TOO_LONG) for path in unsearched)]
    return AgentPatch(diff, tuple(flags[:MAX_FLAGS]))


class _Search:
    """Finds the changes that no patch can contain."""

    def __init__(self) -> None:
        self.flags: list[Flag] = []
        self._tries = 0
        self._deadline = time.monotonic() + _SECONDS

    def is_allowed(self, change: Change) -> bool:
        """Whether a patch may contain the change; flags it if not."""
        if change[1].path.count("/") > MAX_LEVELS:
            self._leave_out(change[1].path, TOO_DEEP)
            return False
        try:
            for state in change:
                check_path(state.path)
                check_link(state)
        except PatchError as error:
            self._leave_out(error.where, error.reason)
            return False
        return True

    def patch_without_refused(self, changes: list[Change]) -> tuple[list[Change], bytes]:
        """As many of the changes as one patch can contain, and this patch."""
        self._tries += 1
        try:
            return changes, _tried(changes)
        except PatchError as error:
            if self._tries > _MAX_TRIES or time.monotonic() > self._deadline:
                raise AgentError(f"the changes make no patch: {error}") from None
            if len(changes) == 1:
                self._leave_out(changes[0][0].path, error.reason)
                return [], b""
        middle = len(changes) // 2
        halves = (self.patch_without_refused(half)[0] for half in (changes[:middle], changes[middle:]))
        kept = [change for half in halves for change in half]
        if len(kept) == len(changes):
            raise AgentError("the changes make no patch: they contradict each other")
        return self.patch_without_refused(kept) if kept else ([], b"")

    def _leave_out(self, path: str, reason: str) -> None:
        self.flags.append(Flag("left_out", path, f"not carried over: {reason}"))


def _tried(changes: Sequence[Change]) -> bytes:
    """The patch of these changes. Raises PatchError unless applying it makes them again."""
    before = {was.path: was for was, _ in changes}
    diff = make_patch(before.values(), (now for _, now in changes))
    made = {state.path: state for state in apply_patch(diff, lambda path: _existing(before.get(path)))}
    for _, now in changes:
        if made.get(now.path) != now:
            raise PatchError(now.path, "its change is not the same after applying the patch")
    return diff


def _existing(state: FileState | None) -> FileState | None:
    return None if state is None or state.content is None else state

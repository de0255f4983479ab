"""The patch of an agent's changes."""

from __future__ import annotations

from collections.abc import Iterable

from harness.patches import FileState, PatchError, check_path, make_patch
from harness.sandbox.base import Changes


def patch_of(changes: Changes) -> bytes:
    """The patch from the original workspace to the agent's final one; empty if nothing changed.

    Files of git repositories that the agent created (`sub/.git/...`) are left out, because a patch must not name them.
    """
    if not changes.before and not changes.after:
        return b""  # the common case of an unchanged workspace: saves the git processes
    return make_patch(_patchable(changes.before), _patchable(changes.after))


def _patchable(states: Iterable[FileState]) -> Iterable[FileState]:
    for state in states:
        try:
            check_path(state.path)
        except PatchError:
            continue
        yield state

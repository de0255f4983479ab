"""What an agent left behind, as a patch."""

from __future__ import annotations

from collections.abc import Iterable

from harness.patches import FileState, PatchError, check_path, make_patch
from harness.sandbox.base import Changes


def patch_of(changes: Changes) -> bytes:
    """The patch from the pristine workspace to what the agent left behind; empty when nothing changed.

    Repositories of git's own that the agent made inside (`sub/.git/...`) are no part of it: no patch can hold them.
    """
    if not changes.before and not changes.after:
        return b""  # as most graders of nothing find: git need not be asked
    return make_patch(_patchable(changes.before), _patchable(changes.after))


def _patchable(states: Iterable[FileState]) -> Iterable[FileState]:
    for state in states:
        try:
            check_path(state.path)
        except PatchError:
            continue
        yield state

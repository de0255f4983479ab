"""The files of a workspace after the run: the source with the patch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.dataset import Tree
from harness.dataset.globs import matches
from harness.patches import FileState, PatchError, ReadFile


class FinalState:
    """The source with the `changed` files. `before` reads a file as it was before the run; None if there was none.

    Files that git ignores are in no patch, so that their changes are not seen here.
    """

    def __init__(self, source: Tree, before: ReadFile, changed: Sequence[FileState]) -> None:
        self._source = source
        self._before = before
        self._after = {state.path: state for state in changed}

    @property
    def changed(self) -> list[str]:
        """The paths that were added, changed or deleted, sorted."""
        return sorted(self._after)

    @property
    def added(self) -> list[str]:
        """The paths of new files and links, sorted."""
        return [
            path
            for path in self.changed
            if self._after[path].content is not None and not _exists(self._before(path))
        ]

    def read(self, path: str) -> FileState | None:
        """One file or link; None if it does not exist, or lies below a link."""
        if path in self._after:
            state: FileState | None = self._after[path]
        else:
            try:
                state = self._source.read(path)
            except PatchError:  # below a link
                return None
        return None if state is None or state.content is None else state

    def files(self, globs: Iterable[str]) -> list[FileState]:
        """The files that match one of the globs, sorted by path. Links are left out."""
        globs = tuple(globs)
        names = {*self._source.names(), *self._after}
        states = (self.read(name) for name in sorted(names) if matches(name, globs))
        return [state for state in states if state is not None and not state.link]

    def holds(self, content: bytes) -> str:
        """The path of a file with exactly this content; '' if there is none."""
        for name in sorted({*self._source.names(), *self._after}):
            state = self.read(name)
            if state is not None and state.content == content:
                return name
        return ""


def _exists(state: FileState | None) -> bool:
    """Whether there is a file. A missing one is None, or a state without content."""
    return state is not None and state.content is not None

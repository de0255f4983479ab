"""Finds hidden tests and reference patches in files that agents can see, for datasets without a canary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.dataset.model import Dataset, Problem, Repository, Task
from harness.patches import PatchError, added_lines, split_hunks

MIN_LINE_LENGTH = 16
MIN_LINES = 3


def find_leaks(dataset: Dataset) -> Iterator[Problem]:
    """Each visible file that contains a task's complete hidden tests or its complete reference patch.

    A file contains them if it has all their distinctive lines. A distinctive line has at least MIN_LINE_LENGTH
    characters; in a patch, it is added and not also removed elsewhere (moved code was visible before). Tests and
    patches with fewer than MIN_LINES such lines are not checked.
    """
    for repository in dataset.repositories:
        hidden = [part for task in repository.tasks for part in _hidden(repository, task)]
        for path in [repository.dockerfile, *repository.source.paths()]:
            if path.is_symlink() or not path.is_file():
                continue
            lines = _lines(path.read_text("utf-8", "replace").splitlines())
            for what, distinctive in hidden:
                if distinctive <= lines:
                    yield Problem(path, "", f"holds {what}, which agents must not see")


def _hidden(repository: Repository, task: Task) -> Iterator[tuple[str, frozenset[str]]]:
    visible = set(repository.source.names())
    for file in task.tests.files():
        if file.path not in visible and file.content is not None and not file.link:
            lines = _lines(file.content.decode("utf-8", "replace").splitlines())
            yield from _if_enough(f"the hidden tests of {task.slug} ({file.path})", lines)
    diff = task.reference_diff.read_bytes()
    try:
        removed = {line for hunk in split_hunks(diff) for line in _lines(hunk.old_lines)}
        added = _lines(line for _, line in added_lines(diff))
    except PatchError:
        return
    yield from _if_enough(f"the reference patch of {task.slug}", added - removed)


def _if_enough(what: str, lines: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    if len(lines) >= MIN_LINES:
        yield what, lines


def _lines(lines: Iterable[str]) -> frozenset[str]:
    """The lines that are long enough to be distinctive, without the + and - of a patch."""
    return frozenset(
        stripped for line in lines if len(stripped := line.lstrip("+- \t").rstrip()) >= MIN_LINE_LENGTH
    )

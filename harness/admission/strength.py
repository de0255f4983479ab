"""How strong a task's tests are: which of them pass without the code that they test.

The reference patch is applied in forms that solve nothing: its files missing, empty, hollow (importable, every use
fails) and inert (all of the text, none of the code). A test that passes without the files or with their empty or hollow
form is *vacuous*: it does not test them. One that passes with their text alone is *static*: it reads the files but runs
no code.

Both are lower bounds. A test that is not collected in these forms, because another test in its file needs the code on
import, counts as sound; so does every static test without a known inert form. Where nothing builds without the files,
as in C, vacuous tests show only in the inert form and count as static.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from harness.admission.inert_sources import hollow, inert
from harness.dataset import Repository, Strength, Task
from harness.patches import FileState, apply_patch, make_patch, touched_paths

Passed = Callable[[bytes], frozenset[str]]


def measure(repository: Repository, task: Task, passed: Passed) -> Strength:
    """Measures the strength. `passed` runs the tests with a patch, up to four times, and returns those that pass."""
    reference = task.reference_diff.read_bytes()
    read = repository.source.read
    before = [state for path in touched_paths(reference) if (state := read(path)) is not None]
    after = [state for state in apply_patch(reference, read) if state.content is not None and not state.link]
    files = tuple(state.path for state in after)
    if not after:
        return Strength(
            files, None, None, "the reference patch leaves nothing behind that could be taken away"
        )

    def passed_with(states: Iterable[FileState]) -> frozenset[str]:
        return passed(make_patch(before, states))

    empty = [replace(state, content=b"") for state in after]
    vacuous = passed_with(()) | passed_with(empty) | passed_with(map(hollow, after))
    inert_states, unknown = _inert(after)
    if unknown:
        note = f"static tests were not looked for: no inert form is known of files like {', '.join(unknown)}"
        return Strength(files, tuple(sorted(vacuous)), None, note)
    static = passed_with(inert_states) - vacuous
    return Strength(files, tuple(sorted(vacuous)), tuple(sorted(static)))


def _inert(after: Sequence[FileState]) -> tuple[list[FileState], list[str]]:
    """The inert forms, and the suffixes (or names) of the files that have none."""
    found = [(PurePosixPath(state.path), inert(state)) for state in after]
    unknown = {path.suffix or path.name for path, state in found if state is None}
    return [state for _, state in found if state is not None], sorted(unknown)

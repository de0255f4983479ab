"""Whether a patch repaired the functions that a task is about, or solved it elsewhere.

Breakpoint (section 3.4) counts a problem that is solved without modifying the right function as failed, to avoid reward
hacking. Here a repair has to hold on its own: if other code was changed, too, the tests run once more with nothing but
the new source of the target functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.dataset import Mode, Target, Task
from harness.functions import Key, is_source
from harness.host_tools import functions_of_files
from harness.host_tools.functions_of_files import FunctionsRefused
from harness.patches import FileState, PatchError, ReadFile, apply_patch, make_patch

_NAMED = 3


@dataclass(frozen=True, slots=True)
class ChangedFunctions:
    """What a patch changed, compared function by function; comments, docstrings and layout do not count.

    `missed`: targets that have the same code as at the start, or are gone. `others`: other code of files that were
    there at the start, as `path: name`, or the path alone for code outside functions. `beside`: other files that were
    added or changed.
    """

    missed: tuple[Target, ...] = ()
    others: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def refusal(self, mode: Mode) -> str:
        """Why the task is not repaired whatever the tests say; '' if the tests decide.

        In mode remove only the functions that the task names may change.
        """
        if self.missed:
            return f"not changed: {_named(map(str, self.missed))}"
        if self.others and mode == Mode.REMOVE:
            return f"may not change, but did: {_named(self.others)}"
        return ""

    @property
    def only_targets(self) -> bool:
        """Whether nothing but the targets was changed."""
        return not (self.others or self.beside)


def changed_functions(task: Task, patch: bytes, read: ReadFile) -> ChangedFunctions:
    """Compares every file that `patch` changes with its original, which `read` returns.

    Raises PatchError if the patch does not apply.
    """
    targets: dict[str, list[Target]] = {}
    for target in task.targets:
        targets.setdefault(target.path, []).append(target)
    missed, others, beside = list[Target](), list[str](), list[str]()
    changed = {state.path: state for state in apply_patch(patch, read)}
    for path, wanted in targets.items():
        if path not in changed:
            missed.extend(wanted)
    for path, after in changed.items():
        before = read(path)
        wanted = targets.get(path, [])
        if before is None or not is_source(path):
            beside.append(path)
            continue
        versions = _versions(path, before, after)
        if versions is None:
            missed.extend(wanted)
            others.append(path)
            continue
        old, new = versions
        keys = {key for key in {*old, *new} if old.get(key) != new.get(key)}
        missed.extend(
            target
            for target in wanted
            if (key := (target.name, target.occurrence)) not in keys or key not in new
        )
        others.extend(_outside(path, wanted, keys))
    return ChangedFunctions(tuple(missed), tuple(others), tuple(beside))


def targets_alone(task: Task, patch: bytes, read: ReadFile) -> bytes:
    """The patch with the new source of the target functions and nothing else.

    Raises PatchError if one of them has no new source that can stand in the place of the old one.
    """
    changed = {state.path: state for state in apply_patch(patch, read)}
    alone: dict[str, str] = {}
    originals: dict[str, FileState] = {}
    for target in task.targets:
        before, after = read(target.path), changed.get(target.path)
        if before is None or after is None:
            raise PatchError(target.path, "the function to repair has no new source")
        text, new = _text(after), alone.get(target.path, _text(before))
        originals[target.path] = before
        place = (target.name, target.occurrence)
        try:
            code = functions_of_files.source(target.path, text, *place)
            alone[target.path] = functions_of_files.with_source(target.path, new, *place, code)
        except FunctionsRefused as error:
            raise PatchError(target.path, str(error)) from error
    after_files = [
        FileState(path, text.encode("utf-8", "surrogateescape"), originals[path].mode)
        for path, text in alone.items()
    ]
    return make_patch(originals.values(), after_files)


def _versions(
    path: str, before: FileState, after: FileState
) -> tuple[Mapping[Key, str], Mapping[Key, str]] | None:
    """The contents of both versions of a file; None if one of them is unreadable, a link, or gone."""
    if after.content is None or before.link or after.link:
        return None
    try:
        return functions_of_files.compared(path, _text(before)), functions_of_files.compared(
            path, _text(after)
        )
    except FunctionsRefused:
        return None


def _outside(path: str, targets: Iterable[Target], keys: Iterable[Key]) -> Iterable[str]:
    """Names for those that are neither a target nor inside one. A target that is gone is one of `missed`."""
    own = {(target.name, target.occurrence) for target in targets}
    prefixes = tuple(f"{target.name}." for target in targets)
    for name, occurrence in sorted(keys):
        if (name, occurrence) not in own and not (prefixes and name.startswith(prefixes)):
            yield f"{path}: {name}" if name else path


def _text(state: FileState) -> str:
    return (state.content or b"").decode("utf-8", "surrogateescape")


def _named(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")

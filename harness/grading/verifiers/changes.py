"""The verifiers that compare the workspace before and after the run: what changed, and exact contents."""

from __future__ import annotations

from harness.dataset import Tree
from harness.dataset.globs import matches
from harness.dataset.verifier_kinds import ExactFiles, FilePair, NoChanges, YesChanges
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding, counted, named


def check_no_changes(verifier: NoChanges, state: FinalState) -> Finding:
    """Every changed path is allowed and not forbidden."""
    wrong = [path for path in state.changed if not _may_change(path, verifier)]
    if wrong:
        return Finding(False, f"{counted(len(wrong), 'file')} changed that had to stay: {named(wrong)}")
    return Finding(True, f"{counted(len(state.changed), 'file')} changed, none that had to stay")


def _may_change(path: str, verifier: NoChanges) -> bool:
    if matches(path, verifier.forbidden):
        return False
    only_forbidden = bool(verifier.forbidden) and not verifier.allowed
    return only_forbidden or matches(path, verifier.allowed)


def check_yes_changes(verifier: YesChanges, state: FinalState) -> Finding:
    """Each target matches a changed path."""
    changed = state.changed
    missing = [target for target in verifier.targets if not any(matches(path, [target]) for path in changed)]
    if missing:
        return Finding(False, f"nothing changed at {named(missing)}")
    return Finding(True, f"changes were made at {named(verifier.targets)}")


def check_exact_files(verifier: ExactFiles, state: FinalState, references: Tree) -> Finding:
    """Each file has the content of its reference, and no other file changed."""
    wrong = [
        problem for pair in verifier.pairs if (problem := _difference(pair, verifier, state, references))
    ]
    if verifier.others_unchanged:
        own = {pair.path for pair in verifier.pairs}
        others = [path for path in state.changed if path not in own]
        wrong += [f"{counted(len(others), 'other file')} changed: {named(others)}"] if others else []
    if wrong:
        return Finding(False, "; ".join(wrong))
    return Finding(True, f"{counted(len(verifier.pairs), 'file')} as in the reference")


def _difference(pair: FilePair, verifier: ExactFiles, state: FinalState, references: Tree) -> str:
    """How a file differs from its reference; '' if it does not. The reference itself is not quoted: it is hidden."""
    found, expected = state.read(pair.path), references.read(pair.reference)
    if expected is None or expected.content is None:
        return f"the reference {pair.reference} is missing in the task"
    if found is None or found.content is None:
        return f"{named([pair.path])} does not exist"
    if found.link:
        return f"{named([pair.path])} is a link"
    have, want = _lines(found.content, verifier), _lines(expected.content, verifier)
    if [line for _, line in have] == [line for _, line in want]:
        return ""
    pairs = zip(have, want, strict=False)
    first = next((mine[0] for mine, its in pairs if mine[1] != its[1]), len(found.content.split(b"\n")))
    return f"{named([pair.path])} differs from its reference, first in line {first}"


def _lines(content: bytes, verifier: ExactFiles) -> list[tuple[int, bytes]]:
    """The lines that count, with their numbers."""
    lines = list(enumerate(content.split(b"\n"), 1))
    if verifier.trim:
        lines = [(number, line.rstrip()) for number, line in lines]
        while lines and not lines[-1][1]:
            lines.pop()
    if verifier.ignore_empty_lines:
        lines = [(number, line) for number, line in lines if line.strip()]
    return lines

"""Python syntax errors in a run: introduced, blocked by the editing tools, and fixed."""

from __future__ import annotations

from dataclasses import dataclass

from harness.tools.inside.protocol import SYNTAX_REFUSAL
from runs.analysis.trajectories.trace import Iteration, Trace


@dataclass(frozen=True, slots=True)
class SyntaxErrors:
    """The counts of one run. `left_broken`: iterations with changes, all of them in Python files that do not parse."""

    introduced: int
    blocked: int
    fixed: int
    left_broken: int


def syntax_errors(trace: Trace) -> SyntaxErrors:
    """Counts the syntax errors of a run. Files that were never checked count as files without errors.

    A file has an error from the edit after which it does not parse, or from the refused call that would have caused
    this, until an edit after which it parses, or its deletion. A file counts as parsing when the run begins. In a step
    of several calls, refusals count before edits.
    """
    introduced = blocked = fixed = 0
    broken: set[str] = set()
    failing: set[str] = set()
    for iteration in trace.iterations:
        for call in iteration.calls:
            if call.kind == "edit" and not call.ok and call.content.startswith(SYNTAX_REFUSAL):
                blocked += 1
                failing.update(call.paths)
        for file in iteration.edits:
            if file.syntax_ok is False:
                introduced += file.path not in broken
                broken.add(file.path)
            elif file.syntax_ok or file.change == "deleted":
                fixed += file.path in broken | failing
                broken.discard(file.path)
                failing.discard(file.path)
    left = sum(map(leaves_broken, trace.iterations))
    return SyntaxErrors(introduced, blocked, fixed, left)


def leaves_broken(iteration: Iteration) -> bool:
    """Whether the iteration changed nothing but Python files that do not parse afterwards."""
    changes = iteration.changes
    return bool(changes) and all(file.syntax_ok is False for file in changes)

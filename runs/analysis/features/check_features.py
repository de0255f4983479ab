"""Whether the agent's own last check passed: a measure that is not part of the paper's features."""

from __future__ import annotations

from runs.analysis.features.base import Basis, Evidence, Feature, flag
from runs.analysis.features.errors import failed
from runs.analysis.features.tool_features import runs_tests


def _last_check_passed(run: Evidence) -> float | None:
    found: float | None = None
    for iteration in run.trace.iterations:
        for call in iteration.calls:
            if call.phase == "verification" or runs_tests(call):
                found = flag(not failed(call)) if call.returned else None
            elif iteration.changes and call.phase == "implementation":
                found = None
    return found


MEASURES = (
    Feature(
        "last_check_passed",
        "beside",
        Basis.PROCESS,
        "Whether the last call that verifies or runs tests after the last change of the workspace ended without an "
        "error. Undefined without such a call, and without its result. Not one of the 59 features.",
        _last_check_passed,
    ),
)

"""Where a run's iterations went: into edits that took, edits that did not, and looking around."""

from __future__ import annotations

from runs.analysis.trace import Iteration, Trace

PRODUCTIVE, EXPLORATION, NON_PRODUCTIVE = "p", "e", "n"


def labels(trace: Trace) -> str:
    """One letter for each iteration, in order: what `label_of` says."""
    return "".join(map(label_of, trace.iterations))


def label_of(iteration: Iteration) -> str:
    """p productive: the workspace changed; n non-productive: edits were attempted and nothing changed; else e.

    Source: IDE-Bench, appendix B.1. What changed is told by a comparison of the workspace before and after, so an edit
    by shell is one, and a tool that reports success without changing anything is not.
    """
    if iteration.edits:
        return PRODUCTIVE
    return NON_PRODUCTIVE if iteration.attempts_edit else EXPLORATION

"""Which merged changes are candidates for tasks, by what the change says of itself; no test is run."""

from __future__ import annotations

from dataclasses import dataclass

from harness.dataset import Difficulty
from harness.patches import LineCounts
from tasks.generation.pulls.changes import MergedChange, Reason, Refusal, says_nothing
from tasks.generation.pulls.splitting import SplitPatch


@dataclass(frozen=True, slots=True)
class ChangeFilter:
    """The criteria of the Coding Agent Evaluation Framework (§2.1), each a setting.

    Files and lines (added and removed) are those of the whole change, with tests and documents, as its code counts
    them. Every limit is inclusive.
    """

    merged: bool = True
    issue: bool = True
    tests: bool = True
    least_files: int = 1
    most_files: int = 5
    least_lines: int = 10
    most_lines: int = 500

    def refusal(self, change: MergedChange, parts: SplitPatch) -> Refusal | None:
        """The first criterion that the change does not meet; None if it meets all. Source is always needed."""
        files, lines = parts.size.files, parts.size.added + parts.size.removed
        undescribed = (
            says_nothing(change.title) and not change.text and not (change.issue and change.issue.title)
        )
        issue = "its message closes no issue, as with 'Fixes #1'"
        failed = (
            (self.merged and not change.merged, Reason.NOT_MERGED, "it was closed, or is open"),
            (self.issue and change.issue is None, Reason.NO_ISSUE, issue),
            (self.tests and not parts.tests, Reason.NO_TESTS, "nothing could verify a solution"),
            (not parts.source, Reason.NO_SOURCE, "it changes tests, documents and the like only"),
            (
                undescribed,
                Reason.NO_DESCRIPTION,
                f"all it says is {change.title!r}: an agent could only guess",
            ),
            (files < self.least_files, Reason.TOO_FEW_FILES, f"{files}, at least {self.least_files}"),
            (files > self.most_files, Reason.TOO_MANY_FILES, f"{files}, at most {self.most_files}"),
            (lines < self.least_lines, Reason.TOO_FEW_LINES, f"{lines}, at least {self.least_lines}"),
            (lines > self.most_lines, Reason.TOO_MANY_LINES, f"{lines}, at most {self.most_lines}"),
        )
        for fails, reason, detail in failed:
            if fails:
                return Refusal(change.identifier, change.title, reason, detail)
        return None


def difficulty(size: LineCounts) -> Difficulty:
    """An estimate from the size of the whole change, in files and lines that were added or removed.

    Easy: at most 1 file and fewer than 50 lines. Medium: at most 3 files and fewer than 200 lines. Otherwise hard.
    Source: the published code of the Coding Agent Evaluation Framework; the paper names no limits.
    """
    lines = size.added + size.removed
    if size.files <= 1 and lines < 50:
        return Difficulty.EASY
    return Difficulty.MEDIUM if size.files <= 3 and lines < 200 else Difficulty.HARD

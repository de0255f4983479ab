"""Which tool calls the limits for tool uses and submissions allow."""

from __future__ import annotations

from collections.abc import Collection

from harness.limits import Spending
from harness.tools.selection import FINAL_SUBMISSION, TESTED_SUBMISSIONS

SUBMITTING = TESTED_SUBMISSIONS | {FINAL_SUBMISSION}


class ToolBudget:
    """Counts the calls of one run. `offered`: the names of its tools, if they are restricted.

    Every call that is answered is a tool use, also a refused one. A submission is counted when its tests begin.
    `finished`: nothing more is called, since what was submitted is final.
    """

    def __init__(self, spending: Spending, offered: Collection[str] = ()) -> None:
        self.finished = False
        self._spending = spending
        self._submitting = tuple(sorted(SUBMITTING.intersection(offered)))

    @property
    def counts(self) -> bool:
        """Whether the counts of this run say anything: it can submit, or has a limit for tools."""
        limits = self._spending.limits
        return bool(self._submitting) or limits.tool_uses is not None or limits.submissions is not None

    @property
    def reserved_for(self) -> tuple[str, ...]:
        """The tools that the last tool use is for, as nothing was submitted yet; empty before that.

        Source: Breakpoint's agent, which offers the tool for a submission alone before its last use.
        """
        spending = self._spending
        last = spending.tool_uses_left == 1 and spending.submissions == 0
        return self._submitting if last and spending.submissions_left != 0 else ()

    def use(self, tool: str) -> str:
        """Counts a call, and returns ''; or why it is not made, for the model. Then it does not count."""
        limits, spending = self._spending.limits, self._spending
        if self.finished:
            return "Not called: the work is done."
        if spending.tool_uses_left == 0:
            return f"Not called: no tool use is left, of {limits.tool_uses}."
        if tool in SUBMITTING and spending.submissions_left == 0:
            return f"Not called: no submission is left, of {limits.submissions}."
        if self.reserved_for and tool not in self.reserved_for:
            return (
                f"Not called: one tool use is left, and nothing was submitted. It is for "
                f"{' or '.join(self.reserved_for)}."
            )
        spending.tool_uses += 1
        return ""

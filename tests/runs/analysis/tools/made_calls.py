"""Runs of calls of the usual tools."""

from __future__ import annotations

from runs.analysis.facts import RunFacts
from tests.runs.analysis.made_runs import acted

READ, EDIT, RUN, LIST, GREP = "read_file", "edit_file", "run_terminal_cmd", "list_dir", "grep_search"


def called(number: int, *tools: str, agent: str = "alice", resolved: bool = True) -> RunFacts:
    outcome = "resolved" if resolved else "unresolved"
    return acted(number, "e" * len(tools), agent, tools=tools, outcome=outcome)

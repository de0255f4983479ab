"""Tool profiles: the share of each tool among the calls of an agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio
from runs.analysis.tools.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class ToolProfile:
    """The calls of one agent (`agent` None: of all), in total and by tool."""

    agent: str | None
    calls: int
    by_tool: Mapping[str, int]

    def share(self, *tools: str) -> Estimate:
        """The share of these tools together; 0 if they were never called."""
        called = sum(self.by_tool.get(tool, 0) for tool in tools)
        return ratio(called, self.calls, self.calls, "no call")

    def share_of_others(self, *tools: str) -> Estimate:
        """The share of all other tools together."""
        return self.share(*(self.by_tool.keys() - set(tools)))


@dataclass(frozen=True, slots=True)
class ToolProfiles:
    """The profile of all runs first, then that of each agent, in alphabetical order."""

    profiles: tuple[ToolProfile, ...]
    excluded: tuple[Exclusion, ...]


@method("tool-profiles", "Tool profiles of agents", Section.TOOLS, 4)
def tool_profiles(used: Telemetry) -> ToolProfiles:
    """The share of each tool among the calls of all agents, and of each agent.

    Agents that never called a tool are left out.

    Formula: calls of the tool ÷ calls of all tools, over all counted runs of the agent. Calls without a result count.

    Source: IDE-Bench, Figures 19 and 20 (relative frequency of each tool among a model's calls).

    Units: shares from 0 to 1, which sum to 1 over tools; n counts calls.

    Small n: one call gives a share of 1. Runs differ in length, so long runs have more weight.
    """
    profiles = (
        ToolProfile(table.agent, table.calls, {row.tool: row.calls for row in table.tools})
        for table in (used.overall, *used.agents)
        if table.calls
    )
    return ToolProfiles(tuple(profiles), used.excluded)

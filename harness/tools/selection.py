"""Which of the tools of its tasks an agent may use: a named set, or a list of names."""

from __future__ import annotations

from collections.abc import Mapping

from harness.errors import ConfigurationError
from harness.tools.schema import TOOLS

ALL = "all"
SETS: Mapping[str, frozenset[str]] = {
    ALL: frozenset(TOOLS),
    "shell": frozenset({"run_terminal_cmd"}),
    "read-edit": frozenset(tool.name for tool in TOOLS.values() if tool.kind in {"read", "search", "edit"}),
}


def selected(value: object) -> frozenset[str]:
    """The names of the tools of a set, or of a list of names.

    A task offers its own optional tools alone, so some of these may be missing in a run. Raises ConfigurationError
    for unknown and repeated names, and for a list without a tool that every task offers.
    """
    if isinstance(value, str) and value in SETS:
        return SETS[value]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ConfigurationError(
            f"tools: expected one of {', '.join(SETS)}, or a list of names of tools, not {value!r:.100}"
        )
    if unknown := [name for name in value if name not in TOOLS]:
        raise ConfigurationError(
            f"tools: there is no tool {', '.join(map(repr, unknown)):.100}; there are: {', '.join(TOOLS)}"
        )
    if len(set(value)) < len(value):
        raise ConfigurationError(f"tools: a name comes twice in {', '.join(value)}")
    if all(TOOLS[name].optional for name in value):
        raise ConfigurationError(
            f"tools: expected at least one tool that every task offers, not {', '.join(value) or 'an empty list'}"
        )
    return frozenset(value)

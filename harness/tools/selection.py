"""Which of the tools of its tasks an agent may use: a named set, or a list of names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from harness.errors import ConfigurationError
from harness.tools.schema import TOOLS

ALL = "all"
BY_MODE = "by_mode"
REMOVE, DISCOVERY, PULL_REQUEST = "remove", "discovery", "pull_request"
_USUAL = tuple(tool for tool in TOOLS.values() if not tool.only_in_sets)
# Breakpoint, appendix A: what every agent may do, and the one tool that its mode adds.
_BREAKPOINT = frozenset(
    {"list_directory", "search_code", "read_file", "list_file_functions", "read_function"}
)
# Tools that run the hidden tests on what they submit, and the one that ends a run without that.
TESTED_SUBMISSIONS = frozenset({"submit_attempt", "replace_function"})
FINAL_SUBMISSION = "submit_patch"
SETS: Mapping[str, frozenset[str]] = {
    ALL: frozenset(tool.name for tool in _USUAL),
    "shell": frozenset({"run_terminal_cmd"}),
    "read-edit": frozenset(tool.name for tool in _USUAL if tool.kind in {"read", "search", "edit"}),
    REMOVE: _BREAKPOINT | {"submit_attempt"},
    DISCOVERY: _BREAKPOINT | {"replace_function"},
    PULL_REQUEST: frozenset(
        {
            *("read_file", "list_directory", "search_code", "write_file", "str_replace", "run_tests"),
            FINAL_SUBMISSION,
        }
    ),
}


# The names of some tools in the papers' sets.
_OTHER_NAMES = {
    "list_dir": "list_directory",
    "search_replace": "str_replace",
    **dict.fromkeys(("codebase_search", "grep_search", "file_search"), "search_code"),
}
_NAME = re.compile(r"\b(?:{})\b".format("|".join(_OTHER_NAMES)))


def with_own_names(text: str, only: Collection[str]) -> str:
    """A refusal with the tools that it recommends under the names that this agent has for them."""

    def own(found: re.Match[str]) -> str:
        other = _OTHER_NAMES[found[0]]
        return other if found[0] not in only and other in only else found[0]

    return _NAME.sub(own, text)


def selected(value: object, mode: str = "") -> frozenset[str]:
    """The names of the tools of a set, or of a list of names. BY_MODE is the set `remove` for tasks of this `mode`, and
    `discovery` for all others.

    A task offers its own optional tools alone, so some of these may be missing in a run. Raises ConfigurationError
    for unknown and repeated names, and for a list without a tool that every task offers.
    """
    if value == BY_MODE:
        return SETS[REMOVE if mode == REMOVE else DISCOVERY]
    if isinstance(value, str) and value in SETS:
        return SETS[value]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ConfigurationError(
            f"tools: expected one of {', '.join((*SETS, BY_MODE))}, or a list of names of tools, not {value!r:.100}"
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

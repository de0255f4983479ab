"""The filter of a run's steps: its URL parameters and its SQL condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlencode

from runs.data.queries import parameters
from runs.data.replay.index import ERROR

KIND = "kind:"
MESSAGES = f"{KIND}message"
KINDS = tuple(f"{KIND}{kind}" for kind in ("read", "search", "edit", "run", "other", "message"))


@dataclass(frozen=True, slots=True)
class StepFilter:
    """The parameters of the URL. A step must match all of them.

    `tool`: the name of a tool that it calls, or `kind:edit` for all tools of a kind; `kind:message` matches steps
    without a call. `file`: a part of the path of a file that it names, shows or changes. `errors`: a call failed, or a
    command exited with a code other than 0. `edits`: the workspace changed. `q`: text in its message, reasoning,
    arguments or results; case does not matter.
    """

    tool: str = ""
    file: str = ""
    errors: bool = False
    edits: bool = False
    q: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Raises BadParameter for an invalid value. A tool or file that no step has is valid and matches nothing."""
        tool = parameters.text(query, "tool")
        if tool.startswith(KIND):
            parameters.choice(query, "tool", KINDS)
        return cls(
            tool=tool,
            file=parameters.text(query, "file"),
            errors=parameters.flag(query, "errors"),
            edits=parameters.flag(query, "edits"),
            q=parameters.text(query, "q"),
        )

    @property
    def empty(self) -> bool:
        """Whether it matches every step."""
        return self == StepFilter()

    def query(self) -> str:
        """The filter as a query string, without empty values."""
        values = {"tool": self.tool, "file": self.file, "q": self.q}
        flags = {"errors": self.errors, "edits": self.edits}
        return urlencode(
            {name: value for name, value in values.items() if value}
            | {name: "1" for name, value in flags.items() if value}
        )


@dataclass(frozen=True, slots=True)
class SearchHits:
    """The places of the steps that contain a text. `cut`: the limit that ended the search, 'number' or 'time', or ''.

    `until`: the share of the run that was searched, 0 to 1.
    """

    places: tuple[int, ...]
    cut: str = ""
    until: float = 1.0


@dataclass(frozen=True, slots=True)
class StepCondition:
    """A filter with the result of its search; None without a search."""

    filter: StepFilter = field(default_factory=StepFilter)
    found: SearchHits | None = None

    def condition(self) -> tuple[str, list[object]]:
        """The WHERE condition on the table `steps`, and its parameters."""
        terms: list[str] = []
        values: list[object] = []
        if self.filter.tool:
            term, named = _of_tool(self.filter.tool)
            terms.append(term)
            values += named
        if self.filter.file:
            terms.append(
                "number IN (SELECT number FROM touches WHERE file IN (SELECT file FROM files WHERE instr(path, ?)))"
            )
            values.append(self.filter.file)
        if self.filter.errors:
            terms.append(ERROR)
        if self.filter.edits:
            terms.append("number IN (SELECT number FROM edits)")
        if self.found is not None:
            # Integers of our own, inlined because there may be more than SQLite allows as parameters.
            terms.append(f"place IN ({', '.join(map(str, self.found.places))})")
        return " AND ".join(terms) or "1", values


def _of_tool(tool: str) -> tuple[str, list[object]]:
    if tool == MESSAGES:
        return "kind = ''", []
    column = "kind" if tool.startswith(KIND) else "tool"
    return f"place IN (SELECT place FROM calls WHERE {column} = ?)", [tool.removeprefix(KIND)]

"""docs/tools.md, made from the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.tools.schema import TOOLS, Tool, type_name

DOCS = Path(__file__).resolve().parents[2] / "docs" / "tools.md"

_PREFACE = """\
# The agent's tools

Made by `python -m harness.tools` from `harness/tools/schema.py`: change it there.

Every tool runs inside the agent's container; those that a task has to name run in a toolbox beside it, which sees the
servers of that container and nothing else. Whatever is in the container may be read; file tools write only below the
working directory. A result has about 30,000 characters at most: of more, the model gets head and tail, and a sentence
that says what is missing and how to see it. A refusal is a result as well, marked as failed; it names the remedy.
"""
_NOTES = {
    "create_diagram": """\
The check is not Mermaid's parser. It refuses an empty text, a text in a fence, and one of more than 50,000 characters;
front matter that does not end; and a kind that Mermaid 11 does not have. In flowcharts and sequence, class, state and
ER diagrams it also refuses a block or label that is not closed, a wrong arrow, an arrow without a target, and a missing
label or name; in Gantt charts and journeys a task without data; in pie charts a line that is no slice; in git graphs an
unknown command. It does not look at the fields of front matter, directives, names and references, or the statements of
any other kind.
""",
}


def document() -> str:
    """The text of docs/tools.md."""
    return "\n".join([_PREFACE, *("\n".join(_section(tool)) for tool in TOOLS.values())])


def _section(tool: Tool) -> Iterator[str]:
    parameters = tool.parameters()
    yield f"## {tool.name}\n"
    need = " Offered by tasks that name it." if tool.optional else ""
    yield f"Kind: {tool.kind}.{need} {tool.description}\n"
    yield from _table(parameters)
    for name, schema in parameters["properties"].items():
        if schema.get("type") == "array" and "properties" in schema["items"]:
            yield f"Each item of `{name}`:\n"
            yield from _table(schema["items"])
    if tool.name in _NOTES:
        yield _NOTES[tool.name]


def _table(parameters: Mapping[str, Any]) -> Iterator[str]:
    yield "| argument | type | | what it is |"
    yield "| --- | --- | --- | --- |"
    for name, schema in parameters["properties"].items():
        need = "required" if name in parameters["required"] else _default(schema)
        kind = type_name(schema).replace("|", "\\|")
        yield f"| `{name}` | {kind} | {need} | {schema['description']} |"
    yield ""


def _default(schema: Mapping[str, Any]) -> str:
    default = schema.get("default")
    return (
        "optional"
        if default in (None, [])
        else f"default {str(default).lower() if isinstance(default, bool) else default}"
    )

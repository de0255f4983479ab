"""Defines the tools: for function definitions, for the check of calls, and for docs/tools.md."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from harness.errors import ConfigurationError, HarnessError
from harness.tools import arguments as takes
from harness.tools import toolbox_arguments

Kind = Literal["read", "search", "edit", "run", "other"]


class ToolArgumentError(HarnessError):
    """An invalid call. The message is for the model: which tool, which argument, what is expected."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as a model sees it. An optional tool is offered only by tasks that name it."""

    name: str
    kind: Kind
    description: str
    arguments: type[BaseModel]
    optional: bool = False

    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments, without references, titles and null, which some providers refuse."""
        schema = self.arguments.model_json_schema()
        simple: dict[str, Any] = _simple(schema, schema.get("$defs", {}))
        # Models fill arguments in this order: `explanation` comes first.
        return {key: simple[key] for key in ("type", "properties", "required", "additionalProperties")}


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "read_file",
            "read",
            "Shows a text file with line numbers, whole or from `offset` on. Of a very long text you get head "
            "and tail; read the middle with offset and limit.",
            takes.ReadFile,
        ),
        Tool(
            "list_dir",
            "read",
            "Lists a directory: directories end in a slash, files carry their size in bytes. Leaves out .git, "
            "node_modules, __pycache__, .venv, dist, build and tool caches.",
            takes.ListDir,
        ),
        Tool(
            "codebase_search",
            "search",
            "Finds lines that contain a text, taken literally, in every text file below the working directory "
            "(.git, node_modules, __pycache__, .venv, dist, build and tool caches are left out).",
            takes.CodebaseSearch,
        ),
        Tool(
            "grep_search",
            "search",
            "Finds lines that match a regular expression, in one file or in every text file below a directory "
            "(.git, node_modules, __pycache__, .venv, dist, build and tool caches are left out).",
            takes.GrepSearch,
        ),
        Tool(
            "file_search",
            "search",
            "Finds files by name: by a part of the path, best matches first, or by a glob.",
            takes.FileSearch,
        ),
        Tool(
            "edit_file",
            "edit",
            "Changes a file by line numbers: replaces, inserts and deletes lines. Read the file first. All operations "
            "refer to the numbers that you read, and all are made or none. A Python file is parsed afterwards and a "
            "syntax error reported.",
            takes.EditFile,
        ),
        Tool(
            "search_replace",
            "edit",
            "Replaces an exact text in a file. Refused when the text is not there, or is there more than once "
            "without replace_all.",
            takes.SearchReplace,
        ),
        Tool(
            "write_file",
            "edit",
            "Creates a file, with the directories on its way, or overwrites it.",
            takes.WriteFile,
        ),
        Tool("delete_file", "edit", "Deletes one file or link, not a directory.", takes.DeleteFile),
        Tool(
            "create_directory",
            "edit",
            "Creates a directory with those above it. Having it already is no error.",
            takes.CreateDirectory,
        ),
        Tool(
            "edit_notebook",
            "edit",
            "Inserts, replaces or deletes one cell of a Jupyter notebook (.ipynb, format 4), and lists the cells as "
            "they then are. Every other cell stays unchanged; the outputs of a replaced code cell are cleared.",
            takes.EditNotebook,
        ),
        Tool(
            "create_diagram",
            "other",
            "Checks a Mermaid diagram for common mistakes and returns it, or says in which line it is wrong and what "
            "is expected there. Writes a file only when a path is given.",
            takes.CreateDiagram,
        ),
        Tool(
            "web_search",
            "search",
            "Searches the web. This evaluation has no web access: a call returns what to do instead.",
            takes.WebSearch,
        ),
        Tool(
            "run_terminal_cmd",
            "run",
            "Runs a shell command (bash) in the working directory, without input, and returns exit code, duration and "
            "what it wrote to both streams. Each call is a new shell: `cd` and variables do not last. At its time-out "
            "it is killed with everything it started. With background it returns a handle; a later call with that "
            "handle shows the state and the output since the last look, or stops it.",
            takes.RunTerminalCmd,
        ),
        Tool(
            "api_call",
            "run",
            "Sends an HTTP request to a server that you have started in the background, and returns status, headers, "
            "time and body; JSON is indented. Cookies last from call to call. Only localhost can be reached.",
            toolbox_arguments.ApiCall,
            optional=True,
        ),
        Tool(
            "database_query",
            "run",
            "Runs one operation on a MongoDB server in your container and returns the documents that were found, or "
            "what was written. Documents are MongoDB's extended JSON in both directions.",
            toolbox_arguments.DatabaseQuery,
            optional=True,
        ),
        Tool(
            "websocket_test",
            "run",
            "Connects to a Socket.IO or WebSocket server in your container, sends messages, waits for what comes, and "
            "returns the conversation with its times. Every call is a new connection.",
            toolbox_arguments.WebsocketTest,
            optional=True,
        ),
        Tool(
            "ui_test",
            "run",
            "Drives one page in a browser (Chromium, 1280 × 720) through a list of actions, and returns what each "
            "came to, with the errors of the page's console and its failed requests. The page stays open from call "
            "to call. You cannot see screenshots, people who read this run can: read the page to check it.",
            toolbox_arguments.UiTest,
            optional=True,
        ),
    )
}


def tool_kind(name: str) -> str:
    """`read`, `search`, `edit`, `run` or `other`; `other` also for a tool that is not defined here."""
    return TOOLS[name].kind if name in TOOLS else "other"


def offered(extra: Sequence[str] = ()) -> tuple[Tool, ...]:
    """The tools of every task and the optional ones named in `extra`, in the order of `TOOLS`.

    Raises ConfigurationError for a name in `extra` that is not an optional tool.
    """
    optional = [tool.name for tool in TOOLS.values() if tool.optional]
    if unknown := [name for name in extra if name not in optional]:
        raise ConfigurationError(
            f"tools: no optional tool is called {', '.join(map(repr, unknown))}; "
            f"there are: {', '.join(optional) or 'none'}"
        )
    return tuple(tool for tool in TOOLS.values() if not tool.optional or tool.name in extra)


def function_definitions(extra: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The tools of a task with these `extra` ones, in OpenAI's format of function calling."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters(),
            },
        }
        for tool in offered(extra)
    ]


def validate(name: str, arguments: object, extra: Sequence[str] = ()) -> dict[str, Any]:
    """The arguments for the tool server: checked and converted, without defaults.

    Raises ToolArgumentError with all mistakes, also for a tool that a task with these `extra` ones does not offer.
    """
    tools = {tool.name: tool for tool in offered(extra)}
    tool = tools.get(name)
    if tool is None:
        raise ToolArgumentError(f"{_absent(name, tools)} The tools are: {', '.join(tools)}.")
    if not isinstance(arguments, Mapping):
        raise ToolArgumentError(
            f"{name}: the arguments must be a JSON object, not {_shown(arguments)}. {_expected(tool)}"
        )
    try:
        checked = tool.arguments.model_validate(
            {key: value for key, value in arguments.items() if value is not None}
        )
    except ValidationError as error:
        problems = "".join(f"\n- {_problem(detail)}" for detail in error.errors(include_url=False))
        raise ToolArgumentError(f"{name} was not called:{problems}\n{_expected(tool)}") from None
    return checked.model_dump(mode="json", exclude_none=True, exclude_unset=True)


def prompt_section(extra: Sequence[str] = ()) -> str:
    """The tools of a task with these `extra` ones, one line each, for a system prompt."""
    return "\n".join(f"- {_signature(tool)}: {tool.description}" for tool in offered(extra))


def _absent(name: str, tools: Mapping[str, Tool]) -> str:
    if name in TOOLS:
        return f"This task does not offer {name}."
    close = difflib.get_close_matches(name, tools, 1, 0.5)
    return f"There is no tool {name!r}." + (f" Did you mean {close[0]}?" if close else "")


def _signature(tool: Tool) -> str:
    parameters = tool.parameters()
    required = parameters["required"]
    names = [name if name in required else f"{name}?" for name in parameters["properties"]]
    return f"`{tool.name}({', '.join(names)})`"


def _expected(tool: Tool) -> str:
    parameters = tool.parameters()
    parts = [
        f"{name} ({type_name(schema)}{', required' if name in parameters['required'] else ''})"
        for name, schema in parameters["properties"].items()
    ]
    return f"{tool.name} takes: {', '.join(parts)}."


def type_name(schema: Mapping[str, Any]) -> str:
    """A JSON schema's type in a word or two."""
    if "enum" in schema:
        return " | ".join(schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_name(schema['items'])}"
    return str(schema.get("type", "any"))


def _problem(detail: ErrorDetails) -> str:
    place = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        return f"{place}: there is no such argument"
    if detail["type"] == "missing":
        return f"{place}: missing"
    message = detail["msg"].removeprefix("Value error, ")
    if not place:
        return message
    if detail["type"] == "value_error":
        return f"{place}: {message}"
    return f"{place} {message.removeprefix('Input ')}, not {_shown(detail['input'])}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _simple(schema: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_simple(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _simple(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "properties" in schema:
        schema = {
            **{key: value for key, value in schema.items() if key not in ("$defs", "title", "description")},
            "properties": {name: _simple(item, definitions) for name, item in schema["properties"].items()},
        }
        schema.setdefault("required", [])
        return schema
    if "anyOf" in schema:
        (only,) = (option for option in schema["anyOf"] if option != {"type": "null"})
        schema = {**only, **{key: value for key, value in schema.items() if key != "anyOf"}}
    return {
        key: _simple(value, definitions)
        for key, value in schema.items()
        if key != "title" and not (key == "default" and value is None)
    }

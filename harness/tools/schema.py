"""Defines the tools: for function definitions, for the check of calls, and for docs/tools.md."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.errors import ConfigurationError, HarnessError
from harness.tools import set_arguments, toolbox_arguments  # noqa: F401 - define further tools
from harness.tools.arguments import Arguments, Kind


class ToolArgumentError(HarnessError):
    """An invalid call. The message is for the model: which tool, which argument, what is expected."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as a model sees it.

    An optional tool is offered only by tasks that name it, one that is `only_in_sets` only to agents that name it.
    """

    name: str
    kind: Kind
    description: str
    arguments: type[Arguments]
    optional: bool = False
    only_in_sets: bool = False

    @classmethod
    def of(cls, arguments: type[Arguments]) -> Tool:
        """The tool that takes these arguments: `read_file` of ReadFile, described by its docstring."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", arguments.__name__).lower()
        description = " ".join((arguments.__doc__ or "").split())
        return cls(name, arguments.KIND, description, arguments, arguments.OPTIONAL, arguments.ONLY_IN_SETS)

    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments, without references, titles and null, which some providers refuse."""
        schema = self.arguments.model_json_schema()
        simple: dict[str, Any] = _simple(schema, schema.get("$defs", {}))
        # Models fill arguments in this order: `explanation` comes first.
        return {key: simple[key] for key in ("type", "properties", "required", "additionalProperties")}


TOOLS: dict[str, Tool] = {tool.name: tool for tool in map(Tool.of, Arguments.__subclasses__())}


def offered(extra: Sequence[str] = (), only: Collection[str] | None = None) -> tuple[Tool, ...]:
    """The tools of every task and the optional ones named in `extra`, in the order of `TOOLS`.

    `only`: the names of those that the agent may use; None: all of them, without those that are `only_in_sets`.
    Raises ConfigurationError for a name in `extra` that is not an optional tool.
    """
    optional = [tool.name for tool in TOOLS.values() if tool.optional]
    if unknown := [name for name in extra if name not in optional]:
        raise ConfigurationError(
            f"tools: no optional tool is called {', '.join(map(repr, unknown))}; "
            f"there are: {', '.join(optional) or 'none'}"
        )
    return tuple(
        tool
        for tool in TOOLS.values()
        if (not tool.optional or tool.name in extra)
        and (not tool.only_in_sets if only is None else tool.name in only)
    )


def function_definitions(
    extra: Sequence[str] = (), only: Collection[str] | None = None
) -> list[dict[str, Any]]:
    """The `offered` tools in OpenAI's format of function calling."""
    return [function_tool(tool.name, tool.description, tool.parameters()) for tool in offered(extra, only)]


def function_tool(name: str, description: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A tool in OpenAI's format of function calling; `parameters` is the JSON schema of its arguments."""
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def object_schema(properties: Mapping[str, Any], required: Sequence[str] | None = None) -> dict[str, Any]:
    """The JSON schema of an object with these properties and no others. None: all of them are required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def validate(
    name: str, arguments: object, extra: Sequence[str] = (), only: Collection[str] | None = None
) -> dict[str, Any]:
    """The arguments for the tool server: checked and converted, without defaults.

    Raises ToolArgumentError with all mistakes, also for a tool that is not among the `offered` ones.
    """
    tools = {tool.name: tool for tool in offered(extra, only)}
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


def prompt_section(extra: Sequence[str] = (), only: Collection[str] | None = None) -> str:
    """The `offered` tools, one line each, for a system prompt."""
    return "\n".join(f"- {_signature(tool)}: {tool.description}" for tool in offered(extra, only))


def _absent(name: str, tools: Mapping[str, Tool]) -> str:
    if name in TOOLS:
        return f"This run does not offer {name}."
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

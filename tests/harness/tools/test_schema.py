"""The definitions of the tools for models, and the check of their calls."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from harness.dataset import OPTIONAL_TOOLS
from harness.errors import ConfigurationError
from harness.toolbox.inside import server as toolbox_server
from harness.tools.inside import server
from harness.tools.inside.protocol import LOOK, WHOLE_FILE
from harness.tools.schema import (
    TOOLS,
    ToolArgumentError,
    function_definitions,
    offered,
    prompt_section,
    validate,
)
from harness.tools.selection import SETS

NAMES = [
    "read_file",
    "list_dir",
    "codebase_search",
    "grep_search",
    "file_search",
    "edit_file",
    "search_replace",
    "write_file",
    "delete_file",
    "create_directory",
    "edit_notebook",
    "create_diagram",
    "web_search",
    "run_terminal_cmd",
    "list_directory",
    "search_code",
    "str_replace",
    "list_file_functions",
    "read_function",
    "submit_attempt",
    "replace_function",
    "run_tests",
    "submit_patch",
    *OPTIONAL_TOOLS,
]
IN_SETS = NAMES[14:23]
ON_THE_HOST = {*IN_SETS[3:]}
EVERYWHERE = NAMES[:14]


def refusal(name: str, arguments: object) -> str:
    with pytest.raises(ToolArgumentError) as caught:
        validate(name, arguments)
    return str(caught.value)


def test_the_tools_are_these_and_the_server_has_the_same() -> None:
    assert list(TOOLS) == NAMES
    assert [name for name in NAMES if TOOLS[name].only_in_sets] == IN_SETS
    assert {*server.TOOLS, "run_terminal_cmd"} == {*EVERYWHERE, *IN_SETS} - ON_THE_HOST
    assert [*toolbox_server.TOOLS] == [name for name in NAMES if TOOLS[name].optional] == [*OPTIONAL_TOOLS]


@pytest.mark.parametrize("name", OPTIONAL_TOOLS)
def test_the_toolbox_has_the_time_outs_of_the_schema(name: str) -> None:
    assert toolbox_server.TOOLS[name][2] == TOOLS[name].arguments.model_fields["timeout"].default


def test_the_server_scans_for_changes_after_all_but_reading_tools() -> None:
    reading = {tool.name for tool in TOOLS.values() if tool.kind in ("read", "search")}
    assert set(server.READING) == reading - ON_THE_HOST
    assert LOOK not in TOOLS
    assert WHOLE_FILE not in TOOLS


def test_every_tool_requires_an_explanation_first() -> None:
    for definition in function_definitions(OPTIONAL_TOOLS):
        parameters = definition["function"]["parameters"]
        assert next(iter(parameters["properties"])) == "explanation"
        assert "explanation" in parameters["required"]


def test_definitions_are_plain_json_schema_without_references_titles_and_null() -> None:
    text = json.dumps(function_definitions(OPTIONAL_TOOLS))
    for word in ("$ref", "$defs", '"title"', "anyOf", "null"):
        assert word not in text


def test_the_definition_of_a_tool_is_exact() -> None:
    assert function_definitions()[NAMES.index("delete_file")] == {
        "type": "function",
        "function": {
            "name": "delete_file",
            "description": "Deletes one file or link, not a directory.",
            "parameters": {
                "type": "object",
                "properties": {
                    "explanation": {
                        "type": "string",
                        "minLength": 1,
                        "description": "One sentence: why you call this tool now, and what you expect of it.",
                    },
                    "path": {
                        "type": "string",
                        "minLength": 1,
                        "description": "Path, absolute or relative to the working directory.",
                    },
                },
                "required": ["explanation", "path"],
                "additionalProperties": False,
            },
        },
    }


def test_the_prompt_names_every_tool_with_its_arguments_on_a_line_of_its_own() -> None:
    lines = prompt_section().splitlines()
    assert len(lines) == len(EVERYWHERE)
    assert lines[0].startswith("- `read_file(explanation, path, offset?, limit?)`: Shows a text file")


def test_kinds() -> None:
    names = ("read_file", "file_search", "write_file", "run_terminal_cmd", "create_diagram")
    assert [TOOLS[name].kind for name in names] == ["read", "search", "edit", "run", "other"]


def test_missing_and_null_arguments_stay_out_and_numbers_in_quotes_are_converted() -> None:
    arguments = {"explanation": "look", "path": "a", "offset": "3", "limit": None}
    assert validate("read_file", arguments) == {"explanation": "look", "path": "a", "offset": 3}


def test_obvious_variants_are_accepted() -> None:
    call = {
        "explanation": "x",
        "url": "http://localhost:1",
        "method": "post",
        "query": {"page": 2, "all": True},
    }
    assert validate("api_call", {**call, "form": {"n": 1.5}, "headers": {"x": 3}}, OPTIONAL_TOOLS) == {
        **call,
        "method": "POST",
        "query": {"page": "2", "all": "true"},
        "form": {"n": "1.5"},
        "headers": {"x": "3"},
    }
    talk = {"explanation": "x", "url": "ws://localhost:1", "messages": ["hi", {"data": 1}]}
    assert validate("websocket_test", talk, OPTIONAL_TOOLS)["messages"] == [{"data": "hi"}, {"data": 1}]
    one = {"explanation": "x", "operation": "insert", "collection": "c", "documents": {"a": 1}}
    assert validate("database_query", one, OPTIONAL_TOOLS)["documents"] == [{"a": 1}]
    change = {"type": "delete", "start_line": 1}
    edited = validate("edit_file", {"explanation": "x", "path": "a", "operations": [change]})
    assert edited["operations"] == [{"type": "DELETE", "start_line": 1}]


def test_an_unknown_tool_is_refused_with_the_closest_and_all_names() -> None:
    message = refusal("read_fil", {})
    assert (
        message
        == f"There is no tool 'read_fil'. Did you mean read_file? The tools are: {', '.join(EVERYWHERE)}."
    )


@pytest.mark.parametrize("use", [offered, function_definitions, prompt_section])
def test_an_optional_tool_that_does_not_exist_is_refused_with_those_that_do(
    use: Callable[..., object],
) -> None:
    there = [name for name in NAMES if TOOLS[name].optional]
    with pytest.raises(ConfigurationError) as caught:
        use(["read_file", *there, "coffee"])
    assert str(caught.value) == (
        f"tools: no optional tool is called 'read_file', 'coffee'; there are: {', '.join(there) or 'none'}"
    )


def test_without_optional_tools_a_task_offers_the_others() -> None:
    assert [tool.name for tool in offered()] == EVERYWHERE
    assert [one["function"]["name"] for one in function_definitions()] == EVERYWHERE


def test_a_tool_of_sets_is_offered_to_agents_that_name_it_and_to_no_others() -> None:
    assert [tool.name for tool in offered((), SETS["remove"])] == [
        *("read_file", "list_directory", "search_code", "list_file_functions", "read_function"),
        "submit_attempt",
    ]
    look = {"explanation": "look", "pattern": "x"}
    assert validate("search_code", look, (), SETS["remove"]) == look
    with pytest.raises(
        ToolArgumentError, match=r"^This run does not offer search_code\. The tools are: read_"
    ):
        validate("search_code", look)


def test_a_task_offers_the_optional_tools_that_it_names_and_no_others() -> None:
    extra = ["ui_test", "api_call"]
    wanted = [name for name in NAMES if name in EVERYWHERE or name in extra]
    assert [tool.name for tool in offered(extra)] == wanted
    assert [one["function"]["name"] for one in function_definitions(extra)] == wanted
    lines = prompt_section(extra).splitlines()
    assert [line.partition("(")[0] for line in lines] == [f"- `{name}" for name in wanted]
    call = {"explanation": "look", "method": "GET", "url": "http://localhost:3000/"}
    assert validate("api_call", call, extra)["url"] == "http://localhost:3000/"
    with pytest.raises(ToolArgumentError) as caught:
        validate("api_call", call, ["ui_test"])
    others = ", ".join(name for name in wanted if name != "api_call")
    assert str(caught.value) == f"This run does not offer api_call. The tools are: {others}."


def test_a_refusal_names_every_problem_and_what_the_tool_takes() -> None:
    assert refusal("read_file", {"path": "a", "offset": 0, "lines": 4}) == (
        "read_file was not called:\n"
        "- explanation: missing\n"
        "- offset should be greater than or equal to 1, not 0\n"
        "- lines: there is no such argument\n"
        "read_file takes: explanation (string, required), path (string, required), "
        "offset (integer), limit (integer)."
    )


@pytest.mark.parametrize("arguments", [None, "a.py", ["a.py"], 3])
def test_arguments_that_are_no_object_are_refused(arguments: object) -> None:
    assert f"the arguments must be a JSON object, not {arguments!r}" in refusal("list_dir", arguments)


def test_a_long_bad_value_is_not_repeated_whole() -> None:
    assert len(refusal("read_file", {"explanation": "x", "path": ["y" * 10_000]})) < 400

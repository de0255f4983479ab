"""The tool calls in a response, and what is repaired in them."""

from __future__ import annotations

import json

import pytest

from harness.llm.tool_calls import (
    RawCall,
    old_call,
    plain_id,
    raw_calls_in,
    read_arguments,
    read_calls,
)
from harness.records import ToolCall

TWICE_A, TWICE_C = (f"'{name}' is there twice: the last value counts" for name in "ac")


@pytest.mark.parametrize(
    "raw", ["[1]", "3", '"text"', '{"a": NaN}', "{" * 100_000, "[" * 100_000, '{"a": 1} {}']
)
def test_anything_but_an_object_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=r"the arguments (must be|are not valid|are nested)"):
        read_arguments(raw)


def test_object_is_used_unchanged() -> None:
    assert read_arguments({"a": 1})[0] == {"a": 1}
    assert read_arguments(None)[0] == {}


def test_a_wrapper_that_is_an_argument_of_the_tool_stays() -> None:

    assert read_arguments({"input": {"a": 1}}, tool="convert", known={"input"})[0] == {"input": {"a": 1}}
    assert read_arguments({"input": {"a": 1}, "b": 2}, tool="convert")[0] == {"input": {"a": 1}, "b": 2}
    assert read_arguments({"input": "words"}, tool="convert")[0] == {"input": "words"}
    assert read_arguments({"input": "[1]"}, tool="convert")[0] == {"input": "[1]"}
    assert read_arguments({"convert": {"a": 1}}, tool="convert")[0] == {"a": 1}


@pytest.mark.parametrize(
    ("raw", "arguments", "repairs"),
    [
        ("", {}, []),
        ("null", {}, []),
        ('{"a": 1}', {"a": 1}, []),
        (json.dumps('{"a": 1}'), {"a": 1}, ["the arguments were encoded twice"]),
        ('{"a": 1, "b": {"c": 0, "c": 2}, "a": 3}', {"a": 3, "b": {"c": 2}}, [TWICE_C, TWICE_A]),
        ('{"input": {"a": 1}}', {"a": 1}, ["the arguments were wrapped in 'input'"]),
        ('{"parameters": "{\\"a\\": 1}"}', {"a": 1}, ["the arguments were wrapped in 'parameters'"]),
        (
            json.dumps('{"look": {"a": 1}}'),
            {"a": 1},
            ["the arguments were encoded twice", "the arguments were wrapped in 'look'"],
        ),
    ],
)
def test_every_repair_is_reported(raw: str, arguments: dict[str, object], repairs: list[str]) -> None:
    assert read_arguments(raw, tool="look", known={"path"}) == (arguments, repairs)


def test_nothing_is_decoded_three_times() -> None:
    with pytest.raises(ValueError, match=r"^the arguments must be a JSON object\.$"):
        read_arguments(json.dumps(json.dumps('{"a": 1}')))


class TestReadCalls:
    TOOLS = {"look": {"path"}}

    def test_an_unreadable_call_is_recorded_without_arguments_and_quoted(self) -> None:
        read = read_calls(
            [RawCall("a", "look", "[1]\ud800"), RawCall("b", "look", [2])], self.TOOLS, cut=" Cut."
        )
        assert read.calls == (ToolCall("a", "look", {}), ToolCall("b", "look", {}))
        assert read.malformed["a"].startswith("No tool was run: the arguments are not valid JSON (Extra data")
        assert read.malformed["a"].endswith(" Cut. You sent: [1]?")
        assert read.malformed["b"] == (
            "No tool was run: the arguments must be a JSON object. Cut. You sent: [2]"
        )

    def test_what_was_sent_is_quoted_in_part(self) -> None:
        read = read_calls([RawCall("a", "look", ["x" * 10_000])], self.TOOLS)
        assert read.malformed["a"] == (
            f"No tool was run: the arguments must be a JSON object. You sent: ['{'x' * 3_998}"
        )

    def test_every_call_has_an_id_of_its_own(self) -> None:
        raw = [RawCall(identity, "look", {}) for identity in ("", "a", "a", "")]
        read = read_calls(raw, self.TOOLS, note="found in the text")
        assert [call.id for call in read.calls] == ["call_1", "a", "a_3", "call_4"]
        assert read.repairs == ("found in the text", "two calls had the id a: the later one is a_3")

    def test_a_repair_names_its_call_and_what_is_signed_stays_beside_it(self) -> None:
        raw = [RawCall("a", "look", {}), RawCall("b", "look", '{"input": {}}', {"signature": "s"})]
        read = read_calls(raw, self.TOOLS)
        assert read.repairs == ("b: the arguments were wrapped in 'input'",)
        assert read.signed == (None, {"signature": "s"})

    def test_an_argument_of_the_tool_is_no_wrapper(self) -> None:
        read = read_calls([RawCall("a", "convert", {"input": {}})], {"convert": {"input"}})
        assert read.calls == (ToolCall("a", "convert", {"input": {}}),)


class TestWhereCallsAre:
    def test_in_the_message(self) -> None:
        message = {
            "tool_calls": [
                {"id": "a__thought__c2ln", "function": {"name": "look", "arguments": "{}"}},
                {
                    "id": 7,
                    "function": {"name": "move", "arguments": None},
                    "provider_specific_fields": {"x": 1},
                },
                {"type": "custom"},
            ]
        }
        assert raw_calls_in(message) == (
            RawCall("a", "look", "{}"),
            RawCall("7", "move", None, {"x": 1}),
            RawCall("", "", None),
        )
        assert raw_calls_in({"tool_calls": None}) == ()

    def test_in_the_old_field(self) -> None:
        call = {"name": "look", "arguments": "{}"}
        assert old_call({"function_call": call}) == (RawCall("", "look", "{}"),)
        assert old_call({"function_call": {"name": ""}}) == old_call({}) == ()

    def test_a_signature_is_no_part_of_an_id(self) -> None:
        assert plain_id("call_1__thought__abc") == "call_1"
        assert plain_id("call_1") == "call_1"

    def test_calls_that_a_server_put_into_one_are_several(self) -> None:
        raw = [RawCall("a", "look", '{"path": "x"}\n{"path": "y"}', {"signature": "s"})]
        read = read_calls(raw, {"look": {"path"}})
        assert read.calls == (ToolCall("a", "look", {"path": "x"}), ToolCall("call_2", "look", {"path": "y"}))
        assert read.repairs == ("one call had the arguments of 2",)
        assert read.signed == ({"signature": "s"}, None)
        twice = read_calls([RawCall("a", "look", '{"path": "x"}{"path": "x"}')], {"look": {"path"}})
        assert twice.calls == (ToolCall("a", "look", {"path": "x"}),)

    @pytest.mark.parametrize(
        "name",
        ["functions.look", "functions.look:0", "default_api.look", "tools/look", "api::look", "look:12"],
    )
    def test_a_name_that_belongs_to_something_is_that_of_the_tool(self, name: str) -> None:
        read = read_calls([RawCall("a", name, "{}")], {"look": {"path"}})
        assert read.calls == (ToolCall("a", "look", {}),)
        assert read.repairs == (f"a: the tool was named {name!r}",)
        as_it_came = read_calls([RawCall("a", name, "{}")], {"look": {"path"}}, repairing=False)
        assert (as_it_came.calls, as_it_came.repairs) == ((ToolCall("a", name, {}),), ())

    def test_a_name_that_no_tool_has_stays(self) -> None:
        read = read_calls([RawCall("a", "functions.fly", "{}")], {"look": {"path"}})
        assert (read.calls, read.repairs) == ((ToolCall("a", "functions.fly", {}),), ())


@pytest.mark.parametrize(
    ("raw", "repair"),
    [
        ('{"text": "one\ntwo\tthree"}', "the arguments had raw control characters"),
        ('```json\n{"text": "one\\ntwo\\tthree"}\n```', "the arguments had a fence"),
        ("{'text': 'one\\ntwo\\tthree'}", "the arguments were written as Python's"),
        ('{"text": "one\\ntwo\\tthree",}', "the arguments were written as Python's"),
    ],
)
def test_arguments_that_are_no_json_for_a_usual_reason_are_read(raw: str, repair: str) -> None:
    assert read_arguments(raw) == ({"text": "one\ntwo\tthree"}, [repair])


@pytest.mark.parametrize(
    "raw", ['{"text": "one', '{"text": "one"', "{'text': open('x')}", '{"text": "say "hi""}', "text"]
)
def test_arguments_that_were_cut_off_or_are_ambiguous_are_not_completed(raw: str) -> None:
    with pytest.raises(ValueError, match="the arguments are not valid JSON"):
        read_arguments(raw)

"""What the events of a sample refer to."""

from __future__ import annotations

from runs.intake.reported.step_readers.inspect_sample import SampleIndex, sample_events
from runs.intake.reported.step_readers.spool import Spool
from tests.runs.intake.reported.step_readers.inspect_samples import sample, tool, whole_sample


def test_a_pooled_message_is_new_once() -> None:
    part = whole_sample()
    with Spool("") as spool:
        index = SampleIndex(part, spool)
        ids = [
            [message["id"] for message in index.new_messages({"input_refs": refs})]
            for refs in ([[1, 3]], [[0, 2], [2, 3]], [[0, 4]], [[0, 4]], [[3, 1], [-2, 99]])
        ]
    assert ids == [["u", "m1"], ["s"], ["t1"], [], []]


def test_a_result_has_the_exit_code_of_its_only_command() -> None:
    begin = {"event": "span_begin", "id": "T", "parent_id": "P", "type": "tool", "name": "bash"}
    command = {"event": "sandbox", "action": "exec", "span_id": "T", "result": 2}
    for commands, code in ([command], 2), ([command, command], None), ([], None):
        with Spool("") as spool:
            index = SampleIndex(sample(events=[begin, tool("c", "x", span_id="P"), *commands]), spool)
            found = index.result("c")
            assert found is not None
            assert found.get("exit_code") == code
            assert index.result("c") is None


def test_attachments_replace_whole_texts_and_pictures_stay_names() -> None:
    with Spool("") as spool:
        index = SampleIndex(sample(attachments={"h": "text", "n": 5}), spool)
        value = {
            "a": ["attachment://h", "see attachment://h"],
            "b": "attachment://n",
            "c": "attachment://missing",
        }
        assert index.resolved(value) == {
            "a": ["text", "see attachment://h"],
            "b": "attachment://n",
            "c": "attachment://missing",
        }
        picture = {"type": "image", "image": "attachment://h", "detail": "auto"}
        assert index.resolved([picture]) == [{"type": "image"}]
        assert index.pictured([picture, "words", {"type": "text", "text": "a"}]) == [{"image": "text"}]
        assert index.pictured("words") == []


def test_events_inside_the_event_of_a_tool_follow_it() -> None:
    inner = tool("b", function="inner", events=[tool("c")])
    found = sample_events(sample(events=[tool("a", function="outer", events=[inner]), 5, tool("d")]))
    assert [(event["id"], tools) for event, tools in found] == [
        ("a", ()),
        ("b", ("outer",)),
        ("c", ("outer", "inner")),
        ("d", ()),
    ]

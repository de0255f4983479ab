"""What each optional tool takes, through the check of calls."""

from __future__ import annotations

import pytest

from harness.dataset import OPTIONAL_TOOLS
from harness.tools.schema import ToolArgumentError, validate


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("api_call", {"url": "x", "body": "a", "json_body": {}}, "give one body, not json_body and body"),
        (
            "api_call",
            {"url": "x", "username": "a", "bearer_token": "b"},
            "give username and password or bearer_token, not both",
        ),
        ("database_query", {"operation": "delete", "collection": "c"}, "delete needs filter"),
        ("database_query", {"operation": "insert", "collection": "c"}, "insert needs documents"),
        ("websocket_test", {"url": "x", "namespace": "room"}, "namespace String should match pattern '^/'"),
        ("ui_test", {"actions": [{"action": "click"}]}, "actions.0: click needs selector"),
        (
            "ui_test",
            {"actions": [{"action": "wait_for"}]},
            "actions.0: wait_for needs a selector, a text, or both",
        ),
        (
            "ui_test",
            {"actions": [{"action": "evaluate", "text": "1"}]},
            "actions.0.action should be 'navigate'",
        ),
        ("ui_test", {"actions": []}, "actions List should have at least 1 item"),
    ],
)
def test_a_full_stack_call_without_what_it_needs_is_refused(
    tool: str, arguments: dict[str, object], reason: str
) -> None:
    with pytest.raises(ToolArgumentError) as refused:
        validate(tool, {"explanation": "why", **arguments}, OPTIONAL_TOOLS)
    assert reason in str(refused.value)


def test_null_inside_a_document_stays_and_documents_may_be_json_strings() -> None:
    arguments = {"explanation": "why", "operation": "find", "collection": "c", "filter": '{"gone": null}'}
    assert validate("database_query", arguments, OPTIONAL_TOOLS)["filter"] == {"gone": None}

"""What a user gets of an agent's turn."""

from harness.records import Step, ToolCall
from harness.users.base import AgentTurn


def test_the_message_of_a_turn_is_the_last_one_with_text() -> None:
    first = Step(1, "", "agent", "I look.", calls=(ToolCall("1", "list_dir", {}),))
    last = Step(2, "", "agent", " ", calls=(ToolCall("2", "list_dir", {}),))
    assert AgentTurn(((first, ()), (last, ()))).message == "I look."
    assert AgentTurn().message == ""

"""Which answers of a model count as results of the check, over real HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import CallSettings, ModelSpec
from harness.users.requirement_check import NAME, TOOL, CheckResult, check_message
from tests.harness.arena import Arena

MESSAGE = "Fine.\nI also want a French   translation."
QUICK = CallSettings(patience=0.0, retry_delay=0.01, call_timeout=5)


def call(**arguments: Any) -> Mapping[str, Any]:
    return {"calls": [{"name": NAME, "arguments": arguments}]}


YES = call(asks_for_something_new=True, words="a French translation")
NO = call(asks_for_something_new=False, words="")


def checked(root: Path, *replies: Mapping[str, Any]) -> CheckResult:
    """The result where the model answers so, one reply after another."""
    workflow = Arena.of_workflow(root).task.workflow
    assert workflow is not None
    left = list(replies)
    with ModelServer(lambda _: left.pop(0)) as server:
        client = Client(ModelSpec("Player", "openai/player", server.url), QUICK)
        spending = Spending(Limits())
        return check_message(
            workflow,
            "Shall I translate it?",
            MESSAGE,
            lambda conversation: client.complete(conversation, [TOOL], spending=spending, forced_tool=NAME),
        )


def test_true_names_the_words_and_false_none(tmp_path: Path) -> None:
    assert checked(tmp_path / "yes", YES) == CheckResult("a French translation", 1)
    assert checked(tmp_path / "no", NO) == CheckResult("", 1)


@pytest.mark.parametrize(
    "answer",
    [
        {"text": "true"},
        {"text": ""},
        call(asks_for_something_new="true", words="a French translation"),
        call(asks_for_something_new=1, words="a French translation"),
        call(asks_for_something_new=None, words="a French translation"),
        call(asks_for_something_new=True, words=""),
        call(asks_for_something_new=True, words="a German translation"),
        call(asks_for_something_new=True, words=["a French translation"]),
        call(asks_for_something_new=True),
        call(asks_for_something_new=True, words="a French translation", certain=True),
        {"calls": [{"name": "another", "arguments": {"asks_for_something_new": True, "words": "Fine."}}]},
        {"calls": [*YES["calls"], *NO["calls"]]},
        {"calls": [{"name": NAME, "arguments": "{"}]},
    ],
    ids=str,
)
def test_any_other_answer_is_asked_for_again_and_then_no_result(
    tmp_path: Path, answer: Mapping[str, Any]
) -> None:
    assert checked(tmp_path / "again", answer, YES) == CheckResult("a French translation", 2)
    twice = checked(tmp_path / "twice", answer, answer)
    assert (twice.words, twice.asks) == ("", 2)
    assert twice.unchecked


@pytest.mark.parametrize("status", [400, 401, 500])
def test_an_error_of_the_provider_is_no_result(tmp_path: Path, status: int) -> None:
    found = checked(tmp_path, {"before": [{"status": status}] * 9})
    assert (found.words, found.asks) == ("", 1)
    assert str(status) in found.unchecked

"""A scripted model writes functions without the repository, over real HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.dataset import Repository, Target, load_dataset
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.llm.scripted_server import ModelServer, Request, Responder
from harness.llm.spec import ModelSpec
from tasks.generation.recall.probing import Recall, RecallProber, RecallUnpaid
from tests.harness.conversations import PRICED, QUICK, dollars
from tests.harness.worlds import write_tiny_dataset

ADD = Target("calc.py", "add")
BOTH = (ADD, Target("calc.py", "subtract"))
SOURCE = '''\
def add(a, b):
    """The sum."""
    return a + b


def subtract(a, b):
    return a - b
'''
USAGE = {"usage": {"prompt": 1000, "completion": 100}}  # $0.003


def written(source: object) -> dict[str, Any]:
    return {"calls": [{"name": "write_function", "arguments": {"source": source}}], **USAGE}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    directory = write_tiny_dataset(tmp_path)
    (directory / "calc/source/calc.py").write_text(SOURCE)
    return load_dataset(directory).repositories[0]


def probe(
    repository: Repository,
    *replies: Mapping[str, Any],
    respond: Responder | None = None,
    targets: tuple[Target, ...] = (ADD,),
    limits: Limits | None = None,
    **model: Any,
) -> tuple[Recall, list[Request]]:
    with ModelServer(list(replies) if respond is None else {"scripted": respond}) as server:
        spec = ModelSpec(
            name="Scripted", litellm_id="openai/scripted", api_base=server.url, **{**PRICED, **model}
        )
        prober = RecallProber(Client(spec, QUICK), Spending(limits or Limits()))
        return prober.probe(repository, targets), list(server.requests)


def test_the_original_code_is_equal_whatever_its_layout_and_comments(repository: Repository) -> None:
    found, (request,) = probe(repository, written("def add(a, b):\n  # I know it\n  return (a+b)"))
    assert (found.similarity, found.equal, found.tokens, found.reason) == (1.0, True, 4, "")
    assert found.cost_usd == dollars(0.003)
    assert request.body["tool_choice"] == {"type": "function", "function": {"name": "write_function"}}


def test_the_model_gets_no_body_and_no_other_code(repository: Repository) -> None:
    _, (request,) = probe(repository, written("def add(a, b): pass"))
    sent = str(request.body)
    assert "The sum." in sent
    assert "return a + b" not in sent
    assert "subtract" not in sent


def test_other_code_has_the_similarity_of_its_tokens(repository: Repository) -> None:
    found, _ = probe(repository, written("def add(a, b):\n    return a - b"))
    assert (found.similarity, found.equal) == (0.75, False)


def test_several_targets_have_their_mean_and_are_equal_together(repository: Repository) -> None:
    def reply(request: Request) -> Mapping[str, Any]:
        adds = "Function: add" in str(request.body)
        return written("def add(a, b):\n    return a + b" if adds else "def subtract(a, b):\n    return b")

    found, asked = probe(repository, respond=reply, targets=BOTH)
    assert (found.similarity, found.equal, found.tokens, len(asked)) == ((1 + 2 * 2 / 6) / 2, False, 8, 2)
    assert found.cost_usd == dollars(0.006)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            {"text": "I do not know it."},
            "malformed: the answer is not a call of write_function, but text: I do",
        ),
        (written("def other(): pass"), "malformed: the new source must define the function add, not other"),
        (written("def add(a, b:"), "malformed: the new source, line 1: is not valid Python"),
        (written("return a + b"), "malformed: the new source must be one whole definition"),
        (written(7), "malformed: source: must be a text"),
    ],
)
def test_an_answer_that_does_not_fit_is_asked_for_again_once_and_is_no_zero(
    repository: Repository, reply: dict[str, Any], reason: str
) -> None:
    found, asked = probe(repository, reply, reply)
    assert (found.similarity, found.equal, len(asked)) == (None, None, 2)
    assert found.reason.startswith(reason)

    found, _ = probe(repository, reply, written("def add(a, b):\n    return a + b"))
    assert found.similarity == 1.0


def test_one_unknown_target_makes_the_task_unknown(repository: Repository) -> None:
    targets = (ADD, Target("calc.py", "divide"))
    found, asked = probe(repository, written("def add(a, b):\n    return a + b"), targets=targets)
    assert (found.similarity, found.reason, len(asked)) == (
        None,
        "the original cannot be read: calc.py has no function or class 'divide'",
        1,
    )
    missing, _ = probe(repository, targets=(Target("gone.py", "f"),))
    assert missing.reason == "gone.py is not in the source"


def test_a_budget_that_is_too_small_says_nothing_of_the_task(repository: Repository) -> None:
    with pytest.raises(RecallUnpaid, match=r"^\$0.0000 of \$0.0001 spent") as raised:
        probe(repository, limits=Limits(cost_usd=0.0001))
    assert raised.value.paid is None


@pytest.mark.parametrize(
    "first", [written("def add(a, b):\n    return a + b"), {"text": "I do not know it.", **USAGE}]
)
def test_what_was_paid_before_the_budget_ended_is_known(
    repository: Repository, first: dict[str, Any]
) -> None:
    with pytest.raises(RecallUnpaid) as raised:
        probe(repository, first, targets=BOTH, limits=Limits(cost_usd=0.042))
    paid = raised.value.paid
    assert paid is not None
    assert (paid.similarity, paid.equal, paid.cost_usd) == (None, None, dollars(0.003))
    assert paid.reason.startswith("unpaid: $0.0030 of $")


def test_what_a_call_without_a_response_may_have_cost_is_known(repository: Repository) -> None:
    reply = {**written("def add(a, b):\n    return a + b"), "before": [{"raw": "not json"}]}
    found, _ = probe(repository, reply)
    assert (found.similarity, found.cost_usd) == (1.0, dollars(0.003))
    assert found.doubtful_usd == pytest.approx(0.0406, abs=0.0001)
    with pytest.raises(RecallUnpaid) as raised:
        probe(repository, reply, limits=Limits(cost_usd=0.05))
    assert raised.value.paid is not None
    assert (raised.value.paid.cost_usd, raised.value.paid.doubtful_usd) == (0.0, found.doubtful_usd)


def test_the_cost_of_a_model_without_prices_is_unknown(repository: Repository) -> None:
    reply = written("def add(a, b):\n    return a + b")
    found, _ = probe(repository, reply, input_price=None, output_price=None)
    assert (found.similarity, found.cost_usd) == (1.0, None)

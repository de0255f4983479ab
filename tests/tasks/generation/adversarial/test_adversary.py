"""A scripted model corrupts a function: what it is asked, what it gets back, and which try counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ModelError
from harness.limits import LimitReached, Limits, Spending
from harness.llm.client import Client
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import ModelSpec
from harness.patches import apply_patch
from tasks.generation.adversarial.adversary import MAX_TRIES, SUBMIT_ATTEMPT, Adversary, spent
from tasks.generation.corrupting.candidates import Candidate, CandidateStore, Kind, Reason
from tasks.generation.suite.screening import Screener, Thresholds, measure_baseline
from tests.harness.conversations import PRICED, QUICK, dollars
from tests.tasks.generation.small import Suite, place_of, source_in, tree_of

ADD = '''\
def add(self, box):
    """Puts a box on the shelf; whether there was a place."""
    {body}
'''
# How many tests fail, and how many tracebacks lead through the function: 5 and 5, 5 and 0, 2 and 0, 0 and 0.
CRASHES = "return self.boxes.places"
WRONG = "return not self.boxes"
FULL = "self.boxes.append(box)\n    return True"
LOSES = "return len(self.boxes) < self.places and not self.boxes.append(box)"


def attempt(body: str, **more: Any) -> dict[str, Any]:
    return {"calls": [{"name": SUBMIT_ATTEMPT, "arguments": {"source": ADD.format(body=body)}}], **more}


class World:
    def __init__(self, root: Path) -> None:
        self.source = source_in(root / "source")
        self.tree = tree_of(self.source)
        self.suite = Suite(self.source)
        self.store = CandidateStore(root / "store")
        self.store.directory.mkdir()
        thresholds = Thresholds()
        self.screener = Screener(
            self.source, self.suite, measure_baseline(self.suite, thresholds), thresholds
        )
        self.suite.runs.clear()

    def make(self, url: str, limits: Limits | None = None, name: str = "Shelf.add") -> Candidate:
        model = ModelSpec(name="Scripted", litellm_id="openai/scripted", api_base=url, **PRICED)
        self.spending = Spending(limits or Limits())
        adversary = Adversary(
            Client(model, QUICK),
            self.spending,
            self.store,
            self.tree,
            self.screener,
            hidden=self.source,
            seed=3,
        )
        place = place_of(self.tree, name)
        found = adversary.make(place)
        assert found == self.store.get(adversary.key(place))
        return found


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


Ask = Callable[[Sequence[Mapping[str, Any]]], tuple[Candidate, list[Request]]]


@pytest.fixture
def ask(world: World) -> Ask:
    def asked(replies: Sequence[Mapping[str, Any]]) -> tuple[Candidate, list[Request]]:
        with ModelServer(list(replies)) as server:
            return world.make(server.url), server.requests

    return asked


def changed(world: World, found: Candidate) -> str:
    (state,) = apply_patch(found.start.encode(), world.source.read)
    return (state.content or b"").decode()


def feedback(found: Candidate) -> list[str]:
    assert found.model is not None
    return list(found.model["feedback"])


def test_the_try_that_is_hardest_to_find_counts(world: World, ask: Ask) -> None:
    found, requests = ask([attempt(CRASHES), attempt(FULL), attempt(WRONG), {"text": "Content."}])
    assert found.refusal is None
    assert "        self.boxes.append(box)\n        return True\n\n    def free" in changed(world, found)
    assert found.kind is Kind.ADVERSARIAL
    assert found.targets[0].operator == "adversarial openai/scripted"
    assert found.screening is not None
    assert found.screening["failing"] == ["full::zero", "full::three"]
    assert len(requests) == 4
    first, second, _ = feedback(found)
    assert "The traceback of" in first
    assert first.startswith("5 of 9 tests fail")
    assert second.startswith("2 of 9 tests fail that passed before.\nThe traceback of 0 of them")
    assert "- full::three: AssertionError: " in second


def test_the_model_gets_the_function_its_tests_and_the_results(world: World, ask: Ask) -> None:
    found, requests = ask([attempt(FULL), {"text": "Content."}])
    system, question = requests[0].messages
    assert "You have 5 calls" in system["content"]
    assert "At least 2 tests fail" in system["content"]
    assert "BEGIN FUNCTION Shelf.add IN stock/shelf.py\n    def add(self, box):" in question["content"]
    assert [tool["function"]["name"] for tool in requests[0].body["tools"]] == [SUBMIT_ATTEMPT]
    assert requests[1].messages[-1]["role"] == "tool"
    assert requests[1].messages[-1]["content"].startswith("2 of 9 tests fail")
    assert requests[1].messages[-1]["content"].endswith("4 of 5 calls are left.")
    assert found.model is not None
    assert found.model["prompt"] == [system, question]
    assert found.model["replies"][0]["calls"][0]["arguments"]["source"] == ADD.format(body=FULL)
    assert found.model["tries"] == 1
    assert spent([found, found]) == dollars(2 * (world.spending.cost_usd or 0))


def test_a_model_has_five_tries(ask: Ask) -> None:
    found, requests = ask([attempt(WRONG)] * 9)
    assert len(requests) == MAX_TRIES
    assert found.refusal is None


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (attempt("return True  # wrong"), "a comment was added"),
        (attempt("return 'full'"), "a text was added"),
        (attempt("return secret"), "nowhere in the repository"),
        (attempt("pass"), "no body"),
        (attempt("return ("), "Invalid: "),
        (attempt("return True\n\ndef other():\n    pass"), "one whole definition"),
        ({"calls": [{"name": SUBMIT_ATTEMPT, "arguments": {"source": 1}}]}, "with the argument source"),
        ({"calls": [{"name": "other", "arguments": {}}]}, "with the argument source"),
        ({"calls": [{"name": SUBMIT_ATTEMPT, "arguments": "{"}]}, "No tool was run"),
    ],
)
def test_an_invalid_try_runs_no_test_and_says_why(
    world: World, ask: Ask, reply: Mapping[str, Any], said: str
) -> None:
    found, _ = ask([reply])
    assert said in feedback(found)[0]
    assert world.suite.runs == []
    assert found.refusal is not None
    assert found.refusal.reason is Reason.NO_ANSWER
    assert said in found.refusal.detail


def test_a_try_that_fails_too_few_tests_is_not_accepted(ask: Ask) -> None:
    found, _ = ask([attempt(LOSES), {"text": "Done."}])
    assert found.refusal is not None
    assert found.refusal.reason is Reason.NO_ANSWER
    assert "Not accepted: survived" in feedback(found)[0]


def test_a_model_that_calls_nothing_is_reminded_once(ask: Ask) -> None:
    found, requests = ask([{"text": "Why?"}, {"text": "No."}])
    assert len(requests) == 2
    assert SUBMIT_ATTEMPT in requests[1].messages[-1]["content"]
    assert found.refusal is not None
    assert found.refusal.reason is Reason.NO_ANSWER


def test_two_calls_in_one_reply_are_one_try(ask: Ask) -> None:
    both = [attempt(FULL)["calls"][0], attempt(WRONG)["calls"][0]]
    found, requests = ask([{"calls": both}, {"text": "Done."}])
    assert found.model is not None
    assert found.model["tries"] == 1
    assert requests[1].messages[-1]["content"] == "Not run: one call at a time."


def test_a_function_that_does_nothing_is_not_asked_about(world: World) -> None:
    found = world.make("http://127.0.0.1:9/v1", name="Shelf.abstract")
    assert found.refusal is not None
    assert found.refusal.reason is Reason.NO_SITE


def test_no_request_is_sent_beyond_the_budget(world: World) -> None:
    with ModelServer([attempt(FULL)]) as server:
        with pytest.raises(LimitReached):
            world.make(server.url, Limits(cost_usd=0.0))
        assert server.requests == []
        assert world.store.all() == []


def test_what_was_tried_before_the_budget_ended_counts(world: World) -> None:
    usage = {"prompt": 100, "completion": 10}
    with ModelServer([attempt(FULL, usage=usage), attempt(WRONG)]) as server:
        found = world.make(server.url, Limits(iterations=None, tokens=100))
    assert found.refusal is None
    assert found.model is not None
    assert found.model["tries"] == 1
    with ModelServer([attempt("pass", usage=usage), attempt(WRONG)]) as server:
        found = world.make(server.url, Limits(tokens=100))
    assert found.refusal is not None
    assert found.refusal.reason is Reason.UNPAID


def test_a_reply_is_not_paid_for_twice_after_a_failure(world: World) -> None:
    broken = {"before": [{"status": 400, "message": "broken"}], **attempt(WRONG)}
    with ModelServer([attempt(FULL), broken]) as server, pytest.raises(ModelError):
        world.make(server.url)
    assert world.store.all() == []
    with ModelServer([attempt(CRASHES), {"text": "Done."}]) as server:
        found = world.make(server.url)
        assert [request.turn for request in server.requests] == [1]
    assert "return True\n\n    def free" in changed(world, found)
    assert [path.suffix for path in world.store.directory.iterdir()] == [".json"]
    assert json.loads(next(world.store.directory.iterdir()).read_text())["model"]["tries"] == 1

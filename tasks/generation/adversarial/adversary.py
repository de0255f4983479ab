"""Candidates whose function a model corrupted, with the results of the tests (Breakpoint, appendix B)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.dataset import Tree
from harness.errors import ContentRefused, ContextLimitReached
from harness.functions import InvalidReplacement, replaced
from harness.limits import LimitReached, Spending
from harness.llm.client import Client
from harness.llm.replies import Message, Reply
from harness.records.whole_file import write_json
from harness.tools.schema import function_tool, object_schema
from tasks.generation.adversarial.relevant_tests import relevant_tests
from tasks.generation.corrupting.candidates import (
    Candidate,
    CandidateStore,
    Kind,
    Reason,
    Refusal,
    candidate,
    candidate_key,
)
from tasks.generation.corrupting.clues import find_clues, has_code
from tasks.generation.corrupting.source_tree import Place, SourceTree
from tasks.generation.suite.screening import Screener

PROMPT = Path(__file__).with_suffix(".md")
MAX_TRIES = 5
SUBMIT_ATTEMPT = "submit_attempt"
FEEDBACK_CHARACTERS = 2000
TOOL: Mapping[str, Any] = function_tool(
    SUBMIT_ATTEMPT,
    "Runs the tests with this definition in place of the function, and shows what fails.",
    object_schema({"source": {"type": "string", "description": "The whole definition of the function."}}),
)
Entry = dict[str, Any]
"""One reply as it is recorded: `history` for the next request, `calls`, `malformed`, the model, tokens and cost."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One try. `screened`: the candidate that it makes, None if it is invalid; `feedback`: what the model gets."""

    feedback: str
    screened: Candidate | None = None


class Adversary:
    """Lets one model corrupt functions of a repository.

    `spending` holds for all of them together. `tests_of`: the ids of the tests that execute a function, if a map knows
    them; `hidden`: all hidden tests. Each reply is stored before the next request: a killed run pays for none twice.
    """

    def __init__(
        self,
        client: Client,
        spending: Spending,
        store: CandidateStore,
        tree: SourceTree,
        screener: Screener,
        *,
        hidden: Tree,
        seed: int,
        tests_of: Callable[[Place], Sequence[str]] = lambda _: (),
        paid: Callable[[float | None], object] = lambda _: None,
    ) -> None:
        self._client = client
        self._spending = spending
        self._store = store
        self._tree = tree
        self._screener = screener
        self._hidden = hidden
        self._seed = seed
        self._tests_of = tests_of
        self._paid = paid
        self._operator = f"adversarial {client.model.litellm_id}"

    def key(self, place: Place) -> str:
        """The name of the candidate of a function."""
        return candidate_key(self._tree.digest, [place], [self._operator], self._seed, Kind.ADVERSARIAL)

    def make(self, place: Place) -> Candidate:
        """The candidate of a function, screened or refused, and stored.

        Raises LimitReached if the budget does not allow the first request, and ModelError.
        """
        if not has_code(self._tree.texts[place.path], place.function):
            refusal = Refusal(Reason.NO_SITE, "the function does nothing")
            return self._store.put(self._candidate(place, refusal))
        dialogue = _Dialogue(self._store.directory / f"{self.key(place)}.dialogue", self._send)
        rules = PROMPT.read_text(encoding="utf-8").format(
            tries=MAX_TRIES, least=self._screener.thresholds.failing(Kind.ADVERSARIAL)
        )
        tests = relevant_tests(self._hidden, place.function.name, self._tests_of(place))
        parts = {
            f"FUNCTION {place.function.name} IN {place.path}": self._tree.source_of(place),
            "SOME OF ITS TESTS": tests or "(none of the tests names it)",
        }
        text = "\n\n".join(f"BEGIN {title}\n{part.rstrip()}\nEND" for title, part in parts.items())
        messages = [{"role": "system", "content": rules}, {"role": "user", "content": text}]
        prompt = list(messages)
        attempts, end = self._attempts(place, messages, dialogue)
        model = {
            "name": self._client.model.litellm_id,
            "prompt": prompt,
            "replies": dialogue.entries,
            "feedback": [attempt.feedback for attempt in attempts],
            "tries": len(attempts),
        }
        found = self._store.put(replace(self._best(place, attempts, end), model=model))
        dialogue.path.unlink(missing_ok=True)
        return found

    def _attempts(
        self, place: Place, messages: list[Message], dialogue: _Dialogue
    ) -> tuple[list[_Attempt], Refusal]:
        """The tries, and the refusal if none of them is admissible."""
        attempts: list[_Attempt] = []
        reminded = False
        while len(attempts) < MAX_TRIES:
            try:
                entry = dialogue.next(messages)
            except LimitReached as limit:
                if not dialogue.entries:
                    raise
                return attempts, Refusal(Reason.UNPAID, str(limit))
            except (ContentRefused, ContextLimitReached) as error:
                return attempts, Refusal(Reason.NO_ANSWER, str(error)[:500])
            messages.append(entry["history"])
            if not entry["calls"]:
                if attempts or reminded:
                    break
                reminded = True
                messages.append(
                    {"role": "user", "content": f"Call {SUBMIT_ATTEMPT} with your first attempt."}
                )
                continue
            attempts.append(self._answered(place, messages, entry, MAX_TRIES - len(attempts) - 1))
        last = attempts[-1].feedback if attempts else f"the model did not call {SUBMIT_ATTEMPT}"
        return attempts, Refusal(Reason.NO_ANSWER, last[:500])

    def _answered(self, place: Place, messages: list[Message], entry: Entry, left: int) -> _Attempt:
        """The try of a reply. Each of its calls gets a result; only the first one is a try."""
        first, *others = entry["calls"]
        attempt = self._try(place, first, entry["malformed"])
        text = f"{attempt.feedback}\n{left} of {MAX_TRIES} calls are left."
        messages.append({"role": "tool", "tool_call_id": first["id"], "content": text})
        for call in others:
            messages.append(
                {"role": "tool", "tool_call_id": call["id"], "content": "Not run: one call at a time."}
            )
        return attempt

    def _try(self, place: Place, call: Mapping[str, Any], malformed: Mapping[str, str]) -> _Attempt:
        if problem := malformed.get(call["id"]):
            return _Attempt(problem)
        source = call["arguments"].get("source")
        if call["name"] != SUBMIT_ATTEMPT or not isinstance(source, str):
            return _Attempt(f"Invalid: call {SUBMIT_ATTEMPT} with the argument source, a text.")
        before = self._tree.texts[place.path]
        try:
            after = replaced(place.path, before, place.function, source)
        except InvalidReplacement as error:
            return _Attempt(f"Invalid: {error}.")
        if clues := find_clues(place.path, before, after, place.function, self._tree.names):
            return _Attempt(f"Invalid: {'; '.join(clues)}.")
        found = self._screener(self._candidate(place, after))
        return _Attempt(_results(found), found)

    def _candidate(self, place: Place, after: str | Refusal) -> Candidate:
        return candidate(self._tree, place, self._operator, after, seed=self._seed, kind=Kind.ADVERSARIAL)

    def _best(self, place: Place, attempts: Sequence[_Attempt], end: Refusal) -> Candidate:
        """The try that is hardest to find: fewest tracebacks through the function, then fewest failing tests.

        Of equal ones the last.
        """
        good = [one.screened for one in attempts if one.screened and not one.screened.refusal]
        if not good:
            return self._candidate(place, end)
        return min(reversed(good), key=_visibility)

    def _send(self, messages: Sequence[Message]) -> Reply:
        self._spending.check()
        reply = self._client.complete(
            messages, [TOOL], spending=self._spending, attempt=self._seed % 1000 + 1
        )
        self._paid(reply.metrics.cost_usd)
        return reply


class _Dialogue:
    """The replies of a model, stored in a file as they come. What is stored is not requested again."""

    def __init__(self, path: Path, send: Callable[[Sequence[Message]], Reply]) -> None:
        self.path = path
        self._send = send
        self._stored: list[Entry] = json.loads(path.read_text("utf-8"))["replies"] if path.exists() else []
        self.entries: list[Entry] = []

    def next(self, messages: Sequence[Message]) -> Entry:
        """The next reply. Raises what `send` raises."""
        if len(self.entries) < len(self._stored):
            self.entries.append(self._stored[len(self.entries)])
        else:
            self.entries.append(_entry(self._send(messages)))
            write_json(self.path, {"replies": self.entries})
        return self.entries[-1]


def _entry(reply: Reply) -> Entry:
    return {
        "history": reply.history,
        "calls": [
            {"id": call.id, "name": call.name, "arguments": dict(call.arguments)} for call in reply.calls
        ],
        "malformed": dict(reply.malformed),
        "reasoning": reply.reasoning,
        "model": reply.model,
        "prompt_tokens": reply.metrics.prompt_tokens,
        "completion_tokens": reply.metrics.completion_tokens,
        "cost_usd": reply.metrics.cost_usd,
    }


def spent(candidates: Sequence[Candidate]) -> float:
    """What the models of these candidates cost, in dollars; replies of unknown price count as 0."""
    models = [one.model for one in candidates if one.model]
    return sum(reply.get("cost_usd") or 0.0 for model in models for reply in model.get("replies", ()))


def _visibility(screened: Candidate) -> tuple[float, int]:
    screening = screened.screening or {}
    failing = len(screening["failing"])
    return screening["naming_target"] / failing, failing


def _results(screened: Candidate) -> str:
    """The results of a try for the model, at most 2,000 characters."""
    screening = screened.screening or {}
    failing: list[str] = screening["failing"]
    lines = [f"{len(failing)} of {screening['tests']} tests fail that passed before."]
    if screened.refusal:
        lines.append(f"Not accepted: {screened.refusal.reason} ({screened.refusal.detail}).")
    if failing:
        lines.append(f"The traceback of {screening['naming_target']} of them leads through the function.")
    failures: Mapping[str, str] = screening["failures"]
    lines.extend(f"- {test}: {said}" for test, said in failures.items())
    return "\n".join(lines)[:FEEDBACK_CHARACTERS]

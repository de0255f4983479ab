"""Makes numbered steps of conversations that run beside each other: an agent's own, and those of its sub-agents.

One response may come in several parts, with results between them. A step is complete when its conversation goes on with
the next response; until then, the steps after it wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.records import Metrics, Source, Step, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.step_builder import MAX_CALLS, UNKNOWN, own_id
from runs.intake.reported.trajectory import MAX_STEPS

# Steps that wait, and characters in them: more are released as they are.
_MAX_WAITING, _MAX_CHARACTERS = 5_000, 32 * 1024**2


@dataclass(slots=True)
class _Growing:
    """A step that may still get calls and results."""

    source: Source
    at: str
    thread: str = ""
    key: str = ""
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    results: list[ToolResult] = field(default_factory=list)
    waiting: dict[str, deque[str]] = field(default_factory=dict)  # by the id in the file: ids of open calls
    metrics: Metrics | None = None
    complete: bool = True
    size: int = 0

    def step(self, number: int, mark: str) -> Step:
        """The step, with a mark before its message."""
        return Step(
            number,
            self.at,
            self.source,
            " ".join(filter(None, (mark, "\n\n".join(self.texts)))),
            "\n\n".join(self.thoughts),
            tuple(self.calls.values()),
            tuple(self.results),
            self.metrics,
        )


@dataclass(slots=True)
class ThreadedSteps:
    """The steps so far. Each method returns the steps that are now complete. `end` returns the last ones.

    `thread` identifies a conversation: '' is the agent's own, and the messages of others begin with a mark. `counted`:
    keys of responses whose use another file has counted. Their steps, and those of a key that comes again after other
    responses, have no metrics.
    """

    place: str
    counted: Collection[str] = ()
    _open: deque[_Growing] = field(default_factory=deque)
    _latest: dict[str, _Growing] = field(default_factory=dict)  # by thread: its response that is open
    _calls: dict[str, _Growing] = field(default_factory=dict)
    _keys: set[str] = field(default_factory=set)
    _marks: dict[str, str] = field(default_factory=lambda: {"": ""})  # by thread
    _size: int = 0
    _number: int = 0

    def mark(self, thread: str) -> str:
        """How the messages of a conversation begin: sub-agents are numbered; '' for the agent's own."""
        return self._marks.setdefault(thread, f"[sub-agent {len(self._marks)}]")

    def says(self, source: Source, message: str, at: str = "") -> Iterator[Step]:
        """A message of the system or the user. An empty one is no step."""
        if message.strip():
            yield from self._begin(_Growing(source, at, texts=[message], size=len(message)))

    def responds(
        self,
        key: str = "",
        message: str = "",
        *,
        reasoning: str = "",
        calls: Sequence[ToolCall] = (),
        metrics: Metrics | None = UNKNOWN,
        at: str = "",
        thread: str = "",
    ) -> Iterator[Step]:
        """A response, or a further part of the open one with this key. The last metrics of a response count."""
        growing = self._latest.get(thread)
        if growing is None or not key or growing.key != key:
            yield from self.close(thread)
            growing = _Growing("agent", at, thread, key, complete=False)
            self.mark(thread)
            yield from self._begin(growing)
            self._latest[thread] = growing
        self._add(growing, message, reasoning, calls)
        again = key in self._keys or key in self.counted
        growing.metrics = None if again else metrics
        yield from self._release()

    def measured(self, metrics: Metrics, thread: str = "") -> None:
        """The measurements of the open response."""
        growing = self._latest.get(thread)
        if growing is not None and growing.metrics is not None:
            growing.metrics = metrics

    def adds(self, call: ToolCall, thread: str = "") -> bool:
        """Adds a call that another one made to the open response. False without one."""
        growing = self._latest.get(thread)
        if growing is None:
            return False
        self._add(growing, "", "", (call,))
        return True

    def waits_for(self, call_id: str) -> bool:
        """Whether an open response has a call with this id."""
        return call_id in self._calls

    def returns(self, result: ToolResult, at: str = "") -> Iterator[Step]:
        """The result of a call. That of an unknown call is a message of the system."""
        growing = self._calls.get(result.call_id)
        waiting = growing.waiting.get(result.call_id) if growing is not None else None
        if growing is None or not waiting:
            yield from self.says("system", result.content, at)
            return
        growing.results.append(replace(result, call_id=waiting.popleft()))
        self._grow(growing, len(result.content))
        yield from self._release()

    def close(self, thread: str = "") -> Iterator[Step]:
        """Ends the open response of a conversation."""
        growing = self._latest.pop(thread, None)
        if growing is not None:
            growing.complete = True
            yield from self._release()

    def end(self) -> Iterator[Step]:
        """All steps that are left."""
        while self._open:
            yield self._released()

    def _begin(self, growing: _Growing) -> Iterator[Step]:
        self._open.append(growing)
        self._size += growing.size
        yield from self._release()

    def _release(self) -> Iterator[Step]:
        while self._open and (
            self._open[0].complete or self._size > _MAX_CHARACTERS or len(self._open) > _MAX_WAITING
        ):
            yield self._released()

    def _released(self) -> Step:
        growing = self._open.popleft()
        self._size -= growing.size
        if self._latest.get(growing.thread) is growing:
            del self._latest[growing.thread]
        for name in growing.waiting:
            if self._calls.get(name) is growing:
                del self._calls[name]
        if growing.key:
            self._keys.add(growing.key)
        self._number += 1
        if self._number > MAX_STEPS:
            raise ResultsRefused(self.place, f"it has more than {MAX_STEPS:,} steps")
        return growing.step(self._number, self.mark(growing.thread))

    def _add(self, growing: _Growing, message: str, reasoning: str, calls: Sequence[ToolCall]) -> None:
        growing.texts += filter(None, (message,))
        growing.thoughts += filter(None, (reasoning,))
        for call in calls:
            if len(growing.calls) >= MAX_CALLS:
                raise ResultsRefused(self.place, f"a response has more than {MAX_CALLS:,} calls")
            own = own_id(call.id, growing.calls)
            growing.calls[own] = call if own == call.id else replace(call, id=own)
            growing.waiting.setdefault(call.id, deque()).append(own)
            self._calls[call.id] = growing
        texts = (value for call in calls for value in call.arguments.values() if isinstance(value, str))
        self._grow(growing, len(message) + len(reasoning) + sum(map(len, texts)) + 500 * len(calls))

    def _grow(self, growing: _Growing, more: int) -> None:
        growing.size += more
        self._size += more

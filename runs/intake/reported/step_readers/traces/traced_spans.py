"""Responses and calls that were traced: each is a span of time, and each request repeats the conversation before it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from harness.records import Metrics, Source, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.conversations.conversation_parts import Part, Response, Returned, Said
from runs.intake.reported.step_readers.step_builder import UNKNOWN, moment

MAX_SPANS = 100_000  # of one file: they are sorted by their times
_MAX_AROUND = 5  # spans of one request


class RequestMessage(NamedTuple):
    """A message of a request that is no response: of the user, the system, or the result of a call."""

    source: Source
    text: str
    result: ToolResult | None = None


class Answer(NamedTuple):
    """What a model returned. It is false if the trace does not say it."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.reasoning.strip() or self.calls)


NO_ANSWER = Answer()


class TracedRequest(NamedTuple):
    """A request: its messages, how many earlier responses it repeats, and the last one of them."""

    messages: tuple[RequestMessage, ...] = ()
    repeated: int = 0
    last: Answer = NO_ANSWER


NO_REQUEST = TracedRequest()


@dataclass(frozen=True, slots=True)
class ResponseSpan:
    """A request to a model with its response. `begun`: in seconds since 1970; 0 if it is unknown.

    `span` and `parent` are the ids of its span and of the one around it, and `response` is that of the response, which
    its provider gave it; '' if they are unknown.
    """

    begun: float
    asked: TracedRequest = NO_REQUEST
    answer: Answer = NO_ANSWER
    metrics: Metrics = UNKNOWN
    model: str = ""
    span: str = ""
    parent: str = ""
    response: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether its tokens or dollars are known."""
        measured = self.metrics
        return (measured.prompt_tokens, measured.completion_tokens, measured.cost_usd) != (None, None, None)

    @property
    def says_something(self) -> bool:
        """Whether it says anything of the request or the response."""
        return bool(self.asked.messages or self.answer or self.is_measured)


@dataclass(frozen=True, slots=True)
class CallSpan:
    """A call of a tool with its result."""

    begun: float
    call: ToolCall
    result: ToolResult


Span = ResponseSpan | CallSpan


def too_many_spans(place: str) -> ResultsRefused:
    """The refusal of a file with more than MAX_SPANS of them."""
    return ResultsRefused(
        place, f"it has more than {MAX_SPANS:,} responses and calls: export fewer of them at once"
    )


def bounded(spans: Iterable[Span], place: str) -> list[Span]:
    """These spans in their order. Raises ResultsRefused if there are too many."""
    found: list[Span] = []
    for span in spans:
        if len(found) >= MAX_SPANS:
            raise too_many_spans(place)
        found.append(span)
    return sorted(found, key=lambda span: span.begun)


def completed(spans: Sequence[Span], closing: Callable[[], Answer] = Answer) -> list[Span]:
    """These spans in their order, each request once, with the answers that the trace does not have in its span.

    Such an answer is the one that the next request repeats in addition; for the last request, it is `closing`.
    """
    found: list[Span] = []
    following: ResponseSpan | None = None
    for span in reversed(_each_once(spans)):
        whole = span
        if isinstance(span, ResponseSpan):
            whole = span if span.answer else replace(span, answer=_later_answer(span, following, closing))
            following = span
        found.append(whole)
    return found[::-1]


def _later_answer(
    span: ResponseSpan, following: ResponseSpan | None, closing: Callable[[], Answer]
) -> Answer:
    if following is None:
        return closing()
    asked = following.asked
    return asked.last if asked.repeated == span.asked.repeated + 1 else NO_ANSWER


def _each_once(spans: Sequence[Span]) -> list[Span]:
    """The spans, with one for each request that two libraries traced, such as a framework and a client.

    These are one in another one, or have the same response by its id. Of both, the inner one or the first one counts;
    what it does not say is taken from the other one, but not from a span around several requests.
    """
    around = {span.span: span for span in spans if isinstance(span, ResponseSpan) and span.span}
    inside = Counter(span.parent for span in spans if isinstance(span, ResponseSpan))
    outer_spans: set[str] = set()
    for span in spans:
        above = (
            span.parent if isinstance(span, ResponseSpan) and not (span.span and inside[span.span]) else ""
        )
        while above in around and above not in outer_spans:
            outer_spans.add(above)
            above = around[above].parent
    found: list[Span] = []
    places: dict[str, int] = {}  # in `found`, of the responses with an id
    for span in spans:
        if not isinstance(span, ResponseSpan):
            found.append(span)
            continue
        if span.span in outer_spans:
            continue
        request, outer, depth = span, span.parent, 0
        while outer in around and inside[outer] == 1 and depth < _MAX_AROUND:
            request = _with_other(request, around[outer])
            outer, depth = around[outer].parent, depth + 1
        place = places.setdefault(request.response, len(found)) if request.response else len(found)
        if place < len(found):
            first = found[place]
            assert isinstance(first, ResponseSpan)
            found[place] = _with_other(first, request)
        else:
            found.append(request)
    return found


def _with_other(span: ResponseSpan, other: ResponseSpan) -> ResponseSpan:
    """A request with what only another span of it says."""
    says_more = not span.answer or (other.answer.calls and not span.answer.calls)
    return replace(
        span,
        asked=span.asked if span.asked.messages else other.asked,
        answer=other.answer if other.answer and says_more else span.answer,
        metrics=span.metrics if span.is_measured or not other.is_measured else other.metrics,
        model=span.model or other.model,
    )


def parts_of_spans(spans: Iterable[Span]) -> Iterator[Part]:
    """The parts of a conversation. Messages that an earlier request had are not repeated."""
    return _TracedConversation().parts(spans)


@dataclass(slots=True)
class _TracedConversation:
    seen: set[str] = field(default_factory=set)
    open: dict[str, str] = field(default_factory=dict)  # calls without a result: their names by their ids
    answered: set[str] = field(default_factory=set)
    count: int = 0
    metrics: Metrics = UNKNOWN  # of the last response
    text: str = ""  # of the last request that was one text

    def parts(self, spans: Iterable[Span]) -> Iterator[Part]:
        """The parts of these spans."""
        for span in spans:
            at = moment(span.begun) if span.begun else ""
            if isinstance(span, ResponseSpan):
                yield from self._response(span, at)
            else:
                yield from self._call(span, at)

    def _response(self, span: ResponseSpan, at: str) -> Iterator[Part]:
        for asked in self._news(span.asked.messages):
            if asked.result is not None:
                yield from self._returned(asked.result, at)
            elif self._is_new(f"{asked.source}\0{asked.text}"):
                yield Said(asked.source, asked.text, at)
        self.count += 1
        key = f"response {self.count}"
        calls = tuple(
            ToolCall(call.id or f"{key}, call {number}", call.name, call.arguments)
            for number, call in enumerate(span.answer.calls, 1)
        )
        self.open = {call.id: call.name for call in calls}
        self.metrics = span.metrics
        text, reasoning, _ = span.answer
        yield Response(text, reasoning, calls, span.metrics, at, key=key, model=span.model)

    def _news(self, messages: Sequence[RequestMessage]) -> Sequence[RequestMessage]:
        """The messages of a request. Of a conversation that a library traced as one text, only its new lines."""
        before = f"{self.text}\n"
        self.text = messages[0].text if len(messages) == 1 else ""
        is_longer = len(before) > 1 and self.text.startswith(before)
        return [messages[0]._replace(text=self.text[len(before) :])] if is_longer else messages

    def _is_new(self, text: str) -> bool:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        is_new = digest not in self.seen
        self.seen.add(digest)
        return is_new

    def _call(self, span: CallSpan, at: str) -> Iterator[Part]:
        """A call that a response announced, by its id or its name; another one is added to the response before.

        Libraries write a word before the name: `execute_tool NAME`, `running tool: NAME`.
        """
        own, named = span.call.id if span.call.id in self.open else "", span.call.name.rpartition(" ")[2]
        own = own or next((each for each, name in self.open.items() if name in (span.call.name, named)), "")
        if not own:
            self.count += not self.count
            own = span.call.id or f"call {len(self.answered) + 1}"
            call = ToolCall(own, span.call.name, span.call.arguments)
            yield Response(calls=(call,), metrics=self.metrics, at=at, key=f"response {self.count}")
            self.open[own] = span.call.name
        result = span.result
        yield from self._returned(ToolResult(own, result.content, result.ok, result.seconds), at)

    def _returned(self, result: ToolResult, at: str) -> Iterator[Part]:
        if result.call_id in self.open:
            del self.open[result.call_id]
            self.answered.add(result.call_id)
            yield Returned(result, at)

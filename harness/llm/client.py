"""Requests to language models, with retries, waits, limits, costs and errors. LiteLLM only translates."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import ModuleType
from typing import Any, NoReturn

from harness.background import begun
from harness.errors import (
    ConfigurationError,
    ContentRefused,
    ContextLimitReached,
    HarnessError,
    ModelError,
    RunRequeued,
)
from harness.limits import Ending, LimitReached, Reservation, Spending, sum_of_known
from harness.llm.provider import (
    KNOWN,
    PLACEHOLDER_KEY,
    Window,
    api_key,
    has_provider,
    input_window,
    load,
    price,
    send,
)
from harness.llm.provider_errors import Kind, failed, read_failure
from harness.llm.relay_requests import read_relayed
from harness.llm.replies import (
    MALFORMED_CALL,
    Message,
    Native,
    RawReply,
    Reply,
    Tokens,
    history_entry,
    marked_for_cache,
    read_native,
    reasoning_in,
    token_counts,
    usage_in,
    well_formed,
)
from harness.llm.spec import CallSettings, ModelSpec
from harness.llm.token_estimate import BYTES_PER_TOKEN, calibrated, size
from harness.llm.tool_calls import (
    ReadCalls,
    calls_in_text,
    looks_like_a_call,
    old_call,
    raw_calls_in,
    read_calls,
)
from harness.llm.wire import HttpResponse
from harness.records import Metrics

POLL_SECONDS = 1.0
LONGEST_WAIT = 900.0
REASON_CHARACTERS = 300
# Models that want their unsigned reasoning back beside a call; others refuse a field that they do not know.
WANT_REASONING_BACK = ("deepseek", "kimi", "moonshot", "minimax", "glm-")
# Prefixes of self-hosted servers that reject an assistant message without a text, even an empty one.
WANT_TEXT = ("openai/", "openai_like/", "custom_openai/", "hosted_vllm/", "lm_studio/", "deepseek/", "azure/")
CALLING = ("tool_calls", "function_call")  # finish reasons of a response with a tool call
MARGIN = 1.25  # an estimate of tokens is rarely further off than a quarter


@dataclass(frozen=True, slots=True)
class Bill:
    """What one call was billed for. `cost_usd` None: unknown."""

    tokens: Tokens
    cost_usd: float | None


class Client:
    """Sends requests to one model. Records every billed call, also when its response is unusable.

    `bytes_per_token` is estimated from the last billed call. Safe to use from several threads.
    """

    def __init__(self, model: ModelSpec, settings: CallSettings | None = None) -> None:
        """Raises ConfigurationError for a context window that the longest response alone would fill."""
        self.model = model
        self.settings = settings or CallSettings()
        if model.context_window and model.context_window <= self.settings.max_output_tokens:
            raise ConfigurationError(
                f"{model.name}: a context window of {model.context_window} tokens leaves no room for input beside a "
                f"response of max_output_tokens {self.settings.max_output_tokens}"
            )
        self.bytes_per_token = BYTES_PER_TOKEN
        self._random = random.Random()

    @property
    def window(self) -> Window:
        """The model's window for input."""
        return input_window(self.model, self.settings.max_output_tokens)

    @property
    def wants_reasoning(self) -> bool:
        """Whether this model wants its unsigned reasoning back beside a call."""
        return any(name in self.model.litellm_id.lower() for name in WANT_REASONING_BACK)

    @property
    def wants_text(self) -> bool:
        """Whether a message that is only a call is sent back with an empty text instead of none."""
        return self.model.litellm_id.startswith(WANT_TEXT)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]] = (),
        *,
        spending: Spending,
        attempt: int = 1,
        checkpoint: Callable[[], None] | None = None,
        waits: Callable[[str], None] | None = None,
    ) -> Reply:
        """The model's response to this conversation; charges `spending`. `attempt` changes the seed, if there is one.

        Retries temporary failures: 429, 5xx, time-outs, lost connections, responses without a choice. Waits as long as
        Retry-After says, else exponentially, never past the wall limit. `checkpoint` is called about every second
        meanwhile and may raise. Nothing is sent that could exceed the cost limit or a shared budget. `waits` is called
        with the reason for a wait, and with '' when it is over.

        Raises ModelError (refused for good, or failing after every retry), ContextLimitReached, LimitReached.
        """
        body = {
            "messages": list(messages),
            "tools": list(tools) or None,
            # The default of OpenAI's API; llama.cpp's Python server treats a missing choice as "none".
            "tool_choice": "auto" if tools else None,
            "temperature": self.settings.temperature,
            "max_tokens": self.settings.max_output_tokens,
            "reasoning_effort": self.settings.reasoning_effort,
            "seed": self._seed(attempt),
        }
        return self._retrying(body, spending, checkpoint, waits, repairing=True).reply

    def relay(
        self,
        body: Mapping[str, Any],
        *,
        spending: Spending,
        attempt: int = 1,
        checkpoint: Callable[[], None] | None = None,
        waits: Callable[[str], None] | None = None,
    ) -> RawReply:
        """The response to a chat completion request in OpenAI's format, as OpenAI would send it, and parsed.

        For an agent that builds its own requests. Retries, waits, limits and costs are those of `complete`. The model
        is this client's, whatever `body` names. Temperature, effort and seed are those of `body` where it has them. The
        response is at most as long as the settings allow.

        Raises RefusedRequest for a body that is not allowed (`relay_requests`), else what `complete` raises.
        """
        passed = read_relayed(body, max_output_tokens=self.settings.max_output_tokens)
        passed.setdefault("temperature", self.settings.temperature)
        passed.setdefault("reasoning_effort", self.settings.reasoning_effort)
        passed.setdefault("seed", self._seed(attempt))
        passed["messages"] = [self._as_wanted(message) for message in passed["messages"]]
        return self._retrying(passed, spending, checkpoint, waits, repairing=False)

    def _as_wanted(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """A message of a conversation as `history_entry` would store it for this model."""
        if message.get("role") != "assistant":
            return message
        wanted = dict(message)
        if not self.wants_reasoning:
            wanted.pop("reasoning_content", None)
        if self.wants_text and message.get("tool_calls") and message.get("content") is None:
            wanted["content"] = ""
        return wanted

    def _seed(self, attempt: int) -> int | None:
        return None if self.settings.seed is None else self.settings.seed + attempt - 1

    def _retrying(
        self,
        body: Mapping[str, Any],
        spending: Spending,
        checkpoint: Callable[[], None] | None,
        waits: Callable[[str], None] | None,
        *,
        repairing: bool,
    ) -> RawReply:
        request = _Request(
            self, body, spending, checkpoint or spending.check, waits or _ignore, repairing=repairing
        )
        try:
            while True:
                try:
                    return request.send()
                except _Passing as failure:
                    request.wait(failure)
        finally:
            request.announce("")

    def most(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Dollars that a call of so many tokens costs at most: nothing read from a cache, or all written to it."""
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
        written = {**usage, "cache_creation_input_tokens": prompt_tokens}
        prices = [price(self.model, usage), price(self.model, written)]
        return None if None in prices else max(each for each in prices if each is not None)


def _ignore(_text: str) -> None:
    """For callers that do not show waits."""


class _Passing(Exception):
    """A temporary failure; `delay` is the wait that the server requests, in seconds."""

    def __init__(self, reason: str, delay: float | None = None) -> None:
        self.delay = delay
        super().__init__(reason)


class _Request:
    """One request with all its tries.

    `repairing`: calls in unusual shapes are repaired. A relayed agent gets the response unchanged, and its records show
    what that agent saw.
    """

    def __init__(
        self,
        client: Client,
        body: Mapping[str, Any],
        spending: Spending,
        checkpoint: Callable[[], None],
        waits: Callable[[str], None],
        *,
        repairing: bool,
    ) -> None:
        self.client = client
        self.repairing = repairing
        self.settings = client.settings
        self.model = client.model
        self.body = body
        self.sent = size(body["messages"]) + size(body.get("tools") or ())
        self.spending = spending
        self.checkpoint = checkpoint
        self._waits = waits
        self._announced = ""
        self.key = api_key(client.model)
        self.billed: list[Bill] = []
        self.retries: list[str] = []
        self.waited = 0.0

    def send(self) -> RawReply:
        """One try, when the rate limit allows it. Raises _Passing when another try may help."""
        # The last billed text may have had fewer tokens per byte than the new one. A window that LiteLLM knows is a
        # bound; one that an operator states, or that is unknown, is not.
        prompt = math.ceil(MARGIN * self.sent / min(self.client.bytes_per_token, BYTES_PER_TOKEN))
        window = self.client.window
        if window.source == KNOWN:
            prompt = min(prompt, window.tokens)
        completion = self.body["max_tokens"]
        # Reserve the money first: that may take time, and a turn at the rate limit must be used at once.
        bound = self.client.most(prompt, completion)
        with self.spending.reserved(bound) as call, self._turn(prompt + completion):
            return self._try(call)

    @contextmanager
    def _turn(self, tokens: int) -> Iterator[None]:
        """Waits until the shared rate limit allows one more request of about so many tokens."""
        rates = self.spending.rates
        if rates is None:
            yield
            return
        turn = rates.take(self.model.litellm_id, tokens)
        try:
            left = self.spending.seconds_left
            if left is not None and turn.seconds >= left:
                self._give_up(
                    f"the rate limit allows the next request in {turn.seconds:.0f} s, after the end of this run"
                )
            if turn.seconds >= POLL_SECONDS:
                self.announce(f"Waiting {turn.seconds:.0f} s for the rate limit.")
            self._pause(turn.seconds)
        except BaseException:
            rates.give_back(turn)
            raise
        before = len(self.billed)
        try:
            yield
        finally:
            rates.settle(
                turn, sum(bill.tokens.prompt + bill.tokens.completion for bill in self.billed[before:])
            )

    def _try(self, call: Reservation) -> RawReply:
        litellm = load()
        left = self.spending.seconds_left
        cut_short = left is not None and left < self.settings.call_timeout
        timeout = max(0.01, left if left is not None and cut_short else self.settings.call_timeout)
        responses: list[HttpResponse] = []
        started = time.monotonic()
        call.doubtful = True  # until the outcome is known; an interrupted call stays doubtful
        try:
            response = _bounded(
                lambda: self._call_provider(timeout, responses), timeout, self._stay_unless_cancelled
            )
        except (litellm.exceptions.Timeout, TimeoutError) as error:
            if failed(responses) is not None:
                call.doubtful = False
                self._judge(litellm, error, responses)
            call.doubtful = not self._book_unread(responses)
            if cut_short:
                raise LimitReached(Ending.TIME_LIMIT, "the wall time ended in a model call") from None
            raise _Passing(f"no response within {timeout:g} s") from None
        except HarnessError:
            raise
        except (
            Exception
        ) as error:  # whatever a provider's adapter throws, it ends as one of this project's errors
            call.doubtful = not self._book_unread(responses) and _perhaps_billed(responses)
            self._judge(litellm, error, responses)
        call.doubtful = False
        reply = self._reply(response, responses, time.monotonic() - started)
        return RawReply(_as_openai(response), reply)

    def wait(self, failure: _Passing) -> None:
        """Waits before the next try. Raises ModelError when no try is left, LimitReached when none can be paid."""
        self.spending.check()
        if len(self.retries) >= self.settings.retries:
            self._give_up(f"gave up after {len(self.retries) + 1} tries: {failure}")
        if not failure.delay:  # a delay of zero, or in the past, would only be refused again
            delay = (
                self.settings.retry_delay * 2 ** len(self.retries) * self.client._random.uniform(1.0, 1.25)
            )
        else:
            delay = failure.delay
        left = self.spending.seconds_left
        if delay > LONGEST_WAIT or (left is not None and delay >= left):
            self._give_up(f"{failure}; the next try is possible in {delay:.0f} s, after the end of this run")
        self.retries.append(f"{failure}; retried after {delay:.1f} s")
        tries = f"try {len(self.retries) + 1} of {self.settings.retries + 1}"
        self.announce(f"The model did not respond ({failure}); retrying after {delay:.0f} s, {tries}.")
        self._pause(delay)

    def announce(self, text: str) -> None:
        """Reports the reason for a wait, once."""
        if text != self._announced:
            self._announced = text
            self._waits(text)

    def _stay_unless_cancelled(self) -> None:
        """The checkpoint of a call that was sent: a stopping worker still waits for the response it pays for."""
        with suppress(RunRequeued):
            self.checkpoint()

    def _pause(self, seconds: float) -> None:
        began = time.monotonic()
        try:
            while (rest := began + seconds - time.monotonic()) > 0:
                time.sleep(min(rest, POLL_SECONDS))
                self.checkpoint()
        finally:
            self.waited += time.monotonic() - began

    def _call_provider(self, timeout: float, responses: list[HttpResponse]) -> Any:
        body = dict(self.body)
        if self.settings.prompt_caching and "claude" in self.model.litellm_id.lower():
            body["messages"] = marked_for_cache(body["messages"])
        return send(self.model, body, key=self.key, timeout=timeout, responses=responses)

    def _reply(self, response: Any, responses: Sequence[HttpResponse], seconds: float) -> Reply:
        native = read_native(responses[-1].text) if responses else Native()
        usage = response.usage.model_dump(exclude_none=True) if getattr(response, "usage", None) else {}
        last = self._book(native.usage or usage, reasoning_in(responses[-1].text) if responses else None)
        if native.broken or not response.choices:
            raise _Passing(native.broken or "a response without a choice")
        self.client.bytes_per_token = calibrated(self.sent, last.prompt)
        choice = response.choices[0]
        finish = native.finish or str(choice.finish_reason or "")
        text, read = self._calls(choice.message, finish)
        if self.repairing and not read.calls and (finish in CALLING or looks_like_a_call(text)):
            finish = MALFORMED_CALL
        reasoning = native.reasoning or getattr(choice.message, "reasoning_content", None) or ""
        return Reply(
            message=text,
            reasoning=well_formed(reasoning),
            calls=read.calls,
            malformed=read.malformed,
            metrics=self._metrics(seconds, finish, read.repairs),
            prompt_tokens=last.prompt,
            history=history_entry(
                choice.message,
                text,
                read.calls,
                read.signed,
                with_reasoning=self.client.wants_reasoning,
                with_text=self.client.wants_text,
            ),
            refusal="" if read.calls else native.refusal,
        )

    def _calls(self, message: Any, finish: str) -> tuple[str, ReadCalls]:
        """The text of a response and its tool calls, repaired where `repairing` allows it."""
        text, calls, note = well_formed(message.content or ""), raw_calls_in(message), ""
        if self.repairing and not calls and (calls := old_call(message)):
            note = "the call came in the old field function_call"
        elif self.repairing and not calls:
            text, calls = calls_in_text(text, self._tools)
            note = "the server left the calls in the text" if calls else ""
        cut = f" Your answer was cut off at {self.body['max_tokens']} tokens." if finish == "length" else ""
        return text, read_calls(calls, self._tools, note=note, cut=cut)

    @property
    def _tools(self) -> dict[str, frozenset[str]]:
        """The tools that are offered, with the names of their arguments."""
        functions = [offered["function"] for offered in self.body.get("tools") or ()]
        return {
            function["name"]: frozenset((function.get("parameters") or {}).get("properties") or ())
            for function in functions
        }

    def _metrics(self, seconds: float, finish: str, repairs: Sequence[str]) -> Metrics:
        costs = [bill.cost_usd for bill in self.billed]
        tokens = [bill.tokens for bill in self.billed]
        return Metrics(
            prompt_tokens=sum(each.prompt for each in tokens),
            completion_tokens=sum(each.completion for each in tokens),
            cached_tokens=sum(each.cached for each in tokens),
            written_tokens=sum(each.written for each in tokens),
            reasoning_tokens=sum_of_known(each.reasoning for each in tokens),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
            seconds=seconds,
            waited=self.waited,
            finish_reason=finish,
            retries=tuple(self.retries),
            repairs=tuple(repairs),
        )

    def _book(self, usage: Mapping[str, Any], reasoning: int | None) -> Tokens:
        """Charges one billed call. Without usage from the provider its cost is unknown."""
        tokens = token_counts(usage)
        if reasoning is not None:
            tokens = replace(tokens, reasoning=min(reasoning, tokens.completion))
        bill = Bill(tokens, price(self.model, usage))
        self.billed.append(bill)
        self.spending.charge(
            prompt=tokens.prompt,
            completion=tokens.completion,
            cached=tokens.cached,
            reasoning=tokens.reasoning,
            cost_usd=bill.cost_usd,
        )
        return tokens

    def _book_unread(self, responses: Sequence[HttpResponse]) -> bool:
        """Charges responses that LiteLLM could not read, from the usage in their text. Returns whether any had one."""
        booked = False
        for response in responses:
            usage = usage_in(response.text)
            if usage is not None:
                self._book(usage, reasoning_in(response.text))
                booked = True
        return booked

    def _judge(self, litellm: ModuleType, error: Exception, responses: Sequence[HttpResponse]) -> NoReturn:
        """Raises this project's error for a failed call: from the response, else from LiteLLM's exception."""
        response = failed(responses)
        if response is None:
            reason = self._clean((str(error).splitlines() or [""])[0].rpartition("Exception - ")[2])
            if not responses:
                # Nothing was sent: LiteLLM cannot translate this request for the provider, and a retry would not help.
                status = HTTPStatus.BAD_REQUEST if has_provider(self.model) else 0
                self._give_up(f"{type(error).__name__}: {reason}", status)
            if responses[-1].status:
                raise _Passing(f"unreadable response: {reason}") from None
            raise _Passing(f"no response: {reason}") from None
        failure = read_failure(response)
        reason = self._clean(f"{_status(response.status)}: {failure.message}")
        if failure.kind is Kind.TOO_LONG or isinstance(error, litellm.exceptions.ContextWindowExceededError):
            raise ContextLimitReached(reason) from None
        if failure.kind is Kind.PASSES:
            raise _Passing(reason, failure.delay) from None
        if failure.kind is Kind.NOT_ALLOWED:
            raise ContentRefused(f"{self.model.name} refuses this conversation: {reason}") from None
        self._give_up(reason, response.status)

    def _clean(self, reason: str) -> str:
        """Shortens the reason and removes the API key from it."""
        if self.key and self.key != PLACEHOLDER_KEY:
            reason = reason.replace(self.key, f"${self.model.api_key_variable}")
        return well_formed(reason[:REASON_CHARACTERS])

    def _give_up(self, reason: str, status: int = 0) -> NoReturn:
        raise ModelError(f"{self.model.name}: {reason}", billed=bool(self.billed), status=status) from None


def _perhaps_billed(responses: Sequence[HttpResponse]) -> bool:
    """Whether a failed call was sent but neither refused nor billed, so that its outcome is unknown."""
    return bool(responses) and responses[-1].sent and failed(responses) is None


def _bounded(work: Callable[[], Any], seconds: float, tick: Callable[[], None]) -> Any:
    """`work()` in its own thread. After `seconds` raises TimeoutError and leaves the thread behind.

    A read time-out alone does not end a call: a server that sends a byte now and then would hold it for ever.
    """
    future = begun(work, "model-call")
    # One second more, so that the library's own time-out comes first.
    deadline = time.monotonic() + seconds + 1.0
    while not future.done():
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            return future.result(min(left, POLL_SECONDS))
        except TimeoutError:
            if not future.done():
                tick()
    return future.result()


def _as_openai(response: Any) -> dict[str, Any]:
    """A response as OpenAI would have sent it: LiteLLM's own fields that are empty left out, content always there."""
    body: dict[str, Any] = response.model_dump(mode="json", exclude_none=True)
    for choice in body.get("choices", []):
        choice["message"].setdefault("content", None)
    return body


def _status(status: int) -> str:
    """The status with its name: "429 Too Many Requests"; Anthropic's 529 has none."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)

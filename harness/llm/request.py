"""One request to a model with all its tries: retries, waits, limits, costs and errors."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from types import ModuleType
from typing import Any, NoReturn

from harness.background import POLL_SECONDS, interruptible
from harness.errors import (
    ContentRefused,
    ContextLimitReached,
    HarnessError,
    ModelError,
    RunRequeued,
)
from harness.limits import Ending, LimitReached, Reservation, Spending
from harness.llm.bills import Bills
from harness.llm.endpoint import Endpoint
from harness.llm.provider import KNOWN, PLACEHOLDER_KEY, api_key, has_provider, load, send
from harness.llm.provider_errors import Kind, failed, read_failure
from harness.llm.replies import (
    MALFORMED_CALL,
    Native,
    RawReply,
    Reply,
    history_entry,
    marked_for_cache,
    model_in,
    read_native,
    reasoning_in,
    well_formed,
)
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

MAX_WAIT = 900.0
REASON_CHARACTERS = 300
CALLING = ("tool_calls", "function_call")  # finish reasons of a response with a tool call
MARGIN = 1.25  # an estimate of tokens is rarely further off than a quarter


class _TemporaryFailure(Exception):
    """A temporary failure; `delay` is the wait that the server requests, in seconds.

    `status`: of a server's error (500 and above), which a request can cause; else 0.
    """

    def __init__(self, reason: str, delay: float | None = None, status: int = 0) -> None:
        self.delay = delay
        self.status = status if status >= HTTPStatus.INTERNAL_SERVER_ERROR else 0
        super().__init__(reason)


class ModelRequest:
    """One request with all its tries.

    `repairing`: calls in unusual shapes are repaired. A relayed agent gets the response unchanged, and its records show
    what that agent saw.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        body: Mapping[str, Any],
        spending: Spending,
        checkpoint: Callable[[], None] | None,
        waits: Callable[[str], None] | None,
        *,
        repairing: bool,
    ) -> None:
        self.endpoint = endpoint
        self.repairing = repairing
        self.settings = endpoint.settings
        self.model = endpoint.model
        self.body = body
        self.sent = size(body["messages"]) + size(body.get("tools") or ())
        self.spending = spending
        self.checkpoint = checkpoint or spending.check
        self._waits = waits
        self._announced = ""
        self.key = api_key(endpoint.model)
        self.bills = Bills(endpoint.model, spending)
        self.retries: list[str] = []
        self.waited = 0.0

    def complete(self) -> RawReply:
        """The response, after as many tries as it takes. Raises what `Client.complete` raises."""
        try:
            while True:
                try:
                    return self._send()
                except _TemporaryFailure as failure:
                    self._wait(failure)
        finally:
            self._announce("")

    def _send(self) -> RawReply:
        """One try, when the rate limit allows it. Raises _TemporaryFailure when another try may help."""
        # The last billed text may have had fewer tokens per byte than the new one. A window that LiteLLM knows is a
        # bound; one that an operator states, or that is unknown, is not.
        prompt = math.ceil(MARGIN * self.sent / min(self.endpoint.bytes_per_token, BYTES_PER_TOKEN))
        window = self.endpoint.window
        if window.source == KNOWN:
            prompt = min(prompt, window.tokens)
        completion = self.body["max_tokens"]
        # Reserve the money first: that may take time, and a turn at the rate limit must be used at once.
        bound = self.endpoint.max_cost(prompt, completion)
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
                self._announce(f"Waiting {turn.seconds:.0f} s for the rate limit.")
            self._pause(turn.seconds)
        except BaseException:
            rates.give_back(turn)
            raise
        before = self.bills.total_tokens
        try:
            yield
        finally:
            rates.settle(turn, self.bills.total_tokens - before)

    def _try(self, call: Reservation) -> RawReply:
        litellm = load()
        left = self.spending.seconds_left
        cut_short = left is not None and left < self.settings.call_timeout
        timeout = max(0.01, left if left is not None and cut_short else self.settings.call_timeout)
        responses: list[HttpResponse] = []
        started = time.monotonic()
        call.doubtful = True  # until the outcome is known; an interrupted call stays doubtful
        try:
            # A read time-out alone does not end a call: a server that sends a byte now and then would hold it for
            # ever. One second more, so that the library's own time-out comes first.
            response = interruptible(
                lambda: self._call_provider(timeout, responses),
                self._stay_unless_cancelled,
                seconds=timeout + 1.0,
            )
        except (litellm.exceptions.Timeout, TimeoutError) as error:
            if failed(responses) is not None:
                call.doubtful = False
                self._judge(litellm, error, responses)
            call.doubtful = not self.bills.book_unread(responses)
            if cut_short:
                raise LimitReached(Ending.TIME_LIMIT, "the wall time ended in a model call") from None
            raise _TemporaryFailure(f"no response within {timeout:g} s") from None
        except HarnessError:
            raise
        except Exception as error:  # any error of a provider's adapter becomes one of this project's errors
            call.doubtful = not self.bills.book_unread(responses) and _perhaps_billed(responses)
            self._judge(litellm, error, responses)
        call.doubtful = False
        reply = self._reply(response, responses, time.monotonic() - started)
        # As OpenAI would have sent it: LiteLLM's own fields that are empty left out, content always there.
        body: dict[str, Any] = response.model_dump(mode="json", exclude_none=True)
        for choice in body.get("choices", []):
            choice["message"].setdefault("content", None)
        return RawReply(body, reply)

    def _wait(self, failure: _TemporaryFailure) -> None:
        """Waits before the next try. Raises ModelError when no try is left, LimitReached when none can be paid."""
        self.spending.check()
        if len(self.retries) >= self.settings.retries:
            self._give_up(f"gave up after {len(self.retries) + 1} tries: {failure}", failure.status)
        if not failure.delay:  # a delay of zero, or in the past, would only be refused again
            delay = self.settings.retry_delay * 2 ** len(self.retries) * random.uniform(1.0, 1.25)
        else:
            delay = failure.delay
        left = self.spending.seconds_left
        if delay > MAX_WAIT or (left is not None and delay >= left):
            self._give_up(f"{failure}; the next try is possible in {delay:.0f} s, which is too late")
        self.retries.append(f"{failure}; retried after {delay:.1f} s")
        tries = f"try {len(self.retries) + 1} of {self.settings.retries + 1}"
        self._announce(f"The model did not respond ({failure}); retrying after {delay:.0f} s, {tries}.")
        self._pause(delay)

    def _announce(self, text: str) -> None:
        """Reports the reason for a wait, once."""
        if text != self._announced:
            self._announced = text
            if self._waits is not None:
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
        if self.endpoint.needs_cache_marks:
            body["messages"] = marked_for_cache(body["messages"])
        return send(self.model, body, key=self.key, timeout=timeout, responses=responses)

    def _reply(self, response: Any, responses: Sequence[HttpResponse], seconds: float) -> Reply:
        native = read_native(responses[-1].text) if responses else Native()
        usage = response.usage.model_dump(exclude_none=True) if getattr(response, "usage", None) else {}
        last = self.bills.book(native.usage or usage, reasoning_in(responses[-1].text) if responses else None)
        if native.broken or not response.choices:
            raise _TemporaryFailure(native.broken or "a response without a choice")
        self.endpoint.bytes_per_token = calibrated(self.sent, last.prompt)
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
            metrics=self.bills.metrics(
                seconds=seconds,
                waited=self.waited,
                finish=finish,
                retries=self.retries,
                repairs=read.repairs,
            ),
            prompt_tokens=last.prompt,
            history=history_entry(
                choice.message,
                text,
                read.calls,
                read.signed,
                with_reasoning=self.endpoint.wants_reasoning,
                with_text=self.endpoint.wants_text,
            ),
            refusal="" if read.calls else native.refusal,
            model=model_in(responses[-1].text) if responses else "",
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
                raise _TemporaryFailure(f"unreadable response: {reason}") from None
            raise _TemporaryFailure(f"no response: {reason}") from None
        failure = read_failure(response)
        reason = self._clean(f"{_status(response.status)}: {failure.message}")
        if failure.kind is Kind.TOO_LONG or isinstance(error, litellm.exceptions.ContextWindowExceededError):
            raise ContextLimitReached(reason) from None
        if failure.kind is Kind.TEMPORARY:
            raise _TemporaryFailure(reason, failure.delay, response.status) from None
        if failure.kind is Kind.NOT_ALLOWED:
            raise ContentRefused(f"{self.model.name} refuses this conversation: {reason}") from None
        self._give_up(reason, response.status)

    def _clean(self, reason: str) -> str:
        """Shortens the reason and removes the API key from it."""
        if self.key and self.key != PLACEHOLDER_KEY:
            reason = reason.replace(self.key, f"${self.model.api_key_variable}")
        return well_formed(reason[:REASON_CHARACTERS])

    def _give_up(self, reason: str, status: int = 0) -> NoReturn:
        raise ModelError(f"{self.model.name}: {reason}", status=status) from None


def _perhaps_billed(responses: Sequence[HttpResponse]) -> bool:
    """Whether a failed call was sent but neither refused nor billed, so that its outcome is unknown."""
    return bool(responses) and responses[-1].sent and failed(responses) is None


def _status(status: int) -> str:
    """The status with its name: "429 Too Many Requests"; Anthropic's 529 has none."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)

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
    Cause,
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
from harness.llm.provider_errors import failed, read_failure
from harness.llm.replies import (
    MALFORMED_CALL,
    Native,
    RawReply,
    Reply,
    field_of,
    history_entry,
    marked_for_cache,
    model_in,
    read_native,
    reasoning_in,
    well_formed,
)
from harness.llm.text_calls import calls_in_text, looks_like_a_call
from harness.llm.token_estimate import BYTES_PER_TOKEN, calibrated, size
from harness.llm.tool_calls import (
    ReadCalls,
    old_call,
    raw_calls_in,
    read_calls,
)
from harness.llm.wire import HttpResponse

MAX_BACKOFF = 60.0  # seconds
# A server that fails on the same request so often, with the status that its content can cause, is asked for another.
CONTENT_TRIES = 6
REASON_CHARACTERS = 300
BY_FILTERS = ("content_filter", "refusal")  # finish reasons of a response that its provider's filter stopped
CALLING = ("tool_calls", "function_call")  # finish reasons of a response with a tool call
MARGIN = 1.25  # an estimate of tokens is rarely further off than a quarter


class _TemporaryFailure(Exception):
    """A temporary failure; `delay` is the wait that the server requests, in seconds. `status`: the server's; or 0."""

    def __init__(self, reason: str, cause: Cause, delay: float | None = None, status: int = 0) -> None:
        self.cause = cause
        self.delay = delay
        self.status = status
        super().__init__(reason)


class ModelRequest:
    """One request with all its tries.

    `repairing`: calls in unusual shapes are repaired. A relayed agent gets the response unchanged, and its records show
    what that agent saw. `plain`: the request has none of the agent's content, so its content causes no failure.
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
        plain: bool = False,
    ) -> None:
        self.endpoint = endpoint
        self.repairing = repairing
        self.plain = plain
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
        self.refusals = 0
        self.waited = 0.0
        self._failures = 0

    def complete(self) -> RawReply:
        """The response, after as many tries as it takes. Raises what `Client.complete` raises."""
        try:
            while True:
                began, waited = time.monotonic(), self.waited
                try:
                    answer = self._send()
                except _TemporaryFailure as failure:
                    self._wait(failure, time.monotonic() - began - (self.waited - waited))
                except ContentRefused as error:
                    if not self._ask_again(str(error)):
                        raise
                else:
                    reply = answer.reply
                    filtered = reply.refusal and reply.metrics.finish_reason in BY_FILTERS
                    if not filtered or not self._ask_again(reply.refusal):
                        return answer
        finally:
            self._announce("")

    def _ask_again(self, refusal: str) -> bool:
        """Whether a refused request is sent once more; filters err."""
        if self.refusals >= self.settings.refusal_retries:
            return False
        self.refusals += 1
        self.retries.append(f"refused: {refusal[:REASON_CHARACTERS]}; asked again")
        return True

    def _send(self) -> RawReply:
        """One try, when the rate limit allows it. Raises _TemporaryFailure when another try may help."""
        # The last billed text may have had fewer tokens per byte than the new one. A window that LiteLLM knows is a
        # bound; one that an operator states, or that is unknown, is not.
        prompt = math.ceil(MARGIN * self.sent / min(self.endpoint.bytes_per_token, BYTES_PER_TOKEN))
        window = self.endpoint.window
        if window.source == KNOWN:
            prompt = min(prompt, window.tokens)
        completion = self.body["max_tokens"]
        self._wait_for_hold()
        # Reserve the money first: that may take time, and a turn at the rate limit must be used at once.
        bound = self.endpoint.max_cost(prompt, completion)
        with self.spending.reserved(bound) as call, self._turn(prompt + completion):
            return self._try(call)

    def _wait_for_hold(self) -> None:
        """Waits while a limit that some run met holds back the account. No money is reserved meanwhile."""
        while (held := self.spending.rates.held(self.model.account)) > 0:
            # At the end of a hold, not all workers should send at once.
            seconds = held + random.uniform(0.0, 1.0 + held / 10)
            self._wait_for_provider(seconds, "a limit that another run met")

    @contextmanager
    def _turn(self, tokens: int) -> Iterator[None]:
        """Waits until the shared rate limit allows one more request of about so many tokens."""
        rates = self.spending.rates
        turn = rates.take(self.model.litellm_id, tokens)
        try:
            if turn.seconds >= POLL_SECONDS:
                self._announce(f"Waiting {turn.seconds:.0f} s for the rate limit.")
            self._pause(turn.seconds, failing=False)
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
                return self._judge(litellm, error, responses, started)
            call.doubtful = not self.bills.book_unread(responses)
            if cut_short:
                raise LimitReached(Ending.TIME_LIMIT, "the wall time ended in a model call") from None
            raise _TemporaryFailure(f"no response within {timeout:g} s", Cause.PROVIDER) from None
        except HarnessError:
            raise
        except Exception as error:  # any error of a provider's adapter becomes one of this project's errors
            call.doubtful = not self.bills.book_unread(responses) and _perhaps_billed(responses)
            return self._judge(litellm, error, responses, started)
        call.doubtful = False
        reply = self._reply(response, responses, time.monotonic() - started)
        # As OpenAI would have sent it: LiteLLM's own fields that are empty left out, content always there.
        body: dict[str, Any] = response.model_dump(mode="json", exclude_none=True)
        for choice in body.get("choices", []):
            choice["message"].setdefault("content", None)
        return RawReply(body, reply)

    def _wait(self, failure: _TemporaryFailure, seconds: float) -> None:
        """Waits before the next try, after one of so many seconds. Raises what `_wait_for_provider` raises.

        The wait is the longer one of the server's hint and of a backoff with jitter: with hints alone, many workers
        would ask together, and a hint of a moment would be asked for again and again.
        """
        self.spending.wait_for_provider(seconds, failing=True)
        self.spending.check()
        tries = len(self.retries) + 1
        if failure.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self._failures += 1
            if self._failures >= CONTENT_TRIES and not self.plain:
                raise self._final(f"gave up after {tries} tries: {failure}", failure.status, Cause.AGENT)
        backoff = min(MAX_BACKOFF, self.settings.retry_delay * 2 ** min(len(self.retries), 20))
        delay = max(failure.delay or 0.0, backoff * random.uniform(1.0, 1.25))
        left = self.settings.patience - self.spending.failing_seconds
        if delay > left:
            hint = (
                ""
                if failure.delay is None
                else f"; its provider allows the next try in {failure.delay:.0f} s"
            )
            count = "1 try" if tries == 1 else f"{tries} tries"
            raise self._final(f"gave up after {count}: {failure}{hint}", failure.status, failure.cause)
        if failure.cause is Cause.RATE or (failure.cause is Cause.PROVIDER and failure.delay):
            self.spending.rates.hold(self.model.account, delay)
        self.retries.append(f"{failure}; retried after {delay:.1f} s")
        self._wait_for_provider(delay, str(failure))

    def _wait_for_provider(self, seconds: float, reason: str) -> None:
        """Waits, and reports why. Raises ModelError when the run has waited for as long as it may."""
        left = self.settings.patience - self.spending.failing_seconds
        if seconds > left:
            raise self._final(
                f"{reason}; the next try is possible in {seconds:.0f} s, which is too late", cause=Cause.RATE
            )
        so_far = (
            f", {duration(self.spending.failing_seconds)} so far"
            if self.spending.failing_seconds >= 1
            else ""
        )
        self._announce(
            f"Waiting for the provider{so_far}: {reason}. Next try in {duration(seconds)}; the run waits"
            f" {duration(left)} more at most."
        )
        self._pause(seconds, failing=True)

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

    def _pause(self, seconds: float, *, failing: bool) -> None:
        """Waits so long. The time does not count towards the run's."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            began = time.monotonic()
            time.sleep(min(rest, POLL_SECONDS))
            passed = time.monotonic() - began
            self.waited += passed
            self.spending.wait_for_provider(passed, failing=failing)
            self.checkpoint()

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
            raise _TemporaryFailure(native.broken or "a response without a choice", Cause.PROVIDER)
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
                repairs=(*([native.repair] if native.repair else ()), *read.repairs),
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
        text, calls, note = well_formed(field_of(message, "content") or ""), raw_calls_in(message), ""
        if self.repairing and not calls and (calls := old_call(message)):
            note = "the call came in the old field function_call"
        elif self.repairing and not calls:
            text, calls = calls_in_text(text, self._tools)
            note = "the server left the calls in the text" if calls else ""
        cut = f" Your answer was cut off at {self.body['max_tokens']} tokens." if finish == "length" else ""
        return text, read_calls(calls, self._tools, note=note, cut=cut, repairing=self.repairing)

    @property
    def _tools(self) -> dict[str, Mapping[str, Any]]:
        """The tools that are offered, with the schemas of their arguments."""
        functions = [offered["function"] for offered in self.body.get("tools") or ()]
        return {
            function["name"]: (function.get("parameters") or {}).get("properties") or {}
            for function in functions
        }

    def _judge(
        self, litellm: ModuleType, error: Exception, responses: Sequence[HttpResponse], started: float
    ) -> RawReply:
        """Raises this project's error for a failed call: from the response, else from LiteLLM's exception.

        Returns a response where only its tool call failed.
        """
        response = failed(responses)
        if response is None:
            self._judge_without_response(error, responses)
        failure = read_failure(response)
        if failure.generation is not None:
            return self._failed_call(failure.generation, time.monotonic() - started)
        reason = self._clean(f"{_status(response.status)}: {failure.message}")
        too_long = isinstance(error, litellm.exceptions.ContextWindowExceededError)
        if failure.cause is Cause.CONTEXT or (too_long and failure.cause is Cause.AGENT):
            raise ContextLimitReached(reason) from None
        if failure.temporary:
            raise _TemporaryFailure(reason, failure.cause, failure.delay, response.status) from None
        if failure.cause is Cause.REFUSED:
            raise ContentRefused(f"{self.model.name} refuses this conversation: {reason}") from None
        raise self._final(reason, response.status, failure.cause) from None

    def _judge_without_response(self, error: Exception, responses: Sequence[HttpResponse]) -> NoReturn:
        reason = self._clean((str(error).splitlines() or [""])[0].rpartition("Exception - ")[2])
        if not responses:
            # Nothing was sent: LiteLLM cannot translate this request for the provider, and a retry would not help.
            known = has_provider(self.model)
            status, cause = (HTTPStatus.BAD_REQUEST, Cause.AGENT) if known else (0, Cause.ACCOUNT)
            raise self._final(f"{type(error).__name__}: {reason}", status, cause) from None
        what = "unreadable" if responses[-1].status else "no"
        raise _TemporaryFailure(f"{what} response: {reason}", Cause.GATEWAY) from None

    def _failed_call(self, written: str, seconds: float) -> RawReply:
        """The response for a tool call that the provider itself could not read; it sends what the model wrote."""
        message = {"role": "assistant", "content": well_formed(written)}
        text, read = self._calls(message, "")
        return RawReply(
            {
                "id": "unread-call",
                "object": "chat.completion",
                "created": 0,
                "model": self.model.litellm_id,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            },
            Reply(
                message=text,
                reasoning="",
                calls=read.calls,
                malformed=read.malformed,
                metrics=self.bills.metrics(
                    seconds=seconds,
                    waited=self.waited,
                    finish="tool_calls" if read.calls else MALFORMED_CALL,
                    retries=self.retries,
                    repairs=read.repairs,
                ),
                prompt_tokens=0,
                history=history_entry(
                    message, text, read.calls, read.signed, with_text=self.endpoint.wants_text
                ),
            ),
        )

    def _clean(self, reason: str) -> str:
        """Shortens the reason and removes the API key from it."""
        if self.key and self.key != PLACEHOLDER_KEY:
            reason = reason.replace(self.key, f"${self.model.api_key_variable}")
        return well_formed(reason[:REASON_CHARACTERS])

    def _final(self, reason: str, status: int = 0, cause: Cause = Cause.PROVIDER) -> ModelError:
        return ModelError(f"{self.model.name}: {reason}", status=status, cause=cause)


def _perhaps_billed(responses: Sequence[HttpResponse]) -> bool:
    """Whether a failed call was sent but neither refused nor billed, so that its outcome is unknown."""
    return bool(responses) and responses[-1].sent and failed(responses) is None


def _status(status: int) -> str:
    """The status with its name: "429 Too Many Requests"; Anthropic's 529 has none."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def duration(seconds: float) -> str:
    """A time for people: "40 s", "3 min"."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"

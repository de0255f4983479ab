"""What one run may spend, and what it has spent; the seams to what it shares with other runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from harness.errors import HarnessError

UNKNOWN_PRICE = (
    "the price of this model is unknown, so a cost limit cannot be kept: state its prices, or set no limit"
)


class Ending(StrEnum):
    """Why a run ended. Says nothing about what it is worth: that is its outcome."""

    COMPLETED = "completed"
    ITERATION_LIMIT = "iteration_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105
    COST_LIMIT = "cost_limit"
    TIME_LIMIT = "time_limit"
    CONTEXT_LIMIT = "context_limit"
    AGENT_ERROR = "agent_error"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"


class LimitReached(HarnessError):
    """A limit stands in the way of the next step; `ending` names which."""

    def __init__(self, ending: Ending, message: str) -> None:
        self.ending = ending
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of one run. None: no ceiling. The iterations are IDE-Bench's (appendix F.3).

    `grade_repeats`: how often the tests run on what the agent left behind, to catch flaky ones.
    """

    iterations: int | None = 100
    tokens: int | None = None
    cost_usd: float | None = None
    wall_seconds: float | None = 3600.0
    grade_repeats: int = 1


class Ledger(Protocol):
    """A budget that several runs share, in dollars. One ledger object serves one run, from several threads.

    Around every try of a model call come, in this order: `reserve`; the call; `charge`, once for each bill that it
    brought, good answer or not; `release`. A worker that dies in between leaves its reservation to the implementation:
    its call is as doubtful as one that never got an answer.
    None stands for a cost that nobody knows.
    """

    def reserve(self, upper_bound_usd: float | None) -> None:
        """Sets aside what the next call may cost at most.

        Raises LimitReached, with the ending that fits, when the budget does not hold it; nothing is set aside then.
        """

    def charge(self, cost_usd: float | None) -> None:
        """Books what one call cost."""

    def release(self, upper_bound_usd: float | None, *, doubtful: bool) -> None:
        """Gives back what `reserve` set aside; a `doubtful` call, which may have been billed, keeps it taken."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A place in the queue of those who ask one model's provider; `seconds` from now is when it comes."""

    seconds: float
    key: str = ""


class RateLimiter(Protocol):
    """How fast all workers together may ask a provider: requests and tokens a minute. Used from several threads.

    Before every try of a model call a turn is taken, and waited for; then the call is made. Afterwards `settle` says
    how many tokens it really was, or `give_back` that it never was.
    """

    def take(self, model: str, tokens: int) -> Turn:
        """A turn for a request of about so many tokens (prompt and answer) to `model`, a LiteLLM id. Never raises."""

    def settle(self, turn: Turn, tokens: int) -> None:
        """Corrects the tokens of a turn that was used."""

    def give_back(self, turn: Turn) -> None:
        """Forgets a turn that was not used."""


@dataclass(slots=True)
class Reservation:
    """Room for one model call. `doubtful`: it was sent, and nobody knows whether it was billed."""

    doubtful: bool = False


def sum_of_known(counts: Iterable[int | None]) -> int | None:
    """The sum of those that are known; None when none is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


@dataclass(slots=True)
class Spending:
    """Running totals of one run, checked against its limits before more is spent.

    `cost_usd` turns None, for good, with the first call whose price is unknown: an unknown sum is not a small one.
    `reasoning_tokens` is what those calls say that tell it, None while none does. `doubtful_usd` is what calls without
    an answer may have cost at most: no part of `cost_usd`, but no limit is kept without it.
    `ledger` and `rates` are what the run shares with others, if anything. Safe to charge from several threads.
    """

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    ledger: Ledger | None = None
    rates: RateLimiter | None = None
    iterations: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int | None = None
    cost_usd: float | None = 0.0
    doubtful_usd: float = 0.0
    started: float = field(init=False)
    _reserved: float = field(default=0.0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def start(self) -> None:
        """Lets the wall time begin now."""
        self.started = self.clock()

    def lower(self, *, iterations: int | None) -> None:
        """Allows no more than so many iterations; None, or more than are allowed already, changes nothing."""
        allowed = [each for each in (iterations, self.limits.iterations) if each is not None]
        self.limits = replace(self.limits, iterations=min(allowed, default=None))

    @property
    def seconds_left(self) -> float | None:
        """Wall time until the limit; None without one."""
        if self.limits.wall_seconds is None:
            return None
        return self.limits.wall_seconds - (self.clock() - self.started)

    def check(self) -> None:
        """Raises LimitReached when one more step is not allowed. Call it before a step."""
        limits = self.limits
        if limits.iterations is not None and self.iterations >= limits.iterations:
            raise LimitReached(Ending.ITERATION_LIMIT, f"{self.iterations} iterations used")
        tokens = self.prompt_tokens + self.completion_tokens
        if limits.tokens is not None and tokens >= limits.tokens:
            raise LimitReached(Ending.TOKEN_LIMIT, f"{tokens} of {limits.tokens} tokens used")
        if limits.cost_usd is not None:
            if self.cost_usd is None:
                raise LimitReached(Ending.COST_LIMIT, UNKNOWN_PRICE)
            if self.cost_usd >= limits.cost_usd:
                raise LimitReached(Ending.COST_LIMIT, f"${self.cost_usd:.4f} of ${limits.cost_usd:.4f} spent")
        if self.seconds_left is not None and self.seconds_left <= 0:
            raise LimitReached(Ending.TIME_LIMIT, f"{limits.wall_seconds:.0f} s are over")

    @contextmanager
    def reserved(self, upper_bound_usd: float | None) -> Iterator[Reservation]:
        """Room for one model call that costs so much at most (None: nobody knows); charge, or call it doubtful, within.

        Raises LimitReached before anything is sent when the run's cost limit, or the budget that it shares with other
        runs, might not hold the call. So neither is ever exceeded, but by as much as the bound was wrong.
        """
        self._set_aside(upper_bound_usd)
        call = Reservation()
        try:
            if self.ledger is None:
                yield call
                return
            self.ledger.reserve(upper_bound_usd)
            try:
                yield call
            finally:
                self.ledger.release(upper_bound_usd, doubtful=call.doubtful)
        finally:
            with self._lock:
                self._reserved -= upper_bound_usd or 0.0
                self.doubtful_usd += (upper_bound_usd or 0.0) if call.doubtful else 0.0

    def charge(
        self,
        *,
        prompt: int,
        completion: int,
        cached: int = 0,
        reasoning: int | None = None,
        cost_usd: float | None,
    ) -> None:
        """Books one billed model call, good answer or not. `prompt` includes `cached`, `completion` `reasoning`."""
        with self._lock:
            self.prompt_tokens += prompt
            self.completion_tokens += completion
            self.cached_tokens += cached
            self.reasoning_tokens = sum_of_known((self.reasoning_tokens, reasoning))
            if cost_usd is None or self.cost_usd is None:
                self.cost_usd = None
            else:
                self.cost_usd += cost_usd
        if self.ledger is not None:
            self.ledger.charge(cost_usd)

    def _set_aside(self, upper_bound_usd: float | None) -> None:
        limit = self.limits.cost_usd
        with self._lock:
            if limit is not None:
                if upper_bound_usd is None or self.cost_usd is None:
                    raise LimitReached(Ending.COST_LIMIT, UNKNOWN_PRICE)
                if self.cost_usd + self.doubtful_usd + self._reserved + upper_bound_usd > limit:
                    doubt = f", ${self.doubtful_usd:.4f} perhaps for calls without an answer"
                    raise LimitReached(
                        Ending.COST_LIMIT,
                        f"${self.cost_usd:.4f} of ${limit:.4f} spent{doubt if self.doubtful_usd else ''}, and the next"
                        f" model call may cost ${upper_bound_usd:.4f}",
                    )
            self._reserved += upper_bound_usd or 0.0

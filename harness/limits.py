"""The limits of one run and its spending, and the interfaces to the limits that several runs share."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from harness.errors import HarnessError

UNKNOWN_PRICE = (
    "the price of this model is unknown, so a cost limit is not possible: state its prices, or set no limit"
)

_Number = TypeVar("_Number", int, float)


class Ending(StrEnum):
    """Why a run ended. Its result is its outcome, not its ending."""

    COMPLETED = "completed"
    ITERATION_LIMIT = "iteration_limit"
    TOOL_LIMIT = "tool_limit"
    SUBMISSION_LIMIT = "submission_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105
    COST_LIMIT = "cost_limit"
    TIME_LIMIT = "time_limit"
    CONTEXT_LIMIT = "context_limit"
    OUTPUT_LIMIT = "output_limit"
    FILE_LIMIT = "file_limit"
    AGENT_ERROR = "agent_error"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"


class LimitReached(HarnessError):
    """A limit does not allow the next step. `ending`: which limit."""

    def __init__(self, ending: Ending, message: str) -> None:
        self.ending = ending
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run. None: no limit. The default for iterations is IDE-Bench's (appendix F.3).

    `grade_repeats`: how often the tests run for the grade, to detect flaky tests. `tool_uses` and `submissions` are the
    budgets of Breakpoint (section 4, appendix A): how many calls of tools are made, and how many of them may submit
    code to the hidden tests. A submission is a tool use as well. Profiles of agents set them; see `profile.PROFILES`.
    """

    iterations: int | None = 100
    tokens: int | None = None
    cost_usd: float | None = None
    wall_seconds: float | None = 3600.0
    grade_repeats: int = 1
    tool_uses: int | None = None
    submissions: int | None = None

    def stored(self) -> dict[str, Any]:
        """All limits by name, for records; those that only some agents have are left out if they are not set."""
        return {
            name: value
            for name, value in asdict(self).items()
            if name not in _OF_SOME_AGENTS or value is not None
        }


_OF_SOME_AGENTS = ("tool_uses", "submissions")


# Named limits. IDE-Bench names no limit of time; its longest run took 326 minutes (Table 10).
DEFAULT_LIMITS = "default"
LIMIT_PROFILES: Mapping[str, Limits] = {DEFAULT_LIMITS: Limits(), "paper": Limits(wall_seconds=21_600.0)}


class Ledger(Protocol):
    """A budget in dollars that several runs share. Each run has its own ledger object and uses it from several threads.

    Every try of a model call is, in this order: `reserve`; the call; `charge`, once for each billed response, valid or
    not; `release`. If a worker dies in between, the implementation handles its reservation like that of a doubtful
    call, which has no response. None is an unknown cost.
    """

    def reserve(self, upper_bound_usd: float | None) -> None:
        """Reserves the upper bound of the next call's cost.

        Raises LimitReached with the right ending, and reserves nothing, if the budget is too small.
        """

    def charge(self, cost_usd: float | None) -> None:
        """Books the cost of one call."""

    def release(self, upper_bound_usd: float | None, *, doubtful: bool) -> None:
        """Releases the amount of `reserve`. For a `doubtful` call, which may have been billed, it stays reserved."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A position in the queue for one model's provider. `seconds`: how long the caller must wait for it."""

    seconds: float
    key: str = ""


class RateLimiter(Protocol):
    """The requests and tokens a minute that all workers together may send to a provider. Thread-safe.

    Every try of a model call takes a turn and waits for it. After the call, `settle` reports its actual tokens;
    `give_back` returns a turn without a call. When a provider refuses a request for now, `hold` keeps all workers from
    sending to that account for so many seconds, and `held` says how many are left.
    """

    def take(self, model: str, tokens: int) -> Turn:
        """A turn for a request of about `tokens` (prompt and response) to `model`, a LiteLLM id. Never raises."""

    def settle(self, turn: Turn, tokens: int) -> None:
        """Corrects the tokens of a used turn."""

    def give_back(self, turn: Turn) -> None:
        """Removes an unused turn."""

    def hold(self, account: str, seconds: float) -> None:
        """Holds back all requests to this account for so long. A longer hold that exists stays."""

    def held(self, account: str) -> float:
        """The seconds for which requests to this account are held back; 0 without a hold. Never raises."""


class LocalRates:
    """A `RateLimiter` without limits, whose holds are those of this process."""

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}
        self._lock = threading.Lock()

    def take(self, model: str, tokens: int) -> Turn:  # noqa: ARG002
        """A turn at once."""
        return Turn(0.0)

    def settle(self, turn: Turn, tokens: int) -> None:
        """Nothing is counted."""

    def give_back(self, turn: Turn) -> None:
        """Nothing is counted."""

    def hold(self, account: str, seconds: float) -> None:
        """Holds back requests of this process."""
        end = time.monotonic() + seconds
        with self._lock:
            self._ends[account] = max(end, self._ends.get(account, end))

    def held(self, account: str) -> float:
        """The seconds that are left."""
        with self._lock:
            return max(0.0, self._ends.get(account, 0.0) - time.monotonic())


LOCAL_RATES = LocalRates()


@dataclass(slots=True)
class Reservation:
    """The reservation of one model call. `doubtful`: it was sent, but it is unknown whether it was billed."""

    doubtful: bool = False


def smaller(own: _Number | None, other: _Number | None) -> _Number | None:
    """The smaller of two limits. None: no limit."""
    return min((each for each in (own, other) if each is not None), default=None)


def sum_of_known(counts: Iterable[int | None]) -> int | None:
    """The sum of the known counts; None if all are None."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


@dataclass(slots=True)
class Spending:
    """The running totals of one run, which are checked against its limits before every call.

    `tool_uses` are the calls of tools that were answered, valid or not; `submissions` those that ran the hidden tests.
    `cost_usd` stays None after the first call with an unknown price. `reasoning_tokens` is the sum over the calls that
    report them, None if none does. `doubtful_usd` is the upper bound for calls without a response: it is not part of
    `cost_usd`, but counts towards the limits. `ledger` and `rates` are shared with other runs. Thread-safe.

    `waited_seconds` is the time in which the run could send no request: failed tries of its provider, the pauses after
    them, and its turns at the rate limit. It is not part of the wall time. `failing_seconds` is the part of it for
    which its provider is to blame.
    """

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    ledger: Ledger | None = None
    rates: RateLimiter = LOCAL_RATES
    iterations: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int | None = None
    cost_usd: float | None = 0.0
    doubtful_usd: float = 0.0
    tool_uses: int = 0
    submissions: int = 0
    waited_seconds: float = 0.0
    failing_seconds: float = 0.0
    started: float = field(init=False)
    _deadline: float | None = field(default=None, init=False)
    _reserved: float = field(default=0.0, init=False)
    _waited_until: float = field(default=-math.inf, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def start(self, passed: float = 0.0) -> None:
        """Starts the wall time, of which so many seconds have passed already."""
        self.started = self.clock() - passed

    def lower(
        self,
        *,
        iterations: int | None = None,
        tool_uses: int | None = None,
        submissions: int | None = None,
        wall_seconds: float | None = None,
    ) -> None:
        """Lowers limits to an agent's own. None, or a higher number, changes nothing."""
        limits = self.limits
        self.limits = replace(
            limits,
            iterations=smaller(iterations, limits.iterations),
            tool_uses=smaller(tool_uses, limits.tool_uses),
            submissions=smaller(submissions, limits.submissions),
            wall_seconds=smaller(wall_seconds, limits.wall_seconds),
        )

    def set_deadline(self, seconds: float | None) -> None:
        """Ends the time in `seconds`, unless the wall time ends earlier; None removes this deadline."""
        self._deadline = None if seconds is None else self.clock() + seconds

    def leave_out(self, seconds: float) -> None:
        """Does not count so many seconds that have passed towards the wall time."""
        self.started += seconds

    def wait_for_provider(self, seconds: float, *, failing: bool) -> None:
        """Books so many seconds that have passed without an answer. They do not count towards the time of the run.

        `failing`: the provider is to blame, not a limit of one's own.
        """
        with self._lock:
            now = self.clock()
            # Of requests that wait at the same time, each moment counts once.
            seconds = max(0.0, now - max(now - seconds, self._waited_until))
            self._waited_until = now
            self.waited_seconds += seconds
            self.failing_seconds += seconds if failing else 0.0
            self.started += seconds
            if self._deadline is not None:
                self._deadline += seconds

    @property
    def seconds_left(self) -> float | None:
        """Time until the wall time or the deadline ends; None without both."""
        now, wall = self.clock(), self.limits.wall_seconds
        ends = [] if wall is None else [self.started + wall]
        ends += [] if self._deadline is None else [self._deadline]
        return min(ends) - now if ends else None

    def check_time(self) -> None:
        """Raises LimitReached if the time is over."""
        left, now = self.seconds_left, self.clock()
        if left is None or left > 0:
            return
        if self._deadline is not None and self._deadline <= now:
            raise LimitReached(Ending.TIME_LIMIT, "the time of this turn is over")
        raise LimitReached(Ending.TIME_LIMIT, f"the wall time of {self.limits.wall_seconds:g} s is over")

    def check(self) -> None:
        """Raises LimitReached if no further step is allowed. Call it before every step."""
        limits = self.limits
        if limits.iterations is not None and self.iterations >= limits.iterations:
            raise LimitReached(Ending.ITERATION_LIMIT, f"{self.iterations} iterations used")
        # Submissions come first: who has used all of them had the whole budget.
        if self.submissions_left == 0:
            raise LimitReached(Ending.SUBMISSION_LIMIT, f"{self.submissions} submissions used")
        if self.tool_uses_left == 0:
            raise LimitReached(Ending.TOOL_LIMIT, f"{self.tool_uses} tool uses used")
        tokens = self.prompt_tokens + self.completion_tokens
        if limits.tokens is not None and tokens >= limits.tokens:
            raise LimitReached(Ending.TOKEN_LIMIT, f"{tokens} of {limits.tokens} tokens used")
        if limits.cost_usd is not None:
            if self.cost_usd is None:
                raise LimitReached(Ending.COST_LIMIT, UNKNOWN_PRICE)
            if self.cost_usd >= limits.cost_usd:
                raise LimitReached(Ending.COST_LIMIT, f"${self.cost_usd:.4f} of ${limits.cost_usd:.4f} spent")
        self.check_time()

    @property
    def tool_uses_left(self) -> int | None:
        """How many tools may still be called; None without a limit."""
        most = self.limits.tool_uses
        return None if most is None else max(0, most - self.tool_uses)

    @property
    def submissions_left(self) -> int | None:
        """How often code may still be submitted; None without a limit. Each submission is a tool use, too."""
        most = self.limits.submissions
        return None if most is None else max(0, most - self.submissions)

    @contextmanager
    def reserved(self, upper_bound_usd: float | None) -> Iterator[Reservation]:
        """Reserves the cost of one model call (None: unknown). Charge it, or mark it as doubtful, inside the context.

        Raises LimitReached before the call if it might exceed the run's cost limit or the shared budget. So both are
        only exceeded if the bound was too low.
        """
        limit = self.limits.cost_usd
        with self._lock:
            if limit is not None:
                if upper_bound_usd is None or self.cost_usd is None:
                    raise LimitReached(Ending.COST_LIMIT, UNKNOWN_PRICE)
                if self.cost_usd + self.doubtful_usd + self._reserved + upper_bound_usd > limit:
                    doubt = f", perhaps ${self.doubtful_usd:.4f} for calls without a response"
                    raise LimitReached(
                        Ending.COST_LIMIT,
                        f"${self.cost_usd:.4f} of ${limit:.4f} spent{doubt if self.doubtful_usd else ''}, and the next"
                        f" model call may cost ${upper_bound_usd:.4f}",
                    )
            self._reserved += upper_bound_usd or 0.0
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
        """Books one billed model call, valid or not. `prompt` includes `cached`, `completion` includes `reasoning`."""
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

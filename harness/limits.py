"""What one run may spend, and what it has spent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from harness.errors import HarnessError


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
    """Ceilings of one run. None: no ceiling. The iterations are IDE-Bench's (appendix F.3)."""

    iterations: int | None = 100
    tokens: int | None = None
    cost_usd: float | None = None
    wall_seconds: float | None = 3600.0


@dataclass(slots=True)
class Spending:
    """Running totals of one run, checked against its limits before more is spent.

    `cost_usd` turns None, for good, with the first call whose price is unknown: an unknown sum is not a small one.
    """

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    iterations: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

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
                raise LimitReached(Ending.COST_LIMIT, "the price of this model is unknown")
            if self.cost_usd >= limits.cost_usd:
                raise LimitReached(Ending.COST_LIMIT, f"${self.cost_usd:.4f} of ${limits.cost_usd:.4f} spent")
        if self.seconds_left is not None and self.seconds_left <= 0:
            raise LimitReached(Ending.TIME_LIMIT, f"{limits.wall_seconds:.0f} s are over")

    def charge(self, *, prompt: int, completion: int, cached: int = 0, cost_usd: float | None) -> None:
        """Books one billed model call, good answer or not. `prompt` includes `cached`."""
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.cached_tokens += cached
        if cost_usd is None or self.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += cost_usd

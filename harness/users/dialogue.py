"""One conversation of a user and an agent: its limits, its end, and what the user spent."""

from __future__ import annotations

import time
from collections.abc import Callable

from harness.dataset import Workflow
from harness.errors import AgentError, ContextLimitReached
from harness.limits import Ending, LimitReached, Spending
from harness.records import UserEnding, UserSummary, UserTurn
from harness.users.base import AgentTurn, Answer, User


class Dialogue:
    """Counts messages and time. `history`: each message of the user with the agent's answer to it.

    `seconds`: how long the user took for its answers, all together.
    `restarted_each_turn`: the agent stores no conversation, and was restarted with the messages so far.
    """

    def __init__(
        self, workflow: Workflow, user: User, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.workflow = workflow
        self.user = user
        self.history: list[tuple[str, str]] = []
        self._said = workflow.first_message
        self.seconds = 0.0
        self.ending: UserEnding | None = None
        self.restarted_each_turn = False
        self._recorded: tuple[int, int, float | None, float] = (0, 0, 0.0, 0.0)
        self._clock = clock
        self._began = clock()

    @property
    def messages(self) -> int:
        """The number of the user's messages so far, with the first one."""
        return len(self.history) + 1

    def begin(self, spending: Spending) -> None:
        """Starts the time of the conversation and of the agent's first turn."""
        self._began = self._clock()
        self._start_turn(spending)

    def answer(
        self,
        turn: AgentTurn,
        spending: Spending,
        *,
        interrupt: Callable[[], None],
        waits: Callable[[str], None],
    ) -> Answer:
        """The user's answer to the agent's turn, within the limits. The agent's `spending` does not include it.

        Raises LimitReached if the user's model reaches the deadline or the budget.
        """
        if self.messages >= self.workflow.limits.messages:
            self.ending = UserEnding.MESSAGE_LIMIT
            return Answer(None, f"the user may send {self.messages} messages", self.ending)
        spending.set_deadline(None)
        self.user.spending.set_deadline(max(0.0, self._scenario_left()))
        began = self._clock()
        try:
            answer = self.user.answer(turn, interrupt=interrupt, waits=waits)
        finally:
            took = self._clock() - began
            self.seconds += took
            spending.leave_out(took)
        if answer.message is None:
            self.ending = answer.ending
        else:
            self.history.append((self._said, turn.message))
            self._said = answer.message
            self._start_turn(spending)
        return answer

    def record(self, answer: Answer, step_id: int) -> UserTurn:
        """The record of an answer, with what it cost: the user's spending since the previous one."""
        spent, (prompt, completion, cost, seconds) = self.user.spending, self._recorded
        self._recorded = (spent.prompt_tokens, spent.completion_tokens, spent.cost_usd, self.seconds)
        return UserTurn(
            step_id=step_id,
            model=self.user.model,
            prompt_tokens=spent.prompt_tokens - prompt,
            completion_tokens=spent.completion_tokens - completion,
            cost_usd=None if cost is None or spent.cost_usd is None else spent.cost_usd - cost,
            seconds=round(self.seconds - seconds, 6),
            asks=answer.asks,
            reason=answer.reason,
            checks=answer.checks,
            rejected=answer.rejected,
            unchecked=answer.unchecked,
        )

    def stopped(self, error: LimitReached | ContextLimitReached | AgentError) -> None:
        """Sets the ending of a conversation that a limit or the agent's fault ended."""
        if isinstance(error, AgentError):
            self.ending = UserEnding.AGENT_ERROR
        elif not isinstance(error, LimitReached) or error.ending is not Ending.TIME_LIMIT:
            self.ending = UserEnding.RUN_LIMIT
        elif self._scenario_left() <= 0:
            self.ending = UserEnding.SCENARIO_TIMEOUT
        else:
            self.ending = UserEnding.TURN_TIMEOUT

    def summary(self) -> UserSummary:
        """What the run's summary says about the user."""
        spent = self.user.spending
        return UserSummary(
            model=self.user.model,
            persona=self.workflow.persona,
            messages=self.messages,
            ending=self.ending,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            cost_usd=spent.cost_usd,
            seconds=self.seconds,
            restarted_each_turn=self.restarted_each_turn,
        )

    def _start_turn(self, spending: Spending) -> None:
        spending.set_deadline(min(self.workflow.limits.turn_seconds, max(0.0, self._scenario_left())))

    def _scenario_left(self) -> float:
        return self.workflow.limits.scenario_seconds - (self._clock() - self._began)

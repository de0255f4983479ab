from __future__ import annotations

import pytest

from harness.limits import Ending, LimitReached, Limits, Spending


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def ending(spending: Spending) -> Ending | None:
    try:
        spending.check()
    except LimitReached as limit:
        return limit.ending
    return None


def test_iterations_end_at_their_number() -> None:
    spending = Spending(Limits(iterations=2))
    assert ending(spending) is None
    spending.iterations = 2
    assert ending(spending) is Ending.ITERATION_LIMIT


@pytest.mark.parametrize(
    ("uses", "submissions", "expected"),
    [
        (15, 3, None),
        (16, 3, Ending.TOOL_LIMIT),
        (15, 4, Ending.SUBMISSION_LIMIT),
        (16, 4, Ending.SUBMISSION_LIMIT),
        (99, 0, Ending.TOOL_LIMIT),
    ],
)
def test_tool_uses_and_submissions_end_at_their_numbers(
    uses: int, submissions: int, expected: Ending | None
) -> None:
    spending = Spending(Limits(tool_uses=16, submissions=4))
    spending.tool_uses, spending.submissions = uses, submissions
    assert ending(spending) is expected
    assert spending.tool_uses_left == max(0, 16 - uses)
    assert spending.submissions_left == 4 - submissions


def test_an_agents_own_limits_only_lower_those_of_its_run() -> None:
    spending = Spending(Limits(iterations=100, wall_seconds=500.0, tool_uses=8))
    spending.lower(iterations=20, wall_seconds=600.0, tool_uses=16, submissions=4)
    assert spending.limits == Limits(iterations=20, wall_seconds=500.0, tool_uses=8, submissions=4)
    spending.lower()
    assert (spending.limits.iterations, spending.tool_uses_left, spending.submissions_left) == (20, 8, 4)


def test_limits_that_only_some_agents_have_are_stored_where_they_are_set() -> None:
    stored = {"iterations": 100, "tokens": None, "cost_usd": None, "wall_seconds": 3600.0, "grade_repeats": 1}
    assert Limits().stored() == stored
    assert Limits(tool_uses=16).stored() == {**stored, "tool_uses": 16}


def test_prompt_and_completion_tokens_count_together() -> None:
    spending = Spending(Limits(tokens=100))
    spending.charge(prompt=60, completion=39, cached=50, cost_usd=0.0)
    assert ending(spending) is None
    spending.charge(prompt=1, completion=0, cost_usd=0.0)
    assert ending(spending) is Ending.TOKEN_LIMIT
    assert (spending.prompt_tokens, spending.completion_tokens, spending.cached_tokens) == (61, 39, 50)


def test_reasoning_tokens_are_the_sum_of_the_reported_ones_and_unknown_without_any() -> None:
    spending = Spending(Limits())
    spending.charge(prompt=1, completion=9, cost_usd=0.0)
    reported = [spending.reasoning_tokens]
    for reasoning in (0, 7, None):
        spending.charge(prompt=1, completion=9, reasoning=reasoning, cost_usd=0.0)
        reported.append(spending.reasoning_tokens)
    assert reported == [None, 0, 7, 7]


def test_cost_ends_a_run_when_the_budget_is_spent() -> None:
    spending = Spending(Limits(cost_usd=0.5))
    spending.charge(prompt=1, completion=1, cost_usd=0.25)
    assert ending(spending) is None
    spending.charge(prompt=1, completion=1, cost_usd=0.25)
    assert ending(spending) is Ending.COST_LIMIT


def test_an_unknown_price_stays_unknown_and_fits_no_budget() -> None:
    spending = Spending(Limits(cost_usd=0.5))
    spending.charge(prompt=1, completion=1, cost_usd=None)
    spending.charge(prompt=1, completion=1, cost_usd=0.1)
    assert spending.cost_usd is None
    assert ending(spending) is Ending.COST_LIMIT


def test_an_unknown_price_is_no_matter_without_a_budget() -> None:
    spending = Spending(Limits())
    spending.charge(prompt=1, completion=1, cost_usd=None)
    assert ending(spending) is None


def test_time_runs_from_the_beginning() -> None:
    clock = Clock()
    spending = Spending(Limits(wall_seconds=10.0), clock)
    clock.now = 109.5
    assert (spending.seconds_left, ending(spending)) == (0.5, None)
    clock.now = 110.0
    assert ending(spending) is Ending.TIME_LIMIT


def test_without_ceilings_nothing_ends() -> None:
    spending = Spending(Limits(iterations=None, wall_seconds=None))
    spending.iterations = 10**6
    assert spending.seconds_left is spending.tool_uses_left is spending.submissions_left is None
    assert ending(spending) is None


def test_the_message_names_what_was_used() -> None:
    spending = Spending(Limits(cost_usd=1.0))
    spending.charge(prompt=1, completion=1, cost_usd=1.25)
    with pytest.raises(LimitReached, match=r"\$1\.2500 of \$1\.0000 spent"):
        spending.check()


class TestReserving:
    def test_a_call_that_might_break_the_cost_limit_is_refused_before_it_is_made(self) -> None:
        spending = Spending(Limits(cost_usd=0.5))
        spending.charge(prompt=1, completion=1, cost_usd=0.25)
        with spending.reserved(0.25):
            pass
        with (
            pytest.raises(LimitReached, match=r"^\$0\.2500 of \$0\.5000 spent, and the next") as caught,
            spending.reserved(0.2501),
        ):
            pytest.fail("it was made")
        assert caught.value.ending is Ending.COST_LIMIT

    def test_calls_at_the_same_time_share_the_limit(self) -> None:
        spending = Spending(Limits(cost_usd=0.5))
        with (
            spending.reserved(0.25),
            spending.reserved(0.25),
            pytest.raises(LimitReached),
            spending.reserved(0.01),
        ):
            pytest.fail("it was made")
        with spending.reserved(0.5):
            pass

    def test_a_call_without_a_response_counts_with_its_maximum_but_not_as_spent(self) -> None:
        spending = Spending(Limits(cost_usd=0.5))
        with spending.reserved(0.25) as call:
            call.doubtful = True
        assert (spending.cost_usd, spending.doubtful_usd) == (0.0, 0.25)
        with spending.reserved(0.25):
            pass
        message = (
            r"^\$0\.0000 of \$0\.5000 spent, perhaps \$0\.2500 for calls without a response, and the next"
        )
        with pytest.raises(LimitReached, match=message), spending.reserved(0.26):
            pytest.fail("it was made")

    def test_an_unknown_price_fits_no_cost_limit(self) -> None:
        with (
            pytest.raises(LimitReached, match="the price of this model is unknown"),
            Spending(Limits(cost_usd=0.5)).reserved(None),
        ):
            pytest.fail("it was made")

    def test_without_a_limit_any_price_will_do(self) -> None:
        spending = Spending(Limits())
        with spending.reserved(None), spending.reserved(1e9):
            pass

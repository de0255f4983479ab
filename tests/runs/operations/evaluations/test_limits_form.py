"""Attempts, budget and limits: the admin's page and the shell offer the same ones, from one form."""

from __future__ import annotations

from argparse import ArgumentParser
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from harness.limits import LIMIT_PROFILES, Limits
from runs.models import Evaluation
from runs.operations.evaluations.limits_form import LimitsForm, add_options, from_options, option_errors
from runs.operations.evaluations.start_form import StartForm
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny

LIMITS = tuple(Limits().stored())  # without those that agents set


def read(*words: str) -> LimitsForm:
    """What these words of a command line become."""
    parser = ArgumentParser()
    add_options(parser)
    return from_options(vars(parser.parse_args(words)))


def test_page_and_shell_offer_every_limit_that_there_is() -> None:
    assert LimitsForm.of_each_run == LIMITS
    assert set(LimitsForm.base_fields) == {"attempts", "budget_usd", *LIMITS}
    assert {*LimitsForm.base_fields} < {*StartForm.base_fields}


def test_nothing_said_means_the_harness_s_own_limits() -> None:
    form = read()
    assert form.is_valid()
    assert form.limits() == Limits()
    assert (form.cleaned_data["attempts"], form.cleaned_data["budget_usd"]) == (1, None)


def test_none_takes_a_limit_away() -> None:
    form = read("--iterations", "none", "--wall-seconds", "none", "--tokens", "500", "--cost-usd", "0.5")
    assert form.is_valid()
    assert form.limits() == Limits(iterations=None, tokens=500, cost_usd=0.5, wall_seconds=None)


def test_a_profile_sets_the_limits_that_no_option_sets() -> None:
    form = read("--limits", "paper")
    assert form.is_valid()
    assert form.limits() == LIMIT_PROFILES["paper"] == Limits(iterations=100, wall_seconds=21_600.0)
    form = read("--limits", "paper", "--iterations", "none", "--tokens", "9")
    assert form.is_valid()
    assert form.limits() == Limits(iterations=None, tokens=9, wall_seconds=21_600.0)


def test_invalid_options_are_reported_all_at_once() -> None:
    form = read("--attempts", "21", "--iterations", "0", "--wall-seconds", "soon", "--cost-usd", "nan")
    assert option_errors(form) == [
        "--attempts: At most 20.",
        "--iterations: At least 1.",
        "--cost-usd: Enter a number.",
        "--wall-seconds: Enter a number.",
    ]


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
class TestTheCommand:
    """`manage.py start_evaluation`."""

    @pytest.fixture
    def tiny(self, tmp_path: Path, redis: RedisServer) -> Tiny:
        """The tiny dataset, and a Redis that responds."""
        return Tiny(tmp_path)

    @pytest.mark.engine
    def test_limits_reach_the_evaluation_and_an_agent_named_twice_runs_once(self, tiny: Tiny) -> None:
        said = StringIO()
        words = "--agents oracle oracle --attempts 2 --budget-usd 3 --iterations 7 --tokens none --grade-repeats 4"
        call_command("start_evaluation", "Shell", *words.split(), stdout=said)
        evaluation = Evaluation.objects.get(slug=said.getvalue().strip())
        assert (evaluation.attempts, evaluation.budget_usd, evaluation.runs.count()) == (2, 3.0, 2)
        assert evaluation.limits == {
            "iterations": 7,
            "tokens": None,
            "cost_usd": None,
            "wall_seconds": 3600.0,
            "grade_repeats": 4,
        }

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("--grade-repeats 21", "--grade-repeats: At most 20."),
            ("--budget-usd 0", "The budget must be more than 0."),
            ("--cost-usd 0", "The cost limit of a run must be more than 0."),
        ],
    )
    def test_a_refusal_names_the_reason_and_stores_nothing(self, tiny: Tiny, words: str, said: str) -> None:
        with pytest.raises(CommandError) as refused:
            call_command("start_evaluation", "Shell", "--agents", "oracle", *words.split())
        assert said in str(refused.value)
        assert not Evaluation.objects.exists()

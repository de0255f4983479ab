"""Short names of agents: without dates, and in charts without the harness that most of them have."""

from __future__ import annotations

import pytest

from runs.data.queries.competitors import Competitor, ModelName
from runs.rankings.leaderboard.short_names import chart_names, short_names, without_dates


def agent(name: str, model: str = "") -> Competitor:
    found = ModelName(model, "The Lab", None) if model else None
    return Competitor(name.casefold(), name, "reported", found, "The Lab")


@pytest.mark.parametrize(
    ("name", "model", "short"),
    [
        ("Claude 4 Opus (20250514) (reported)", "claude-4-opus-20250514", "Claude 4 Opus"),
        ("Devstral small (2512) (reported)", "devstral-small-2512", "Devstral small"),
        ("GPT-5 (2025-08-07) (medium reasoning) (reported)", "gpt-5-2025-08-07", "GPT-5 (medium)"),
        ("Claude 4.5 Opus medium (20251101) (reported)", "claude-opus-4-5", "Claude 4.5 Opus (medium)"),
        ("gpt-5.4-xhigh (reported)", "gpt-5.4", "gpt-5.4 (xhigh)"),
        ("OpenHands with o3-2025-04-16", "o3", "OpenHands with o3"),
        ("Model-high", "model-high", "Model-high"),  # the model says it
        ("GLM-4.6 (T=1)", "glm-4.6", "GLM-4.6 (T=1)"),
        ("Room 2599 (4096)", "", "Room 2599 (4096)"),  # no date
        ("(20250514)", "", "(20250514)"),  # nothing else
        ("evil\u202e\nname", "", "evil⟨U+202E⟩ name"),
    ],
)
def test_a_name_has_no_date_and_its_effort_in_brackets(name: str, model: str, short: str) -> None:
    one = agent(name, model)
    assert short_names([one]) == {one.slug: short}


def test_the_line_below_a_name_has_no_date() -> None:
    assert without_dates("Anthropic · claude-opus-4-5-20251101") == "Anthropic · claude-opus-4-5"
    assert without_dates("The Lab · open weights") == "The Lab · open weights"


def test_names_that_differ_in_their_dates_alone_keep_them() -> None:
    old, new = agent("GPT-5 (2025-08-07)"), agent("GPT-5 (2025-11-13)")
    assert list(short_names([old, new]).values()) == [old.name, new.name]


def labels(*agents: Competitor) -> tuple[list[str], str]:
    found = chart_names(agents, short_names(agents))
    return list(found.labels.values()), found.usual


def test_charts_leave_out_the_harness_of_most_agents() -> None:
    theirs = [agent(f"OpenHands with M-{number}", f"M-{number}") for number in range(2)]
    other = agent("Codex with M-0", "M-0")
    alone = agent("ob1")

    assert labels(*theirs, other, alone) == (["M-0", "M-1", "M-0 (Codex)", "ob1"], "OpenHands")


def test_without_a_usual_harness_each_is_in_brackets() -> None:
    agents = [agent(f"{harness} with M", "M") for harness in ("A", "B", "C")]
    assert labels(*agents) == (["M (A)", "M (B)", "M (C)"], "")


def test_a_name_that_says_no_model_stays_and_no_two_labels_are_equal() -> None:
    assert labels(agent("Man with a plan", "GPT-5")) == (["Man with a plan"], "")
    assert labels(agent("A with M", "M"), agent("M", "M"))[0] == ["A with M", "M"]

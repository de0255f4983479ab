"""The dimensions, each in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from harness.judges.dimensions import dimension_named, dimensions, dimensions_of, read_dimension

VALID = 'title = "Speed"\nsummary = "How fast."\nguide = "Look at the clock."\n'


def test_general_dimensions_are_the_papers_five_in_order() -> None:
    assert [each.name for each in dimensions_of("general")] == [
        "end_result",
        "instruction_compliance",
        "pitfalls",
        "pleasantness",
        "tool_calls",
    ]


def test_the_set_for_tests_has_four_of_its_own_and_three_general_ones() -> None:
    assert {each.name for each in dimensions_of("tests")} == {
        "reliance_on_mocking",
        "test_maintainability",
        "test_semantic_coverage",
        "test_usefulness",
        "pitfalls",
        "pleasantness",
        "tool_calls",
    }


def test_each_guide_says_what_counts_what_does_not_and_how_each_score_is_chosen() -> None:
    for each in dimensions().values():
        for text in ("What counts: ", "What does not count: ", "\n- 0: ", "\n- 0.5: ", "\n- 1: "):
            assert text in each.guide, (each.name, text)


def test_two_dimensions_score_by_shares_of_50_and_90_percent() -> None:
    for name in ("end_result", "instruction_compliance"):
        guide = dimension_named(name).guide
        assert "\n- 0: less than 50 %" in guide
        assert "\n- 0.5: 50 to 90 %" in guide
        assert "\n- 1: more than 90 %" in guide


def test_only_pitfalls_lists_pitfalls() -> None:
    assert [each.name for each in dimensions().values() if each.lists_pitfalls] == ["pitfalls"]


def test_a_new_file_is_a_new_dimension(tmp_path: Path) -> None:
    path = tmp_path / "speed.toml"
    path.write_text(VALID)
    found = read_dimension(path)
    assert (found.name, found.title, found.guide, found.sets) == (
        "speed",
        "Speed",
        "Look at the clock.",
        ("general",),
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("title = ", "speed.toml: "),
        (VALID + "weight = 2\n", "unknown fields ['weight']"),
        (VALID.replace('"Speed"', "1"), "title must be a text"),
        (VALID.replace("Look at the clock.", " "), "guide must be a text"),
        (VALID.replace("Look at the clock.", "x" * 6001), "at most 6000 characters"),
        (VALID + 'sets = ["mine"]\n', "sets must be a list of general and tests"),
        (VALID + "order = true\n", "order must be a whole number"),
    ],
)
def test_an_invalid_file_is_refused_with_its_field(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "speed.toml"
    path.write_text(content)
    with pytest.raises(ConfigurationError) as caught:
        read_dimension(path)
    assert reason in str(caught.value)


def test_unknown_names_are_refused_with_those_that_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'speed'; there are end_result, instruction_compliance"):
        dimension_named("speed")
    with pytest.raises(ConfigurationError, match="'mine'; there are general, tests"):
        dimensions_of("mine")
    (tmp_path / "Speed-1.toml").write_text(VALID)
    with pytest.raises(ConfigurationError, match="lower-case letters and underscores"):
        read_dimension(tmp_path / "Speed-1.toml")

"""The list of topics, and the result of one."""

from __future__ import annotations

import pytest

from runs.presentation.analysis_docs import titles
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.formatting.numbers import NO_BREAK
from runs.reporting.topics.registry import BY_SLUG, TOPICS, Topic
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import AgentName, Picture, ResultSection
from tests.runs.reporting.topics.drawn_parts import faults
from tests.runs.reporting.topics.made import topic_data_of, tried


def test_each_topic_has_an_address_of_its_own() -> None:
    assert list(BY_SLUG) == [topic.slug for topic in TOPICS]
    assert all(BY_SLUG[topic.slug] is topic for topic in TOPICS)
    assert len({topic.title for topic in TOPICS}) == len({topic.heading for topic in TOPICS}) == len(TOPICS)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.slug)
def test_each_is_described_in_a_sentence_under_a_question(topic: Topic) -> None:
    assert topic.heading.endswith("?")
    assert topic.description.endswith(".")


def test_a_result_says_what_it_is_made_from() -> None:
    def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
        return f"{data.graded} runs in 9{NO_BREAK}s.", (ResultSection("tides", "Tides", "By hand."),)

    runs = tried({"alice": {"a": "+x", "b": "-"}, "bob": {"a": "-"}})
    found = Topic("tides", "Tides", "How high?", "By hand.", sections, "tides").compute(topic_data_of(runs))

    # The summary is for programs too: its spaces are plain.
    assert found.summary == "3 runs in 9 s."
    assert [section.name for section in found.sections] == ["tides"]
    assert (found.runs, found.tasks, found.calibrated) == (3, 2, False)
    assert found.agents["alice"] == AgentName("Alice", calibration=False, model="Model of Alice")
    assert found.repositories == {"harbour": "Harbour master"}


def test_a_chart_without_any_value_is_left_out() -> None:
    empty = Dots((Dot("Alice", None, "no run"),), share_axis("solved"))
    full = Dots((Dot("Alice", 0.0, "none"),), share_axis("solved"))
    nothing = Bars((Bar("Alice", (0.0,)),), share_axis("solved"), ("solved",))

    def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
        pictures = (Picture("empty", "", empty), Picture("nothing", "", nothing), Picture("full", "", full))
        return "", (ResultSection("tides", "Tides", "By hand.", pictures=pictures),)

    found = Topic("tides", "Tides", "How high?", "By hand.", sections, "tides").compute(topic_data_of([]))

    assert [picture.name for picture in found.sections[0].pictures] == ["full"]
    assert found.main is found.sections[0].pictures[0]


# Several agents with repeated attempts, one agent without a success, and attempts without tests.
BOARDS = {
    "several": {
        "alice": {"a": "++", "b": "+3"},
        "bob": {"a": "-+", "b": "--"},
        "carol": {"a": "+x", "c": "5-"},
    },
    "one": {"alice": {"a": "-", "b": "3"}},
    "alike": {agent: {"a": "+", "b": "-"} for agent in "abcdef"},
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.slug)
def test_no_board_has_axes_without_data_or_tables_without_a_value(topic: Topic, board: str) -> None:
    assert list(faults(topic.compute(topic_data_of(tried(BOARDS[board]))))) == []


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.slug)
def test_without_a_run_each_section_shows_something_or_says_why_not(topic: Topic) -> None:
    found = topic.compute(topic_data_of([]))

    assert found.summary
    assert found.sections
    for section in found.sections:
        assert section.empty or section.pictures or any(table.rows for table in section.tables), section.name
        assert set(section.methods) <= titles().keys()
    names = [table.name for section in found.sections for table in section.tables]
    assert len(set(names)) == len(names)

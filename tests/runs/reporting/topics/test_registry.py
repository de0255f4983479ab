"""The list of topics, and the result of one."""

from __future__ import annotations

import pytest

from runs.presentation.analysis_docs import titles
from runs.presentation.formatting.numbers import NO_BREAK
from runs.reporting.topics.registry import BY_SLUG, TOPICS, Topic
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import AgentName, ResultSection
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
    found = Topic("tides", "Tides", "How high?", "By hand.", sections).compute(topic_data_of(runs))

    # The summary is for programs too: its spaces are plain.
    assert found.summary == "3 runs in 9 s."
    assert [section.name for section in found.sections] == ["tides"]
    assert (found.runs, found.tasks, found.calibrated) == (3, 2, False)
    assert found.agents["alice"] == AgentName("Alice", calibration=False, model="Model of Alice")
    assert found.repositories == {"harbour": "Harbour master"}


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

"""Texts and values on disk, or in memory, until they are needed."""

from __future__ import annotations

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import spool
from runs.intake.reported.step_readers.spool import Spool


@pytest.fixture(params=[False, True], ids=["on disk", "in memory"])
def in_memory(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_texts_come_back_by_their_names(in_memory: bool) -> None:
    with Spool("a.json", in_memory=in_memory) as texts:
        texts.put("one", "first")
        texts.put("two", "zwölf \ud800")
        texts.put("one", "again")
        assert [texts.get(name) for name in ("one", "two", "three")] == ["again", "zwölf \ud800", None]
        assert ("one" in texts, "three" in texts) == (True, False)


def test_values_come_back_by_their_names(in_memory: bool) -> None:
    value = {"a": [1, None, 2.5, "zwölf \ud800"]}
    with Spool("a.json", in_memory=in_memory) as values:
        values.put_value("one", value)
        values.put_value("nothing", None)
        assert [values.value(name) for name in ("one", "nothing", "three")] == [value, None, None]
        assert ("one" in values, "three" in values) == (True, False)


def test_a_text_is_taken_once(in_memory: bool) -> None:
    with Spool("a.json", in_memory=in_memory) as texts:
        texts.put("one", "first")
        assert (texts.take("one"), texts.take("one"), texts.names()) == ("first", None, [])


def test_names_are_short_and_few(monkeypatch: pytest.MonkeyPatch, in_memory: bool) -> None:
    monkeypatch.setattr(spool, "MAX_TEXTS", 2)
    with Spool("a.json", in_memory=in_memory) as texts:
        texts.put("n" * 301, "")
        texts.put("a", "")
        texts.put("b", "")
        assert texts.names() == ["a", "b"]
        with pytest.raises(
            ResultsRefused, match=r"^a.json: it has more than 2 parts that refer to each other$"
        ):
            texts.put("c", "")

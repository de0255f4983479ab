"""Texts on disk until they are needed."""

from __future__ import annotations

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import spool
from runs.intake.reported.step_readers.spool import Spool


def test_texts_come_back_by_their_names() -> None:
    with Spool("a.json") as texts:
        texts.put("one", "first")
        texts.put("two", "zwölf \ud800")
        texts.put("one", "again")
        assert [texts.get(name) for name in ("one", "two", "three")] == ["again", "zwölf \ud800", None]
        assert ("one" in texts, "three" in texts) == (True, False)


def test_a_text_is_taken_once() -> None:
    with Spool("a.json") as texts:
        texts.put("one", "first")
        assert (texts.take("one"), texts.take("one"), texts.names()) == ("first", None, [])


def test_names_are_short_and_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MAX_TEXTS", 2)
    with Spool("a.json") as texts:
        texts.put("n" * 301, "")
        texts.put("a", "")
        texts.put("b", "")
        assert texts.names() == ["a", "b"]
        with pytest.raises(
            ResultsRefused, match=r"^a.json: it has more than 2 parts that refer to each other$"
        ):
            texts.put("c", "")

"""What a model is asked."""

from __future__ import annotations

import pytest

from harness.dataset import Target
from tasks.generation.recall import question
from tasks.generation.recall.question import MAX_CHARACTERS, Question, prompt_version


def test_a_question_has_package_path_name_signature_and_docstring() -> None:
    rules, asked = Question(
        "pkg:pypi/toolz@1.2.0", Target("a/b.py", "C.f"), "def f():\n    '''D'''\n"
    ).messages()
    assert rules["role"] == "system"
    assert "write_function" in rules["content"]
    assert asked["content"] == (
        "Package: pkg:pypi/toolz@1.2.0\nFile: a/b.py\nFunction: C.f\n\n"
        "BEGIN SIGNATURE AND DOCSTRING\ndef f():\n    '''D'''\nEND"
    )


def test_a_long_docstring_is_cut() -> None:
    asked = Question("p", Target("a.py", "f"), "x" * (MAX_CHARACTERS + 1)).messages()[1]["content"]
    assert asked.count("x") == MAX_CHARACTERS


def test_another_prompt_has_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    version = prompt_version()
    assert (len(version), prompt_version()) == (12, version)
    tool = {**question.TOOL, "type": "other"}
    monkeypatch.setattr(question, "TOOL", tool)
    assert prompt_version() != version

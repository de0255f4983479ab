"""IDE-Bench's descriptions, which are almost YAML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.dataset.descriptions import parse_description
from tests.harness.published import DESCRIPTION_1


class TestTheDescription:
    def test_every_line_of_prose_is_shown(self) -> None:
        found = parse_description(DESCRIPTION_1)
        prose = DESCRIPTION_1.partition("\n")[2].partition("\n\n\ndifficulty")[0]
        assert found.text.splitlines() == [line.removeprefix("  ") for line in prose.splitlines()]
        assert found.fields == {
            "difficulty": ("easy",),
            "category": ("bug fixing",),
            "tags": ("money", "rounding"),
            "parser_name": ("pytest",),
        }

    @pytest.mark.parametrize(
        ("text", "title"),
        [
            ("task_description: |\n  Task: Do: it\n  Instructions: now\n", "Do: it"),
            ("task_description: |\n  Task:\n\n    Do it\n", "Do it"),
            ("task_description: |-\n  Do it.\n  Then rest.\n", "Do it."),
            ("task_description: Do it now\ncategory: bug\n", "Do it now"),
            ("task_description: >\n  TASK: " + "word " * 60 + "\n", ("word " * 23).strip() + " …"),
            ("task_description: |\n", ""),
        ],
    )
    def test_the_title_is_what_stands_behind_task(self, text: str, title: str) -> None:
        assert parse_description(text).title() == title

    @pytest.mark.parametrize(
        "text",
        [
            "task_description: |\n  Line one\n\n  note: two\ndifficulty: hard\nauthor: me\ntags:\n  - a\n  - 'b'\n",
            "difficulty: hard\ntags: [a, b]\ntask_description: |\n  Line one\n\n  note: two\n",
            "\ufefftask_description: |\r\n  Line one\r\n\r\n  note: two\r\n\r\ndifficulty: hard # rated\r\n"
            "tags: [ a,'b' ]\r\n",
            "Line one\n\nnote: two\ndifficulty: hard\ntags: [a, b]\n",
            "task_description: |\n  Line one\n\n  note: two\n\n  difficulty: hard\n  tags: [a, b]\n",
        ],
    )
    def test_fields_are_found_above_and_below_in_any_order(self, text: str) -> None:
        found = parse_description(text)
        assert found.text == "Line one\n\nnote: two\n"
        assert (found.field("difficulty"), found.fields["tags"]) == ("hard", ("a", "b"))

    @given(
        lines=st.lists(
            st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"])), max_size=9
        ),
        indented=st.booleans(),
    )
    def test_whatever_the_prose_says_no_line_is_lost(self, lines: list[str], indented: bool) -> None:
        prose = ["Task: it", *lines, "The end."]
        block = [f"  {line}" for line in prose] if indented else prose
        found = parse_description("\n".join(["task_description: |", *block, "difficulty: easy", ""]))
        assert [line.rstrip() for line in found.text.split("\n")[:-1]] == [line.rstrip() for line in prose]
        assert found.fields == {"difficulty": ("easy",)}

    def test_prose_that_looks_like_a_field_is_prose_when_prose_follows(self) -> None:
        found = parse_description(
            "task_description: |\ncategory: bugs\ndifficulty: none\nGo on.\ncategory: bug\n"
        )
        assert found.text == "category: bugs\ndifficulty: none\nGo on.\n"
        assert found.fields == {"category": ("bug",)}


def test_an_empty_text_has_nothing() -> None:
    found = parse_description("")
    assert (found.text, found.fields, found.title(), found.field("difficulty")) == ("", {}, "", "")


def test_a_mark_at_the_beginning_and_other_line_ends_make_no_difference() -> None:
    expected = parse_description(DESCRIPTION_1)
    assert parse_description("\ufeff" + DESCRIPTION_1.replace("\n", "\r\n")) == expected
    assert parse_description(DESCRIPTION_1.replace("\n", "\r")) == expected


def test_without_the_first_field_all_before_the_last_fields_is_prose() -> None:
    found = parse_description("Add it up.\nThen rest.\ndifficulty: hard  # really\ntags: []\n")
    assert found.text == "Add it up.\nThen rest.\n"
    assert found.fields == {"difficulty": ("hard",), "tags": ()}


def test_a_list_may_have_an_item_a_line() -> None:
    found = parse_description("task_description: |\n  Do it.\ntags:\n  - 'money'\n  - rounding # again\n")
    assert found.fields == {"tags": ("money", "rounding")}
    assert found.field("tags") == "money"

"""docs/tools.md, which is made from the schema."""

from __future__ import annotations

from harness.tools.docs import DOCS, document
from harness.tools.schema import TOOLS


def test_the_documentation_is_up_to_date() -> None:
    assert DOCS.read_text(encoding="utf-8") == document(), "run `python -m harness.tools`"


def section(name: str) -> str:
    """What the page says about one tool."""
    return document().partition(f"## {name}\n")[2].partition("\n## ")[0]


def test_every_tool_has_a_section_in_the_order_of_the_schema() -> None:
    headings = [line.removeprefix("## ") for line in document().splitlines() if line.startswith("## ")]
    assert headings == list(TOOLS)


def test_an_argument_has_its_type_its_default_and_what_it_is() -> None:
    lines = section("edit_notebook").splitlines()
    assert "| `action` | insert \\| replace \\| delete | required | What to do. |" in lines
    lines = section("grep_search").splitlines()
    assert "| `path` | string | default . | File or directory to search. |" in lines
    assert "| `case_sensitive` | boolean | default true | Distinguish upper and lower case. |" in lines
    assert (
        "| `exclude` | list of string | optional | Leave out files that match one of these globs. |" in lines
    )


def test_the_items_of_a_list_have_a_table_of_their_own() -> None:
    _, _, items = section("edit_file").partition("Each item of `operations`:\n")
    assert "| `type` | REPLACE \\| INSERT \\| DELETE | required | What to do. |" in items
    assert "Each item of" not in section("grep_search")


def test_the_sets_and_their_tools_are_listed() -> None:
    assert "| `shell` | `run_terminal_cmd` |\n" in document()
    assert "| `remove` | `read_file`, `list_directory`, " in document()
    assert (
        section("search_code")
        .lstrip()
        .startswith("Kind: search. Only in sets: discovery, pull_request, remove. Finds the lines")
    )


def test_a_tool_that_a_task_has_to_name_says_so() -> None:
    assert section("ui_test").lstrip().startswith("Kind: run. Offered by tasks that name it. Drives one page")
    assert section("write_file").lstrip().startswith("Kind: edit. Creates a file")

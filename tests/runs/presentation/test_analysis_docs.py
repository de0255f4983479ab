"""Every number of the site is documented beside its code."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from runs.analysis.method import LABELS, Method
from runs.presentation.analysis_docs import GROUPS, markdown, method_path, methods, text, titles
from runs.rankings.leaderboard.columns import COLUMNS, FIGURES
from runs.views.source_display.prose import blocks

ROOT = Path(__file__).parents[3]
METHODS = [method for group in GROUPS for method in group.methods]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.anchor)
def test_each_docstring_has_all_labels(method: Method) -> None:
    paragraphs = (inspect.getdoc(method.described) or "").split("\n\n")
    assert [label for label in LABELS if not any(part.startswith(label) for part in paragraphs)] == []


def test_anchors_are_unique_and_valid_in_addresses() -> None:
    anchors = [method.anchor for method in METHODS]
    assert sorted(anchors) == sorted(set(anchors))
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", anchor) for anchor in anchors)
    assert not any(anchor.startswith("group-") for anchor in anchors)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.anchor)
def test_a_number_at_the_end_of_a_sentence_begins_no_list(method: Method) -> None:
    assert {block.kind for block in blocks(text(method))} == {"paragraph"}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.anchor)
def test_the_document_has_each_entry_with_all_its_parts(method: Method) -> None:
    _, _, entry = markdown().partition(f'\n<a id="{method.anchor}"></a>\n\n### {method.title}\n\n')
    entry, _, _ = entry.partition("\n<a id=")
    description, *parts = re.split(r"\n\n(?=\*\*(?:" + "|".join(LABELS) + r")\*\* )", entry)
    assert description.split() == text(method).partition("\n\n**Formula:")[0].split()
    assert [part.partition("** ")[0].strip("*") for part in parts] == list(LABELS)
    assert f"\n`{method.described.__module__}.{method.described.__qualname__}`\n" in entry


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.anchor)
def test_readers_meet_no_words_for_callers_of_the_code(method: Method) -> None:
    assert re.findall(r"\b(?:None|[A-Z][A-Za-z]+Error)\b", text(method)) == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The share. ValueError for a rate above 1.5. It is exact.", "The share. It is exact."),
        ("One for each run; ValueError for different lengths.", "One for each run."),
        ("ValueError for a negative count.", ""),
        ("Small n: None with fewer than two tasks.", "Small n: unknown with fewer than two tasks."),
        ("All are\nNone without a task.", "All are unknown without a task."),
        ("`k` None: 5.", "Without `k`: 5."),
        ("n = 0 gives None.", "n = 0 gives no value."),
        ("The verdict. None: nothing was reviewed.", "The verdict. No value: nothing was reviewed."),
    ],
)
def test_words_for_callers_become_words_for_readers(written: str, read: str) -> None:
    def described() -> None: ...

    described.__doc__ = written
    assert " ".join(text(Method("rate", "Rate", described)).split()) == read.replace(
        "Small n:", "**Small n:**"
    )


def test_the_document_links_to_each_entry_under_its_section() -> None:
    for group in GROUPS:
        assert f"\n## {group.title}\n" in markdown()
        links = ", ".join(f"[{method.title}](#{method.anchor})" for method in group.methods)
        assert f"\n- {group.title}: {links}\n" in markdown()


def test_every_method_that_the_documentation_names_exists() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    named = {anchor for text in texts for anchor in re.findall(r"(/methods/[\w-]+/#[\w-]+)", text)}
    assert len(named) > 10
    assert named <= {method_path(anchor) for anchor in titles()}
    assert not any("methods.md#" in text for text in texts)


def asked() -> set[str]:
    """The anchors of all question marks: in templates, and in the columns and figures that code declares."""
    named = {
        anchor
        for path in (ROOT / "templates").rglob("*.html")
        for anchor in re.findall(r'{% method "([^"]*)" %}', path.read_text(encoding="utf-8"))
    }
    named |= {column.method for column in COLUMNS if column.method} | {figure.method for figure in FIGURES}
    for path in (ROOT / "runs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.keyword)
                and node.arg == "method"
                and isinstance(node.value, ast.Constant)
            ):
                named.add(node.value.value)
    # Ways of NumPy and of the standard library to compute quantiles.
    return named - {"inverted_cdf", "inclusive"}


def test_every_question_mark_has_a_method() -> None:
    assert len(asked()) > 10
    assert asked() <= titles().keys()


def test_every_method_with_a_question_mark_has_a_sentence_and_an_example() -> None:
    """These lack one: add `short` and `example` to their `@method`."""
    lacking = {anchor for anchor in asked() if not (methods()[anchor].short and methods()[anchor].example)}
    assert lacking == set()


@pytest.mark.parametrize("method", [each for each in METHODS if each.short], ids=lambda method: method.anchor)
def test_what_a_number_is_takes_one_short_sentence(method: Method) -> None:
    assert re.search(r"[.]$", method.short)
    assert re.search(r"[.]$", method.example)
    assert 20 < len(method.short) <= 160
    assert 20 < len(method.example) <= 160


def test_a_method_is_addressed_on_the_page_of_its_group() -> None:
    assert method_path("pass-rate") == "/methods/pass-rates/#pass-rate"
    with pytest.raises(KeyError):
        method_path("no-such-number")

"""Every number of the site is documented beside its code."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from django.test import Client

from runs.analysis.method import LABELS, Method
from runs.presentation.analysis_docs import GROUPS, markdown, text, titles
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
    assert (
        description.split() == (inspect.getdoc(method.described) or "").partition("\n\nFormula:")[0].split()
    )
    assert [part.partition("** ")[0].strip("*") for part in parts] == list(LABELS)
    assert f"\n`{method.described.__module__}.{method.described.__qualname__}`\n" in entry


def test_the_document_links_to_each_entry_under_its_section() -> None:
    for group in GROUPS:
        assert f"\n## {group.title}\n" in markdown()
        links = ", ".join(f"[{method.title}](#{method.anchor})" for method in group.methods)
        assert f"\n- {group.title}: {links}\n" in markdown()


def test_every_method_that_the_documentation_names_exists() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    named = {anchor for text in texts for anchor in re.findall(r"/methods/#([\w-]+)", text)}
    assert len(named) > 10
    assert named <= titles().keys()
    assert not any("methods.md#" in text for text in texts)


def test_every_link_to_a_method_has_a_target() -> None:
    named = {
        anchor
        for path in (ROOT / "templates").rglob("*.html")
        for anchor in re.findall(r'{% method "([^"]*)" %}', path.read_text(encoding="utf-8"))
    }
    named |= {column.method for column in COLUMNS if column.method} | {figure.method for figure in FIGURES}
    assert len(named) > 10
    assert named <= titles().keys()


@pytest.mark.django_db
def test_the_page_has_every_number_under_its_group(client: Client) -> None:
    page = client.get("/methods/").content.decode()
    for group in GROUPS:
        assert f">{group.title}<" in page
    for anchor in titles():
        assert f'id="{anchor}"' in page
        assert f'href="#{anchor}"' in page
    assert "<strong>Formula:</strong>" in page or "<b>Formula:</b>" in page

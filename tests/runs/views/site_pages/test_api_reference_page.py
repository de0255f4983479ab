"""The API reference page and docs/api.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.utils.html import escape

from runs.analysis.features import MEASURES
from runs.api.ninja_api import document
from runs.api.upload_document import upload_paths
from runs.transfer.export_tables.export_table import TABLES, ExportTable
from runs.transfer.export_tables.run_head import HEAD
from tests.markup import compact
from tests.runs.api.world import World

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[4] / "docs" / "api.md"


def test_it_lists_every_operation_parameter_and_schema(client: Client) -> None:
    page = compact(client.get("/api/").content.decode())

    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            assert f'<span class="verb">{method.upper()}</span> <code>{path}</code>' in page
            assert escape(" ".join(operation["description"].split())) in page
            for parameter in operation["parameters"]:
                assert f'class="mono">{parameter["name"]}</th>' in page
    for name in document()["components"]["schemas"]:
        assert f'id="shape-{name}"' in page


def test_it_needs_no_script_and_no_other_host(client: Client) -> None:
    page = compact(client.get("/api/").content.decode())

    sources = re.findall(r'(?:src|href)="(https?:[^"]*)"', page)
    assert [source for source in sources if not source.startswith("http://testserver/")] == []
    assert " style=" not in page


def test_its_examples_work(client: Client) -> None:
    World()
    page = compact(client.get("/api/").content.decode())
    examples = re.findall(r'For example <a class="mono" href="([^"]*)"', page)

    assert len(examples) == len(document()["paths"]) - len(upload_paths())  # they need a token
    for example in examples:
        assert client.get(example.replace("&amp;", "&")).status_code == 200, example


def test_its_links_work(client: Client) -> None:
    page = compact(client.get("/api/").content.decode())
    anchors = set(re.findall(r'id="([^"]+)"', page))

    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_the_guide_describes_every_field_of_an_exported_table(table: ExportTable) -> None:
    """Features are described with their methods."""
    described = dict(
        re.findall(r"^\| `(\w+)` \| [^|]+ \| (?:yes|no) \| (.+) \|$", DOCS.read_text(encoding="utf-8"), re.M)
    )
    shared = {column.name for column in HEAD} | {measure.name for measure in MEASURES}
    own = {column.name for column in table.columns if table.name == "runs" or column.name not in shared}

    assert own - described.keys() == set()


def test_the_guide_describes_every_operation() -> None:
    text = DOCS.read_text(encoding="utf-8")

    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            verb = "" if method == "get" else f"{method.upper()} "
            description = " ".join(operation["description"].split())
            assert f"| `{verb}{path.removeprefix('/api/v1')}` | {description} |" in text

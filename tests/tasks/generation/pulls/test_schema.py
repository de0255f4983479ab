from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.generation.pulls import schema
from tasks.generation.pulls.schema import Form, Instance, SchemaError, read_instances, read_record
from tests.tasks.generation.pulls.published import PATCH, paper_record, swe_record


def read_one(path: Path) -> Instance | SchemaError:
    """The only record of a file."""
    (found,) = read_instances(path)
    return found


def refusal(path: Path) -> str:
    """The message about the only record of a file, without the directory."""
    found = read_one(path)
    assert isinstance(found, SchemaError)
    return str(found).replace(f"{path.parent}/", "")


@pytest.mark.parametrize(
    "record",
    [
        paper_record(),
        paper_record(issue_body=None, extra={"kept": [1, 2.5, None]}),
        {name: value for name, value in paper_record().items() if not name.endswith(("_url", "_at"))},
        swe_record(),
        swe_record(packed=False, hints_text=None, another="field"),
    ],
)
def test_what_is_read_is_written_again_exactly(record: dict[str, Any], tmp_path: Path) -> None:
    for suffix in (".json", ".jsonl"):
        path = tmp_path / f"one{suffix}"
        path.write_text(json.dumps(record))
        instance = read_one(path)
        assert isinstance(instance, Instance)
        again = instance.line() if suffix == ".jsonl" else instance.text()
        assert json.loads(again) == record
        assert list(json.loads(again)) == list(record)


def test_both_forms_say_the_same_of_a_task() -> None:
    paper, swe = read_record(paper_record()), read_record(swe_record())
    assert (paper.form, swe.form) == (Form.PAPER, Form.SWE_BENCH)
    assert paper.identifier == swe.identifier == "calc__calc-7"
    assert paper.repo == swe.repo == "calc/calc"
    assert paper.base_commit == swe.base_commit == "0" * 40
    assert paper.title == swe.title == "Sums are wrong"
    assert paper.patch == swe.patch == PATCH.encode()
    assert paper.created_at == swe.created_at == "2025-01-02T03:04:05Z"
    assert (paper.fail_to_pass, paper.pass_to_pass) == (("test_add",), ())
    assert (
        swe.fail_to_pass
        == read_record(swe_record(packed=False)).fail_to_pass
        == ("tests/test_sums.py::test_add",)
    )
    assert read_record(paper_record(stars=3)).unknown == ("stars",)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([], "must be an object with fields, not a list"),
        (paper_record(id=" "), "id: must have 1 to 2000 characters, and more than spaces"),
        (
            paper_record(pr_number="7"),
            "pr_number: must be a whole number of at least 0, not '7': write the number",
        ),
        (paper_record(pr_number=True), "pr_number: must be a whole number"),
        (
            paper_record(fail_to_pass="x"),
            'fail_to_pass: must be a list of texts, not \'x\': write ["name", "name"]',
        ),
        (paper_record(gold_patch=None), "gold_patch: must be a text, not None: write it in quotes"),
        (paper_record(gold_patch="\ud800"), "gold_patch: holds half of a character at place 0"),
        (
            paper_record(pass_to_pass=["x" * 2001]),
            "pass_to_pass: at most 200000 names of 2000 characters are read",
        ),
        (
            swe_record(FAIL_TO_PASS="test_a"),
            "FAIL_TO_PASS: must be a list of texts, or a text that holds one in JSON",
        ),
        (swe_record(FAIL_TO_PASS="[" * 100_000), "FAIL_TO_PASS: must be a list of texts"),
        ({"id": "x"}, "repo: is missing: the form paper needs id, repo, base_commit"),
        ({"instance_id": "x"}, "repo: is missing: the form swe-bench needs instance_id, repo"),
        ({"id": "x", **{str(number): 0 for number in range(200)}}, "has more than 200 fields"),
    ],
)
def test_a_wrong_field_is_named_with_a_remedy(record: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(f"\n{json.dumps(record) if record != [] else '[[]]'}\n")
    assert message in refusal(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{", "tasks.jsonl, line 1: is not JSON: Expecting property name"),
        (b'{"id": "a\xff"}', "tasks.jsonl, line 1: is not UTF-8 at byte 9"),
        (b'{"id": "a", "id": "b"}', "tasks.jsonl, line 1: is not JSON: the field 'id' is there twice"),
        (b'{"id": NaN}', "tasks.jsonl, line 1: is not JSON: NaN is no number in JSON"),
        (b'{"id": 1e999}', "tasks.jsonl, line 1: is not JSON: 1e999 is too large a number"),
        (b"[" * 200_000, "tasks.jsonl, line 1: is nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b"}", "tasks.jsonl, line 1: is not JSON: Exceeds the limit"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_bytes(text)
    assert message in refusal(tmp_path / "tasks.jsonl")


def test_a_damaged_line_does_not_hide_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text(f"{{\n{json.dumps(swe_record())}\n")
    first, second = read_instances(tmp_path)
    assert isinstance(first, SchemaError)
    assert isinstance(second, Instance)
    assert second.where == "line 2"


def test_records_that_are_too_long_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MAX_RECORD_BYTES", 1 << 20)
    for name in ("a.json", "a.jsonl"):
        (tmp_path / name).write_bytes(b" " * (2 << 20))
        assert "is longer than 1 MB" in refusal(tmp_path / name)
    monkeypatch.setattr(schema, "MAX_FILE_BYTES", 1 << 20)
    assert refusal(tmp_path / "a.jsonl") == "a.jsonl: is longer than 1 MB: split it"


def test_a_path_without_tasks_is_an_error(tmp_path: Path) -> None:
    assert "holds no *.json or *.jsonl file" in str(read_one(tmp_path))
    assert "is no file: name a JSON file" in str(read_one(tmp_path / "none.json"))

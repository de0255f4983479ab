"""Our own tasks from merged changes in the published forms, with lists that were measured.

The test patch leads from the tree that the agent gets to the hidden tests. A record has one more field, `canary`, so
that the published text can be recognised wherever it is copied to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.dataset import Dataset, Origin, Repository, Task, started
from harness.errors import ConfigurationError
from harness.patches import make_patch, split_files
from tasks.generation.pulls.schema import Form, Instance, read_record
from tasks.generation.pulls.splitting import Part, part_of
from tasks.generation.pulls.writing import CANARY_FILE

_ORIGINS = (Origin.PULL_REQUEST, Origin.RELEASE)


def exported(dataset: Dataset, form: Form) -> list[Instance]:
    """The admitted tasks from merged changes of a dataset, in order. Raises ConfigurationError if there is none."""
    found = [
        instance_of(dataset, repository, task, form)
        for repository, task in dataset.tasks()
        if task.origin in _ORIGINS and task.admitted
    ]
    if not found:
        raise ConfigurationError(f"{dataset.directory} holds no admitted task from a merged change")
    return found


def instance_of(dataset: Dataset, repository: Repository, task: Task, form: Form) -> Instance:
    """One task in a published form. It needs the record of its change, and a proof for its files."""
    if task.proof is None or task.generation is None or "pull_request" not in task.generation.detail:
        raise ConfigurationError(f"{task.directory} has no proof, or no record of a merged change")
    change: Mapping[str, Any] = task.generation.detail["pull_request"]
    source, tests = _source_patch(task), _test_patch(repository, task)
    issue = change.get("issue") or {}
    title, _, text = task.description.partition("\n")
    name = f"{repository.slug}__{task.slug}"
    if form is Form.SWE_BENCH:
        values: dict[str, Any] = {
            "instance_id": name,
            "repo": _repo(repository, change),
            "base_commit": change["base"],
            "patch": source,
            "test_patch": tests,
            "problem_statement": task.description,
            "hints_text": "",
            "created_at": change["date"],
            "version": "",
            "FAIL_TO_PASS": json.dumps(task.proof.fail_to_pass),
            "PASS_TO_PASS": json.dumps(task.proof.pass_to_pass),
            "environment_setup_commit": change["base"],
        }
    else:
        values = {
            "id": name,
            "repo": _repo(repository, change),
            "base_commit": change["base"],
            "issue_number": issue.get("number", 0),
            "issue_title": issue.get("title") or title,
            "issue_body": text.strip(),
            "pr_number": change["number"],
            "pr_title": change["title"],
            "gold_patch": source + tests,
            "fail_to_pass": list(task.proof.fail_to_pass),
            "pass_to_pass": list(task.proof.pass_to_pass),
            "relevant_files": list(change["files"]["source"]),
            "difficulty": str(task.difficulty),
            "created_at": change["date"],
            "pr_url": change["url"],
            "issue_url": issue.get("url", ""),
        }
    return read_record({**values, "canary": dataset.canary}, task.directory)


def _repo(repository: Repository, change: Mapping[str, Any]) -> str:
    """`owner/name` if the change has an address at GitHub, else the name of the repository."""
    parts = str(change["url"]).split("/")
    return "/".join(parts[3:5]) if parts[2:3] == ["github.com"] and len(parts) > 4 else repository.slug


def _source_patch(task: Task) -> str:
    """The reference patch, without the canary above it."""
    return _text(task, b"".join(file.text for file in split_files(task.reference_diff.read_bytes())))


def _test_patch(repository: Repository, task: Task) -> str:
    """From the tests that the agent gets to the hidden ones. Configuration is no part of it: the source part has it."""
    begun = {file.path: file for file in started(repository, task).source.files()}
    hidden = [
        file
        for file in task.tests.files()
        if file.path != CANARY_FILE and (part_of(file.path) is Part.TESTS or file.path not in begun)
    ]
    differing = [file for file in hidden if begun.get(file.path) != file]
    return _text(task, make_patch((begun[file.path] for file in differing if file.path in begun), differing))


def _text(task: Task, patch: bytes) -> str:
    try:
        return patch.decode()
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{task.directory}: its patch is not UTF-8, and JSON holds nothing else"
        ) from error

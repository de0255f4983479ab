"""Links of the OpenAPI document: which part of a response is a parameter of which other operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Parameters of operations, as fields of an object that names what they need.
_RUN = {name: {"run": "id"} for name in ("run", "list_steps", "list_tests", "list_edits", "patch")}
_TASK = {"task": {"repository": "repository", "task": "task"}}
_AGENT = {"agent": {"agent": "agent"}}
_REPOSITORY = {"repository": {"repository": "repository"}}
_DATASET = {"dataset": {"dataset": "dataset"}}
_EVALUATION = {"evaluation": {"evaluation": "evaluation"}}

# Operation → where in its response the object is → operations that it leads to.
_LINKS: Mapping[str, tuple[str, Mapping[str, Mapping[str, str]]]] = {
    "leaderboard": ("rows/0/", _AGENT),
    "list_cells": ("items/0/", {**_AGENT, **_TASK, **_DATASET, **_REPOSITORY}),
    "list_near_misses": ("items/0/", {**_AGENT, **_TASK, "run": {"run": "run"}}),
    "list_runs": ("items/0/", {**_RUN, **_AGENT, **_TASK, **_DATASET, **_EVALUATION}),
    "run": ("", {**_RUN, **_AGENT, **_TASK, **_DATASET, **_EVALUATION}),
    "list_behaviour": ("items/0/", {**_AGENT, **_TASK, "run": {"run": "run"}}),
    "list_signs": ("items/0/", {**_AGENT, **_TASK, "run": {"run": "run"}}),
    "list_datasets": ("items/0/", {"dataset": {"dataset": "slug"}}),
    "list_repositories": ("items/0/", {**_DATASET, "repository": {"repository": "slug"}}),
    "list_tasks": ("items/0/", {**_REPOSITORY, "task": {"repository": "repository", "task": "slug"}}),
    "list_agents": ("items/0/", {"agent": {"agent": "slug"}, "model": {"model": "model"}}),
    "list_models": ("items/0/", {"model": {"model": "slug"}}),
    "list_evaluations": ("items/0/", {"evaluation": {"evaluation": "slug"}}),
    "list_methods": ("items/0/", {"method": {"anchor": "anchor"}}),
    "list_published": ("items/0/", {"published": {"anchor": "anchor"}}),
}


def links_from(operation: str) -> dict[str, Any]:
    """The Link Objects of a successful response of this operation."""
    place, targets = _LINKS.get(operation, ("", {}))
    found = {
        f"{target}_of_{operation}": {
            "operationId": target,
            "parameters": {name: f"$response.body#/{place}{part}" for name, part in fields.items()},
        }
        for target, fields in targets.items()
        if target != operation
    }
    if operation == "list_steps":
        parameters = {"run": "$request.path.run", "step": "$response.body#/items/0/number"}
        found["step_of_list_steps"] = {"operationId": "step", "parameters": parameters}
    return found

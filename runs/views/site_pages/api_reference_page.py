"""The API reference: a page made from the OpenAPI document, with examples from the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.records import TRAJECTORY
from runs.api.ninja_api import document
from runs.data.queries.filters import visible_runs
from runs.data.queries.visibility import ANONYMOUS
from runs.models import LanguageModel, Run
from runs.models.open_rows import without_hidden
from runs.transfer.export_tables.export_table import TABLES

SCHEMAS = "#/components/schemas/"
_QUERIES = {
    "leaderboard": "difficulty=hard",
    "list_runs": "outcome=resolved&limit=10",
    "list_steps": "limit=3",
    "list_near_misses": "threshold=60",
    "search": "q=pass",
}


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value in words, and the schema that it consists of, if any."""

    words: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceField:
    """A parameter, or a field of a schema."""

    name: str
    type: Type
    description: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `verb`: GET or POST. `example`: a URL that returns data; '' if there are none yet."""

    name: str
    verb: str
    path: str
    title: str
    description: str
    fields: tuple[ReferenceField, ...]
    response: Type
    example: str


@dataclass(frozen=True, slots=True)
class ReferenceObject:
    """A schema of the API."""

    name: str
    description: str
    fields: tuple[ReferenceField, ...]


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The API reference."""
    known = _examples()
    groups: dict[str, list[Operation]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_operation(path, method, operation, known))
    context = {
        "section": "api",
        "site": request.build_absolute_uri("/").rstrip("/"),
        "groups": groups,
        "shapes": tuple(_schemas()),
        "tables": TABLES,
        "most": settings.API_REQUESTS,
        "run": known.get("run"),
    }
    return render(request, "runs/api/reference.html", context)


def _examples() -> dict[str, str]:
    """Names for the example URLs, from the newest run with a trajectory among the last few. At most two queries."""
    ended = visible_runs(ANONYMOUS).filter(state=Run.State.FINISHED)
    newest = list(ended.select_related("task__repository__dataset")[:20])
    with_steps = (run for run in newest if (run.path / TRAJECTORY).is_file())
    run = next(with_steps, newest[0] if newest else None)
    if run is None:
        return {}
    dataset = run.task.repository.dataset
    beside = (each.agent.slug for each in newest if each.task.repository.dataset_id == dataset.pk)
    other = next((slug for slug in beside if slug != run.agent.slug), None)
    model = run.agent.model or without_hidden(LanguageModel.objects.all()).first()
    return {
        "run": str(run.pk),
        "step": "1",
        "dataset": dataset.slug,
        "repository": run.task.repository.slug,
        "task": run.task.slug,
        "agent": run.agent.slug,
        "evaluation": run.evaluation.slug,
        **({"model": model.slug} if model else {}),
        **({"other": other} if other else {}),
    }


def _operation(path: str, method: str, found: Mapping[str, Any], known: Mapping[str, str]) -> Operation:
    anchors = {"anchor": "pass-rate" if "/methods/" in path else "ide-bench-table-1"}
    names = {**known, **anchors}
    needed = [each["name"] for each in found["parameters"] if each["in"] == "path"]
    query = _QUERIES.get(found["operationId"], "")
    complete = "security" not in found and all(name in names for name in needed)
    example = path.format(**names) + (f"?{query}" if query else "") if complete else ""
    return Operation(
        name=found["operationId"],
        verb=method.upper(),
        path=path,
        title=found["summary"],
        description=found["description"],
        fields=tuple(
            ReferenceField(
                each["name"],
                _type(each["schema"]),
                each.get("description", ""),
                default=str(each["schema"].get("default", "")),
            )
            for each in found["parameters"]
        ),
        response=_type(min(found["responses"].items())[1]["content"]["application/json"]["schema"]),
        example=example,
    )


def _schemas() -> Iterator[ReferenceObject]:
    for name, found in sorted(document()["components"]["schemas"].items()):
        fields = tuple(
            ReferenceField(field, _type(schema), schema.get("description", ""))
            for field, schema in found["properties"].items()
        )
        yield ReferenceObject(name, found.get("description", ""), fields)


def _type(schema: Mapping[str, Any]) -> Type:
    if "$ref" in schema:
        return Type("", schema["$ref"].removeprefix(SCHEMAS))
    if "anyOf" in schema:
        first, *others = map(_type, schema["anyOf"])
        return Type(" or ".join([first.words, *(other.words for other in others)]).strip(), first.shape)
    if schema.get("type") == "array":
        return _of("list of", schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        return _of("object of", schema["additionalProperties"])
    if "enum" in schema:
        return Type("one of " + ", ".join(map(str, schema["enum"])))
    words = [schema.get("type", "anything")]
    if "maximum" in schema:
        words.append(f"from {schema['minimum']} to {schema['maximum']}")
    elif "format" in schema:
        words.append(f"({schema['format']})")
    return Type(" ".join(words))


def _of(what: str, schema: Mapping[str, Any]) -> Type:
    inner = _type(schema)
    return Type(f"{what} {inner.words}".strip(), inner.shape)

"""A thousand hostile strings, and every text field that untrusted input can fill.

The fields are read from the models and from the dataclasses of records, so that new ones are filled, too.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from tests.runs.intake.uploads.made_uploads import found_by_check

ROWS = 20  # of each model; of runs, five times as many
ROUNDS = 10
STEPS = 40
MARK = "window.owned=1"
_ACTS = (
    f"<script>{MARK}</script>",
    f"<img src=x onerror={MARK}>",
    f"<svg onload={MARK}>",
    f"<a href=javascript:{MARK}>x</a>",
    f"<details open ontoggle={MARK}>",
    f"[x](javascript:{MARK})",
    "![x](https://evil.example/x.png)",
    "<style>*{display:none}</style>",
    "<base href=//evil.example>",
    "<iframe srcdoc=x></iframe>",
    "<meta http-equiv=refresh content=0>",
    "<link rel=stylesheet href=//evil.example>",
    "<form action=//evil.example><button>",
    "<h1 style=position:fixed>",
    "{{7*7}}{% debug %}${7*7}",
    "\x1b[2J\x1b]8;;javascript:1\x07x\x1b]8;;\x07",
    "\u202etxt.exe\u2066",
    "W" * 36,
    "Z\u0335\u0334\u0336\u0321" * 8,
    "=cmd|'/C calc'!A0",
)
_BREAKS = (
    *(
        "",
        '">',
        "'>",
        "-->",
        "]]>",
        "</script>",
        "</title>",
        "</textarea></pre>",
        "</td></tr></table>",
        "</main>",
    ),
)
_DISGUISES = ("", "\t", "&lt;b&gt;", "&quot;", "%22")
STRINGS = tuple(map("".join, itertools.product(_DISGUISES, _BREAKS, _ACTS)))

# Fields without untrusted text: slugs are validated, the others are written by the site.
STRUCTURE: Mapping[str, set[str]] = {
    "Dataset": {"directory"},
    "Repository": set(),
    "RepositoryMap": {"digest"},
    "Task": {"digest", "measures"},  # numbers
    "TaskProof": {"digest"},
    "LanguageModel": set(),
    "Agent": set(),
    "Evaluation": {"limits"},
    "GenerationJob": {"kinds", "counts"},  # the worker stores names of its own
    "Run": {"key", "directory", "similarity", "odd"},
    "Try": {"directory"},
    "Counts": {"behaviour"},
    "RunSign": {"mode"},
    "RunExploit": {"pattern", "strength"},
    "ResultReport": {"digest", "url"},  # an address is checked when it is imported
    "RecallProbe": {"task_digest", "prompt"},
    "Claim": {"metric", "printed"},
    "ReportedTests": set(),
    "TrajectorySource": set(),
    "Upload": {"digest"},
    "Submission": set(),
    "SubmittedRun": {"key", "directory"},
    "RunGrading": set(),
    "UploadToken": {"digest"},
    "Panel": {"dimensions", "digest"},
    "PanelJudge": {"parameters"},
    "JudgingPass": set(),
    "JudgeReview": {"key", "dimension"},
    "ReviewEvidence": set(),
    "RunComparison": {"key", "dimension"},
    "ComparisonOrder": set(),
    "ComparisonLine": set(),
    "JudgeSummary": {"key", "dimension"},
    "SummarySource": set(),
    "SummaryGroup": {"numbers"},
    "Schedule": {"cron", "limits", "webhook_url"},
    "RegressionCheck": {"result"},
    "RegressionFinding": {"scale", "drift", "evidence"},
    "Delivery": set(),
    "SavedSearch": set(),
    "StepNote": {"author_name"},  # a pseudonym that the site makes
    "Rating": {"rater_name", "key", "dimension"},
    "PlaySession": {"pseudonym"},
    "Cell": set(),
    "CellGroup": set(),
    "Snapshot": {"asker", "digest", "data_version"},
    "AuditEntry": {"account", "address", "kind", "object_number", "name", "before", "after"},  # never changed
    "OneTimePassword": set(),
    "RecoveryCode": {"digest"},
}
Made = TypeVar("Made")


def fill(number: int) -> None:
    """Puts strings into all text fields of all rows. Over ROUNDS rounds, each field gets all of them."""
    from django.apps import apps
    from django.db import transaction

    from tasks.models import Dataset

    with transaction.atomic():
        for label in ("runs", "tasks"):
            for model in apps.get_app_config(label).get_models():
                fields = list(fillable(model))
                for place, row in enumerate(model._base_manager.order_by("pk")):
                    for field in fields:
                        _put(row, field, number, place)
                    if fields:
                        row.save(update_fields=[field.attname for field in fields])
        for dataset in Dataset.objects.all():  # as loading it again would do
            Dataset.objects.filter(pk=dataset.pk).update(revision=dataset.revision + 1)


def fillable(model: Any) -> Iterator[Any]:
    """The fields of a model that hold untrusted text. KeyError for a model that is not in STRUCTURE."""
    from django.db import models

    for field in model._meta.concrete_fields:
        if isinstance(field, models.SlugField) or field.choices or field.name in STRUCTURE[model.__name__]:
            continue
        if isinstance(field, models.CharField | models.TextField | models.JSONField):
            yield field


def _put(row: Any, field: Any, number: int, place: int) -> None:
    longest = field.max_length
    rows = 5 * ROWS if type(row).__name__ == "Run" else ROWS
    if longest is None:
        value: Any = "\n".join(_share(number * rows + place, 25))
    else:
        value = _fitting(longest, number, place, rows)
    if field.get_internal_type() == "JSONField":
        value = _as_json(field.name, value)
    setattr(row, field.attname, value)


def _share(place: int, count: int) -> list[str]:
    return [STRINGS[(place * count + offset) % len(STRINGS)] for offset in range(count)]


def _fitting(longest: int, number: int, place: int, rows: int) -> str:
    """As many strings as fit; one that is too long is cut, as in an import."""
    count = max(1, min(5, longest // 40))
    text = " ".join(_share(number * rows + place, count))
    return text[:longest]


def _as_json(name: str, text: str) -> Any:
    match name:
        case "languages":
            return [text[:100], text[100:200]]
        case "flags":
            return [{"kind": text[:80], "path": text, "note": text}]
        case "evidence":
            return [{"quote": text, "step": 2, "found_step": 2, "status": text[:80], "part": text[:40]}]
        case "check_result":
            return found_by_check(text[:150])
        case "content":
            return {
                "fail_to_pass": text.split("\n"),
                "pass_to_pass": [text],
                "proved_at": text,
                "harness_version": text,
            }
    return {text[:60]: text, "profile": text}


def made(cls: type[Made], texts: Sequence[str], **fixed: Any) -> Made:
    """A record with hostile text in each field that holds text; `fixed` gives the others."""
    hints = get_type_hints(cls)
    text = "\n".join(texts)
    values: dict[str, Any] = {}
    for field in dataclasses.fields(cls):  # type: ignore[arg-type] # every record is one
        hint = hints[field.name]
        if field.name in fixed:
            values[field.name] = fixed[field.name]
        elif hint is str:
            values[field.name] = text
        elif get_origin(hint) is tuple and get_args(hint)[0] is str:
            values[field.name] = tuple(texts)
        elif get_origin(hint) is not None and issubclass(get_origin(hint) or object, Mapping):
            values[field.name] = {text[:60]: text, "path": text, "command": text}
    return cls(**values)

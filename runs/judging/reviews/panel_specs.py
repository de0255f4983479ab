"""Panels in the form that the harness uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.db import transaction

from harness.errors import ConfigurationError
from harness.judges import panel as harness_panel
from harness.judges.panel import JudgeParameters, JudgeSpec
from runs.models import LanguageModel, Panel, PanelJudge
from runs.operations.evaluations.harness_specs import model_spec


@dataclass(frozen=True, slots=True)
class NewJudge:
    """A judge of a panel that is to be made."""

    name: str
    model: LanguageModel
    family: str = ""
    parameters: dict[str, Any] | None = None


def judge_spec(judge: PanelJudge) -> JudgeSpec:
    """The judge in the form that the harness uses. Raises ConfigurationError for invalid parameters."""
    return JudgeSpec(judge.name, model_spec(judge.model), judge.family, read_parameters(judge.parameters))


def panel_spec(panel: Panel) -> harness_panel.Panel:
    """The panel in the form that the harness uses. Raises ConfigurationError for one that is invalid now."""
    judges = tuple(judge_spec(judge) for judge in panel.judges.select_related("model"))
    return harness_panel.Panel(panel.slug, tuple(panel.dimensions), judges, panel.samples)


def read_parameters(stored: dict[str, Any]) -> JudgeParameters:
    """The parameters of a judge's calls. Raises ConfigurationError with the name and what it must be."""
    known = {field.name: field for field in fields(JudgeParameters)}
    if unknown := sorted(set(stored) - set(known)):
        raise ConfigurationError(f"parameters: unknown {', '.join(unknown)}; known are {', '.join(known)}")
    defaults = JudgeParameters().to_json()
    for name, value in stored.items():
        _check_parameter(name, value, defaults[name])
    return JudgeParameters(**stored)


def create_panel(
    *, slug: str, title: str, dimensions: Sequence[str], judges: Sequence[NewJudge], samples: int = 1
) -> Panel:
    """Stores a panel with its judges. Raises ConfigurationError, and stores nothing, for an invalid one."""
    with transaction.atomic():
        panel = Panel.objects.create(slug=slug, title=title, dimensions=list(dimensions), samples=samples)
        for judge in judges:
            PanelJudge.objects.create(
                panel=panel,
                name=judge.name,
                model=judge.model,
                family=judge.family,
                parameters=judge.parameters or {},
            )
        panel.digest = panel_spec(panel).prompt_digest
        panel.save(update_fields=["digest"])
    return panel


def _check_parameter(name: str, value: Any, default: Any) -> None:
    """Raises ConfigurationError for a value of another type than the default's, or a number that is negative."""
    kinds: dict[str, tuple[type, ...]] = {
        "temperature": (int, float, type(None)),
        "reasoning_effort": (str, type(None)),
        "seed": (int, type(None)),
    }
    allowed = kinds.get(name, (type(default),))
    is_wrong = not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed)
    if is_wrong or (isinstance(value, int | float) and value < 0):
        raise ConfigurationError(f"parameters: {name} must be like {default!r}, not {value!r}")

"""The numbers of the site by group, as the methods page lists them."""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from importlib import import_module

import runs.analysis
from runs.analysis.method import STATED, Method, Section


@dataclass(frozen=True, slots=True)
class MethodGroup:
    """Numbers that belong together."""

    title: str
    methods: tuple[Method, ...]


def _catalogue() -> tuple[MethodGroup, ...]:
    """Every section with its numbers. Each module of the package is imported, so that it states its own."""
    for module in pkgutil.walk_packages(runs.analysis.__path__, "runs.analysis."):
        import_module(module.name)
    stated = sorted(STATED, key=lambda entry: (entry.place, entry.method.anchor))
    return tuple(
        MethodGroup(section.value, tuple(entry.method for entry in stated if entry.section == section))
        for section in Section
    )


CATALOGUE = _catalogue()

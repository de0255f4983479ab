"""Every row that a page, an export or an endpoint shows passes the rule of visibility (`runs/models/open_rows.py`).

The code of these packages takes rows of datasets from `visible(…)`, `without_hidden(…)` or a `visible_…` function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from runs.models.open_rows import RULED

ROOT = Path(__file__).parent.parent
# All that readers get is made here. The others are below the pages (analysis is pure) or run in workers.
SHOWING = (
    "admin_pages",
    "api",
    "data/cache",
    "data/cells",
    "data/lists",
    "data/queries",
    "data/replay",
    "data/run_facts",
    "data/text_index",
    "judging/judge_summaries/shown_differences",
    "judging/judge_summaries/shown_summaries",
    "judging/raters",
    "judging/reviews/judge_form",
    "judging/reviews/measured_reviews",
    "judging/reviews/pass_progress",
    "judging/reviews/run_reviews",
    "operations/monitoring",
    "rankings/comparison",
    "rankings/history",
    "rankings/leaderboard",
    "reporting/reports",
    "reporting/topics",
    "templatetags",
    "transfer/evaluation_archive",
    "transfer/export_tables",
    "transfer/interchange",
    "transfer/run_archive",
    "transfer/run_rows",
    "views",
    "work/progress",
)
MODELS = {model.__name__ for model in RULED}
MANAGERS = {"objects", "rows", "_default_manager", "_base_manager"}
# Rows by way of another row: `evaluation.runs.filter(…)`.
RELATED = {
    "runs",
    "cells",
    "executions",
    "reviews",
    "comparisons",
    "summaries",
    "orders",
    "lines",
    "evidence",
    "passes",
    "ratings",
    "recall_probes",
    "tasks",
    "repositories",
    "agent_set",
    "evaluation_set",
}
QUERIES = {
    *(
        "all",
        "filter",
        "exclude",
        "first",
        "last",
        "count",
        "exists",
        "aggregate",
        "annotate",
        "iterator",
    ),
    *("order_by", "values", "values_list", "select_related", "prefetch_related", "in_bulk", "only", "defer"),
}
RULES = {"visible", "visible_related", "without_hidden", "with_fault_catalogue"}

# What sees every row, and why that is right: `module: function` → the reason.
WHY = {
    "given": "it is called with rows, or keys of rows, that passed the rule",
    "counted": "its rows are only written, or counted again; nobody reads them from here",
    "operators": "only operators get it",
    "own": "a reader gets the session of that reader alone; other sessions only take rows away",
    "plan": "they only decide with what a query that keeps the rule begins",
    "key": "the values are part of a digest, by which caches are found",
}
EXCEPTIONS: Mapping[str, str] = {
    "runs/admin_pages/panel_admin.py: _is_free": "operators",
    "runs/data/cache/results.py: _datasets": "key",
    "runs/data/cells/filtered_cells.py: _of_days": "given",
    "runs/data/cells/heatmap_data.py: repository_cells": "given",
    "runs/data/cells/recompute.py: rebuild_cells": "counted",
    "runs/data/cells/recompute.py: _recompute": "counted",
    "runs/data/cells/recompute.py: mark_changed": "counted",
    "runs/rankings/comparison/judged_agents.py: panels_of": "given",
    "runs/rankings/comparison/shown_comparisons.py: _orders": "given",
    "runs/rankings/comparison/shown_comparisons.py: _shown": "given",
    "runs/rankings/leaderboard/frozen_board.py: __init__": "given",
    "runs/data/queries/filters.py: of": "given",
    "runs/rankings/leaderboard/snapshots.py: _payload": "given",
    "runs/operations/monitoring/prometheus.py: _lines": "operators",
    "runs/work/progress/in_progress.py: active_runs": "given",
    "runs/data/queries/blind_sessions.py: _hidden_with": "own",
    "runs/data/queries/blind_sessions.py: blind_session": "own",
    "runs/data/queries/blind_sessions.py: unblind": "own",
    "runs/data/cache/agent_rows.py: _with_models": "given",
    "runs/data/queries/exploit_filter.py: _shown": "given",
    "runs/data/queries/filters.py: agents_by_id": "given",
    "runs/data/queries/filters.py: counted_runs": "given",
    "runs/data/queries/filters.py: _named_runs": "given",
    "runs/data/queries/filters.py: marked_runs": "own",
    "runs/data/queries/task_names.py: tasks_by_id": "given",
    "runs/judging/raters/next_rating.py: _reviews": "given",
    "runs/judging/raters/rater_names.py: rater_name": "key",
    "runs/judging/raters/saving_ratings.py: add_rows": "counted",
    "runs/judging/raters/step_notes.py: notes_version": "key",
    "runs/judging/raters/step_notes.py: why_full": "counted",
    "runs/judging/raters/step_notes.py: write_note": "counted",
    "runs/data/replay/record.py: named_tests": "given",
    "runs/data/text_index/indexing.py: settled_runs": "given",
    "runs/data/replay/workspace_source.py: _load_tree": "given",
    "runs/reporting/reports/gather.py: failed_tests": "given",
    "runs/reporting/reports/gather.py: gather": "operators",
    "runs/reporting/reports/gather.py: _chapters": "given",
    "runs/reporting/reports/heads.py: head_of": "given",
    "runs/reporting/reports/judged_chapters.py: _report": "given",
    "runs/judging/reviews/judge_form.py: ": "operators",
    "runs/judging/reviews/measured_reviews.py: _judges": "given",
    "runs/judging/reviews/measured_reviews.py: _families": "given",
    "runs/judging/reviews/measured_reviews.py: reviews_version": "key",
    "runs/judging/reviews/pass_progress.py: pass_progress": "given",
    "runs/judging/reviews/run_reviews.py: _ended": "given",
    "runs/judging/reviews/run_reviews.py: _evidence": "given",
    "runs/data/run_facts/behaviour_summary.py: summary_at_task": "given",
    "runs/data/run_facts/behaviour_summary.py: _summary": "given",
    "runs/data/run_facts/count_trajectory.py: store_counts": "counted",
    "runs/data/run_facts/count_trajectory.py: store_new_counts": "counted",
    "runs/data/run_facts/count_trajectory.py: uncounted_runs": "counted",
    "runs/data/run_facts/count_trajectory.py: recount": "counted",
    "runs/data/run_facts/counting_panel.py: ": "plan",
    "runs/data/run_facts/facts_query.py: behaviour_of_run": "given",
    "runs/data/run_facts/task_difficulty.py: _stored": "given",
    "runs/data/run_facts/task_difficulty.py: function_measures": "operators",
    "runs/reporting/topics/computing.py: scope": "key",
    "runs/transfer/evaluation_archive.py: export_runs": "operators",
    "runs/transfer/run_rows.py: of": "given",
}


class Rows(ast.NodeVisitor):
    """Collects where a module takes rows of datasets without the rule: `function` → the expressions."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}
        self._function = ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Names the outermost function or method."""
        before, self._function = self._function, self._function or node.name
        self.generic_visit(node)
        self._function = before

    def visit_Call(self, node: ast.Call) -> None:
        """Rows inside a call of the rule are fine; a model itself in a shortcut is not."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in RULES:
            return
        if name in {"get_object_or_404", "get_list_or_404"} and _is_model(node.args[0]):
            self._add(node)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """`Model.objects`, and `row.runs.filter`."""
        managed = node.attr in MANAGERS and _is_model(node.value)
        inner = node.value
        related = node.attr in QUERIES and isinstance(inner, ast.Attribute) and inner.attr in RELATED
        if managed or related:
            self._add(node)
        self.generic_visit(node)

    def _add(self, node: ast.expr) -> None:
        self.found.setdefault(self._function, []).append(f"line {node.lineno}: {ast.unparse(node)[:60]}")


def _is_model(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in MODELS


def without_the_rule(source: str) -> dict[str, list[str]]:
    """What a module's source takes without the rule, by function; '' for the module itself."""
    rows = Rows()
    rows.visit(ast.parse(source))
    return rows.found


def showing() -> Iterator[tuple[str, str]]:
    """Path and source of each module that makes what readers get."""
    for name in SHOWING:
        place = ROOT / "runs" / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else (place.with_suffix(".py"),):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def test_all_rows_that_readers_get_pass_the_rule() -> None:
    found = {
        f"{path}: {function}": lines
        for path, source in showing()
        if path != "runs/data/queries/visibility.py"
        for function, lines in without_the_rule(source).items()
    }
    assert {place: lines for place, lines in found.items() if place not in EXCEPTIONS} == {}
    assert set(EXCEPTIONS) <= set(found), "an exception that nothing needs"


def test_every_package_is_read_by_nobody_or_checked() -> None:
    """A new package of `runs/` belongs to SHOWING, or to those that make nothing for readers."""
    others = {
        "access/accounts",  # no rows of datasets
        "analysis",
        "access/audit",  # for admins, who see every row
        "presentation/cards",
        "presentation/charts",
        "operations/agent_setup",  # for workers, and for operators
        "presentation/documents",
        "operations/evaluations",
        "work/execution",
        "presentation/formatting",
        "work/generation",  # for workers, and for operators
        "jobs",
        "management",
        "migrations",
        "models",
        "play",  # one session, for its own process
        "judging/regression_checks",  # for workers, and for recipients that operators choose
        "intake/reported",  # only writes
        "intake/submissions",  # for workers, and for operators
        "intake/uploads",  # for workers, and for operators
        "data/published",
    }
    listed = {*others, *SHOWING}
    inner = {path.parent.relative_to(ROOT / "runs") for path in (ROOT / "runs").glob("*/*/__init__.py")}
    outer = {path.parent.relative_to(ROOT / "runs") for path in (ROOT / "runs").glob("*/__init__.py")}
    of_several = {package.parent for package in inner if str(package.parent) not in listed}
    packages = {
        str(package)
        for package in inner | outer
        if package not in of_several and str(package.parent) not in listed
    }
    assert packages - {str(Path(name).parent) for name in SHOWING} <= listed


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Run.objects.filter(pk=1)", True),
        ("Cell.rows.all()", True),
        ("get_object_or_404(Evaluation, pk=1)", True),
        ("evaluation.runs.count()", True),
        ("run.executions.order_by('number')", True),
        ("visible(Run.objects.filter(pk=1), reader)", False),
        ("without_hidden(evaluation.runs.all()).count()", False),
        ("get_object_or_404(visible_evaluations(reader), pk=1)", False),
        ("User.objects.all()", False),
        ("table.rows.append(1)", False),
    ],
)
def test_the_check_finds_rows_without_the_rule(line: str, found: bool) -> None:
    assert bool(without_the_rule(f"def view(request):\n    return {line}\n")) is found

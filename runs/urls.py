"""The public pages."""

from __future__ import annotations

from django.urls import path

from runs.api.door import door
from runs.leaderboard.exports import FORMATS
from runs.views import (
    agents,
    analysis,
    around,
    compare,
    compare_runs,
    evaluations,
    exports,
    feed,
    frozen,
    leaderboard,
    near_misses,
    pages,
    reference,
    replay,
    repositories,
    run_files,
    runs,
    search,
    starting,
    status,
    steering,
    step_file,
    step_forms,
    tasks,
)
from runs.views.kept import kept

EXPORT_COST = 100  # requests of the limit

urlpatterns = [
    path("", kept(leaderboard.leaderboard), name="leaderboard"),
    *(
        path(
            f"leaderboard.{suffix}",
            kept(leaderboard.leaderboard_export),
            {"suffix": suffix},
            name=f"leaderboard_{suffix}",
        )
        for suffix in FORMATS
    ),
    path("leaderboard/freeze/", frozen.freeze, name="leaderboard_freeze"),
    path("leaderboard/at/<str:digest>/", kept(frozen.frozen), name="frozen"),
    *(
        path(
            f"leaderboard/at/<str:digest>/leaderboard.{suffix}",
            kept(frozen.frozen_export),
            {"suffix": suffix},
            name=f"frozen_{suffix}",
        )
        for suffix in FORMATS
    ),
    path("compare/", kept(compare.compare), name="compare"),
    path("published/", kept(pages.published), name="published"),
    path("repositories/", kept(repositories.repositories), name="repositories"),
    path("repositories/<str:slug>/", kept(repositories.repository), name="repository"),
    path("tasks/<str:repository>/<str:task>/", kept(tasks.task), name="task"),
    path("agents/<str:slug>/", kept(agents.agent), name="agent"),
    path("near-misses/", kept(near_misses.near_misses), name="near_misses"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<int:pk>/", replay.run, name="run"),
    path("runs/<int:pk>/live/", replay.live, name="run_live"),
    path("runs/<int:pk>/steps/", replay.rows, name="run_steps"),
    path("runs/<int:pk>/steps/<int:number>/", replay.step, name="run_step"),
    path("runs/<int:pk>/steps/<int:number>/raw/", run_files.step_raw, name="run_step_raw"),
    path("compare/runs/", compare_runs.compare_runs, name="compare_runs"),
    path("runs/<int:pk>/end/", replay.end, name="run_end"),
    path("runs/<int:pk>/timeline/", around.run_timeline, name="run_timeline"),
    path("runs/<int:pk>/steps/<int:number>/file", step_file.step_file, name="run_step_file"),
    path("runs/<int:pk>/steps/<int:number>/raw.json", step_forms.step_json, name="run_step_json"),
    path("runs/<int:pk>/steps/<int:number>.md", step_forms.step_as_markdown, name="run_step_markdown"),
    path("runs/<int:pk>/artifacts/<str:name>", run_files.artifact, name="run_artifact"),
    path("runs/<int:pk>/patch/", run_files.patch, name="run_patch"),
    path("runs/<int:pk>/log/", run_files.log, name="run_log"),
    path("runs/<int:pk>/export.zip", door(exports.run_zip, cost=EXPORT_COST), name="run_zip"),
    path("runs/<int:pk>/trajectory.atif.json", door(exports.run_atif, cost=EXPORT_COST), name="run_atif"),
    path("api/", kept(reference.reference), name="api_reference"),
    path("feed.atom", door(feed.feed), name="feed"),
    path("exports/runs.jsonl", door(exports.runs_jsonl, cost=EXPORT_COST), name="runs_jsonl"),
    path("exports/runs.parquet", door(exports.runs_parquet, cost=EXPORT_COST), name="runs_parquet"),
    path("search/", search.search, name="search"),
    path("evaluations/", evaluations.evaluations, name="evaluations"),
    path("evaluations/start/", starting.start, name="evaluation_start"),
    path("evaluations/<int:pk>/", evaluations.evaluation, name="evaluation"),
    path("evaluations/<int:pk>/cancel/", steering.cancel, name="evaluation_cancel"),
    path("evaluations/<int:pk>/retry/", steering.retry, name="evaluation_retry"),
    path("analysis/", kept(analysis.index), name="analysis"),
    path("analysis/<slug:slug>/", kept(analysis.topic), name="analysis_topic"),
    path("analysis/<slug:slug>/<slug:name>.csv", kept(analysis.table_csv), name="analysis_csv"),
    path("analysis/<slug:slug>/<slug:name>.json", kept(analysis.table_json), name="analysis_json"),
    path("methods/", kept(pages.methods), name="methods"),
    path("status/", status.status, name="status"),
    path("healthz", pages.healthz, name="healthz"),
    path("readyz", status.readyz, name="readyz"),
    path("metrics", status.metrics, name="metrics"),
]

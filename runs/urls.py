"""The public pages."""

from __future__ import annotations

from django.urls import path

from runs.views import agents, evaluations, leaderboard, near_misses, pages, replay, repositories, runs, tasks

urlpatterns = [
    path("", leaderboard.leaderboard, name="leaderboard"),
    path("leaderboard.csv", leaderboard.leaderboard_csv, name="leaderboard_csv"),
    path("leaderboard.json", leaderboard.leaderboard_json, name="leaderboard_json"),
    path("published/", pages.published, name="published"),
    path("repositories/", repositories.repositories, name="repositories"),
    path("repositories/<str:slug>/", repositories.repository, name="repository"),
    path("tasks/<str:repository>/<str:task>/", tasks.task, name="task"),
    path("agents/<str:slug>/", agents.agent, name="agent"),
    path("near-misses/", near_misses.near_misses, name="near_misses"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<int:pk>/", replay.run, name="run"),
    path("runs/<int:pk>/live/", replay.live, name="run_live"),
    path("runs/<int:pk>/steps/<int:number>/", replay.step, name="run_step"),
    path("runs/<int:pk>/steps/<int:number>/raw/", replay.step_raw, name="run_step_raw"),
    path("runs/<int:pk>/artifacts/<str:name>", replay.artifact, name="run_artifact"),
    path("runs/<int:pk>/patch/", replay.patch, name="run_patch"),
    path("runs/<int:pk>/log/", replay.log, name="run_log"),
    path("evaluations/", evaluations.evaluations, name="evaluations"),
    path("evaluations/<int:pk>/", evaluations.evaluation, name="evaluation"),
    path("methods/", pages.methods, name="methods"),
    path("healthz", pages.healthz, name="healthz"),
]

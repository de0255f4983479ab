"""The public pages."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from runs.api.assistants import protocol_endpoint
from runs.api.middleware import data_endpoint
from runs.data.cache.page_cache import cached_page
from runs.rankings.leaderboard.board_exports import FORMATS
from runs.transfer.export_tables.export_table import TABLES
from runs.transfer.text_hit_rows import FORMATS as SEARCH_FORMATS
from runs.views import account_page, judging_pages, leaderboard_pages, rating_pages, regression_pages
from runs.views.analysis_pages import analysis_page, board_heatmap_page
from runs.views.compare_pages import compare_agents_page, compare_runs_page
from runs.views.operator_pages import (
    agent_pages,
    dataset_pages,
    evaluation_pages,
    generation_pages,
    model_pages,
    operate_page,
    spending_page,
    start_page,
    status_page,
    submission_pages,
    upload_pages,
)
from runs.views.play_pages import play_list_page, workplace_page
from runs.views.replay_pages import (
    note_forms,
    replay_page,
    run_files,
    step_exports,
    step_file_page,
    timeline_page,
    transcript_page,
)
from runs.views.result_pages import (
    agent_list_page,
    agent_page,
    code_map_page,
    model_card_pages,
    near_miss_page,
    repository_pages,
    run_list_page,
    task_list_page,
    task_page,
)
from runs.views.result_pages.list_exports import LIST_FORMATS
from runs.views.site_pages import (
    api_reference_page,
    card_pages,
    changes_page,
    crawler_files,
    docs_pages,
    embed_page,
    export_pages,
    feed,
    method_pages,
    reference_pages,
    search_page,
)

EXPORT_COST = 100  # requests of the limit

urlpatterns = [
    path(
        "",
        cached_page(leaderboard_pages.leaderboard, results=leaderboard_pages.results_version),
        name="leaderboard",
    ),
    *(
        path(
            f"leaderboard.{suffix}",
            cached_page(leaderboard_pages.leaderboard_export),
            {"suffix": suffix},
            name=f"leaderboard_{suffix}",
        )
        for suffix in FORMATS
    ),
    # What the navigation calls two sections.
    *(
        path(f"{name}/", require_safe(RedirectView.as_view(pattern_name=section, query_string=True)))
        for name, section in {"leaderboard": "leaderboard", "insights": "analysis"}.items()
    ),
    path("leaderboard/freeze/", leaderboard_pages.freeze, name="leaderboard_freeze"),
    path("leaderboard/at/<str:digest>/", cached_page(leaderboard_pages.frozen), name="frozen"),
    *(
        path(
            f"leaderboard/at/<str:digest>/leaderboard.{suffix}",
            cached_page(leaderboard_pages.frozen_export),
            {"suffix": suffix},
            name=f"frozen_{suffix}",
        )
        for suffix in FORMATS
    ),
    path("compare/", cached_page(compare_agents_page.compare), name="compare"),
    path(
        "sources/<slug:dataset>/",
        cached_page(reference_pages.source, results=reference_pages.source_version),
        name="source",
    ),
    path("published/", cached_page(reference_pages.published), name="published"),
    path("repositories/", cached_page(repository_pages.repositories), name="repositories"),
    path(
        "repositories/<str:slug>/",
        cached_page(repository_pages.repository, results=repository_pages.results_version),
        name="repository",
    ),
    path("repositories/<str:slug>/map/", cached_page(code_map_page.code_map), name="repository_map"),
    path("tasks/", cached_page(task_list_page.tasks), name="tasks"),
    path("tasks/<str:repository>/<str:task>/", cached_page(task_page.task), name="task"),
    path("agents/", cached_page(agent_list_page.agents), name="agents"),
    path("models/", cached_page(model_card_pages.models, model_card_pages.version), name="models"),
    *(
        path(f"{name}.{suffix}", cached_page(view), {"suffix": suffix}, name=f"{name}_{suffix}")
        for name, view in (
            ("tasks", task_list_page.tasks_export),
            ("agents", agent_list_page.agents_export),
            ("models", model_card_pages.models_export),
        )
        for suffix in LIST_FORMATS
    ),
    path("models/<str:model>/", cached_page(model_card_pages.model, model_card_pages.version), name="model"),
    path(
        "agents/<str:slug>/", cached_page(agent_page.agent, results=agent_page.results_version), name="agent"
    ),
    path("agents/<str:slug>/feed.atom", data_endpoint(feed.agent_feed), name="agent_feed"),
    path(
        "agents/<str:slug>/badge.svg",
        cached_page(embed_page.agent_badge, results=embed_page.agent_badge_version),
        name="agent_badge",
    ),
    path(
        "agents/<str:slug>/card.png",
        cached_page(card_pages.agent_card, results=card_pages.agent_card_version),
        name="agent_card",
    ),
    path(
        "leaderboard/card.png",
        cached_page(card_pages.board_card, results=card_pages.board_card_version),
        name="board_card",
    ),
    path("compare/card.png", cached_page(card_pages.comparison_card), name="comparison_card"),
    path("runs/<number:pk>/card.png", card_pages.run_card, name="run_card"),
    path(
        "embed/",
        embed_page.framed(cached_page(embed_page.embed, results=card_pages.board_card_version)),
        name="embed",
    ),
    path("share/", cached_page(embed_page.share), name="share"),
    path("changes/", cached_page(changes_page.changes, changes_page.version), name="changes"),
    path("robots.txt", cached_page(crawler_files.robots), name="robots"),
    path("sitemap.xml", cached_page(crawler_files.sitemap, crawler_files.version), name="sitemap"),
    path(
        "sitemaps/<slug:section>.xml",
        cached_page(crawler_files.sitemap_part, crawler_files.version),
        name="sitemap_part",
    ),
    path(
        "near-misses/",
        cached_page(near_miss_page.near_misses, results=near_miss_page.results_version),
        name="near_misses",
    ),
    path("runs/", run_list_page.runs, name="runs"),
    path("runs/<number:pk>/", replay_page.run, name="run"),
    path("runs/<number:pk>/live/", replay_page.live, name="run_live"),
    path("runs/<number:pk>/steps/", replay_page.rows, name="run_steps"),
    path("runs/<number:pk>/steps/<number:number>/", replay_page.step, name="run_step"),
    path("runs/<number:pk>/steps/<number:number>/raw/", step_exports.step_raw, name="run_step_raw"),
    path("runs/<number:pk>/steps/<number:number>/notes/", note_forms.step_notes, name="run_step_notes"),
    path("runs/<number:pk>/notes/<number:note>/", note_forms.step_note, name="run_note"),
    path("compare/judged/", compare_agents_page.judged, name="judged_agents"),
    path("compare/judged/start/", compare_agents_page.start_comparing, name="start_comparing"),
    path("compare/runs/", compare_runs_page.compare_runs, name="compare_runs"),
    path("runs/<number:pk>/transcript/", transcript_page.transcript, name="transcript"),
    path("runs/<number:pk>/end/", replay_page.end, name="run_end"),
    path("runs/<number:pk>/timeline/", timeline_page.run_timeline, name="run_timeline"),
    path("runs/<number:pk>/steps/<number:number>/file", step_file_page.step_file, name="run_step_file"),
    path("runs/<number:pk>/steps/<number:number>/raw.json", step_exports.step_json, name="run_step_json"),
    path(
        "runs/<number:pk>/steps/<number:number>.md", step_exports.step_as_markdown, name="run_step_markdown"
    ),
    path("runs/<number:pk>/artifacts/<str:name>", run_files.artifact, name="run_artifact"),
    path("runs/<number:pk>/terminal/", run_files.terminal, name="run_terminal"),
    path("runs/<number:pk>/terminal.cast", run_files.recording_file, name="run_recording"),
    path("runs/<number:pk>/terminal.txt", run_files.transcript_file, name="run_transcript"),
    path("runs/<number:pk>/patch/", run_files.patch, name="run_patch"),
    path("runs/<number:pk>/log/", run_files.log, name="run_log"),
    path("runs/<number:pk>/original/", run_files.original, name="run_original"),
    path(
        "runs/<number:pk>/export.zip", data_endpoint(export_pages.run_zip, cost=EXPORT_COST), name="run_zip"
    ),
    path(
        "runs/<number:pk>/trajectory.atif.json",
        data_endpoint(export_pages.run_atif, cost=EXPORT_COST),
        name="run_atif",
    ),
    path(
        "runs/<number:pk>/inspect.eval",
        data_endpoint(export_pages.run_inspect, cost=EXPORT_COST),
        name="run_inspect",
    ),
    path(
        "evaluations/<number:pk>/inspect/<str:agent>.eval",
        data_endpoint(export_pages.evaluation_inspect, cost=EXPORT_COST),
        name="evaluation_inspect",
    ),
    path("api/", cached_page(api_reference_page.reference), name="api_reference"),
    path("mcp", protocol_endpoint.protocol, name="mcp"),
    path("feed.atom", data_endpoint(feed.feed), name="feed"),
    *(
        path(
            f"exports/{table.name}.{ending}",
            data_endpoint(view(table), cost=EXPORT_COST),
            name=f"{table.name}_{ending}",
        )
        for table in TABLES
        for ending, view in (("jsonl", export_pages.jsonl), ("parquet", export_pages.parquet))
    ),
    path("evaluate/", cached_page(docs_pages.evaluate, docs_pages.version), name="evaluate"),
    path("docs/", cached_page(docs_pages.docs, docs_pages.version), name="docs"),
    path("docs/<slug:slug>/", cached_page(docs_pages.document, docs_pages.version), name="document"),
    path("operate/", operate_page.operate, name="operate"),
    path("operate/spending/", spending_page.spending_page, name="operate_spending"),
    path("operate/models/", model_pages.models, name="operate_models"),
    path("operate/models/add/", model_pages.model_add, name="operate_model_add"),
    path("operate/models/<number:pk>/", model_pages.model, name="operate_model"),
    path("operate/models/<number:pk>/test/", model_pages.model_test, name="operate_model_test"),
    path("operate/models/<number:pk>/go-on/", model_pages.model_go_on, name="operate_model_go_on"),
    path("operate/agents/", agent_pages.agents, name="operate_agents"),
    path("operate/agents/add/", agent_pages.agent_add, name="operate_agent_add"),
    path("operate/agents/<number:pk>/", agent_pages.agent, name="operate_agent"),
    path("operate/datasets/", dataset_pages.datasets, name="operate_datasets"),
    path("search/", search_page.search, name="search"),
    path("search/agents/", search_page.agents, name="search_agents"),
    path("search/saved/", search_page.save, name="save_search"),
    path("search/saved/<slug:slug>/", search_page.saved, name="saved_search"),
    *(
        path(
            f"search/{table}.{suffix}",
            data_endpoint(view, cost=search_page.SEARCH_COST),
            {"suffix": suffix},
            name=f"search_{table}_{suffix}",
        )
        for table, view in (("steps", search_page.steps_export), ("agents", search_page.agents_export))
        for suffix in SEARCH_FORMATS
    ),
    path("evaluations/", evaluation_pages.evaluations, name="evaluations"),
    path("evaluations/start/", start_page.start, name="evaluation_start"),
    path("evaluations/<number:pk>/", evaluation_pages.evaluation, name="evaluation"),
    path("evaluations/<number:pk>/report/", evaluation_pages.evaluation_report, name="evaluation_report"),
    path(
        "evaluations/<number:pk>/report.md",
        evaluation_pages.evaluation_report_markdown,
        name="evaluation_report_markdown",
    ),
    path(
        "evaluations/<number:pk>/report.json",
        evaluation_pages.evaluation_report_json,
        name="evaluation_report_json",
    ),
    path("evaluations/<number:pk>/cancel/", evaluation_pages.cancel, name="evaluation_cancel"),
    path("evaluations/<number:pk>/retry/", evaluation_pages.retry, name="evaluation_retry"),
    path("evaluations/<number:pk>/publish/", evaluation_pages.publish, name="evaluation_publish"),
    path("evaluations/<number:pk>/judge/", judging_pages.start_judging, name="evaluation_judge"),
    path("generation/", generation_pages.generations, name="generations"),
    path("generation/<number:pk>/", generation_pages.generation_job, name="generation_job"),
    path("uploads/", upload_pages.uploads, name="uploads"),
    path("submissions/", submission_pages.submissions, name="submissions"),
    path("submissions/<number:pk>/", submission_pages.submission, name="submission"),
    path("uploads/tokens/", upload_pages.tokens, name="upload_tokens"),
    path("uploads/<number:pk>/", upload_pages.upload, name="upload"),
    path("judging/<number:pk>/", judging_pages.judging_pass, name="judging_pass"),
    path("judges/", cached_page(judging_pages.judges, judging_pages.judges_version), name="judges"),
    path("judges/load/", judging_pages.load_faults, name="judges_load"),
    path("regressions/", regression_pages.regressions, name="regressions"),
    path("regressions/feed.atom", data_endpoint(regression_pages.regression_feed), name="regression_feed"),
    path("regressions/<number:pk>/", regression_pages.regression, name="regression"),
    path("play/not-blind/", play_list_page.stop_being_blind, name="stop_being_blind"),
    path("rate/", rating_pages.rate, name="rate"),
    path("rate/agreement/", rating_pages.rate_agreement, name="rate_agreement"),
    path("rate/<number:pk>/", rating_pages.rated, name="rated"),
    path("play/", play_list_page.play_list, name="play"),
    path("play/<number:pk>/", workplace_page.workplace, name="play_session"),
    path("play/<number:pk>/state", workplace_page.workplace_state, name="play_state"),
    path("analysis/", cached_page(analysis_page.index), name="analysis"),
    path(
        "analysis/heatmap/",
        cached_page(board_heatmap_page.board_heatmap, results=board_heatmap_page.results_version),
        name="board_heatmap",
    ),
    path("analysis/<slug:slug>/", cached_page(analysis_page.topic), name="analysis_topic"),
    path("analysis/<slug:slug>/<slug:name>.csv", cached_page(analysis_page.table_csv), name="analysis_csv"),
    path(
        "analysis/<slug:slug>/<slug:name>.json", cached_page(analysis_page.table_json), name="analysis_json"
    ),
    path("account/", account_page.account, name="account"),
    path("methods/", cached_page(method_pages.methods), name="methods"),
    path("methods/<slug:slug>/", cached_page(method_pages.method_group), name="method_group"),
    path("status/", status_page.status, name="status"),
    path("healthz", reference_pages.healthz, name="healthz"),
    path("readyz", status_page.readyz, name="readyz"),
    path("metrics", status_page.metrics, name="metrics"),
]

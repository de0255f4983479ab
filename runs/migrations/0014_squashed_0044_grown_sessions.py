"""What the tables of version 0.2.0 did not have yet."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import migrations, models
from django.utils import timezone

OUTCOMES = [("resolved", "resolved"), ("unresolved", "unresolved"), ("infrastructure_failed", "infrastructure failed")]
WORK_STATES = [("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("refused", "Refused"), ("malformed", "Malformed"), ("too_long", "too long"), ("unpaid", "Unpaid"), ("failed", "Failed"), ("no_review", "missing review"), ("cancelled", "Cancelled")]
# Columns of runs that are empty where they are unknown.
NUMBERS = ("steps", "iterations", "tool_calls", "failed_calls", "tests_total", "tests_passed", "files_changed", "lines_added", "lines_removed")
TOKENS = ("prompt_tokens", "completion_tokens", "cached_tokens")
SECONDS = ("prepare_seconds", "act_seconds", "grade_seconds")


def each(verbs, *models):
    """For each model, as `app.model`, its permissions to do what the verbs say: pairs of model and codename."""
    return [(model, f"{verb}_{model.partition('.')[2]}") for model in models for verb in verbs]


DATASET, EVALUATION, SNAPSHOT = "tasks.dataset", "runs.evaluation", "runs.snapshot"
AGENTS = ("runs.agent", "runs.languagemodel")
DATA = (DATASET, "tasks.repository", "tasks.task", *AGENTS, EVALUATION, "runs.run", "runs.try", "runs.cell", SNAPSHOT)
VIEWER = [(DATASET, "view_hidden"), *each(["view"], *DATA)]
OPERATOR = [
    *VIEWER,
    (EVALUATION, "start_evaluation"),
    *each(["add", "change", "delete"], *AGENTS),
    *each(["change", "delete"], EVALUATION),
    *each(["delete"], SNAPSHOT),
    *each(["change"], DATASET),
]
ADMIN = [
    *OPERATOR,
    *each(["view", "add", "change", "delete"], "auth.user", "auth.group"),
    *each(["view"], "runs.auditentry"),
]
ROLES = {
    "Viewers of hidden datasets": VIEWER,
    "Operators": OPERATOR,
    "Admins": ADMIN,
    "Raters": [("runs.rating", "rate_run")],
    "Players": [("runs.playsession", "play")],
}


def create_roles(apps, _editor=None):
    """Creates the groups that are missing; their permissions can be edited in the admin. An existing group is left."""
    Group = apps.get_model("auth", "Group")
    for name, permissions in ROLES.items():
        group, created = Group.objects.get_or_create(name=name)
        if created:
            group.permissions.set([_permission(apps, *permission) for permission in permissions])


def _permission(apps, model, codename):
    """A permission. Django creates those of new models only after all migrations, and then finds this one."""
    meta = apps.get_model(model)._meta
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label=meta.app_label, model=meta.model_name
    )
    name = dict(meta.permissions).get(codename, f"Can {codename.partition('_')[0]} {meta.verbose_name}")
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename=codename, defaults={"name": name}
    )
    return permission


def fill_cell_groups(apps, _editor):
    """Creates one group for each agent and dataset with cells."""
    groups = apps.get_model("runs", "Cell").objects.order_by().values("agent_id", dataset_id=models.F("task__repository__dataset_id"))
    rows = groups.annotate(revision=models.Sum("revision"), changed_at=models.Max("updated_at"))
    group = apps.get_model("runs", "CellGroup")
    group.objects.bulk_create([group(**row) for row in rows])


def judge_work():
    """The columns of everything that a judge is asked for."""
    return [
        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
        ("spent_usd", models.FloatField(default=0, help_text="Charged as each model call is billed; stays, however it ends.")),
        ("cost_unknown", models.BooleanField(default=False, help_text="The cost of one of its model calls is unknown.")),
        ("reserved_usd", models.FloatField(default=0, help_text="What active calls may cost at most; counts while the try is live.")),
        ("doubtful_usd", models.FloatField(default=0, help_text="What calls without a reply may have cost at most; counts, however it ends.")),
        ("sample", models.PositiveIntegerField(default=1)),
        ("state", models.CharField(choices=WORK_STATES, default="queued", max_length=20)),
        ("reason", models.TextField(blank=True, help_text="Why there is no score.")),
        ("tries", models.PositiveIntegerField(default=0)),
        ("failures", models.PositiveIntegerField(default=0, help_text="Tries that the infrastructure failed.")),
        ("not_before", models.DateTimeField(blank=True, null=True)),
        ("worker", models.CharField(blank=True, max_length=200)),
        ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
        ("finished_at", models.DateTimeField(blank=True, null=True)),
        ("key", models.CharField(blank=True, db_index=True, help_text="Of its file; equal for equal requests.", max_length=64)),
        ("prompt_tokens", models.PositiveBigIntegerField(default=0)),
        ("completion_tokens", models.PositiveBigIntegerField(default=0)),
        ("cached_tokens", models.PositiveBigIntegerField(default=0)),
        ("seconds", models.FloatField(default=0)),
        ("asks", models.PositiveIntegerField(default=0, help_text="Requests; more than one where an answer did not fit the schema.")),
        ("reused", models.BooleanField(default=False, help_text="Taken from the file of earlier equal work: no call.")),
    ]


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0001_squashed_0013_deletion_in_words"),
        ("tasks", "0005_squashed_0013_proofs_moved"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    names = (
        "0014_plain_help_texts", "0015_roles", "0016_accounts", "0017_snapshot_asker",
        "0018_imported_marks", "0019_file_limit", "0020_reported_results", "0021_publish_when_finished",
        "0022_run_indexes", "0023_cell_groups", "0024_judge_reviews", "0025_simulated_users",
        "0026_comparisons", "0027_regressions", "0028_ratings", "0029_summaries", "0030_user_of_schedules",
        "0031_repairs", "0032_tool_endings", "0033_play_sessions", "0034_generation_jobs",
        "0035_recall_probes", "0036_generation_least_lines", "0037_players", "0038_play_processes",
        "0039_trajectory_sources", "0040_run_exploits", "0041_uploads", "0042_submissions",
        "0043_marks_of_verdicts", "0044_grown_sessions",
    )
    replaces = [("runs", name) for name in names]

    operations = [
        *(migrations.AlterField("run", name, models.PositiveIntegerField(blank=True, default=0, null=True)) for name in NUMBERS),
        *(migrations.AlterField("run", name, models.PositiveBigIntegerField(blank=True, default=0, null=True)) for name in TOKENS),
        *(migrations.AlterField("run", name, models.FloatField(blank=True, default=0, null=True)) for name in SECONDS),
        migrations.AlterField("languagemodel", "slug", models.SlugField(max_length=100, unique=True)),
        migrations.AlterField("languagemodel", "open_weights", models.BooleanField(default=False, help_text="Empty: unknown.", null=True)),
        migrations.AlterField("evaluation", "slug", models.SlugField(max_length=100, unique=True)),
        migrations.AlterField("agent", "slug", models.SlugField(max_length=100, unique=True)),
        migrations.AlterField("run", "agent", models.ForeignKey("runs.agent", on_delete=models.PROTECT, db_index=False, related_name="runs")),
        migrations.AlterField("run", "evaluation", models.ForeignKey("runs.evaluation", on_delete=models.CASCADE, db_index=False, related_name="runs")),
        migrations.AlterField("cell", "tokens", models.PositiveBigIntegerField(blank=True, default=0, null=True)),
        migrations.AlterField("cell", "steps", models.PositiveIntegerField(blank=True, default=0, null=True)),
        migrations.AddField("evaluation", "imported_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.AddField("evaluation", "origin", models.CharField(blank=True, editable=False, help_text="Where its runs were imported from; empty: this site executed them.", max_length=200)),
        migrations.AddField("evaluation", "publish_when_finished", models.BooleanField(default=False, editable=False, help_text="It is listed at the moment that it finishes. False again once that has happened or cannot happen.")),
        migrations.AddField("evaluation", "simulated_user", models.JSONField(blank=True, default=dict, editable=False, help_text="The user's model as it was at the start: harness.llm.spec.ModelSpec.")),
        migrations.AddField("evaluation", "user_model", models.ForeignKey("runs.languagemodel", on_delete=models.PROTECT, blank=True, help_text="Plays the users of workflow tasks; empty: they follow their scripts.", null=True, related_name="+")),
        migrations.AddField("evaluation", "graded_here", models.BooleanField(default=False, editable=False, help_text="Of runs from elsewhere: this site graded each of them that has a verdict.")),
        migrations.AddField("agent", "origin", models.CharField(blank=True, editable=False, help_text="Where all of its runs come from; empty: an agent of this site.", max_length=200)),
        migrations.AddField("agent", "graded_here", models.BooleanField(default=False, editable=False, help_text="Of an agent from elsewhere: this site graded each of its runs that has a verdict.")),
        migrations.AddField("run", "user_completion_tokens", models.PositiveBigIntegerField(blank=True, null=True)),
        migrations.AddField("run", "user_cost_usd", models.FloatField(blank=True, help_text="Of the simulated user; never part of the agent's cost.", null=True)),
        migrations.AddField("run", "user_ending", models.CharField(blank=True, choices=[("user_finished", "user finished"), ("user_refused", "user refused"), ("message_limit", "message limit"), ("turn_timeout", "turn timeout"), ("scenario_timeout", "scenario timeout"), ("run_limit", "run limit"), ("agent_error", "agent error"), ("user_fault", "user fault")], help_text="Why the conversation with the simulated user ended.", max_length=30)),
        migrations.AddField("run", "user_prompt_tokens", models.PositiveBigIntegerField(blank=True, null=True)),
        migrations.AddField("run", "user_turns", models.PositiveIntegerField(blank=True, help_text="Messages of the simulated user; empty: the task has none.", null=True)),
        migrations.AddField("run", "solved_at_submission", models.PositiveIntegerField(blank=True, help_text="The first that passed, from 1; empty: none did.", null=True)),
        migrations.AddField("run", "solved_elsewhere", models.BooleanField(default=False, help_text="The tests pass, but not because of the functions to repair alone.")),
        migrations.AddField("run", "submissions", models.PositiveIntegerField(blank=True, help_text="To the hidden tests; empty: the agent cannot submit.", null=True)),
        migrations.AddField("run", "targets_found", models.BooleanField(blank=True, help_text="Whether every function to repair was changed; empty: the task names none, or it is unknown.", null=True)),
        migrations.AddField("run", "tool_uses", models.PositiveIntegerField(blank=True, help_text="Empty: they are not counted.", null=True)),
        migrations.AddField("snapshot", "asker", models.CharField(blank=True, db_index=True, default="", help_text="A keyed digest of the reader's address, for limits; it cannot be turned into the address.", max_length=32)),
        migrations.CreateModel("AuditEntry", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
            ("account", models.CharField(blank=True, help_text="At the shell: the system's user.", max_length=150)),
            ("account_number", models.BigIntegerField(blank=True, null=True)),
            ("address", models.CharField(blank=True, help_text="Of the client; shell: a command.", max_length=45)),
            ("act", models.CharField(choices=[("created", "created"), ("changed", "changed"), ("deleted", "deleted"), ("cancelled", "cancelled"), ("retried", "retried"), ("imported", "imported"), ("graded again", "graded again"), ("accepted", "accepted"), ("rejected", "rejected"), ("signed in", "signed in"), ("signed out", "signed out"), ("sign-in failed", "sign-in failed"), ("locked out", "locked out"), ("password changed", "password changed"), ("one-time password made", "one-time password made"), ("one-time password used", "one-time password used"), ("second factor on", "second factor on"), ("second factor off", "second factor off"), ("recovery code used", "recovery code used")], max_length=40)),
            ("kind", models.CharField(blank=True, help_text="Of the object.", max_length=60)),
            ("object_number", models.CharField(blank=True, max_length=40)),
            ("name", models.CharField(blank=True, help_text="Of the object.", max_length=300)),
            ("before", models.JSONField(blank=True, null=True)),
            ("after", models.JSONField(blank=True, null=True)),
        ], {
            "default_permissions": ("view",),
            "ordering": ["-pk"],
            "verbose_name": "audit entry",
            "verbose_name_plural": "audit log",
        }),
        migrations.CreateModel("OneTimePassword", [
            ("user", models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+", serialize=False)),
            ("used_at", models.DateTimeField(blank=True, null=True)),
        ], {"default_permissions": ()}),
        migrations.CreateModel("RecoveryCode", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("digest", models.CharField(max_length=64)),
            ("user", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")),
        ], {
            "default_permissions": (),
            "constraints": [models.UniqueConstraint(fields=["user", "digest"], name="recovery_code_of_account")],
        }),
        migrations.CreateModel("ReportedTests", [
            ("run", models.OneToOneField("runs.run", on_delete=models.CASCADE, primary_key=True, related_name="reported_tests", serialize=False)),
            ("failed", models.JSONField(default=list)),
            ("passed", models.JSONField(blank=True, default=list, help_text="Empty where the source names failed tests only.")),
        ], {"verbose_name_plural": "reported tests"}),
        migrations.CreateModel("ResultReport", [
            ("evaluation", models.OneToOneField("runs.evaluation", on_delete=models.CASCADE, primary_key=True, related_name="report", serialize=False)),
            ("version", models.CharField(help_text="Of the source: a commit or a release.", max_length=200)),
            ("reported_on", models.DateField(blank=True, null=True)),
            ("url", models.URLField(blank=True, max_length=500)),
            ("unknown", models.JSONField(blank=True, default=list, help_text="Sentences on what the source does not say.")),
            ("digest", models.CharField(help_text="Of the imported results, so that a second import changes nothing.", max_length=64, unique=True)),
            ("dataset", models.ForeignKey("tasks.dataset", on_delete=models.CASCADE, related_name="reports")),
        ], {"ordering": ["-evaluation_id"]}),
        migrations.CreateModel("Claim", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(max_length=200)),
            ("metric", models.CharField(help_text="A name of analysis.outcomes.printed_claims.", max_length=40)),
            ("printed", models.CharField(help_text="As the source prints it, digit for digit.", max_length=40)),
            ("own", models.FloatField(blank=True, help_text="What the source's own results give; empty: they give no such number.", null=True)),
            ("own_low", models.FloatField(blank=True, help_text="Of the 95 % interval of `own`.", null=True)),
            ("own_high", models.FloatField(blank=True, null=True)),
            ("own_n", models.PositiveIntegerField(default=0, help_text="Tasks, or attempts, that `own` is made of.")),
            ("agent", models.ForeignKey("runs.agent", on_delete=models.CASCADE, blank=True, null=True, related_name="claims")),
            ("report", models.ForeignKey("runs.resultreport", on_delete=models.CASCADE, related_name="claims")),
        ], {
            "ordering": ["report", "pk"],
            "constraints": [models.UniqueConstraint(fields=["report", "name", "metric"], name="one_claim_per_name_and_metric")],
        }),
        migrations.CreateModel("CellGroup", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("revision", models.PositiveBigIntegerField(default=0, help_text="Grows with every transaction that recounts a cell.")),
            ("changed_at", models.DateTimeField()),
            ("agent", models.ForeignKey("runs.agent", on_delete=models.CASCADE, related_name="+")),
            ("dataset", models.ForeignKey("tasks.dataset", on_delete=models.CASCADE, related_name="+")),
        ], {"constraints": [models.UniqueConstraint(fields=["agent", "dataset"], name="one_group_per_agent_and_dataset")]}),
        migrations.CreateModel("Panel", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("slug", models.SlugField(max_length=100, unique=True)),
            ("title", models.CharField(max_length=200)),
            ("dimensions", models.JSONField(default=list, help_text="Names of dimensions, in the order in which they are asked.")),
            ("samples", models.PositiveIntegerField(default=1, help_text="How often each judge is asked for each dimension of a run.")),
            ("digest", models.CharField(blank=True, editable=False, max_length=64)),
            ("origin", models.CharField(blank=True, editable=False, help_text="Where it was imported from; empty: made on this site.", max_length=200)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ], {"ordering": ["-created_at", "-pk"]}),
        migrations.CreateModel("JudgingPass", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("slug", models.SlugField(max_length=100, unique=True)),
            ("title", models.CharField(max_length=200)),
            ("state", models.CharField(choices=[("running", "Running"), ("finished", "Finished"), ("cancelled", "Cancelled")], default="running", max_length=20)),
            ("reason", models.TextField(blank=True, help_text="Why it ended before all reviews were made.")),
            ("budget_usd", models.FloatField(blank=True, null=True)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("finished_at", models.DateTimeField(blank=True, null=True)),
            ("created_by", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, null=True)),
            ("evaluation", models.ForeignKey("runs.evaluation", on_delete=models.CASCADE, blank=True, help_text="That of its runs; empty: they belong to several.", null=True, related_name="judging_passes")),
            ("panel", models.ForeignKey("runs.panel", on_delete=models.PROTECT, related_name="passes")),
            ("kind", models.CharField(choices=[("reviews", "Reviews"), ("comparisons", "Comparisons")], default="reviews", max_length=20)),
            ("first_sample", models.PositiveIntegerField(default=1, help_text="More than 1: its runs were judged before, and are judged again with new samples.")),
        ], {"ordering": ["-created_at", "-pk"], "verbose_name_plural": "judging passes"}),
        migrations.CreateModel("PanelJudge", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(max_length=200)),
            ("family", models.CharField(blank=True, help_text="Of models, like the provider's name.", max_length=100)),
            ("parameters", models.JSONField(blank=True, default=dict, help_text="Settings of its calls: temperature, max_output_tokens, reasoning_effort, seed.")),
            ("model", models.ForeignKey("runs.languagemodel", on_delete=models.PROTECT, related_name="judges")),
            ("panel", models.ForeignKey("runs.panel", on_delete=models.CASCADE, related_name="judges")),
        ], {
            "ordering": ["panel", "pk"],
            "constraints": [models.UniqueConstraint(fields=["panel", "name"], name="one_judge_per_name_and_panel")],
        }),
        migrations.CreateModel("JudgeReview", [
            *judge_work(),
            ("dimension", models.CharField(max_length=100)),
            ("run_try", models.PositiveIntegerField(default=0, help_text="The try of the run that was judged.")),
            ("score", models.FloatField(blank=True, null=True)),
            ("text", models.TextField(blank=True)),
            ("burden", models.PositiveIntegerField(blank=True, help_text="Of pitfalls; computed from its evidence.", null=True)),
            ("shown_share", models.FloatField(blank=True, help_text="Of the trajectory that the judge was shown.", null=True)),
            ("answered_model", models.CharField(blank=True, help_text="As the provider names it.", max_length=200)),
            ("run", models.ForeignKey("runs.run", on_delete=models.CASCADE, related_name="reviews")),
            ("judging_pass", models.ForeignKey("runs.judgingpass", on_delete=models.CASCADE, db_index=False, related_name="reviews")),
            ("judge", models.ForeignKey("runs.paneljudge", on_delete=models.PROTECT, related_name="reviews")),
        ], {
            "ordering": ["judging_pass", "run", "judge", "sample", "pk"],
            "indexes": [models.Index(fields=["state"], name="runs_judger_state_19d84d_idx")],
            "constraints": [models.UniqueConstraint(fields=["judging_pass", "run", "judge", "dimension", "sample"], name="one_review_per_sample")],
        }),
        migrations.CreateModel("ReviewEvidence", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("place", models.PositiveIntegerField(help_text="From 1, in the judge's order.")),
            ("aspect", models.CharField(max_length=400)),
            ("severity", models.CharField(help_text="none: the line speaks for the agent.", max_length=10)),
            ("frequency", models.CharField(blank=True, max_length=20)),
            ("category", models.CharField(blank=True, max_length=40)),
            ("mechanism", models.TextField(blank=True, help_text="How a pitfall came about.")),
            ("quote", models.TextField()),
            ("step", models.PositiveIntegerField(help_text="The step that the judge names.")),
            ("found_step", models.PositiveIntegerField(blank=True, help_text="The step that holds the quote; empty: none, or the final changes.", null=True)),
            ("part", models.CharField(blank=True, help_text="Of that step: message, call:1, result:1, …", max_length=40)),
            ("start", models.PositiveIntegerField(blank=True, help_text="Character of the part.", null=True)),
            ("end", models.PositiveIntegerField(blank=True, null=True)),
            ("status", models.CharField(choices=[("verified", "Verified"), ("relocated", "Relocated"), ("unverified", "Unverified")], max_length=20)),
            ("review", models.ForeignKey("runs.judgereview", on_delete=models.CASCADE, related_name="evidence")),
        ], {
            "ordering": ["review", "place"],
            "verbose_name_plural": "evidence of reviews",
            "constraints": [models.UniqueConstraint(fields=["review", "place"], name="one_evidence_per_place")],
        }),
        migrations.CreateModel("RunComparison", [
            *judge_work(),
            ("dimension", models.CharField(max_length=100)),
            ("try_one", models.PositiveIntegerField(default=0, help_text="The try of the first run that was judged.")),
            ("try_two", models.PositiveIntegerField(default=0, help_text="The try of the second run that was judged.")),
            ("score", models.SmallIntegerField(blank=True, null=True)),
            ("flipped", models.BooleanField(default=False, help_text="The two orders have opposite winners: a tie, with a score of 0.")),
            ("computed", models.BooleanField(default=False, help_text="From the burdens of two reviews; no judge was asked.")),
            ("shown_one", models.FloatField(blank=True, help_text="The share of the first run that was shown.", null=True)),
            ("shown_two", models.FloatField(blank=True, help_text="The share of the second run that was shown.", null=True)),
            ("judge", models.ForeignKey("runs.paneljudge", on_delete=models.PROTECT, related_name="comparisons")),
            ("judging_pass", models.ForeignKey("runs.judgingpass", on_delete=models.CASCADE, db_index=False, related_name="comparisons")),
            ("run_one", models.ForeignKey("runs.run", on_delete=models.CASCADE, related_name="comparisons_as_first")),
            ("run_two", models.ForeignKey("runs.run", on_delete=models.CASCADE, related_name="comparisons_as_second")),
        ], {
            "ordering": ["judging_pass_id", "run_one_id", "run_two_id", "judge_id", "sample", "pk"],
            "indexes": [models.Index(fields=["state"], name="runs_runcom_state_21ece6_idx")],
            "constraints": [models.UniqueConstraint(fields=["judging_pass", "run_one", "run_two", "judge", "dimension", "sample"], name="one_comparison_per_sample")],
        }),
        migrations.CreateModel("ComparisonOrder", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("shown_first", models.PositiveIntegerField(help_text="1: the first run was shown first; 2: the second one.")),
            ("state", models.CharField(choices=WORK_STATES, max_length=20)),
            ("reason", models.TextField(blank=True)),
            ("score", models.SmallIntegerField(blank=True, null=True)),
            ("text", models.TextField(blank=True)),
            ("answered_model", models.CharField(blank=True, help_text="As the provider names it.", max_length=200)),
            ("comparison", models.ForeignKey("runs.runcomparison", on_delete=models.CASCADE, related_name="orders")),
        ], {
            "ordering": ["comparison_id", "shown_first"],
            "constraints": [models.UniqueConstraint(fields=["comparison", "shown_first"], name="one_answer_per_order")],
        }),
        migrations.CreateModel("ComparisonLine", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("place", models.PositiveIntegerField(help_text="From 1, in the judge's order.")),
            ("aspect", models.CharField(max_length=400)),
            ("winner", models.CharField(choices=[("A1", "first run"), ("A2", "second run"), ("tie", "Tie")], max_length=10)),
            ("severity", models.CharField(help_text="How far the two runs are apart.", max_length=10)),
            ("quote", models.TextField()),
            ("quoted_run", models.PositiveIntegerField(help_text="1: the quote is from the first run; 2: the second one.")),
            ("step", models.PositiveIntegerField(help_text="The step that the judge names.")),
            ("found_step", models.PositiveIntegerField(blank=True, help_text="The step that holds the quote; empty: none, or the final changes.", null=True)),
            ("part", models.CharField(blank=True, help_text="Of that step: message, call:1, result:1, …", max_length=40)),
            ("start", models.PositiveIntegerField(blank=True, help_text="Character of the part.", null=True)),
            ("end", models.PositiveIntegerField(blank=True, null=True)),
            ("status", models.CharField(choices=[("verified", "Verified"), ("relocated", "Relocated"), ("unverified", "Unverified")], max_length=20)),
            ("order", models.ForeignKey("runs.comparisonorder", on_delete=models.CASCADE, related_name="lines")),
        ], {
            "ordering": ["order_id", "place"],
            "constraints": [models.UniqueConstraint(fields=["order", "place"], name="one_comparison_line_per_place")],
        }),
        migrations.CreateModel("Schedule", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("title", models.CharField(max_length=150, unique=True)),
            ("attempts", models.PositiveIntegerField(default=1, validators=[MinValueValidator(1)])),
            ("limits", models.JSONField(blank=True, default=dict, help_text="Of each run: harness.limits.Limits. What is absent has its default.")),
            ("budget_usd", models.FloatField(blank=True, help_text="Of each evaluation, in US dollars. Empty: none.", null=True, verbose_name="budget")),
            ("judging_budget_usd", models.FloatField(blank=True, help_text="Of each of its judging passes, in US dollars. Empty: none.", null=True, verbose_name="judging budget")),
            ("cron", models.CharField(blank=True, default="0 2 * * *", help_text="Minute, hour, day, month, weekday, in UTC. Nightly: 0 2 * * *. Weekly: 0 2 * * 0. Empty: by hand.", max_length=100)),
            ("anchor", models.CharField(choices=[("explicit", "the evaluation below"), ("last green", "the newest earlier one without a regression"), ("best", "of those without a regression the one with the highest share of resolved runs")], default="last green", max_length=20)),
            ("enabled", models.BooleanField(default=True)),
            ("armed_at", models.DateTimeField(auto_now_add=True, help_text="When its times began to count: earlier ones are not made up for.")),
            ("recipients", models.TextField(blank=True, help_text="E-mail addresses, one a line.")),
            ("webhook_url", models.CharField(blank=True, help_text="http or https.", max_length=500)),
            ("webhook_secret_variable", models.CharField(blank=True, help_text="Name of the sweeper's environment variable that holds the key of signatures; never the key.", max_length=100)),
            ("report_all", models.BooleanField(default=False, help_text="Send a message also where no regression was found.")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("agent", models.ForeignKey("runs.agent", on_delete=models.PROTECT, related_name="schedules")),
            ("anchor_evaluation", models.ForeignKey("runs.evaluation", on_delete=models.PROTECT, blank=True, null=True, related_name="anchor_of")),
            ("created_by", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, null=True)),
            ("panel", models.ForeignKey("runs.panel", on_delete=models.PROTECT, blank=True, help_text="Judges the new runs, and those of the anchor again.", null=True, related_name="schedules")),
            ("tasks", models.ManyToManyField("tasks.task", related_name="schedules")),
            ("compares_pairs", models.BooleanField(default=False, help_text="The panel also compares each new run with the anchor's, in both orders. The flags of the AgentLens paper about dimensions need it; the verdict does not.", verbose_name="compares runs in pairs")),
            ("user_model", models.ForeignKey("runs.languagemodel", on_delete=models.PROTECT, blank=True, help_text="Plays the users of workflow tasks; empty: they follow their scripts.", null=True, related_name="+")),
        ], {"ordering": ["title"]}),
        migrations.CreateModel("RegressionCheck", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("due_at", models.DateTimeField()),
            ("state", models.CharField(choices=[("evaluating", "Evaluating"), ("judging", "Judging"), ("comparing", "Comparing"), ("finished", "Finished")], default="evaluating", max_length=20)),
            ("verdict", models.CharField(blank=True, choices=[("none", "no regression shown"), ("regression", "regression"), ("not comparable", "not comparable"), ("infrastructure", "infrastructure failed")], max_length=20)),
            ("reason", models.TextField(blank=True)),
            ("result", models.JSONField(blank=True, default=dict, help_text="Counts of the comparison, and the paper's flags.")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("finished_at", models.DateTimeField(blank=True, null=True)),
            ("anchor", models.ForeignKey("runs.evaluation", on_delete=models.PROTECT, null=True, related_name="compared_by")),
            ("anchor_pass", models.ForeignKey("runs.judgingpass", on_delete=models.PROTECT, help_text="Judges its runs again.", null=True, related_name="+")),
            ("candidate", models.ForeignKey("runs.evaluation", on_delete=models.PROTECT, help_text="Empty: refused.", null=True, related_name="candidate_of")),
            ("candidate_pass", models.ForeignKey("runs.judgingpass", on_delete=models.PROTECT, null=True, related_name="+")),
            ("schedule", models.ForeignKey("runs.schedule", on_delete=models.CASCADE, db_index=False, related_name="checks")),
            ("pair_pass", models.ForeignKey("runs.judgingpass", on_delete=models.PROTECT, help_text="Compares its runs with the anchor's.", null=True, related_name="+")),
        ], {
            "ordering": ["-due_at", "-pk"],
            "constraints": [models.UniqueConstraint(fields=["schedule", "due_at"], name="one_check_per_due_time")],
        }),
        migrations.CreateModel("Delivery", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("due_at", models.DateTimeField()),
            ("channel", models.CharField(choices=[("email", "e-mail"), ("webhook", "webhook")], max_length=10)),
            ("state", models.CharField(choices=[("waiting", "Waiting"), ("sent", "Sent"), ("failed", "Failed")], default="waiting", max_length=10)),
            ("tries", models.PositiveIntegerField(default=0)),
            ("not_before", models.DateTimeField(blank=True, null=True)),
            ("reason", models.TextField(blank=True, help_text="Why the last try failed.")),
            ("sent_at", models.DateTimeField(blank=True, null=True)),
            ("check_of", models.ForeignKey("runs.regressioncheck", on_delete=models.CASCADE, related_name="deliveries")),
            ("schedule", models.ForeignKey("runs.schedule", on_delete=models.CASCADE, db_index=False, related_name="deliveries")),
        ], {
            "ordering": ["-due_at", "-pk"],
            "verbose_name_plural": "deliveries",
            "constraints": [models.UniqueConstraint(fields=["schedule", "due_at", "channel"], name="one_delivery_per_channel_and_due_time")],
        }),
        migrations.CreateModel("RegressionFinding", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("place", models.PositiveIntegerField()),
            ("quantity", models.CharField(max_length=120)),
            ("title", models.CharField(max_length=120)),
            ("scale", models.CharField(help_text="share: a difference; amount: a ratio.", max_length=10)),
            ("causes_alarm", models.BooleanField(default=True)),
            ("outcome", models.CharField(max_length=30)),
            ("reason", models.TextField(blank=True)),
            ("anchor_value", models.FloatField(null=True)),
            ("candidate_value", models.FloatField(null=True)),
            ("effect", models.FloatField(null=True)),
            ("low", models.FloatField(null=True)),
            ("high", models.FloatField(null=True)),
            ("p_worse", models.FloatField(help_text="Corrected for the number of quantities.", null=True)),
            ("p_better", models.FloatField(null=True)),
            ("scenarios", models.PositiveIntegerField(default=0)),
            ("pairs", models.PositiveIntegerField(default=0)),
            ("missing", models.PositiveIntegerField(default=0)),
            ("drift", models.CharField(blank=True, help_text="Of the judges: moved, steady, unknown.", max_length=20)),
            ("evidence", models.JSONField(blank=True, default=list, help_text="Runs that became worst: number, value, and both of the anchor's run.")),
            ("check_of", models.ForeignKey("runs.regressioncheck", on_delete=models.CASCADE, db_index=False, related_name="findings")),
        ], {
            "ordering": ["check_of", "place"],
            "constraints": [models.UniqueConstraint(fields=["check_of", "place"], name="one_finding_per_place")],
        }),
        migrations.CreateModel("Rating", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("rater_name", models.CharField(help_text="A pseudonym, made from the account's number.", max_length=40)),
            ("run_try", models.PositiveIntegerField(help_text="The try of the run that was rated.")),
            ("dimension", models.CharField(max_length=100)),
            ("round", models.PositiveIntegerField(default=1, help_text="2: rated again by the same person.")),
            ("score", models.FloatField()),
            ("text", models.TextField(blank=True)),
            ("evidence", models.JSONField(blank=True, default=list, help_text="Quotes with the places where they stand in the trajectory.")),
            ("seconds", models.FloatField(help_text="From opening the form to saving it: of all dimensions of the run together, so equal in each.")),
            ("key", models.CharField(help_text="Of its file.", max_length=64)),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("rater", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, help_text="Empty: the account was deleted, or the ratings were imported and the account is not known.", null=True, related_name="+")),
            ("run", models.ForeignKey("runs.run", on_delete=models.CASCADE, related_name="ratings")),
        ], {
            "ordering": ["created_at", "pk"],
            "permissions": [("rate_run", "Can rate runs")],
            "constraints": [
                models.UniqueConstraint(fields=["rater_name", "run", "dimension", "round"], name="one_rating_per_round"),
                models.CheckConstraint(condition=models.Q(score__in=(0.0, 0.5, 1.0)), name="rating_on_the_scale"),
            ],
        }),
        migrations.CreateModel("JudgeSummary", [
            *judge_work(),
            ("dimension", models.CharField(blank=True, help_text="Empty: all of them.", max_length=100)),
            ("text", models.TextField(blank=True, help_text="A few sentences about the whole.")),
            ("alert", models.BooleanField(blank=True, help_text="Of comparisons: the judge calls the difference alarming.", null=True)),
            ("shown", models.PositiveIntegerField(default=0, help_text="Runs or pairs with an answer; the n of its counts.")),
            ("answered_model", models.CharField(blank=True, help_text="As the provider names it.", max_length=200)),
            ("agent", models.ForeignKey("runs.agent", on_delete=models.CASCADE, related_name="judge_summaries")),
            ("dataset", models.ForeignKey("tasks.dataset", on_delete=models.CASCADE, related_name="judge_summaries")),
            ("judge", models.ForeignKey("runs.paneljudge", on_delete=models.PROTECT, related_name="summaries")),
            ("judging_pass", models.ForeignKey("runs.judgingpass", on_delete=models.CASCADE, db_index=False, related_name="summaries")),
            ("other_agent", models.ForeignKey("runs.agent", on_delete=models.CASCADE, blank=True, null=True, related_name="judge_summaries_as_second")),
        ], {
            "ordering": ["judging_pass_id", "dataset_id", "agent_id", "pk"],
            "verbose_name_plural": "judge summaries",
            "indexes": [models.Index(fields=["state"], name="runs_judges_state_0df4f3_idx")],
            "constraints": [
                models.UniqueConstraint(fields=["judging_pass", "dataset", "agent", "judge", "dimension"], condition=models.Q(other_agent=None), name="one_summary_per_dimension"),
                models.UniqueConstraint(fields=["judging_pass", "dataset", "agent", "other_agent", "judge", "dimension"], name="one_summary_per_dimension_of_two"),
            ],
        }),
        migrations.CreateModel("SummaryGroup", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("place", models.PositiveIntegerField(help_text="From 1, in the judge's order.")),
            ("title", models.CharField(max_length=80)),
            ("claim", models.TextField()),
            ("numbers", models.JSONField(default=list)),
            ("summary", models.ForeignKey("runs.judgesummary", on_delete=models.CASCADE, related_name="groups")),
        ], {
            "ordering": ["summary", "place"],
            "constraints": [models.UniqueConstraint(fields=["summary", "place"], name="one_group_per_place")],
        }),
        migrations.CreateModel("SummarySource", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("number", models.PositiveIntegerField()),
            ("run_try", models.PositiveIntegerField(default=0, help_text="The try of the run that was judged.")),
            ("step", models.PositiveIntegerField(blank=True, help_text="Of the first quote that was found.", null=True)),
            ("score", models.FloatField(blank=True, help_text="Of comparisons: their mean, −5 to 5.", null=True)),
            ("other_run", models.ForeignKey("runs.run", on_delete=models.CASCADE, blank=True, null=True, related_name="+")),
            ("run", models.ForeignKey("runs.run", on_delete=models.CASCADE, related_name="+")),
            ("summary", models.ForeignKey("runs.judgesummary", on_delete=models.CASCADE, related_name="sources")),
        ], {
            "ordering": ["summary", "number"],
            "constraints": [models.UniqueConstraint(fields=["summary", "number"], name="one_source_per_number")],
        }),
        migrations.CreateModel("PlaySession", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("pseudonym", models.CharField(help_text="As for ratings: made from the account's number.", max_length=40)),
            ("consent", models.BooleanField(default=False, help_text="The person agrees that the record is published.")),
            ("used_assistant", models.BooleanField(blank=True, help_text="Whether a model or another person helped; empty: not said.", null=True)),
            ("not_blind", models.BooleanField(default=False, help_text="The person saw other runs of the task, or its reference patch, before the end.")),
            ("last_seen_at", models.DateTimeField(blank=True, help_text="The last request.", null=True)),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("ended_at", models.DateTimeField(blank=True, help_text="Empty: it can be resumed.", null=True)),
            ("run", models.OneToOneField("runs.run", on_delete=models.CASCADE, related_name="play")),
            ("user", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, help_text="Empty: the account was deleted.", null=True, related_name="+")),
            ("asked_at", models.DateTimeField(blank=True, help_text="Since when the person waits for a process; empty: none is wanted.", null=True)),
            ("problem", models.TextField(blank=True, help_text="Why no process executes it, in a sentence for the person.")),
        ], {
            "ordering": ["-created_at", "-pk"],
            "permissions": [("play", "Can play tasks")],
            "constraints": [models.UniqueConstraint(fields=["user"], condition=models.Q(ended_at=None), name="one_open_session")],
        }),
        migrations.CreateModel("GenerationJob", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("repository", models.SlugField(max_length=100)),
            ("output", models.SlugField(help_text="The dataset that gets the tasks.")),
            ("target", models.SlugField(help_text="Its repository, in the output.", max_length=100)),
            ("title", models.CharField(help_text="Of the output, if it is new.", max_length=200)),
            ("hidden", models.BooleanField(default=True, help_text="Whether the output is hidden when it is published.")),
            ("kinds", models.JSONField(default=list)),
            ("seed", models.PositiveIntegerField(default=0)),
            ("limit", models.PositiveIntegerField(blank=True, help_text="Candidates of each kind. Empty: all.", null=True)),
            ("per_function", models.PositiveIntegerField(default=1)),
            ("least_removal", models.PositiveIntegerField()),
            ("least_corruption", models.PositiveIntegerField()),
            ("suite_seconds", models.FloatField()),
            ("budget_usd", models.FloatField(blank=True, help_text="For the model, with all earlier tries.", null=True)),
            ("state", models.CharField(choices=[("queued", "Queued"), ("running", "Running"), ("finished", "Finished"), ("stopped", "Stopped"), ("failed", "Failed")], db_index=True, default="queued", max_length=20)),
            ("reason", models.TextField(blank=True, help_text="Why it failed, or what it waits for.")),
            ("stop_requested", models.BooleanField(default=False)),
            ("tries", models.PositiveIntegerField(default=0)),
            ("losses", models.PositiveIntegerField(default=0)),
            ("worker", models.CharField(blank=True, max_length=200)),
            ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
            ("counts", models.JSONField(blank=True, default=dict)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("started_at", models.DateTimeField(blank=True, null=True)),
            ("finished_at", models.DateTimeField(blank=True, null=True)),
            ("published_at", models.DateTimeField(blank=True, null=True)),
            ("created_by", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, null=True)),
            ("dataset", models.ForeignKey("tasks.dataset", on_delete=models.CASCADE, related_name="generation_jobs")),
            ("model", models.ForeignKey("runs.languagemodel", on_delete=models.PROTECT, blank=True, help_text="Corrupts functions, for the kind adversarial.", null=True, related_name="generation_jobs")),
            ("least_lines", models.PositiveIntegerField(default=5)),
        ], {
            "ordering": ["-created_at", "-pk"],
            "constraints": [models.UniqueConstraint(fields=["output", "target"], condition=models.Q(state__in=["queued", "running"]), name="one_open_generation_per_output")],
        }),
        migrations.CreateModel("RecallProbe", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("task_digest", models.CharField(max_length=64)),
            ("prompt", models.CharField(help_text="The version of the prompt.", max_length=12)),
            ("similarity", models.FloatField(help_text="To the original code, 0 to 1; the mean of the targets.", null=True)),
            ("equal", models.BooleanField(help_text="All targets are the original code.", null=True)),
            ("tokens", models.PositiveIntegerField(default=0, help_text="Of the original bodies.")),
            ("reason", models.TextField(blank=True, help_text="Why nothing is known; else empty.")),
            ("cost_usd", models.FloatField(help_text="Empty: the model's price is unknown.", null=True)),
            ("answered_model", models.CharField(blank=True, help_text="As the provider names it.", max_length=200)),
            ("asked_at", models.DateTimeField(auto_now=True)),
            ("model", models.ForeignKey("runs.languagemodel", on_delete=models.CASCADE, related_name="recall_probes")),
            ("task", models.ForeignKey("tasks.task", on_delete=models.CASCADE, related_name="recall_probes")),
        ], {
            "ordering": ["task_id", "model_id", "pk"],
            "constraints": [
                models.UniqueConstraint(fields=["model", "task", "prompt"], name="one_recall_probe_per_prompt"),
                models.CheckConstraint(condition=models.Q(equal=None, similarity=None) & ~models.Q(reason="") | models.Q(equal__isnull=False, similarity__gte=0, similarity__isnull=False, similarity__lte=1), name="recall_or_a_reason"),
            ],
        }),
        migrations.CreateModel("TrajectorySource", [
            ("run", models.OneToOneField("runs.run", on_delete=models.CASCADE, primary_key=True, related_name="trajectory_source", serialize=False)),
            ("form", models.CharField(help_text="The tool that wrote it.", max_length=40)),
            ("file", models.CharField(help_text="Its place in what was imported.", max_length=1000)),
            ("part", models.CharField(blank=True, help_text="Of the file; empty: all of it.", max_length=300)),
            ("digest", models.CharField(db_index=True, help_text="Of file and part, so that no trajectory is stored twice.", max_length=64)),
            ("session", models.CharField(blank=True, db_index=True, help_text="The tool's name for it while its file grows; empty: the file does not grow.", max_length=300)),
        ]),
        migrations.CreateModel("RunExploit", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("pattern", models.CharField(max_length=60)),
            ("strength", models.CharField(max_length=20)),
            ("run", models.ForeignKey("runs.run", on_delete=models.CASCADE, related_name="exploits")),
        ], {
            "indexes": [models.Index(fields=["strength", "run"], name="exploit_by_strength")],
            "constraints": [models.UniqueConstraint(fields=["pattern", "run"], name="one_exploit_per_pattern_and_run")],
        }),
        migrations.CreateModel("UploadToken", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(help_text="Who has it; readers see it with what was sent.", max_length=100)),
            ("digest", models.CharField(editable=False, max_length=64, unique=True)),
            ("dataset", models.SlugField(max_length=100)),
            ("purpose", models.CharField(choices=[("trajectories", "Trajectories"), ("submission", "Submission")], max_length=20)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("expires_at", models.DateTimeField()),
            ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ("last_used_at", models.DateTimeField(blank=True, null=True)),
            ("created_by", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, null=True)),
        ], {"default_permissions": (), "ordering": ["-created_at", "-pk"]}),
        migrations.CreateModel("Upload", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("purpose", models.CharField(choices=[("trajectories", "Trajectories"), ("submission", "Submission")], max_length=20)),
            ("name", models.CharField(help_text="Of the file, or of the first of several.", max_length=300)),
            ("files", models.PositiveIntegerField(default=1)),
            ("size", models.PositiveBigIntegerField(help_text="Bytes of all files.")),
            ("digest", models.CharField(max_length=64)),
            ("given", models.JSONField(blank=True, default=dict, help_text="What the sender says of the source.")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("state", models.CharField(choices=[("queued", "Queued"), ("running", "reading"), ("finished", "Finished"), ("refused", "Refused"), ("failed", "Failed")], db_index=True, default="queued", max_length=20)),
            ("message", models.TextField(blank=True, help_text="Why it was refused or failed, or what it waits for.")),
            ("done", models.PositiveIntegerField(default=0)),
            ("total", models.PositiveIntegerField(default=0)),
            ("tries", models.PositiveIntegerField(default=0)),
            ("losses", models.PositiveIntegerField(default=0)),
            ("worker", models.CharField(blank=True, max_length=200)),
            ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
            ("finished_at", models.DateTimeField(blank=True, null=True)),
            ("new", models.PositiveIntegerField(default=0)),
            ("known", models.PositiveIntegerField(default=0)),
            ("created_by", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, null=True)),
            ("report", models.ForeignKey("runs.resultreport", on_delete=models.SET_NULL, blank=True, null=True, related_name="uploads")),
            ("token", models.ForeignKey("runs.uploadtoken", on_delete=models.PROTECT, blank=True, null=True, related_name="uploads")),
            ("grown", models.PositiveIntegerField(default=0)),
        ], {"default_permissions": (), "ordering": ["-created_at", "-pk"]}),
        migrations.CreateModel("Submission", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("sender", models.CharField(help_text="Readers see it as the origin of the runs.", max_length=150)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("state", models.CharField(choices=[("staged", "Staged"), ("accepting", "Accepting"), ("accepted", "Accepted"), ("rejected", "Rejected")], db_index=True, default="staged", max_length=20)),
            ("message", models.TextField(blank=True, help_text="Why it could not be accepted.")),
            ("decided_at", models.DateTimeField(blank=True, null=True)),
            ("dataset", models.ForeignKey("tasks.dataset", on_delete=models.PROTECT, related_name="submissions")),
            ("decided_by", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, blank=True, null=True)),
            ("evaluation", models.ForeignKey("runs.evaluation", on_delete=models.SET_NULL, blank=True, null=True, related_name="+")),
            ("token", models.ForeignKey("runs.uploadtoken", on_delete=models.PROTECT, blank=True, null=True, related_name="submissions")),
            ("upload", models.OneToOneField("runs.upload", on_delete=models.SET_NULL, blank=True, null=True, related_name="submission")),
        ], {"default_permissions": (), "ordering": ["-created_at", "-pk"]}),
        migrations.CreateModel("RunGrading", [
            ("run", models.OneToOneField("runs.run", on_delete=models.CASCADE, primary_key=True, related_name="grading", serialize=False)),
            ("graded_at", models.DateTimeField()),
            ("claimed_outcome", models.CharField(choices=OUTCOMES, max_length=30)),
            ("claimed_passed", models.PositiveIntegerField()),
            ("submission", models.ForeignKey("runs.submission", on_delete=models.SET_NULL, blank=True, null=True, related_name="gradings")),
        ], {"default_permissions": ()}),
        migrations.CreateModel("SubmittedRun", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("key", models.CharField(help_text="Identity.run_id", max_length=300)),
            ("directory", models.CharField(help_text="Below `runs` of its submission.", max_length=1000)),
            ("agent_name", models.CharField(max_length=200)),
            ("agent_kind", models.CharField(max_length=40)),
            ("model", models.CharField(blank=True, max_length=200)),
            ("attempt", models.PositiveIntegerField()),
            ("try_number", models.PositiveIntegerField()),
            ("claimed_outcome", models.CharField(choices=OUTCOMES, max_length=30)),
            ("claimed_passed", models.PositiveIntegerField()),
            ("tests_total", models.PositiveIntegerField()),
            ("state", models.CharField(choices=[("waiting", "Waiting"), ("queued", "Queued"), ("running", "grading"), ("graded", "Graded"), ("failed", "Failed"), ("ungraded", "no verdict")], db_index=True, default="waiting", max_length=20)),
            ("message", models.TextField(blank=True, help_text="Why it failed, or what it waits for.")),
            ("outcome", models.CharField(blank=True, choices=OUTCOMES, max_length=30)),
            ("tests_passed", models.PositiveIntegerField(blank=True, null=True)),
            ("reason", models.TextField(blank=True, help_text="Of the verdict of this site.")),
            ("tries", models.PositiveIntegerField(default=0)),
            ("failures", models.PositiveIntegerField(default=0)),
            ("not_before", models.DateTimeField(blank=True, null=True)),
            ("worker", models.CharField(blank=True, max_length=200)),
            ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
            ("graded_at", models.DateTimeField(blank=True, null=True)),
            ("submission", models.ForeignKey("runs.submission", on_delete=models.CASCADE, related_name="submitted")),
            ("task", models.ForeignKey("tasks.task", on_delete=models.PROTECT, related_name="+")),
        ], {"default_permissions": (), "ordering": ["submission", "pk"]}),
        migrations.RunPython(create_roles, migrations.RunPython.noop),
        migrations.RunPython(fill_cell_groups, migrations.RunPython.noop),
    ]

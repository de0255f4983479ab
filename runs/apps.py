from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Agents, evaluations, runs and the leaderboard."""

    name = "runs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Cells follow what is deleted."""
        from runs.evaluations import delete_signals  # noqa: F401, PLC0415 - its receivers register themselves; models are loaded by now

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Agents, evaluations, runs and the leaderboard."""

    name = "runs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Cells follow what is deleted, and results know what a transaction has changed."""
        # Their receivers register themselves; models are loaded by now.
        from runs import deleting, results  # noqa: F401, PLC0415

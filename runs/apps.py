from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Agents, evaluations, runs and the leaderboard."""

    name = "runs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Registers the receivers of deletions, and computes the source digest before a file can change."""
        from runs.cache.digests import source_digest  # noqa: PLC0415 - models are loaded by now
        from runs.evaluations import delete_signals  # noqa: F401, PLC0415 - its receivers register themselves

        source_digest()

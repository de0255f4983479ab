from django.apps import AppConfig
from django.conf import settings

from benchbench.private_files import keep_database_private


class BenchBenchConfig(AppConfig):
    """The project itself: it has no tables, only commands."""

    name = "benchbench"

    def ready(self) -> None:
        """Makes the database file private before anything is stored in it."""
        database = settings.DATABASES["default"]
        if database["ENGINE"].endswith("sqlite3"):
            keep_database_private(str(database["NAME"]))

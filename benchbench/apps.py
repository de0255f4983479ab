from django.apps import AppConfig


class BenchBenchConfig(AppConfig):
    """The project itself: it has no tables, only commands."""

    name = "benchbench"

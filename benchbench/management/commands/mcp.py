from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from runs.api.assistants.site_client import OWN_ADDRESS, OwnSite, SiteClient, SiteProblem


class Command(BaseCommand):
    """Serves the Model Context Protocol on standard input and output."""

    help = (
        "Serves the Model Context Protocol on standard input and output, for an assistant on this machine. It reads "
        "the public data of this site, or of any other with --site, and changes nothing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Its options."""
        parser.add_argument("--site", metavar="ADDRESS", help="the site to read: https://bench.example.org")

    def handle(self, *_args: Any, site: str | None, **_options: Any) -> None:
        """Until the assistant closes standard input."""
        # Imported by this command alone: see the documentation of the package.
        from runs.api.assistants.protocol_server import server_of  # noqa: PLC0415

        try:
            client = SiteClient(site) if site else SiteClient(own_address(), transport=OwnSite())
        except SiteProblem as problem:
            raise CommandError(str(problem)) from problem
        server_of(client).run("stdio")


def own_address() -> str:
    """An address that this site answers to; links of answers begin with it."""
    named = [host for host in settings.ALLOWED_HOSTS if host != "*" and not host.startswith(".")]
    return f"http://{named[0]}" if named else OWN_ADDRESS

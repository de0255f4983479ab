from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.judging.regression_checks.check_findings import findings_of
from runs.judging.regression_checks.check_message import finding_in_words
from runs.judging.regression_checks.comparing_sets import compare_sets
from runs.judging.regression_checks.stored_members import SetUnreadable, members_in_directory
from runs.models import RegressionCheck

Verdict = RegressionCheck.Verdict
EXIT = {Verdict.NONE: 0, Verdict.REGRESSION: 1, Verdict.NOT_COMPARABLE: 2, Verdict.INFRASTRUCTURE: 3}


class Command(BaseCommand):
    """Compares two directories of runs, without a database.

    The harness makes them, but it never imports the analysis, which belongs to the site.
    """

    help = (
        "Compares the runs of an agent with earlier ones and says what became worse. With --fail-on-regression the "
        "exit status is 0: no regression shown, 1: regression, 2: not comparable, 3: infrastructure failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Two directories."""
        parser.add_argument(
            "candidate", type=Path, metavar="DIRECTORY", help="of run directories, of one agent"
        )
        parser.add_argument(
            "--against", type=Path, required=True, metavar="ANCHOR", help="directory of the earlier runs"
        )
        parser.add_argument(
            "--fail-on-regression", action="store_true", help="say the verdict by the exit status"
        )

    def handle(
        self, *_args: Any, candidate: Path, against: Path, fail_on_regression: bool, **_more: Any
    ) -> None:
        """A directory that cannot be read is not comparable. A fault of this program is no regression, either."""
        try:
            found = compare_sets(members_in_directory(against), members_in_directory(candidate))
        except SetUnreadable as error:
            raise CommandError(str(error), returncode=EXIT[Verdict.NOT_COMPARABLE]) from error
        except Exception as error:
            # Python's own exit status is 1, which says that something became worse.
            reason = f"the comparison failed: {type(error).__name__}: {error}"
            raise CommandError(reason, returncode=EXIT[Verdict.INFRASTRUCTURE]) from error
        self.stdout.write(f"{found.verdict.label}: {found.reason}")
        for finding in findings_of(found):
            if finding.causes_alarm:
                self.stdout.write(f"  {finding_in_words(finding)}")
        if fail_on_regression and EXIT[found.verdict]:
            sys.exit(EXIT[found.verdict])

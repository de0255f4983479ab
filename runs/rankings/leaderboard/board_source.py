"""Sources of a leaderboard: the current cells, or those of a snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from django.db.models import Count

from runs.analysis.outcomes.corrected import SOURCE_RULE, CorrectionRule
from runs.analysis.outcomes.standings import Standings
from runs.analysis.scores.quality_index import QualityIndex
from runs.data.cells.boards import Boards, all_boards
from runs.data.cells.filtered_cells import filtered_standings
from runs.data.cells.flagged_cells import flagged_cells
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.board_names import BoardName
from runs.data.queries.competitors import Competitor, competitors
from runs.data.queries.filters import BoardChoices, leaderboard_choices
from runs.data.queries.printed_numbers import Findings, findings_of
from runs.data.run_facts.counting_panel import open_quality
from runs.models import ResultReport, Run
from runs.models.agent import PERSON
from runs.models.open_rows import without_hidden


class BoardSource:
    """Where a leaderboard takes its data from: here, those of today."""

    def standings(self, chosen: BoardFilter) -> Standings:
        """The rows from the cells that match this filter.

        Cached until the data change; without another filter than the dataset, in every process.
        """
        return filtered_standings(chosen)

    def competitors(self, ids: Iterable[int]) -> Mapping[int, Competitor]:
        """Agents by number, in one database query."""
        return competitors(ids)

    def choices(self, dataset: str) -> BoardChoices:
        """The choices of the filters of a dataset, in one database query beside that of all agents."""
        return leaderboard_choices(dataset)

    def boards(self) -> Boards:
        """The boards of all datasets, cached until the data change."""
        return all_boards()

    def findings(self, dataset: str) -> Findings:
        """Printed numbers of a dataset's source that its results do not give, in one database query."""
        return findings_of(dataset)

    def rule(self, dataset: str) -> CorrectionRule | None:
        """By which rule verdicts of a dataset were judged, in one database query; None if none was."""
        return correction_rule(dataset)

    def quality(self, chosen: BoardFilter) -> Mapping[int, QualityIndex]:
        """The quality index of each agent with reviews, from the runs that match and the panel that counts."""
        return open_quality(chosen)

    def people(self, chosen: BoardFilter) -> Mapping[int, int]:
        """Of agents that stand for people, how many these are, in one database query."""
        return people_of(chosen)

    def flagged(self, chosen: BoardFilter) -> Mapping[int, int] | None:
        """How many of the runs that match are flagged, by agent; agents without one are left out. None: unknown."""
        flagged: Counter[int] = Counter()
        for cell in () if chosen.flagged else flagged_cells(chosen):
            flagged[cell.agent] += cell.attempts
        return flagged


def correction_rule(dataset: str) -> CorrectionRule | None:
    """The rule by which the verdicts of a dataset were judged, in one query; None if none was."""
    home = BoardName.of(dataset).dataset
    reports = without_hidden(ResultReport.objects.filter(evaluation__listed=True, dataset__slug=home))
    judged_by = reports.exclude(judged_by="").values_list("judged_by", flat=True).first()
    return CorrectionRule(SOURCE_RULE, judged_by) if judged_by else None


def people_of(chosen: BoardFilter) -> Mapping[int, int]:
    """Agent → the number of people with a graded run that counts and matches this filter. One query.

    Only agents of this site: imported runs do not say whose they are.
    """
    graded = chosen.runs().filter(agent__kind=PERSON, outcome__in=Run.VERDICTS, play__isnull=False)
    counts = graded.order_by().values_list("agent").annotate(people=Count("play__pseudonym", distinct=True))
    return dict(counts)

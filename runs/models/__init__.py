"""The models of the site. `manage.py import_runs DIR` rebuilds runs and cells from run directories."""

from runs.models.account import OneTimePassword, RecoveryCode, SavedSearch
from runs.models.agent import CALIBRATION_KINDS, Agent, LanguageModel
from runs.models.audit_entry import AppendOnly, AuditEntry
from runs.models.cell import Cell, CellGroup, Snapshot
from runs.models.evaluation import FAULT_CATALOGUE, Evaluation
from runs.models.generation_job import GenerationJob
from runs.models.judge_review import JudgeReview, JudgingPass, Panel, PanelJudge, ReviewEvidence
from runs.models.judge_summary import JudgeSummary, SummaryGroup, SummarySource
from runs.models.judge_work import JudgeWork
from runs.models.play_session import PlaySession
from runs.models.rating import Rating, StepNote
from runs.models.recall_probe import RecallProbe
from runs.models.result_report import Claim, ReportedTests, ResultReport, TrajectorySource
from runs.models.run import CLOSE, Counts, Run, RunExploit, RunSign, Try
from runs.models.run_comparison import ComparisonLine, ComparisonOrder, RunComparison
from runs.models.scheduled_check import Delivery, RegressionCheck, RegressionFinding, Schedule
from runs.models.shared_fields import BackgroundWork, Spender
from runs.models.submission import RunGrading, Submission, SubmittedRun
from runs.models.upload import Upload, UploadPurpose, UploadToken

__all__ = [
    "CALIBRATION_KINDS",
    "CLOSE",
    "FAULT_CATALOGUE",
    "Agent",
    "AppendOnly",
    "AuditEntry",
    "BackgroundWork",
    "Cell",
    "CellGroup",
    "Claim",
    "ComparisonLine",
    "ComparisonOrder",
    "Counts",
    "Delivery",
    "Evaluation",
    "GenerationJob",
    "JudgeReview",
    "JudgeSummary",
    "JudgeWork",
    "JudgingPass",
    "LanguageModel",
    "OneTimePassword",
    "Panel",
    "PanelJudge",
    "PlaySession",
    "Rating",
    "RecallProbe",
    "RecoveryCode",
    "RegressionCheck",
    "RegressionFinding",
    "ReportedTests",
    "ResultReport",
    "ReviewEvidence",
    "Run",
    "RunComparison",
    "RunExploit",
    "RunGrading",
    "RunSign",
    "SavedSearch",
    "Schedule",
    "Snapshot",
    "Spender",
    "StepNote",
    "Submission",
    "SubmittedRun",
    "SummaryGroup",
    "SummarySource",
    "TrajectorySource",
    "Try",
    "Upload",
    "UploadPurpose",
    "UploadToken",
]

"""The models of the site. `manage.py import_runs DIR` rebuilds runs and cells from run directories."""

from runs.models.account import OneTimePassword, RecoveryCode
from runs.models.agent import CALIBRATION_KINDS, Agent, LanguageModel
from runs.models.audit_entry import AppendOnly, AuditEntry
from runs.models.cell import Cell, CellGroup, Snapshot
from runs.models.evaluation import Evaluation
from runs.models.judge_review import JudgeReview, JudgingPass, Panel, PanelJudge, ReviewEvidence
from runs.models.rating import Rating
from runs.models.result_report import Claim, ReportedTests, ResultReport
from runs.models.run import CLOSE, Counts, Run, RunSign, Try
from runs.models.spender import Spender

__all__ = [
    "CALIBRATION_KINDS",
    "CLOSE",
    "Agent",
    "AppendOnly",
    "AuditEntry",
    "Cell",
    "CellGroup",
    "Claim",
    "Counts",
    "Evaluation",
    "JudgeReview",
    "JudgingPass",
    "LanguageModel",
    "OneTimePassword",
    "Panel",
    "PanelJudge",
    "Rating",
    "RecoveryCode",
    "ReportedTests",
    "ResultReport",
    "ReviewEvidence",
    "Run",
    "RunSign",
    "Snapshot",
    "Spender",
    "Try",
]

"""Contains all the data models used in inputs/outputs"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .action_result import ActionResult
    from .audit import Audit
    from .audit_change import AuditChange
    from .audit_recheck import AuditRecheck
    from .batch_action import BatchAction
    from .branch_child import BranchChild
    from .branch_outcome import BranchOutcome
    from .branch_reply import BranchReply
    from .branch_request import BranchRequest
    from .capture_request import CaptureRequest
    from .checkpoint import Checkpoint
    from .cost import Cost
    from .counts import Counts
    from .create_slot_request import CreateSlotRequest
    from .empty_request import EmptyRequest
    from .error_reply import ErrorReply
    from .evaluator import Evaluator
    from .execute_action import ExecuteAction
    from .gate import Gate
    from .gate_report import GateReport
    from .health import Health
    from .health_limits import HealthLimits
    from .latencies import Latencies
    from .latency import Latency
    from .launch_action import LaunchAction
    from .metrics import Metrics
    from .metrics_window import MetricsWindow
    from .prefork_reply import PreforkReply
    from .pyautogui_action import PyautoguiAction
    from .quarantine_request import QuarantineRequest
    from .quiescent_reply import QuiescentReply
    from .quiescent_request import QuiescentRequest
    from .reward_metrics import RewardMetrics
    from .reward_reply import RewardReply
    from .setup_step import SetupStep
    from .signal_action import SignalAction
    from .signal_action_signal_name import SignalActionSignalName
    from .sleep_action import SleepAction
    from .slot import Slot
    from .slot_fields import SlotFields
    from .slot_identity import SlotIdentity
    from .slot_metrics import SlotMetrics
    from .slot_page import SlotPage
    from .slot_usage import SlotUsage
    from .step_parameters import StepParameters
    from .step_reply import StepReply
    from .step_request import StepRequest
    from .task import Task
    from .task_ref import TaskRef
    from .task_request import TaskRequest
    from .task_scope import TaskScope
    from .task_set import TaskSet
    from .task_summary import TaskSummary
    from .validity import Validity
    from .verify_request import VerifyRequest
else:
    from importlib import import_module

    _HOME = {
        "ActionResult": ".action_result",
        "Audit": ".audit",
        "AuditChange": ".audit_change",
        "AuditRecheck": ".audit_recheck",
        "BatchAction": ".batch_action",
        "BranchChild": ".branch_child",
        "BranchOutcome": ".branch_outcome",
        "BranchReply": ".branch_reply",
        "BranchRequest": ".branch_request",
        "CaptureRequest": ".capture_request",
        "Checkpoint": ".checkpoint",
        "Cost": ".cost",
        "Counts": ".counts",
        "CreateSlotRequest": ".create_slot_request",
        "EmptyRequest": ".empty_request",
        "ErrorReply": ".error_reply",
        "Evaluator": ".evaluator",
        "ExecuteAction": ".execute_action",
        "Gate": ".gate",
        "GateReport": ".gate_report",
        "Health": ".health",
        "HealthLimits": ".health_limits",
        "Latencies": ".latencies",
        "Latency": ".latency",
        "LaunchAction": ".launch_action",
        "Metrics": ".metrics",
        "MetricsWindow": ".metrics_window",
        "PreforkReply": ".prefork_reply",
        "PyautoguiAction": ".pyautogui_action",
        "QuarantineRequest": ".quarantine_request",
        "QuiescentReply": ".quiescent_reply",
        "QuiescentRequest": ".quiescent_request",
        "RewardMetrics": ".reward_metrics",
        "RewardReply": ".reward_reply",
        "SetupStep": ".setup_step",
        "SignalAction": ".signal_action",
        "SignalActionSignalName": ".signal_action_signal_name",
        "SleepAction": ".sleep_action",
        "Slot": ".slot",
        "SlotFields": ".slot_fields",
        "SlotIdentity": ".slot_identity",
        "SlotMetrics": ".slot_metrics",
        "SlotPage": ".slot_page",
        "SlotUsage": ".slot_usage",
        "StepParameters": ".step_parameters",
        "StepReply": ".step_reply",
        "StepRequest": ".step_request",
        "Task": ".task",
        "TaskRef": ".task_ref",
        "TaskRequest": ".task_request",
        "TaskScope": ".task_scope",
        "TaskSet": ".task_set",
        "TaskSummary": ".task_summary",
        "Validity": ".validity",
        "VerifyRequest": ".verify_request",
    }

    def __getattr__(name):
        home = _HOME.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(home, __name__), name)
        return value


__all__ = (
    "ActionResult",
    "Audit",
    "AuditChange",
    "AuditRecheck",
    "BatchAction",
    "BranchChild",
    "BranchOutcome",
    "BranchReply",
    "BranchRequest",
    "CaptureRequest",
    "Checkpoint",
    "Cost",
    "Counts",
    "CreateSlotRequest",
    "EmptyRequest",
    "ErrorReply",
    "Evaluator",
    "ExecuteAction",
    "Gate",
    "GateReport",
    "Health",
    "HealthLimits",
    "Latencies",
    "Latency",
    "LaunchAction",
    "Metrics",
    "MetricsWindow",
    "PreforkReply",
    "PyautoguiAction",
    "QuarantineRequest",
    "QuiescentReply",
    "QuiescentRequest",
    "RewardMetrics",
    "RewardReply",
    "SetupStep",
    "SignalAction",
    "SignalActionSignalName",
    "SleepAction",
    "Slot",
    "SlotFields",
    "SlotIdentity",
    "SlotMetrics",
    "SlotPage",
    "SlotUsage",
    "StepParameters",
    "StepReply",
    "StepRequest",
    "Task",
    "TaskRef",
    "TaskRequest",
    "TaskScope",
    "TaskSet",
    "TaskSummary",
    "Validity",
    "VerifyRequest",
)

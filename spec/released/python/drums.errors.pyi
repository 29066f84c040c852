class ActionFailed(DrumsError):
    def __init__(self, result: Mapping[str, Any], action: Mapping[str, object] | str, **facts: Unpack[Facts]) -> None: ...
    action: object
    body: object
    code: object
    default_hint: object
    error: str | None
    gates: object
    hint: str
    message: str
    method: object
    output: str | None
    path: object
    record: object
    request_id: object
    result: object
    retry_after: object
    returncode: int | None
    sent: Sent
    status: object
    tried: object
class AuthError(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class BadRequest(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class BatchError(DrumsError):
    def __init__(self, ok: Sequence[Any], failed: Sequence[BaseException], **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    failed: list[BaseException]
    gates: object
    hint: str
    message: str
    method: object
    ok: list[Any]
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class CheckerError(DrumsError):
    def __init__(self, reward: Reward, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    reward: object
    sent: Sent
    status: object
    tried: object
class CheckpointStale(Conflict):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class Conflict(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class DaemonUnavailable(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class DrumsError(Exception):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: str
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class EnvFailed(DrumsError):
    def __init__(self, record: Mapping[str, object], /, message: str | None = None, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: Slot
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class EnvGone(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    @property
    def closed_reason(self) -> str | None: ...
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class Facts(TypedDict):
    code: str | None
    gates: GateReport | None
    hint: str | None
    method: str | None
    path: str | None
    record: Slot | None
    request_id: str | None
    retry_after: float | None
    sent: Sent
    tried: str | None
class Forbidden(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class ForkError(DrumsError):
    def __init__(self, ok: Sequence[Any], failed: Sequence[BaseException], state: str | None = None, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    failed: list[BaseException]
    gates: object
    hint: str
    message: str
    method: object
    ok: list[Any]
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    state: object
    status: object
    tried: object
class GateFailed(EnvFailed):
    def __init__(self, record: Mapping[str, object], /, message: str | None = None, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: Slot
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
GateReport: drums.records.GateReport
class GuestError(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class InvalidEpisode(DrumsError):
    def __init__(self, reward: Reward, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    @property
    def invalid_reasons(self) -> list[str]: ...
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    reward: object
    sent: Sent
    status: object
    tried: object
class NotFound(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class NotQuiescent(Conflict):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class Overloaded(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class ProtocolError(DrumsError):
    def __init__(self, status: int, message: str, body: object = None, *, where: str | None = None, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
    where: object
class QuotaExceeded(Forbidden):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class RestoreFailed(EnvFailed):
    def __init__(self, record: Mapping[str, object], /, message: str | None = None, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: Slot
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class Reward:
    def __init__(self, raw: Mapping[str, Any]) -> None: ...
    @property
    def audit(self) -> Audit | None: ...
    @property
    def audit_flags(self) -> list[str]: ...
    @property
    def bad_gates(self) -> list[str]: ...
    @property
    def checker_error(self) -> str | None: ...
    @property
    def checker_skipped(self) -> str | None: ...
    @property
    def env_id(self) -> str: ...
    @property
    def episode(self) -> int | None: ...
    @property
    def gates(self) -> list[Gate]: ...
    @property
    def invalid_reasons(self) -> list[str]: ...
    @property
    def raw(self) -> RewardReply: ...
    def required(self, **facts: Unpack[Facts]) -> Self: ...
    @property
    def score(self) -> float | None: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def task_id(self) -> str | None: ...
    @property
    def trusted(self) -> bool | None: ...
    @property
    def valid(self) -> bool: ...
    @property
    def validity(self) -> Validity | None: ...
    @property
    def verdict(self) -> str: ...
class Row:
    cls: type[DrumsError]
    code: str | None
    hint: str | None
    def matches(self, status: int, code: str | None, message: str) -> bool: ...
    status: int | range
    words: str | None
Sent: object
Slot: drums.records.Slot
class TaskSetupFailed(EnvFailed):
    def __init__(self, record: Mapping[str, object], /, message: str | None = None, **facts: Unpack[Facts]) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: Slot
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
class TaskUnsupported(BadRequest):
    def __init__(self, status: int, message: str, body: object = None, *, code: str | None = None, method: str | None = None, path: str | None = None, request_id: str | None = None, retry_after: float | None = None, sent: Sent = 'yes', tried: str | None = None, hint: str | None = None, record: Slot | None = None, gates: GateReport | None = None) -> None: ...
    body: object
    code: object
    default_hint: object
    gates: object
    hint: str
    message: str
    method: object
    path: object
    record: object
    request_id: object
    retry_after: object
    sent: Sent
    status: object
    tried: object
UNKNOWN_OUTCOME: Final
def class_for(status: int, code: str | None, message: str) -> type[DrumsError]: ...
def conceal(error: BaseException, *secrets: str) -> None: ...
def error_from(status: int, body: object = None, *, message: str | None = None, **facts: Unpack[Facts]) -> DrumsError: ...
def excerpt(text: str, *, end: bool = False) -> str: ...
def failure_of(record: Mapping[str, object]) -> EnvFailed | None: ...
def mapping_at(body: object, name: str) -> Mapping[str, object] | None: ...
def one_line(text: str) -> str: ...
def redacted(text: str, *secrets: str) -> str: ...
def row_for(status: int, code: str | None, message: str) -> Row: ...
rows: Final
def scrubbed(value: Any, *secrets: str) -> Any: ...
def seconds_at(body: object, name: str) -> float | None: ...
def text_at(body: object, name: str) -> str | None: ...
def words_of(body: object) -> str: ...

Action: TypeAlias
ActionDict: TypeAlias
BadRequest: drums.errors.BadRequest
class Execute:
    def __init__(self, command: str | Sequence[str], shell: bool = False) -> None: ...
    command: str | Sequence[str]
    shell: bool
    type: Literal['execute']
class ExecuteAction(TypedDict):
    command: str | Sequence[str]
    shell: NotRequired[bool]
    type: Literal['execute']
class Launch:
    def __init__(self, command: str | Sequence[str], shell: bool = False) -> None: ...
    command: str | Sequence[str]
    shell: bool
    type: Literal['launch']
class LaunchAction(TypedDict):
    command: str | Sequence[str]
    shell: NotRequired[bool]
    type: Literal['launch']
class Pyautogui:
    def __init__(self, code: str) -> None: ...
    code: str
    type: Literal['pyautogui']
class PyautoguiAction(TypedDict):
    code: str
    type: Literal['pyautogui']
class Sleep:
    def __init__(self, seconds: float) -> None: ...
    seconds: float
    type: Literal['sleep']
class SleepAction(TypedDict):
    seconds: float
    type: Literal['sleep']
def action(given: Action, *, tried: str | None = None) -> dict[str, object]: ...
def excerpt(text: str, *, end: bool = False) -> str: ...

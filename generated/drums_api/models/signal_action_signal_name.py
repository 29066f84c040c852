from enum import StrEnum


class SignalActionSignalName(StrEnum):
    DONE = "DONE"
    FAIL = "FAIL"
    WAIT = "WAIT"

    def __str__(self) -> str:
        return str(self.value)

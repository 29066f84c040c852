"""Contains shared errors types that can be raised from API functions"""

from __future__ import annotations


class UnexpectedStatus(Exception):
    """Raised by api functions when the response status an undocumented status and Client.raise_on_unexpected_status is True"""

    def __init__(self, status_code: int, content: bytes):
        self.status_code = status_code
        self.content = content

        super().__init__(
            f"Unexpected status code: {status_code}\n\nResponse content:\n{content.decode(errors='ignore')}"
        )


class UnparsableResponse(Exception):
    """Raised by api functions when the body of a documented status is not what the document says"""

    def __init__(self, status_code: int, content: bytes):
        self.status_code = status_code
        self.content = content

        super().__init__(
            f"Unparsable response with status code {status_code}, {len(content)} bytes"
        )

    def __reduce__(self) -> tuple[type[UnparsableResponse], tuple[int, bytes]]:
        return type(self), (self.status_code, self.content)


__all__ = ["UnexpectedStatus", "UnparsableResponse"]

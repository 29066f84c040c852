"""The peer of every measurement: a loopback HTTP server in a process of its own, as fast as asyncio lets it be.

`/png` is a screenshot's bytes, `/v1/slots` a slot's record, everything else a step's reply; `slow` holds that back for
200 ms. With `tls` it speaks https by the tests' certificate, which `certificate()` names.
"""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SLOT: Final = b'{"id":"s1","state":"ready","episode":1,"checkpoint":"osworld-ubuntu","task":null}'
RESULT: Final = b'{"returncode":0,"error":"","output":"' + b"x" * 300 + b'"}'
STEP: Final = b'{"slot":"s1","episode":1,"seconds":0.01,"result":' + RESULT + b"}"
PNG: Final = b"\x89PNG\r\n\x1a\n" + bytes(400_000)
SLOW_S: Final = 0.2
SLOW: Final = "slow" in sys.argv


def certificate() -> str:
    """Path of the certificate, which is its own authority."""
    return str(Path(__file__).parents[1] / "tests/io/certificates/localhost.pem")


def _reply(body: bytes, kind: bytes) -> bytes:
    head = (
        b"HTTP/1.1 200 OK\r\ndate: Tue, 01 Jan 2030 00:00:00 GMT\r\nserver: bench\r\nx-request-id: 0123456789abcdef\r\n"
    )
    return b"%bcontent-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (head, kind, len(body), body)


_STEP, _SLOT, _PNG = _reply(STEP, b"application/json"), _reply(SLOT, b"application/json"), _reply(PNG, b"image/png")
_REPLIES: Final = {b"/png": _PNG, b"/v1/slots": _SLOT, b"/v1/slots/s1": _SLOT}


class _Connection(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, rest = self._buffer.partition(b"\r\n\r\n")
            _, _, length = head.lower().partition(b"content-length:")
            size = int(length.partition(b"\r\n")[0] or b"0")
            if len(rest) < size:
                return
            self._buffer = rest[size:]
            self._answer(head)

    def _answer(self, head: bytes) -> None:
        reply = _REPLIES.get(head.split(b" ", 2)[1], _STEP)
        if reply is _STEP and SLOW:
            asyncio.get_running_loop().call_later(SLOW_S, self._transport.write, reply)
        else:
            self._transport.write(reply)
        if b"connection: close" in head.lower():
            self._transport.close()


async def _serve() -> None:
    context = None
    if "tls" in sys.argv:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate())
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", 0, ssl=context, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def a_server(*, tls: bool = False, slow: bool = False) -> Iterator[str]:
    """Its URL, for as long as the block lasts."""
    command = [sys.executable, "-m", "benchmarks.server", *(["tls"] if tls else []), *(["slow"] if slow else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http{'s' if tls else ''}://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(_serve())

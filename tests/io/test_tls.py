"""Over https a server must prove who it is; only then does it get the token."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

import pytest

from drums._core.settings import Settings
from drums._io._tls import tls_context
from tests.io.server import CERTIFICATES, Peer, Server
from tests.io.sides import failure_of, get, post

if TYPE_CHECKING:
    from tests.io.sides import Opened


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test certificates are among the authorities."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "localhost.pem"))


def test_an_unknown_certificate_is_refused_before_anything_is_said(opened: Opened) -> None:
    with Server(certificate="localhost.pem") as server:
        failure = failure_of(opened(server.url), post())
        assert server.seen == []
    assert failure.sent == "no"
    assert failure.what == (
        f"no TLS with 127.0.0.1:{server.port}: its certificate is not trusted: self-signed certificate "
        "(SSL_CERT_FILE names further authorities)"
    )


@pytest.mark.usefixtures("trusting")
def test_a_certificate_that_ssl_cert_file_names_is_trusted_and_its_connection_kept(opened: Opened) -> None:
    with Server(certificate="localhost.pem") as server:
        sender = opened(server.url)
        for _ in range(3):
            assert sender.send(post()).body == b"/v1/slots"
    assert [seen.connection for seen in server.seen] == [1, 1, 1]


def test_a_trusted_certificate_of_another_host_is_refused(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "elsewhere.pem"))
    with Server(certificate="elsewhere.pem") as server:
        failure = failure_of(opened(server.url), post())
        assert server.seen == []
    assert failure.sent == "no"
    assert "IP address mismatch" in failure.what


def test_a_server_that_speaks_no_tls_is_named_so(opened: Opened) -> None:
    with Server(lambda peer: peer.send(b"HTTP/1.1 400 Bad\r\n\r\n")) as server:
        failure = failure_of(opened(server.url.replace("http:", "https:")), get())
    assert failure.sent == "no"
    assert failure.what.endswith("it does not speak TLS there (is it an http:// address?)")


def test_a_handshake_that_never_ends_is_left_when_the_time_is_up(opened: Opened) -> None:
    with Server(Peer.until_gone) as server:
        failure = failure_of(opened(server.url.replace("http:", "https:")), post(timeout_s=0.3))
    assert (failure.sent, failure.timed_out) == ("no", True)


@pytest.mark.usefixtures("trusting")
def test_a_tls_connection_closed_while_it_was_idle_costs_nothing(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer()

    with Server(script, certificate="localhost.pem") as server:
        sender = opened(server.url)
        for _ in range(3):
            assert sender.send(post()).status == 200
            assert server.over.acquire(timeout=10)
    assert [seen.connection for seen in server.seen] == [1, 2, 3]


@pytest.mark.usefixtures("trusting")
def test_a_reply_cut_under_tls_is_no_reply(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")

    with Server(script, certificate="localhost.pem") as server:
        failure = failure_of(opened(server.url), post())
    assert (failure.sent, failure.what.startswith("the reply was cut after ")) == ("maybe", True)


def test_certificates_and_names_are_always_verified_and_old_tls_is_not_spoken() -> None:
    context = tls_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_the_system_s_authorities_are_trusted_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    places = ssl.get_default_verify_paths()
    nowhere = ssl.DefaultVerifyPaths(None, None, "", "", "", "")  # type: ignore[arg-type]
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: nowhere)
    assert tls_context().cert_store_stats()["x509_ca"] > 50
    assert places.cafile != ""


def a_proxy(server: Server, status: int = 200) -> Server:
    """A proxy that connects every tunnel to one server, or refuses with another status."""

    def script(peer: Peer) -> None:
        seen = peer.request()
        if seen.method != "CONNECT":
            peer.answer(seen.target.encode())
            peer.until_gone()
        peer.send(f"HTTP/1.1 {status} Word\r\n\r\n".encode())
        if status == 200:
            with socket.create_connection(("127.0.0.1", server.port)) as beyond:
                relay(peer.sock, beyond)

    return Server(script)


def relay(one: socket.socket, other: socket.socket) -> None:
    import threading

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return

    back = threading.Thread(target=pump, args=(other, one), daemon=True)
    back.start()
    pump(one, other)
    back.join(10)


@pytest.mark.usefixtures("trusting")
def test_https_goes_through_a_proxy_s_tunnel_and_the_proxy_sees_no_token(opened: Opened) -> None:
    with Server(certificate="localhost.pem") as server, a_proxy(server) as proxy:
        sender = opened(server.url, proxy=f"http://us%40er:pass@127.0.0.1:{proxy.port}")
        for _ in range(2):
            assert sender.send(post()).body == b"/v1/slots"
        [connect] = proxy.seen
        assert (connect.method, connect.target) == ("CONNECT", f"127.0.0.1:{server.port}")
        assert connect.headers["proxy-authorization"] == "Basic dXNAZXI6cGFzcw=="
        assert "authorization" not in connect.headers
        assert all("proxy-authorization" not in seen.headers for seen in server.seen)
        sender.close()


def test_http_goes_through_a_proxy_with_the_whole_address(opened: Opened) -> None:
    with a_proxy(Server()) as proxy:
        sender = opened("http://desktops.example:8080/gw", proxy=f"http://127.0.0.1:{proxy.port}")
        assert sender.send(get()).body == b"http://desktops.example:8080/gw/v1/health"
        assert proxy.seen[0].headers["host"] == "desktops.example:8080"


@pytest.mark.usefixtures("trusting")
def test_a_proxy_that_refuses_means_that_nothing_was_sent(opened: Opened) -> None:
    with Server(certificate="localhost.pem") as server, a_proxy(server, 407) as proxy:
        failure = failure_of(opened(server.url, proxy=f"http://127.0.0.1:{proxy.port}"), post())
        assert server.seen == []
    assert (failure.sent, failure.what) == ("no", "the proxy refused to connect: 407")


def test_a_proxy_s_password_is_in_no_message(opened: Opened) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    sender = opened("http://desktops.example", proxy=f"http://user:pass@127.0.0.1:{port}")
    failure = failure_of(sender, get())
    assert failure.what == f"can't connect to the proxy 127.0.0.1:{port}: connection refused"
    assert "pass" not in repr(Settings("http://desktops.example", proxy=f"http://user:pass@127.0.0.1:{port}"))

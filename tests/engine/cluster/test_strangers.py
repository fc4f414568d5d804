"""Only those who have the certificate of the run can use a cluster that the grader starts."""

import asyncio
import socket
import ssl
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
pytest.importorskip("cryptography", reason="the extra [cluster] is not installed")

from distributed.core import Server

from grader.engine.cluster.private_cluster import private_settings
from tests.engine.cluster.folders import SLOW, started
from tests.engine.cluster.machines import runnable
from tests.sandbox.seats import our_processes
from tests.workflow.folders import folder

TLS_ALERT = b"\x15"
"""The first byte of the message with which a TLS server refuses a connection."""
LISTENING = "0A"
"""The state of a socket in /proc/net/tcp."""


@runnable
def test_strangers_are_refused_by_every_port_of_a_local_cluster_and_the_run_finishes(tmp_path):
    attempts = {"plain": None, "without a key": stranger(), "with a key of their own": stranger(own_key=True)}
    before = our_processes()
    running = started(folder(tmp_path / "in", slow=SLOW), tmp_path / "out", "local:1", matches=1)
    ports = listening_ports(our_processes() - before)
    answers = {(port, kind): connect(port, context) for port in ports for kind, context in attempts.items()}
    still_playing = running.poll() is None
    _, stderr = running.communicate(timeout=120)

    assert still_playing
    assert len(ports) == 3, "the scheduler, the worker and its nanny, and no web server"
    assert set(answers.values()) == {b""}
    assert running.returncode == 0, stderr


def test_a_stranger_would_get_an_answer_without_certificates():
    async def attempt() -> bytes:
        server = Server({})
        await server.listen("tcp://127.0.0.1:0")
        answer = await asyncio.to_thread(connect, server.port)
        await server.close()
        return answer

    with ThreadPoolExecutor(1) as thread:  # a browser of other tests may have left an event loop in this one
        assert thread.submit(asyncio.run, attempt()).result() != b""


def connect(port: int, context: ssl.SSLContext | None = None) -> bytes:
    """Connect to a port. Returns what it answers: nothing if it refuses."""
    with (
        suppress(ssl.SSLError, ConnectionError),
        socket.create_connection(("127.0.0.1", port), timeout=20) as plain,
        context.wrap_socket(plain) if context else plain as connection,
    ):
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        answer = connection.recv(100)
        return b"" if answer.startswith(TLS_ALERT) else answer
    return b""


def stranger(*, own_key: bool = False) -> ssl.SSLContext:
    """How somebody connects who accepts any server, without a certificate or with one that they made."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if own_key:
        made = private_settings()
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(made["distributed.comm.tls.client.key"] + made["distributed.comm.tls.client.cert"])
            file.flush()
            context.load_cert_chain(file.name)
    return context


def listening_ports(processes: set[int]) -> set[int]:
    """The TCP ports on which these processes listen."""
    own = {name for process in processes for name in open_files(process)}
    sockets = [
        line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()
    ]
    listening = [(part[1], part[9]) for part in sockets if part[3] == LISTENING]
    return {int(address.rpartition(":")[2], 16) for address, inode in listening if f"socket:[{inode}]" in own}


def open_files(process: int) -> set[str]:
    names = set()
    with suppress(OSError):  # it has just ended
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):  # it has just been closed
                names.add(str(file.readlink()))
    return names

"""The address of a running scheduler: parse it, and check that a scheduler answers there."""

import asyncio
import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.engine.cluster.transport import ClusterError
from grader.errors import OptionError
from grader.language import Message, say

if TYPE_CHECKING:
    from grader.engine.cluster.workers import Notify

CONNECT_TIMEOUT = 10
"""Seconds within which a scheduler has to answer."""
_NOTICE_AFTER = 2.0
"""Seconds after which a message says what the command is waiting for."""


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, as written and split into its parts."""

    written: str
    host: str
    port: int

    def wait_for_scheduler(self, notify: "Notify") -> str:
        """Return the address, in the form dask takes, once a scheduler has answered. Raises `ClusterError` if none does."""
        try:
            socket.getaddrinfo(self.host, self.port)
            asyncio.run(asyncio.wait_for(self._wait(notify), CONNECT_TIMEOUT))
        except (OSError, UnicodeError, asyncio.TimeoutError) as error:
            raise ClusterError(self._explain(error)) from error
        return self.written

    async def _wait(self, notify: "Notify") -> None:
        check = asyncio.ensure_future(_check_identity(self.written))
        done, _ = await asyncio.wait({check}, timeout=_NOTICE_AFTER)
        if not done:
            notify(say("{cluster}: waiting for the scheduler.", cluster=self.written))
        await check

    def _explain(self, error: Exception) -> Message:
        """Why the scheduler cannot be reached, as far as that can be detected."""
        if isinstance(error, (socket.gaierror, UnicodeError)):  # an unknown host, or not a host name at all
            return say(
                "{cluster}: no machine called {host} is known here. Look at the address.",
                cluster=self.written,
                host=self.host,
            )
        try:
            socket.create_connection((self.host, self.port), _NOTICE_AFTER).close()
        except ConnectionRefusedError:
            return say(
                "{cluster}: the machine is there, and no scheduler listens on port {port}. Start it with `dask scheduler --port "
                "{port}`, or look at the port.",
                cluster=self.written,
                port=self.port,
            )
        except OSError:
            pass  # no answer at all, or not in time
        return say(
            "{cluster}: no scheduler answers there. Start it with `dask scheduler`, or look at the address and the firewall.",
            cluster=self.written,
        )


def read_address(place: str) -> Address | None:
    """Parse an address; None if `place` is something else. Raises `OptionError` if the address cannot be used."""
    parts = re.fullmatch(r"(tcp|tls)://(.+):(\d+)", place)
    if parts is None:
        return None
    address = Address(place, parts[2].strip("[]"), int(parts[3]))
    if not 1 <= address.port <= 65_535:
        raise OptionError(
            say(
                "--cluster {place}: {port} is no port. It is a number from 1 to 65535, and a scheduler's is 8786 unless it was "
                "given another.",
                place=place,
                port=address.port,
            )
        )
    if parts[1] == "tls" and _connection_arguments().get("ssl_context") is None:
        raise OptionError(
            say(
                "--cluster {place}: no certificates are set for tls. Set them as Dask's documentation says: {page}.",
                place=place,
                page="https://distributed.dask.org/en/stable/tls.html",
            )
        )
    return address


async def _check_identity(address: str) -> None:
    """Raise `OSError` if what answers is not a scheduler: dask's client would wait for it forever."""
    from distributed.core import rpc

    try:
        async with rpc(address, connection_args=_connection_arguments()) as there:
            kind = (await there.identity())["type"]
    except Exception as error:  # another program's bytes can be misread as anything, e.g. as a very long text
        raise OSError(repr(error)) from error
    if kind != "Scheduler":
        raise OSError(kind)


def _connection_arguments() -> dict[str, Any]:
    from distributed.security import Security

    return dict(Security().get_connection_args("client"))

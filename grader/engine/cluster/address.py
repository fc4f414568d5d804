"""The address of a scheduler that runs: whether it can be meant, and whether somebody answers there."""

import asyncio
import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.engine.cluster.transport import ClusterError
from grader.errors import OptionError
from grader.language import Message, say

if TYPE_CHECKING:
    from grader.engine.cluster.workers import Tell

CONNECTS = 10
"""Seconds within which a scheduler has to answer."""
_PATIENT = 2.0
"""Seconds after which a person is told what is waited for."""


@dataclass(frozen=True, slots=True)
class Address:
    """As it is written, and what it is made of."""

    written: str
    host: str
    port: int

    def meet(self, tell: "Tell") -> str:
        """Itself, as dask wants it, once a scheduler has answered. Raises `ClusterError` if none does."""
        try:
            socket.getaddrinfo(self.host, self.port)
            asyncio.run(asyncio.wait_for(self._met(tell), CONNECTS))
        except (OSError, UnicodeError, asyncio.TimeoutError) as error:
            raise ClusterError(self._why(error)) from error
        return self.written

    async def _met(self, tell: "Tell") -> None:
        meeting = asyncio.ensure_future(_identified(self.written))
        answered, _ = await asyncio.wait({meeting}, timeout=_PATIENT)
        if not answered:
            tell(say("{cluster}: waiting for the scheduler.", cluster=self.written))
        await meeting

    def _why(self, error: Exception) -> Message:
        """What keeps us from the scheduler, as far as it can be told."""
        if isinstance(error, (socket.gaierror, UnicodeError)):  # nobody knows it, or nobody can be called so
            return say(
                "{cluster}: no machine called {host} is known here. Look at the address.",
                cluster=self.written,
                host=self.host,
            )
        try:
            socket.create_connection((self.host, self.port), _PATIENT).close()
        except ConnectionRefusedError:
            return say(
                "{cluster}: the machine is there, and no scheduler listens on port {port}. Start it with `dask scheduler --port "
                "{port}`, or look at the port.",
                cluster=self.written,
                port=self.port,
            )
        except OSError:
            pass  # nobody answers at all, or not in time
        return say(
            "{cluster}: no scheduler answers there. Start it with `dask scheduler`, or look at the address and the firewall.",
            cluster=self.written,
        )


def read_address(place: str) -> Address | None:
    """The address that is written there, if it is one. Raises `OptionError` if nobody can be reached at it."""
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
    if parts[1] == "tls" and _certificates().get("ssl_context") is None:
        raise OptionError(
            say(
                "--cluster {place}: no certificates are set for tls. Set them as Dask's documentation says: {page}.",
                place=place,
                page="https://distributed.dask.org/en/stable/tls.html",
            )
        )
    return address


async def _identified(address: str) -> None:
    """Raise `OSError` if what is there is no scheduler: dask's client would wait for ever for something else to speak."""
    from distributed.core import rpc

    try:
        async with rpc(address, connection_args=_certificates()) as there:
            told = (await there.identity())["type"]
    except Exception as error:  # what is said by something else may be taken for anything, such as for a very long text
        raise OSError(repr(error)) from error
    if told != "Scheduler":
        raise OSError(told)


def _certificates() -> dict[str, Any]:
    from distributed.security import Security

    return dict(Security().get_connection_args("client"))

"""Both kinds of channel, on real pipes."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

import pytest

from grader.sandbox.channel import Channel, PollChannel, ThreadChannel
from grader.sandbox.protocol import MAX_REPLY, ProtocolError
from tests.waiting import comes

CAP = 1000


class Ends:
    """The player's ends of the pipes, as bare descriptors."""

    def __init__(self, orders: int, replies: int, prints: int) -> None:
        self.orders, self.replies, self.prints = orders, replies, prints

    def close(self) -> None:
        for descriptor in (self.orders, self.replies, self.prints):
            with suppress(OSError):
                os.close(descriptor)


@pytest.fixture(params=[PollChannel, ThreadChannel])
def pipes(request) -> Iterator[tuple[Channel, Ends]]:
    (order_read, order_write), (reply_read, reply_write), (print_read, print_write) = (os.pipe() for _ in range(3))
    ours: tuple[IO[bytes], ...] = (
        os.fdopen(order_write, "wb"),
        os.fdopen(reply_read, "rb"),
        os.fdopen(print_read, "rb"),
    )
    channel = request.param(*ours, CAP)
    ends = Ends(order_read, reply_write, print_write)
    yield channel, ends
    ends.close()
    channel.close()


def received(channel: Channel, seconds: float = 60.0) -> bytes | None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        line = channel.receive(0.05)
        if line is not None:
            return line
    return None


def test_an_order_arrives_and_a_reply_comes_back(pipes):
    channel, ends = pipes

    channel.send(b"order\n")
    assert os.read(ends.orders, 100) == b"order\n"
    os.write(ends.replies, b"re")
    os.write(ends.replies, b"ply\n")

    assert received(channel) == b"reply"
    assert not channel.has_early_reply()


def test_no_reply_in_time_is_none_and_a_closed_pipe_is_the_end(pipes):
    channel, ends = pipes

    assert channel.receive(0.01) is None
    os.close(ends.replies)
    with pytest.raises(EOFError):
        received(channel)


def test_a_second_reply_is_noticed_as_one_that_nobody_asked_for(pipes):
    channel, ends = pipes

    os.write(ends.replies, b"one\ntwo\n")

    assert received(channel) == b"one"
    assert comes(channel.has_early_reply)


def test_a_reply_without_end_is_a_wire_error(pipes):
    channel, ends = pipes
    writer = threading.Thread(target=_pour, args=(ends.replies, b"1" * (MAX_REPLY + 100)), daemon=True)
    writer.start()

    with pytest.raises(ProtocolError):
        received(channel)
    writer.join(60)


def test_replies_without_end_do_not_fill_our_memory(pipes):
    channel, ends = pipes
    os.set_blocking(ends.replies, False)

    sent = 0
    with suppress(BlockingIOError):
        for _ in range(1000):
            sent += os.write(ends.replies, b"x" * 4095 + b"\n")
            time.sleep(0.0002)

    assert sent < 1 << 20
    assert received(channel) == b"x" * 4095


def test_what_is_printed_is_kept_up_to_the_cap_and_never_holds_the_player_up(pipes):
    channel, ends = pipes
    writer = threading.Thread(target=_pour, args=(ends.prints, b"p" * 500_000), daemon=True)
    writer.start()

    end = time.monotonic() + 60
    while writer.is_alive() and time.monotonic() < end:
        channel.receive(0.01)

    assert not writer.is_alive()
    assert channel.output() == b"p" * CAP


def test_closed_output_is_no_end_of_replies(pipes):
    channel, ends = pipes

    os.close(ends.prints)
    os.write(ends.replies, b"still here\n")

    assert received(channel) == b"still here"


def test_an_order_to_a_player_that_is_gone_is_dropped(pipes):
    channel, ends = pipes

    os.close(ends.orders)
    channel.send(b"anybody there?\n")
    channel.send(b"anybody?\n")

    assert channel.receive(0.01) is None


def test_an_order_larger_than_the_pipe_goes_through_while_a_reply_is_waited_for():
    (order_read, order_write), (reply_read, reply_write), (print_read, print_write) = (os.pipe() for _ in range(3))
    channel = PollChannel(os.fdopen(order_write, "wb"), os.fdopen(reply_read, "rb"), os.fdopen(print_read, "rb"), CAP)
    order = b"o" * 300_000 + b"\n"
    got = bytearray()

    channel.send(order)  # nobody reads yet, and it does not wait
    channel.send(b"next\n")
    reader = threading.Thread(target=_gather, args=(order_read, got, len(order) + 5), daemon=True)
    reader.start()
    end = time.monotonic() + 60
    while reader.is_alive() and time.monotonic() < end:
        channel.receive(0.05)

    assert bytes(got) == order + b"next\n"
    for descriptor in (order_read, reply_write, print_write):
        os.close(descriptor)
    channel.close()


def _pour(descriptor: int, data: bytes) -> None:
    with suppress(OSError):
        while data:
            data = data[os.write(descriptor, data) :]


def _gather(descriptor: int, into: bytearray, count: int) -> None:
    while len(into) < count:
        into += os.read(descriptor, 65536)

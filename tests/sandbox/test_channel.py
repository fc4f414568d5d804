"""Both kinds of channels, with real pipes."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

import pytest

from grader.sandbox.channel import PAUSE, Channel, PollChannel, ThreadChannel
from grader.sandbox.protocol import MAX_REPLY, ProtocolError
from tests.waiting import becomes_true

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


def receive(channel: Channel, seconds: float = 60.0) -> bytes | None:
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

    assert receive(channel) == b"reply"
    assert not channel.has_early_reply()


def test_receive_returns_none_without_a_reply_and_raises_at_the_end_of_the_pipe(pipes):
    channel, ends = pipes

    assert channel.receive(0.01) is None
    os.close(ends.replies)
    with pytest.raises(EOFError):
        receive(channel)


def test_a_second_reply_is_detected_as_an_early_reply(pipes):
    channel, ends = pipes

    os.write(ends.replies, b"one\ntwo\n")

    assert receive(channel) == b"one"
    assert becomes_true(channel.has_early_reply)


def test_an_endless_reply_is_a_protocol_error(pipes):
    channel, ends = pipes
    writer = threading.Thread(target=_write_all, args=(ends.replies, b"1" * (MAX_REPLY + 100)), daemon=True)
    writer.start()

    with pytest.raises(ProtocolError):
        receive(channel)
    writer.join(60)


def test_endless_replies_do_not_fill_our_memory(pipes):
    channel, ends = pipes
    os.set_blocking(ends.replies, False)

    sent = 0
    with suppress(BlockingIOError):
        for _ in range(1000):
            sent += os.write(ends.replies, b"x" * 4095 + b"\n")
            time.sleep(0.0002)

    assert sent < 1 << 20
    assert receive(channel) == b"x" * 4095


def test_output_is_kept_up_to_the_cap_and_never_blocks_the_player(pipes):
    channel, ends = pipes
    writer = threading.Thread(target=_write_all, args=(ends.prints, b"p" * 500_000), daemon=True)
    writer.start()

    end = time.monotonic() + 60
    while writer.is_alive() and time.monotonic() < end:
        channel.receive(0.01)

    assert not writer.is_alive()
    assert channel.output() == b"p" * CAP


@pytest.mark.parametrize("pipe", ["prints", "replies"])
def test_a_player_that_sends_byte_by_byte_makes_the_grader_read_only_now_and_then(pipe, monkeypatch):
    """Else it could keep a core busy with that, on which the player of another game has to wait."""
    (_, order_write), (reply_read, reply_write), (print_read, print_write) = (os.pipe() for _ in range(3))
    channel = PollChannel(os.fdopen(order_write, "wb"), os.fdopen(reply_read, "rb"), os.fdopen(print_read, "rb"), CAP)
    descriptor = {"prints": print_write, "replies": reply_write}[pipe]
    writer = threading.Thread(target=_write_slowly, args=(descriptor, 2000), daemon=True)
    read, reads = os.read, list[int]()

    def count(descriptor: int, size: int) -> bytes:
        reads.append(descriptor)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", count)

    began = time.monotonic()
    writer.start()
    while writer.is_alive():
        assert channel.receive(0.05) is None
    monkeypatch.undo()

    most = 4 * (time.monotonic() - began) / PAUSE + 20  # a pipe is read until it is empty
    assert 1 <= len(reads) <= most, "it was read after each byte"
    for end in (reply_write, print_write):
        os.close(end)
    channel.close()


def test_replies_still_arrive_after_the_output_is_closed(pipes):
    channel, ends = pipes

    os.close(ends.prints)
    os.write(ends.replies, b"still here\n")

    assert receive(channel) == b"still here"


def test_an_order_to_a_player_that_has_ended_is_discarded(pipes):
    channel, ends = pipes

    os.close(ends.orders)
    channel.send(b"anybody there?\n")
    channel.send(b"anybody?\n")

    assert channel.receive(0.01) is None


def test_an_order_larger_than_the_pipe_is_sent_while_waiting_for_a_reply():
    (order_read, order_write), (reply_read, reply_write), (print_read, print_write) = (os.pipe() for _ in range(3))
    channel = PollChannel(os.fdopen(order_write, "wb"), os.fdopen(reply_read, "rb"), os.fdopen(print_read, "rb"), CAP)
    order = b"o" * 300_000 + b"\n"
    read = bytearray()

    channel.send(order)  # there is no reader yet, and this does not block
    channel.send(b"next\n")
    reader = threading.Thread(target=_read_all, args=(order_read, read, len(order) + 5), daemon=True)
    reader.start()
    end = time.monotonic() + 60
    while reader.is_alive() and time.monotonic() < end:
        channel.receive(0.05)

    assert bytes(read) == order + b"next\n"
    for descriptor in (order_read, reply_write, print_write):
        os.close(descriptor)
    channel.close()


def _write_all(descriptor: int, data: bytes) -> None:
    with suppress(OSError):
        while data:
            data = data[os.write(descriptor, data) :]


def _write_slowly(descriptor: int, count: int) -> None:
    for _ in range(count):
        os.write(descriptor, b"x")
        time.sleep(0.0002)


def _read_all(descriptor: int, into: bytearray, count: int) -> None:
    while len(into) < count:
        into += os.read(descriptor, 65536)

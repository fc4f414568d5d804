"""The main program of a player's process: it takes orders from the grader and replies.

Orders arrive on the original standard input, and replies go to the original standard output. The student's code has access
to neither: its output goes to standard error. Exceptions of the student's code are reported to the grader.
"""

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

from grader.games import Game, remake
from grader.sandbox import adapter, isolation
from grader.sandbox.protocol import Packet, encode, make_reproducible

_MOST_SHOWN = 200
"""Characters shown of a value that is not a move."""


def main() -> None:
    """Serve one player until the grader closes the pipe."""
    requests, reply = _claim_pipes()
    order = requests.next()
    if temporary := order["isolation"]["temporary"]:
        os.environ["TMPDIR"] = temporary
    reply({"isolation": isolation.isolate_process(order["isolation"])})
    order = requests.next()
    sys.path[:] = [path for path in sys.path if path != order["root"]] + order["packages"]
    game = remake(order["game"])
    root = order["entry"]["root"]
    answer = _stoppable_answering() if order["stoppable"] else _answer
    if order["stoppable"]:
        requests.read_ahead()  # only now: a thread that is older than the isolation would not be isolated
    player, outcome = _run_student_code(lambda: adapter.load(order, game), root)
    if player is None:
        reply({**outcome, "word": order["word"]})
        return
    reply({"word": order["word"], "ready": True, "learns": player.learn is not None})
    while True:
        order = requests.next()
        if "stop" not in order:  # else it answered just before the order to stop came
            reply({**answer(order, player, game, root, requests), "word": order["word"]})


class Requests:
    """The grader's orders, one per line."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read = b""
        self._ahead: queue.SimpleQueue[Packet] | None = None
        """The orders that the thread of `read_ahead` has read."""

    def read_ahead(self) -> None:
        """Read orders in a thread from now on, for `has_next`. Every system can do this; `select` on Windows takes no pipes."""
        ahead = self._ahead = queue.SimpleQueue()

        def read() -> None:
            while True:
                ahead.put(self._receive())

        threading.Thread(target=read, daemon=True).start()

    def next(self) -> Packet:
        """The next order."""
        return self._receive() if self._ahead is None else self._ahead.get()

    def has_next(self) -> bool:
        """Whether an order has been read ahead."""
        return self._ahead is not None and not self._ahead.empty()

    def _receive(self) -> Packet:
        """Read an order. If the pipe is closed, the process ends at once, so that none of the player's code runs after that."""
        while b"\n" not in self._read:
            part = os.read(self._descriptor, 1 << 16)
            if not part:
                os._exit(0)
            self._read += part
        line, _, self._read = self._read.partition(b"\n")
        order: Packet = json.loads(line)
        return order


Answering = Callable[[Packet, adapter.AdaptedPlayer, Game, str, Requests], Packet]
"""Carries out an order and returns the reply."""


def _claim_pipes() -> tuple[Requests, Callable[[Packet], None]]:
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)

    def reply(message: Packet) -> None:
        data = encode(message)
        while data:
            data = data[os.write(replies, data) :]

    return Requests(requests), reply


def _answer(order: Packet, player: adapter.AdaptedPlayer, game: Game, root: str, _: Requests) -> Packet:
    if "learn" in order:
        learn = player.learn
        assert learn is not None
        _, outcome = _run_student_code(lambda: learn(order["learn"]), root)
        return outcome
    if "rebuild" in order:
        _, outcome = _run_student_code(lambda: player.rebuild(order["rebuild"]), root)
        return outcome or {"ready": True, "learns": player.learn is not None}
    position = game.read_position(order["position"])
    board = game.board(position)

    def answer() -> Packet:
        value = player.ask(board)
        move = game.read_move(value)  # may call the value's own methods, which are a student's code
        return {"value": _value_text(value, root)} if move is None else {"move": game.move_json(move)}

    reply, outcome = _run_student_code(answer, root)
    watched = {"changed": _has_changed(game, position, board)} if "watched" in order else {}
    return {**(outcome or reply), **watched}


def _has_changed(game: Game, position: Any, board: Any) -> bool:
    """Whether a player modified its board."""
    try:
        return bool(game.position_of(board) != position)
    except Exception:  # noqa: BLE001  whatever the player has put there, it is no longer a board
        return True


def _stoppable_answering() -> Answering:
    """A function that answers in a thread, which can be stopped on the grader's order so that the player can continue."""
    from func_timeout import FunctionTimedOut, StoppableThread  # now: a submission may have a module of that name

    def answer(order: Packet, player: adapter.AdaptedPlayer, game: Game, root: str, requests: Requests) -> Packet:
        answers: list[Packet] = []
        thread = StoppableThread(
            target=lambda: answers.append(_answer(order, player, game, root, requests)), daemon=True
        )
        thread.start()
        while thread.is_alive():
            thread.join(0.01)
            if requests.has_next():
                requests.next()
                thread.stop(FunctionTimedOut, 0.05)
                thread.join()
                return {"late": True}
        return answers[0]

    return answer


def _run_student_code(act: Callable[[], Any], root: str) -> tuple[Any, Packet]:
    """Run a student's code. Returns its result, or None and the report of its failure."""
    try:
        return act(), {}
    except adapter.Misfit as misfit:
        return None, {"misfit": misfit.details}
    except BaseException as error:  # noqa: BLE001  including SystemExit and KeyboardInterrupt
        try:
            return None, {"error": adapter.describe_error(error, root)}
        except BaseException:  # noqa: BLE001  out of memory or stack even for that
            return None, {"error": {"type": type(error).__name__, "kinds": [], "text": "", "trace": ""}}


def _value_text(value: object, root: str) -> str:
    try:
        return make_reproducible(repr(value), root)[:_MOST_SHOWN]
    except BaseException:  # noqa: BLE001  a student's own __repr__
        return f"a {type(value).__name__}"

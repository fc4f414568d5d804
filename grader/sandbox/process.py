"""A player in a sandboxed process, as a seat for the referee.

It is asked for one move at a time, every answer is measured from outside, it is frozen while the other side thinks, and it
is killed when its time is up. Faults of the player are returned as values; if the machine could not give it a fair chance, a
`GraderFault` is raised.
"""

import os
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Any

from grader.errors import GraderFault, IsolationError, MachineBusy, OutOfTime
from grader.games import Game
from grader.language import say
from grader.records import Answer, Charge, Ending, Fault, Finding, SeatReport
from grader.sandbox import explain
from grader.sandbox.clock import TICK, clock_for
from grader.sandbox.file_access import ROOT, packages
from grader.sandbox.isolation import Level
from grader.sandbox.launch import SandboxProcess
from grader.sandbox.limits import STOPPING, Limits, TimeLimits
from grader.sandbox.machine import best_level
from grader.sandbox.private_copy import PrivateCopy
from grader.sandbox.protocol import Packet, ProtocolError, clean, decode, encode, make_reproducible
from grader.sandbox.templates import TemplateKind, borrow

BACKSTOP = 20
"""A wall time of more than this many times the limit means that the machine is too busy for a fair game."""
BUSY_SHARE = 0.10
"""A player that waited for a core for a smaller share of its move had a fair chance to stop in time."""
MOST_THREADS = 256
"""With small stacks a player could start tens of thousands within its memory limit, and exhaust the machine."""
_SIGKILL = 9  # `signal` does not have it on Windows


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """A player for a match: its code, its number, its seed and its options."""

    name: str
    entry: Mapping[str, Any]
    """Where the code is and what in it is the player, as `grader.inspection` found it."""
    player_id: int
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    """For the constructor of an opponent."""
    opening: int | None = None
    """The number of the opening that an opponent plays, if its constructor takes one."""
    limits: Limits | None = None
    """Its own limits, if they differ from the other side's."""
    hidden: tuple[str, ...] = ()
    """Files and folders next to its own that it must not see."""
    extended: bool = False
    """Give its board the methods that are not in the handout."""
    findings: tuple[Finding, ...] = ()
    reference: bool = False
    """It is an opponent: if it fails, that is the grader's fault and not a win for the other side."""
    installed: bool = False
    """Its code is installed with the grader on every machine."""
    may_read_clock: bool = True
    """Whether its moves may depend on how fast it is."""


class PlayerProcess:
    """A seat whose player runs in a sandboxed process. Use it as a context manager: nothing is left behind."""

    def __init__(self, seating: Seating, game: Game, limits: Limits, *, lasting: bool = False) -> None:
        self.name = seating.name
        own = seating.limits or limits
        self._seating, self._game = seating, game
        # The only place where limits are scaled: those of an opponent, too, which may have its own.
        self._times = own.time
        self._limits = replace(
            own, core=limits.core, speed=limits.speed, until=limits.until, time=own.time.at_speed(limits.speed)
        )
        self._lasting = lasting
        """It plays several games: `report` does not end it."""
        self._bank_left = 0.0
        """The time left in its bank, if it has one, in this game."""
        self._printed = b""
        self._cpu_before = 0.0
        """The CPU time of processes that the current one replaced."""
        self._launch()

    def _launch(self) -> None:
        seating, limits = self._seating, self._limits
        self._learns = self._failed = self._stop_sent = False
        self._printed_before = self._printed
        """The output of processes that this one replaced."""
        self.load_charge: Charge | None = None
        """The time that loading took; None until it has been loaded."""
        self._launched: SandboxProcess | None = None
        level = best_level() if limits.isolation is None else limits.isolation
        with ExitStack() as opened:
            entry = seating.entry
            template = opened.enter_context(borrow(self._template_kind(level))) if level >= Level.GOOD else None
            if not seating.installed:
                copy = opened.enter_context(
                    closing(PrivateCopy(entry, seating.hidden, None if template is None else template.folder))
                )
                entry = copy.entry
            launched = opened.enter_context(closing(SandboxProcess(level, limits, tuple(entry["readable"]), template)))
            self._check_level(launched.level)
            try:
                self._clock = opened.enter_context(closing(clock_for(launched.pid, limits.core)))
            except OSError as error:
                raise GraderFault(
                    say("The process of {player} ended right after it was started.", player=seating.name)
                ) from error
            self._scheduling_at_start = _scheduling(launched.pid)
            self._entry, self._launched, self._opened = entry, launched, opened.pop_all()
        self.isolation, self.pid = launched.level, launched.pid

    def _template_kind(self, level: Level) -> TemplateKind:
        entry, spec = self._seating.entry, self._game.spec()
        return TemplateKind(
            level=level,
            scratch=self._limits.scratch_mb > 0,
            visible=tuple(entry["readable"]) if self._seating.installed else (),
            game=spec["name"] if spec["source"] is None else "",
            modules=tuple(entry["preload"]),
        )

    def _check_level(self, level: Level) -> None:
        if level < self._limits.required:
            raise IsolationError(
                say(
                    "{name} would run at isolation level {level}, but {required} is required. `grader doctor` shows what "
                    "this machine supports and how to improve it.",
                    name=self.name,
                    level=str(level),
                    required=str(self._limits.required),
                )
            )

    def __enter__(self) -> "PlayerProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self) -> Fault | None:
        """Get ready for a game: import and build the player, unless it is already loaded."""
        times = self._limits.time
        self._bank_left = times.bank or 0.0
        if self._lasting and self._failed:  # after a fault its state cannot be trusted
            self.close()
            self._printed = b""
            self._cpu_before = self.cpu()
            self._launch()
        if self.load_charge is not None:
            return None
        fault = self._build(times)
        self._failed = fault is not None
        return fault

    def _build(self, times: TimeLimits) -> Fault | None:
        reply, self.load_charge = self._ask(
            {
                "root": str(ROOT),
                "packages": packages(),
                "entry": dict(self._entry),
                "game": self._game.spec(),
                "player_id": self._seating.player_id,
                "seed": self._seating.seed,
                "limit": times.move,
                "options": dict(self._seating.options),
                "opening": self._seating.opening,
                "extended": self._seating.extended,
                "stoppable": self._lenient,
            },
            times.load,
            loading=True,
        )
        return self._read_ready(reply)

    def _read_ready(self, reply: Packet | Fault) -> Fault | None:
        if isinstance(reply, Fault):
            return reply
        if "misfit" in reply:
            return explain.misfit_fault(reply["misfit"])
        if reply.get("ready") is not True:
            return self._exception_fault(reply, loading=True)
        self._learns = reply.get("learns") is True
        return None

    def rebuild(self, player_id: int) -> Fault | None:
        """Build another player in the same process, as player 1 or 2. Only used by checks for leftover state."""
        self._bank_left = self._limits.time.bank or 0.0
        reply, _ = self._ask({"rebuild": player_id}, self._limits.time.load, loading=True)
        return self._read_ready(reply)

    def choose(self, position: Any, *, watched: bool = False) -> Answer:
        """Ask the player for its move. If `watched`, also check whether it modified its board."""
        times = self._limits.time
        limit = times.move if times.bank is None else self._bank_left
        order = {"position": self._game.position_json(position), **({"watched": True} if watched else {})}
        reply, charge = self._ask(order, limit)
        if self._lenient and isinstance(reply, Fault) and reply.ending is Ending.TIMEOUT:
            self.close()  # it cannot be stopped: a new process replaces it, and the player loses its state
            self._cpu_before = self.cpu()
            self._launch()
            fault = self._build(times)
            reply = {} if fault is None else explain.restart_fault(reply, fault)
        # After an overrun the bank is empty, without the grace, and without a debt.
        self._bank_left = max(-times.grace, self._bank_left + times.increment - charge.charged)
        answer = self._interpret(reply, charge, limit + times.grace)
        self._failed = answer.fault is not None
        return answer

    def _interpret(self, reply: Packet | Fault, charge: Charge, most: float) -> Answer:
        if isinstance(reply, Fault):
            return Answer(charge=charge, fault=reply)
        if charge.charged > most:
            return Answer(charge=charge, late=True)
        if "late" in reply and self._stop_sent:  # waits that were measured only afterwards put it within its limit
            was_busy = self.isolation >= Level.GOOD and charge.waited > BUSY_SHARE * charge.wall
            if not was_busy:  # a player can cause short waits itself
                return Answer(charge=charge, late=True)
            raise MachineBusy(
                say("{player} was stopped too early: the machine is too busy to measure time.", player=self.name)
            )
        if "late" in reply:  # its own clock is never trusted, and it cannot ask for a random move
            return Answer(
                charge=charge, fault=explain.bad_reply_fault(say("a message that it was late"), loading=False)
            )
        changed = reply.get("changed") is True
        if "error" in reply:
            return Answer(charge=charge, fault=self._exception_fault(reply), changed=changed)
        if "move" in reply:
            return Answer(charge=charge, value=reply["move"], changed=changed)
        return Answer(charge=charge, value_text=clean(reply.get("value"), 200) or say("nothing"), changed=changed)

    @property
    def _lenient(self) -> bool:
        return self._limits.time.overrun == "random-move"

    def learn(self, result: int) -> Fault | None:
        """Tell a player that learns how the game ended: 1 won, 0 drawn, −1 lost.

        Whatever happens then, the game counts: a player that has lost could use up the machine's memory, to be killed.
        """
        if not self._learns:
            return None
        try:
            reply, _ = self._ask({"learn": result}, self._limits.time.load)
        except GraderFault:
            self._failed = True  # if it plays another game, then in a new process
            return None
        if isinstance(reply, Fault):
            return reply
        return self._exception_fault(reply) if "error" in reply else None

    def _exception_fault(self, reply: Packet, *, loading: bool = False) -> Fault:
        course = self._game.interface()
        return explain.exception_fault(reply.get("error"), course.advice, course.module_advice, loading=loading)

    def report(self) -> SeatReport:
        """The report of this seat: its output, isolation and loading time. Ends the player, unless it plays several games."""
        if self._lasting and self._launched is not None:
            self._printed = self._printed_before + self._launched.channel.output()
        else:
            self.close()
        printed = make_reproducible(self._printed.decode("utf-8", "replace"), self._entry["root"])
        return SeatReport(
            name=self.name,
            isolation=str(self.isolation),
            load=self.load_charge,
            output=clean(printed, self._limits.output_kb * 1024),
            findings=self._seating.findings,
        )

    def close(self) -> None:
        """End the player and clean up."""
        if self._launched is not None:
            self._clock.cpu()  # for the last time: its number may soon be another process's
            self._launched.kill()
            self._printed = self._printed_before + self._launched.channel.output()
            self._launched = None
            self._opened.close()

    def cpu(self) -> float:
        """The CPU time that the player's processes have used, as far as the system reports it."""
        return self._cpu_before + self._clock.cpu()

    def _ask(self, order: Packet, limit: float, *, loading: bool = False) -> tuple[Packet | Fault, Charge]:
        """Send an order. Returns the player's reply, or the fault if there was none, and the time it took."""
        launched = self._launched
        assert launched is not None, "a player that has been closed was asked for a move"
        word = os.urandom(8).hex()
        early = launched.channel.has_early_reply()
        self._clock.start()
        if early:
            return explain.bad_reply_fault(say("an unrequested reply"), loading=loading), self._clock.charge()
        launched.thaw()
        launched.channel.send(encode({**order, "word": word}))
        try:
            answer, charge = self._wait(launched, limit, loading=loading)
            if isinstance(answer, Fault):
                return answer, charge
            message = decode(answer)
        except ProtocolError as error:
            return explain.bad_reply_fault(error.what, loading=loading), self._clock.charge()
        if message.get("word") != word:
            return explain.bad_reply_fault(say("a reply to another request"), loading=loading), charge
        if self.isolation < Level.GOOD and _scheduling(launched.pid) not in (self._scheduling_at_start, None):
            return explain.scheduling_fault(), charge
        launched.freeze()
        return message, charge

    def _wait(self, launched: SandboxProcess, limit: float, *, loading: bool) -> tuple[bytes | Fault, Charge]:
        """Wait for the player's reply, checking its clock. Returns the line or a fault, and the time it took."""
        most = limit + self._limits.time.grace
        lenient = not loading and self._lenient
        self._stop_sent = False
        charged = 0.0
        while True:
            try:
                # Near the end of its time the steps are shorter.
                line = launched.channel.receive(min(TICK, max(most - charged, TICK / 5)))
            except EOFError:
                return self._explain_silence(launched, 2.0, loading=loading), self._clock.charge()
            charge = self._charge(most)
            charged = charge.charged
            if line is not None and (lenient or charge.charged <= most):
                return line, charge
            if lenient and charge.charged > most and not self._stop_sent:
                self._stop_sent = True
                launched.channel.send(encode({"stop": True}))
            if charge.charged > (most + STOPPING if lenient else most):
                return explain.timeout_fault(self._times, loading=loading), charge
            if self._limits.until is not None and line is None and time.monotonic() > self._limits.until:
                raise OutOfTime(say("No time was left to wait for {player}.", player=self.name))
            if charge.wall > BACKSTOP * max(most, STOPPING):
                if self.isolation < Level.GOOD:  # it can start processes: others, or it alone, may have used its core
                    return explain.timeout_fault(self._times, loading=loading), charge
                raise MachineBusy(
                    say(
                        "The machine is overloaded: {player} got {cpu:.1f} s of CPU time in {wall:.0f} s. Run it again with "
                        "fewer other programs running.",
                        player=self.name,
                        cpu=charge.cpu,
                        wall=charge.wall,
                    )
                )
            if (threads := self._clock.threads()) > MOST_THREADS:
                return explain.thread_fault(threads, MOST_THREADS, loading=loading), charge
            if line is None and launched.status() is not None:
                return self._explain_silence(launched, loading=loading), charge

    def _charge(self, most: float) -> Charge:
        """The time used so far. A wait for a core that has not ended when the clock is read may put it within the limit.

        Below level good a player can start processes that make it wait.
        """
        charge = self._clock.charge()
        if charge.charged <= most or self.isolation < Level.GOOD or not (pending := self._clock.pending()):
            return charge
        return replace(charge, waited=charge.waited + pending, charged=charge.charged - pending)

    def _explain_silence(self, launched: SandboxProcess, patience: float = 0.0, *, loading: bool) -> Fault:
        """The fault of a player from which no more replies can come."""
        status = launched.status(patience)
        if status == -_SIGKILL and launched.is_out_of_memory():
            return explain.memory_fault(self._limits.memory_mb, loading=loading)
        if status is None:  # it is alive, and has closed the pipe
            return explain.bad_reply_fault(say("an end of file"), loading=loading)
        if status == -_SIGKILL and self.isolation >= Level.GOOD:  # a level at which a player cannot do this itself
            raise GraderFault(
                say(
                    "The process of {player} was killed from outside: by a user, or because the machine ran out of memory.",
                    player=self.name,
                )
            )
        return explain.exit_fault(status, loading=loading)


def _scheduling(pid: int) -> tuple[int, int, frozenset[int]] | None:
    """How a process is scheduled, or None if it has ended or the system does not report it."""
    if sys.platform != "linux":
        return None
    try:
        return os.sched_getscheduler(pid), os.getpriority(os.PRIO_PROCESS, pid), frozenset(os.sched_getaffinity(pid))
    except ProcessLookupError:
        return None

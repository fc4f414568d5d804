"""Attacks by a hostile player, and the isolation level from which each is stopped. Shown by `grader doctor` and the documentation."""

from dataclasses import dataclass

from grader.language import say
from grader.sandbox.isolation import Level


@dataclass(frozen=True, slots=True)
class Threat:
    """One kind of attack."""

    what: str
    cases: tuple[int, ...]
    """The numbers of its cases in the list of known attacks in `tests/players/`."""
    stopped_from: Level


THREATS = (
    Threat(say("end, crash, hang or stop its own process"), (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12), Level.NONE),
    Threat(say("forge, repeat or garble replies"), (13, 14, 15, 16, 17, 18, 19, 20), Level.NONE),
    Threat(
        say("inspect or patch the grader's code in its own process"),
        (25, 26, 28, 29, 30, 31, 32, 33, 34, 35, 36),
        Level.NONE,
    ),
    Threat(say("think too long, sleep, or think in a thread on the opponent's time"), (44, 45, 46, 48, 49), Level.NONE),
    Threat(say("have a lost game played again by stalling or by crashing in unusual ways"), (67,), Level.NONE),
    Threat(say("flood its output"), (42,), Level.NONE),
    Threat(say("send control sequences to the terminal, in any text or name"), (82,), Level.NONE),
    Threat(say("leave folders that are hard to remove in its scratch folder, if it has one"), (80,), Level.NONE),
    Threat(say("use unlimited memory, threads or file descriptors in one process"), (38, 39, 43), Level.BASIC),
    Threat(say("fill the disk with one file"), (40,), Level.BASIC),
    Threat(say("keep its own process running after the grader is killed"), (), Level.BASIC),
    Threat(say("kill, trace or limit other processes of the same user"), (4, 56, 57), Level.GOOD),
    Threat(
        say("start processes: fork bombs, daemons that outlive the game, engines, installers"),
        (37, 47, 58, 59),
        Level.GOOD,
    ),
    Threat(say("think on the opponent's time, or get more memory, in other processes"), (84,), Level.GOOD),
    Threat(say("change files such as the results, keep state in them, or fill the disk"), (41, 51, 52, 53), Level.GOOD),
    Threat(say("read or import reference players, or read other submissions"), (27, 50), Level.GOOD),
    Threat(
        say("pass information to another game or player through file locks and flags, the page cache or IPC"),
        (76, 77, 78, 79),
        Level.GOOD,
    ),
    Threat(
        say("signal or alter the process from which it was forked, or leave something there for the next player"),
        (88,),
        Level.GOOD,
    ),
    Threat(say("wake itself by a signal while the opponent thinks"), (89,), Level.GOOD),
    Threat(say("hide computing time by changing its priority and restoring it before answering"), (), Level.GOOD),
    Threat(say("connect to the network or to sockets on this machine"), (54, 55), Level.GOOD),
    Threat(say("fill its scratch folder, if it has one, with many files"), (81,), Level.STRONG),
    Threat(say("see other processes, users, mounts or host names"), (), Level.STRONG),
)

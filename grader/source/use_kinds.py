"""The kinds of modules and functions that the static check reports, because a player should not need them."""

from dataclasses import dataclass

from grader.language import Message, say


@dataclass(frozen=True, slots=True)
class UseKind:
    """One kind of use to report."""

    code: str
    """The code of the finding."""
    summary: Message
    """What such code does, as a sentence without its full stop."""
    help: Message
    modules: tuple[str, ...] = ()
    """Importing one of these, or anything in it, is reported."""
    names: tuple[str, ...] = ()
    """Using one of these is reported; with a dot at the end, everything in it."""
    builtins: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    """Calling a method with this name, on any object, is reported."""


OPENERS = (
    *("io.open", "io.FileIO", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "zipfile.ZipFile"),
    "tarfile.open",
)
"""Like `open`, these only read, unless the mode, their second argument, says that they write."""

KINDS = (
    UseKind(
        code="network",
        summary=say("It uses the network"),
        help=say("A player has no network access: include everything it needs in the submission."),
        modules=(
            *("socket", "socketserver", "ssl", "http", "urllib.request", "urllib.robotparser", "urllib3", "requests"),
            *("httpx", "aiohttp", "websocket", "websockets", "ftplib", "smtplib", "poplib", "imaplib", "nntplib"),
            *("telnetlib", "xmlrpc", "paramiko", "zmq", "webbrowser", "asyncio.open_connection"),
        ),
        names=("urllib.request.", "asyncio.open_connection", "asyncio.start_server"),
    ),
    UseKind(
        code="processes",
        summary=say("It starts or signals processes"),
        help=say("Do the work in Python, in the player's own process."),
        modules=("subprocess", "multiprocessing", "pty", "joblib", "concurrent.futures.process"),
        names=(
            *("os.system", "os.popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.posix_spawnp", "os.kill"),
            *("os.killpg", "os.startfile", "concurrent.futures.ProcessPoolExecutor", "asyncio.create_subprocess_exec"),
            *("asyncio.create_subprocess_shell", "signal.pthread_kill"),
            *(
                f"os.{how}{end}"
                for how in ("exec", "spawn")
                for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")
            ),
        ),
    ),
    UseKind(
        code="ctypes",
        summary=say("It calls native code"),
        help=say("Use only Python and the installed packages."),
        modules=("ctypes", "_ctypes", "cffi", "numpy.ctypeslib"),
    ),
    UseKind(
        code="files",
        summary=say("It writes or changes files"),
        help=say("A player can only read, and only its own folder: keep its data in memory."),
        modules=("shutil", "tempfile", "shelve", "dbm", "sqlite3", "mmap"),
        names=(
            *OPENERS,
            *("os.open", "os.remove", "os.unlink", "os.rename", "os.replace", "os.renames", "os.rmdir"),
            *("os.removedirs", "os.mkdir", "os.makedirs", "os.truncate", "os.chmod", "os.chown", "os.link"),
            *("os.symlink", "os.mkfifo"),
            *("numpy.save", "numpy.savez", "numpy.savez_compressed", "numpy.savetxt"),
        ),
        builtins=("open",),
        methods=("write_text", "write_bytes", "symlink_to", "hardlink_to"),
    ),
    UseKind(
        code="input",
        summary=say("It waits for keyboard input"),
        help=say("Nobody can type during a game: choose the move in play()."),
        names=("sys.stdin", "getpass.getpass", "fileinput.input"),
        builtins=("input",),
    ),
    UseKind(
        code="eval",
        summary=say("It loads or runs code dynamically"),
        help=say("Write the code out instead."),
        names=("importlib.import_module", "importlib.reload", "builtins.eval", "builtins.exec", "runpy."),
        builtins=("eval", "exec", "compile", "__import__"),
    ),
)

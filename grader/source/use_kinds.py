"""What a player may not need: kinds of modules and functions that a static check points out."""

from dataclasses import dataclass

from grader.language import Message, say


@dataclass(frozen=True, slots=True)
class UseKind:
    """One kind of thing to point out."""

    code: str
    does: Message
    help: Message
    modules: tuple[str, ...] = ()
    """Importing one of these, or anything in it, is pointed out."""
    names: tuple[str, ...] = ()
    """Using one of these is pointed out; with a dot at the end, everything in it."""
    builtins: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    """Calling a method of that name, of whatever it may be, is pointed out."""


OPENERS = (
    *("io.open", "io.FileIO", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "zipfile.ZipFile"),
    "tarfile.open",
)
"""Like `open`, these read, unless their second argument, the mode, says otherwise."""

KINDS = (
    UseKind(
        code="network",
        does=say("uses the network"),
        help=say("A player has no network: ship what it needs in its folder."),
        modules=(
            *("socket", "socketserver", "ssl", "http", "urllib.request", "urllib.robotparser", "urllib3", "requests"),
            *("httpx", "aiohttp", "websocket", "websockets", "ftplib", "smtplib", "poplib", "imaplib", "nntplib"),
            *("telnetlib", "xmlrpc", "paramiko", "zmq", "webbrowser", "asyncio.open_connection"),
        ),
        names=("urllib.request.", "asyncio.open_connection", "asyncio.start_server"),
    ),
    UseKind(
        code="processes",
        does=say("starts or signals processes"),
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
        does=say("calls machine code"),
        help=say("Write the player in Python and installed packages."),
        modules=("ctypes", "_ctypes", "cffi", "numpy.ctypeslib"),
    ),
    UseKind(
        code="files",
        does=say("writes or changes files"),
        help=say("A player can read its own folder and write nowhere: keep what it needs in its code or in memory."),
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
        does=say("waits for somebody to type"),
        help=say("Nobody is there to answer: decide the move in play."),
        names=("sys.stdin", "getpass.getpass", "fileinput.input"),
        builtins=("input",),
    ),
    UseKind(
        code="eval",
        does=say("runs code that is made while it plays"),
        help=say("Write the code down, so that it can be read."),
        names=("importlib.import_module", "importlib.reload", "builtins.eval", "builtins.exec", "runpy."),
        builtins=("eval", "exec", "compile", "__import__"),
    ),
)

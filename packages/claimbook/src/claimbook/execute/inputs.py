"""What a chapter reads and imports while it runs, and whether all of that is as it was then.

A kernel loads this module as an extension of IPython, before the first cell. An audit hook of Python's tells
it of each file that is opened, each folder that is listed and each package that is imported, by the chapter
or by what it calls, and it writes that into a file, to which forked processes add, and every Python that the
chapter starts (`started`). A file is known by its
contents at the moment when it is first read, a folder by the names in it, a package by the version of its
distribution. What the chapter itself wrote before it read it is none of its inputs.

Left out is what others answer for or what says nothing about a result: Python and what is installed (which
has versions), the code of the book's packages and the engine (which have fingerprints), caches of the user.
Not seen is what no Python code opens: files that a library in C opens by itself, as pyarrow does, what other
programs read, and the network.
"""

# By hand, because tools that record inputs (strace, showyourwork, DVC) need another system, or an author who
# declares each file.

import json
import os
import site
import stat
import sys
import sysconfig
import tempfile
import threading
import zoneinfo
from contextlib import suppress
from functools import cache
from importlib.metadata import distributions, packages_distributions
from importlib.util import source_from_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from claimbook.writing import checksum, digest

SYSTEM = ("/proc", "/sys", "/dev")  # files that are none
MADE = {"_build", "runs", "sweeps"}  # by commands, in the book's folder
_WRITES = os.O_WRONLY | os.O_RDWR
_TABLES = str(Path(__file__).parents[1] / "csv_tables.py")
_IMPORTING = ("<frozen importlib", os.path.join(sysconfig.get_path("stdlib"), "importlib"))


# ---- in the kernel ----


def load_ipython_extension(shell):
    """Record from here on; ``Inputs.file`` of the configuration names a file that `order` wrote."""
    file = str(shell.config.Inputs.file)
    begin(file, [shell.ipython_dir])
    # What the chapter starts records, too, if it is Python.
    os.environ["CLAIMBOOK_INPUTS"] = file
    first = str(Path(__file__).with_name("started"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [first, os.environ.get("PYTHONPATH")]))


def begin(file, without=()):
    """Record from here on in this process, and in those that are copies of it.

    Parameters
    ----------
    file : str
        That `order` wrote.
    without : sequence of str
        Folders of which nothing counts.
    """
    with open(file, encoding="utf-8") as order:
        code = json.loads(order.readline())["code"]
    record = _Record(file, code, without)
    for name in {name.partition(".")[0] for name in sys.modules}:
        record.write("imported", name)
    sys.addaudithook(record)


class _Record:
    """The audit hook, which writes a line of JSON for each thing when it is met first.

    Parameters
    ----------
    file : str
        Lines are added to its end.
    code : sequence of str
        Folders whose Python has a fingerprint; the first is the engine's, of which nothing counts.
    without : sequence of str
        More folders of which nothing counts.
    """

    def __init__(self, file, code, without=()):
        self._file = os.open(file, os.O_WRONLY | os.O_APPEND)
        self._code, self._met, self._thread = tuple(_inside(code)), set(), threading.local()
        self._without = (*_inside([*_folders_without_data(), code[0], *without]), os.path.abspath(file))
        self._events = {
            "open": self._opened,
            "import": lambda name, *_: self.write("imported", name.partition(".")[0]),
            "os.listdir": self._listed,
            "os.scandir": self._listed,
            "os.rename": lambda old, new, *_: self._wrote(_path(new)),
            "sqlite3.connect": lambda database: self._opened(_database(database), None, os.O_RDWR),
        }

    def __call__(self, event, given):
        met = self._events.get(event)
        if met is None or getattr(self._thread, "busy", False):
            return
        self._thread.busy = True  # to read a file's contents is an event, too
        try:
            met(*given)
        finally:
            self._thread.busy = False

    def write(self, *line):
        """Write a line, unless the same kind of line tells of the same thing."""
        if line[:2] not in self._met:
            self._met.add(line[:2])
            os.write(self._file, json.dumps(line).encode() + b"\n")

    def _opened(self, given, mode, flags):
        path = _path(given)
        if not path or path.startswith(self._without):
            return
        # Findings say which verdicts the registry expects of them (`Job.outdated`): nothing else matters.
        if path.endswith("registry.csv") and sys._getframe(2).f_code.co_filename == _TABLES:
            return
        if path.endswith(".pyc"):
            with suppress(ValueError):  # of a name that no Python gives
                path = source_from_cache(path)
        if "__pycache__" in path or path.endswith(".py") and path.startswith(self._code):
            return
        if not flags & os.O_TRUNC and flags & _WRITES != os.O_WRONLY and ("wrote", path) not in self._met:
            self._read(path)
        if flags & _WRITES:
            self._wrote(path)

    def _read(self, path):
        """Note the contents of a file, or that there is none; a folder and a pipe have no contents."""
        if ("read", path) not in self._met:
            try:
                if stat.S_ISREG(os.stat(path).st_mode):
                    self.write("read", path, checksum(path))
            except FileNotFoundError:
                self.write("read", path, None)
            except (OSError, ValueError):
                return  # who opens it is told why that cannot be done

    def _wrote(self, path):
        if path:
            self.write("wrote", path)

    def _listed(self, given=None):
        # Where Python looks for modules is no data.
        if sys._getframe(2).f_code.co_filename.startswith(_IMPORTING):
            return
        path = _path("." if given is None else given)
        if path and not path.startswith(self._without) and ("listed", path) not in self._met:
            with suppress(OSError):  # who lists it is told
                self.write("listed", path, sorted(os.listdir(path)))


def _path(given):
    """An absolute path as text; nothing for the number of an open file, which was opened under a name."""
    return "" if isinstance(given, int) or given is None else os.path.abspath(os.fsdecode(given))


def _database(given):
    """The file of a database of SQLite's; None for one in memory."""
    name = os.fsdecode(given)
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path) if "mode=memory" not in name else ""
    return name if name not in ("", ":memory:") else None


def _inside(folders):
    """What the paths of all that is in these folders begin with."""
    known = [os.path.abspath(folder) for folder in folders]
    return {os.path.join(part, "") for path in known for part in (path, os.path.realpath(path))}


@cache
def _folders_without_data():
    """The folders of Python, of what is installed, of the system, its time zones, the user's caches."""
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix, "installed_base": sys.base_prefix}
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {sysconfig.get_path(kind, vars=own) for kind in kinds for own in (None, base)}
    folders |= {*site.getsitepackages(), site.getusersitepackages()}
    caches = {os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")}
    caches |= {os.environ.get("JUPYTER_RUNTIME_DIR") or os.path.expanduser("~/.local/share/jupyter/runtime")}
    return sorted(folders | caches | {*SYSTEM, *zoneinfo.TZPATH})


# ---- in the process that executes ----


def order(file, book_folders, engine):
    """Write the order for a kernel; returns the words that make it record.

    Parameters
    ----------
    file : path
        Into which the kernel will write.
    book_folders : iterable of path
        The folders of the packages that have fingerprints.
    engine : path
        That of the engine.
    """
    code = [str(engine), *(str(folder) for folder in book_folders)]
    Path(file).write_text(json.dumps({"code": code}) + "\n", encoding="utf-8")
    return [f"--InteractiveShellApp.extra_extensions={__name__}", f"--Inputs.file={file}"]


def recorded(file, root, own):
    """What a kernel recorded, as plain types for the notes of an executed chapter.

    Parameters
    ----------
    file : path
    root : Path
        The book's folder: files below it are named as seen from there, others in full (``~`` is the home).
    own : iterable of str
        The names of packages that have fingerprints.

    Returns
    -------
    dict
        ``files``: checksums by name, None for a file that was asked for and was not there; ``lists``: by name
        of a folder a digest of the names in it, and those that the chapter wrote there; ``packages``:
        versions by name.

    Raises
    ------
    ValueError
        If the kernel recorded nothing.
    """
    lines = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()[1:]]
    if not lines:
        raise ValueError("the kernel could not record what the chapter reads: is claimbook installed there?")
    first, wrote, listed = {}, set(), {}
    for kind, what, *rest in lines:
        if kind == "wrote":
            wrote.add(what)
        elif kind == "read":
            first.setdefault(what, rest[0])
        elif kind == "listed":
            listed.setdefault(what, rest[0])
    root, temporary = os.path.abspath(root), tempfile.gettempdir()
    files, lists = {}, {}
    for path, content in sorted(first.items()):
        gone = not os.path.lexists(path)
        if content is None and (path in wrote or not _is_below(path, root)):
            continue  # a file that it made, or a place where some program looks for its settings
        if gone and content is not None and _is_below(path, temporary):
            continue  # a temporary file
        files[_named(path, root)] = content
    for path, names in sorted(listed.items()):
        if _is_below(path, root) and not any(_is_below(path, os.path.join(root, made)) for made in MADE):
            outputs = sorted(os.path.basename(file) for file in wrote if os.path.dirname(file) == path)
            lists[_named(path, root)] = [_names_digest(names, path == root, outputs), outputs]
    providers, versions = _providers(), installed()
    names = {what for kind, what, *_ in lines if kind == "imported"} - {*own}
    known = sorted({name for package in names for name in providers.get(package, ())})
    return {"files": files, "lists": lists, "packages": {name: versions.get(name) for name in known}}


def changed(noted, root):
    """The first of the inputs that is no longer what it was, in words; empty if all are.

    Parameters
    ----------
    noted : dict
        As `recorded` returned it.
    root : Path
    """
    versions, root = installed(), os.path.abspath(root)
    for name, version in noted["packages"].items():
        if versions.get(name) != version:
            return f"{name} {version} is now {versions.get(name) or 'not installed'}"
    for name, content in noted["files"].items():
        if (now := _content(_place(name, root))) != content:
            return f"{name} {'is gone' if now is None else 'has other contents' if content else 'is there'}"
    for name, (names, outputs) in noted["lists"].items():
        path = _place(name, root)
        now = os.listdir(path) if os.path.isdir(path) else []
        if _names_digest(now, path == root, outputs) != names:
            return f"{name} holds other files"
    return ""


@cache
def installed():
    """The version of each distribution that can be found, by its name, as at the first call."""
    found = {}
    for one in distributions():
        with suppress(KeyError):  # of what is left of a broken installation
            found.setdefault(one.metadata["Name"], one.version)
    return found


_providers = cache(packages_distributions)


def look_again():
    """Forget what is installed: in a process that lives longer than that stays the same."""
    installed.cache_clear()
    _providers.cache_clear()


def _content(path):
    return checksum(path) if os.path.isfile(path) else None  # a pipe would be waited for


def _names_digest(names, is_root, outputs):
    """A digest of the names in a folder, but for hidden ones and those that the chapter or commands made."""
    left_out = {*outputs, "__pycache__", *(MADE if is_root else ())}
    return digest(sorted(name for name in names if name not in left_out and not name.startswith(".")))


def _is_below(path, folder):
    return path == folder or path.startswith(os.path.join(folder, ""))


def _named(path, root):
    """A path as the notes have it."""
    home = os.path.expanduser("~")
    if _is_below(path, root):
        return Path(path).relative_to(root).as_posix()
    return f"~/{Path(path).relative_to(home).as_posix()}" if _is_below(path, home) else path


def _place(name, root):
    """The path that was given such a name."""
    return os.path.normpath(os.path.join(root, os.path.expanduser(name)))

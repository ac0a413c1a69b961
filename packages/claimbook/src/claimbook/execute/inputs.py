"""Record the inputs of a chapter: the files that it reads and the packages that it imports.

A kernel loads this module as an IPython extension before the first cell. A Python audit hook records, in a
file, each file that is opened, each folder that is listed and each package that is imported, by the chapter
or by code that the chapter calls. Forked processes, and every Python process that the chapter starts
(`started`), add to the same file. A file is identified by its contents when it is first read, a folder by the
names in it, and a package by the version of its distribution. Files that the chapter wrote before it read
them are not inputs.

The record leaves out Python and installed packages (which have versions), the code of the book's packages and
of the engine (which have fingerprints), and caches of the user. The hook notices neither files that a C
library opens itself, as pyarrow does, nor other programs, nor the network.
"""

# Written by hand, because other tools that record inputs (strace, showyourwork, DVC) need a certain operating
# system, or require that the author declares each file.

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

SYSTEM = ("/proc", "/sys", "/dev")  # folders that contain no real files
OUTPUT_FOLDERS = {"_build", "runs", "sweeps"}  # folders that commands create in the book's folder
_WRITES = os.O_WRONLY | os.O_RDWR
_TABLES = str(Path(__file__).parents[1] / "csv_tables.py")
_IMPORT_SYSTEM = ("<frozen importlib", os.path.join(sysconfig.get_path("stdlib"), "importlib"))


# ---- in the kernel ----


def load_ipython_extension(shell):
    """Start recording in a kernel.

    Parameters
    ----------
    shell : InteractiveShell
        The shell. ``Inputs.file`` in the shell's configuration is the path of a file that `order` wrote.
    """
    file = str(shell.config.Inputs.file)
    begin(file, [shell.ipython_dir])
    # Every Python process that the chapter starts must record its inputs as well.
    os.environ["CLAIMBOOK_INPUTS"] = file
    hook_folder = str(Path(__file__).with_name("started"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [hook_folder, os.environ.get("PYTHONPATH")]))


def begin(file, without=()):
    """Start recording in this process and in copies that are forked later.

    Parameters
    ----------
    file : str
        A file that `order` wrote.
    without : sequence of str
        Folders to ignore.
    """
    with open(file, encoding="utf-8") as order:
        code = json.loads(order.readline())["code"]
    record = _Record(file, code, without)
    for name in {name.partition(".")[0] for name in sys.modules}:
        record.write("imported", name)
    sys.addaudithook(record)


class _Record:
    """The audit hook, which writes one line of JSON for each new event.

    Parameters
    ----------
    file : str
        The file to which lines are appended.
    code : sequence of str
        Folders whose Python code has a fingerprint. The first is the folder of the engine, which is ignored
        completely.
    without : sequence of str
        More folders to ignore.
    """

    def __init__(self, file, code, without=()):
        self._file = os.open(file, os.O_WRONLY | os.O_APPEND)
        self._code, self._recorded, self._thread = tuple(_inside(code)), set(), threading.local()
        self._without = (*_inside([*_folders_without_data(), code[0], *without]), os.path.abspath(file))
        self._events = {
            "open": self._opened,
            "import": lambda name, *_: self.write("imported", name.partition(".")[0]),
            "os.listdir": self._listed,
            "os.scandir": self._listed,
            "os.rename": lambda source, target, *_: self._wrote(_path(target)),
            "sqlite3.connect": lambda database: self._opened(_database(database), None, os.O_RDWR),
        }

    def __call__(self, event, arguments):
        """Record an audit event, unless the recording itself caused it."""
        handler = self._events.get(event)
        if handler is None or getattr(self._thread, "busy", False):
            return
        self._thread.busy = True  # reading a file for its checksum also causes an event
        try:
            handler(*arguments)
        finally:
            self._thread.busy = False

    def write(self, *line):
        """Write a line, unless an earlier line has the same kind and subject."""
        if line[:2] not in self._recorded:
            self._recorded.add(line[:2])
            os.write(self._file, json.dumps(line).encode() + b"\n")

    def _opened(self, opened, mode, flags):
        """Record that a file was opened for reading or writing."""
        path = _path(opened)
        if not path or path.startswith(self._without):
            return
        # Only the expected verdicts of the registry matter, and the findings record them (`Job.outdated`).
        if path.endswith("registry.csv") and sys._getframe(2).f_code.co_filename == _TABLES:
            return
        if path.endswith(".pyc"):
            with suppress(ValueError):  # the name is not one that Python passes
                path = source_from_cache(path)
        if "__pycache__" in path or path.endswith(".py") and path.startswith(self._code):
            return
        if (
            not flags & os.O_TRUNC
            and flags & _WRITES != os.O_WRONLY
            and ("wrote", path) not in self._recorded
        ):
            self._read(path)
        if flags & _WRITES:
            self._wrote(path)

    def _read(self, path):
        """Record the contents of a regular file, or its absence."""
        if ("read", path) not in self._recorded:
            try:
                if stat.S_ISREG(os.stat(path).st_mode):
                    self.write("read", path, checksum(path))
            except FileNotFoundError:
                self.write("read", path, None)
            except (OSError, ValueError):
                return  # the code that opens the file gets the error

    def _wrote(self, path):
        if path:
            self.write("wrote", path)

    def _listed(self, folder=None):
        """Record the names in a folder that was listed."""
        # Python lists these folders to find modules, so they are not data.
        if sys._getframe(2).f_code.co_filename.startswith(_IMPORT_SYSTEM):
            return
        path = _path("." if folder is None else folder)
        if path and not path.startswith(self._without) and ("listed", path) not in self._recorded:
            with suppress(OSError):  # the code that lists the folder gets the error
                self.write("listed", path, sorted(os.listdir(path)))


def _path(argument):
    """Return an absolute path as text, or an empty text for an open file's number.

    A file with a number was opened by its name earlier.
    """
    return "" if isinstance(argument, int) or argument is None else os.path.abspath(os.fsdecode(argument))


def _database(argument):
    """Return the file of an SQLite database, or None for one in memory."""
    name = os.fsdecode(argument)
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path) if "mode=memory" not in name else ""
    return name if name not in ("", ":memory:") else None


def _inside(folders):
    """Return the prefixes that all paths inside these folders have."""
    paths = [os.path.abspath(folder) for folder in folders]
    return {os.path.join(name, "") for path in paths for name in (path, os.path.realpath(path))}


@cache
def _folders_without_data():
    """Return the folders of Python, packages, the system and the user's caches."""
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix, "installed_base": sys.base_prefix}
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {sysconfig.get_path(kind, vars=variables) for kind in kinds for variables in (None, base)}
    folders |= {*site.getsitepackages(), site.getusersitepackages()}
    caches = {os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")}
    caches |= {os.environ.get("JUPYTER_RUNTIME_DIR") or os.path.expanduser("~/.local/share/jupyter/runtime")}
    return sorted(folders | caches | {*SYSTEM, *zoneinfo.TZPATH})


# ---- in the process that executes the chapter ----


def order(file, book_folders, engine):
    """Write the settings of a record, and return the kernel arguments that start it.

    Parameters
    ----------
    file : path
        The file into which the kernel will write.
    book_folders : iterable of path
        The folders of the packages whose code has fingerprints.
    engine : path
        The folder of the engine.
    """
    code = [str(engine), *(str(folder) for folder in book_folders)]
    Path(file).write_text(json.dumps({"code": code}) + "\n", encoding="utf-8")
    return [f"--InteractiveShellApp.extra_extensions={__name__}", f"--Inputs.file={file}"]


def recorded_inputs(file, root, own_packages):
    """Return the inputs that a kernel recorded, as plain types.

    Parameters
    ----------
    file : path
        The file of the record.
    root : Path
        The book's folder. Files below this folder are named by relative paths, and all others by complete
        paths, in which ``~`` is the home folder.
    own_packages : iterable of str
        The names of the packages whose code has fingerprints.

    Returns
    -------
    dict
        The entry ``files`` has checksums by name, with None for a missing file that the chapter tried to
        read. The entry ``lists`` has, for each folder, a digest of the names in it and the names of the files
        that the chapter wrote there. The entry ``packages`` has versions by name.

    Raises
    ------
    ValueError
        If the kernel recorded nothing.
    """
    lines = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()[1:]]
    if not lines:
        raise ValueError(
            "the kernel could not record the inputs of the chapter: is claimbook installed there?"
        )
    contents_read, files_written, names_listed = {}, set(), {}
    for kind, subject, *rest in lines:
        if kind == "wrote":
            files_written.add(subject)
        elif kind == "read":
            contents_read.setdefault(subject, rest[0])
        elif kind == "listed":
            names_listed.setdefault(subject, rest[0])
    root, temporary = os.path.abspath(root), tempfile.gettempdir()
    files, lists = {}, {}
    for path, checksum_read in sorted(contents_read.items()):
        if checksum_read is None and (path in files_written or not _is_below(path, root)):
            continue  # the chapter wrote the file, or a program only looked there for its settings
        if checksum_read is not None and not os.path.lexists(path) and _is_below(path, temporary):
            continue  # a temporary file
        files[_named(path, root)] = checksum_read
    for path, names in sorted(names_listed.items()):
        if _is_below(path, root) and not any(
            _is_below(path, os.path.join(root, folder)) for folder in OUTPUT_FOLDERS
        ):
            outputs = sorted(
                os.path.basename(file) for file in files_written if os.path.dirname(file) == path
            )
            lists[_named(path, root)] = [_names_digest(names, path == root, outputs), outputs]
    providers, versions = _providers(), installed()
    imported = {subject for kind, subject, *_ in lines if kind == "imported"} - {*own_packages}
    packages = sorted({name for module in imported for name in providers.get(module, ())})
    return {"files": files, "lists": lists, "packages": {name: versions.get(name) for name in packages}}


def change_of_input(recorded, root):
    """Return a description of the first input that has changed, or an empty text.

    Parameters
    ----------
    recorded : dict
        The inputs that `recorded_inputs` returned.
    root : Path
        The book's folder.
    """
    versions, root = installed(), os.path.abspath(root)
    for name, version in recorded["packages"].items():
        if versions.get(name) != version:
            return f"{name} {version} is now {versions.get(name) or 'not installed'}"
    for name, content in recorded["files"].items():
        if (present_content := _content(_path_of(name, root))) != content:
            change = "is gone" if present_content is None else "has other contents" if content else "is there"
            return f"{name} {change}"
    for name, (names, outputs) in recorded["lists"].items():
        path = _path_of(name, root)
        present_names = os.listdir(path) if os.path.isdir(path) else []
        if _names_digest(present_names, path == root, outputs) != names:
            return f"{name} contains other files"
    return ""


@cache
def installed():
    """Return the installed version of each distribution, as of the first call."""
    versions = {}
    for package in distributions():
        with suppress(KeyError):  # remains of a broken installation have no name
            versions.setdefault(package.metadata["Name"], package.version)
    return versions


_providers = cache(packages_distributions)


def look_again():
    """Forget which packages are installed.

    A long-lived process needs this function, because packages may change while it runs.
    """
    installed.cache_clear()
    _providers.cache_clear()


def _content(path):
    return checksum(path) if os.path.isfile(path) else None  # reading a pipe would block


def _names_digest(names, is_root, outputs):
    """Return a digest of the names in a folder, except hidden files and outputs.

    The outputs are files that the chapter wrote and folders that commands create.
    """
    left_out = {*outputs, "__pycache__", *(OUTPUT_FOLDERS if is_root else ())}
    return digest(sorted(name for name in names if name not in left_out and not name.startswith(".")))


def _is_below(path, folder):
    return path == folder or path.startswith(os.path.join(folder, ""))


def _named(path, root):
    """Return the name under which a record refers to a path."""
    home = os.path.expanduser("~")
    if _is_below(path, root):
        return Path(path).relative_to(root).as_posix()
    return f"~/{Path(path).relative_to(home).as_posix()}" if _is_below(path, home) else path


def _path_of(name, root):
    """Return the path to which a name in a record refers."""
    return os.path.normpath(os.path.join(root, os.path.expanduser(name)))

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
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR
_TABLE_READER = str(Path(__file__).parents[1] / "csv_tables.py")  # the module that reads the registry
_IMPORT_SYSTEM = ("<frozen importlib", os.path.join(sysconfig.get_path("stdlib"), "importlib"))


# ---- in the kernel ----


def load_ipython_extension(shell):
    """Start recording in a kernel.

    Parameters
    ----------
    shell : InteractiveShell
        The shell. ``Inputs.file`` in the shell's configuration is the path of a file that `prepare_record`
        wrote.
    """
    file = str(shell.config.Inputs.file)
    start_recording(file, [shell.ipython_dir])
    # Every Python process that the chapter starts must record its inputs as well.
    os.environ["CLAIMBOOK_INPUTS"] = file
    hook_folder = str(Path(__file__).with_name("started"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [hook_folder, os.environ.get("PYTHONPATH")]))


def start_recording(file, ignored_folders=()):
    """Start recording in this process and in copies that are forked later.

    Parameters
    ----------
    file : str
        A file that `prepare_record` wrote.
    ignored_folders : sequence of str
        Folders to ignore.
    """
    with open(file, encoding="utf-8") as record_file:
        code_folders = json.loads(record_file.readline())["code"]
    record = _Record(file, code_folders, ignored_folders)
    for name in {name.partition(".")[0] for name in sys.modules}:
        record.write("imported", name)
    sys.addaudithook(record)


class _Record:
    """The audit hook, which writes one line of JSON for each new event.

    Parameters
    ----------
    file : str
        The file to which lines are appended.
    code_folders : sequence of str
        Folders whose Python code has a fingerprint. The first is the folder of the engine, which is ignored
        completely.
    ignored_folders : sequence of str
        More folders to ignore.
    """

    def __init__(self, file, code_folders, ignored_folders=()):
        self._file = os.open(file, os.O_WRONLY | os.O_APPEND)
        self._recorded, self._thread_state = set(), threading.local()
        self._code_prefixes = tuple(_prefixes([*code_folders]))
        ignored_folders = [*_folders_without_data(), code_folders[0], *ignored_folders]
        self._ignored_prefixes = (*_prefixes(ignored_folders), os.path.abspath(file))
        self._handlers = {  # by the name of the audit event
            "open": self._record_opening,
            "import": lambda name, *_: self.write("imported", name.partition(".")[0]),
            "os.listdir": self._record_listing,
            "os.scandir": self._record_listing,
            "os.rename": lambda source, target, *_: self.write("wrote", _absolute_path(target)),
            "sqlite3.connect": lambda name: self._record_opening(_database_file(name), None, os.O_RDWR),
        }

    def __call__(self, event, arguments):
        """Record an audit event, unless the recording itself caused it."""
        handler = self._handlers.get(event)
        if handler is None or getattr(self._thread_state, "is_recording", False):
            return
        self._thread_state.is_recording = True  # reading a file for its checksum also causes an event
        try:
            handler(*arguments)
        finally:
            self._thread_state.is_recording = False

    def write(self, kind, subject, *details):
        """Write a line, unless an earlier line has the same kind and subject."""
        if (kind, subject) not in self._recorded:
            self._recorded.add((kind, subject))
            os.write(self._file, json.dumps([kind, subject, *details]).encode() + b"\n")

    def _record_opening(self, file, mode, flags):
        """Record that a file was opened for reading or writing."""
        path = _absolute_path(file)
        if not path or path.startswith(self._ignored_prefixes):
            return
        # Only the expected verdicts of the registry matter, and the findings record them (`Job.outdated`).
        # Frame 0 is this method, frame 1 is `__call__`, and frame 2 is the code that opens the file.
        if path.endswith("registry.csv") and sys._getframe(2).f_code.co_filename == _TABLE_READER:
            return
        if path.endswith(".pyc"):
            with suppress(ValueError):  # the name is not one that Python passes
                path = source_from_cache(path)
        if "__pycache__" in path or path.endswith(".py") and path.startswith(self._code_prefixes):
            return
        keeps_contents = not flags & os.O_TRUNC
        can_read = flags & _WRITE_FLAGS != os.O_WRONLY
        if keeps_contents and can_read and ("wrote", path) not in self._recorded:
            self._record_reading(path)
        if flags & _WRITE_FLAGS:
            self.write("wrote", path)

    def _record_reading(self, path):
        """Record the contents of a regular file, or its absence."""
        if ("read", path) not in self._recorded:
            try:
                if stat.S_ISREG(os.stat(path).st_mode):
                    self.write("read", path, checksum(path))
            except FileNotFoundError:
                self.write("read", path, None)
            except (OSError, ValueError):
                return  # the code that opens the file gets the error

    def _record_listing(self, folder=None):
        """Record the names in a folder that was listed."""
        # Python lists these folders to find modules, so they are not data. Frame 2 is the code that lists.
        if sys._getframe(2).f_code.co_filename.startswith(_IMPORT_SYSTEM):
            return
        path = _absolute_path("." if folder is None else folder)
        if path and not path.startswith(self._ignored_prefixes) and ("listed", path) not in self._recorded:
            with suppress(OSError):  # the code that lists the folder gets the error
                self.write("listed", path, sorted(os.listdir(path)))


def _absolute_path(path_or_number):
    """Return an absolute path as text, or an empty text for a file's number or None.

    A file with a number was opened by its name earlier.
    """
    if isinstance(path_or_number, int) or path_or_number is None:
        return ""
    return os.path.abspath(os.fsdecode(path_or_number))


def _database_file(argument):
    """Return the file of an SQLite database, or None for one in memory."""
    name = os.fsdecode(argument)
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path) if "mode=memory" not in name else ""
    return name if name not in ("", ":memory:") else None


def _prefixes(folders):
    """Return the prefixes that all paths inside these folders have."""
    paths = [os.path.abspath(folder) for folder in folders]
    # The path that is recorded may contain a link or the link's target.
    return {os.path.join(name, "") for path in paths for name in (path, os.path.realpath(path))}


@cache
def _folders_without_data():
    """Return the folders of Python, packages, the system and the user's caches."""
    # In a virtual environment, these are also the folders of the Python from which it was made.
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix, "installed_base": sys.base_prefix}
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {sysconfig.get_path(kind, vars=variables) for kind in kinds for variables in (None, base)}
    folders |= {*site.getsitepackages(), site.getusersitepackages()}
    user_folders = {os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")}
    user_folders.add(
        os.environ.get("JUPYTER_RUNTIME_DIR") or os.path.expanduser("~/.local/share/jupyter/runtime")
    )
    return sorted(folders | user_folders | {*SYSTEM, *zoneinfo.TZPATH})


# ---- in the process that executes the chapter ----


def prepare_record(file, book_folders, engine):
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
    code_folders = [str(engine), *(str(folder) for folder in book_folders)]
    Path(file).write_text(json.dumps({"code": code_folders}) + "\n", encoding="utf-8")
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
    # The first line contains the settings from `prepare_record`.
    records = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()[1:]]
    if not records:
        raise ValueError(
            "the kernel could not record the inputs of the chapter: is claimbook installed there?"
        )
    # Of several processes that read the same file, the first one counts.
    checksums_read, files_written, names_listed, imported_modules = {}, set(), {}, set()
    for record in records:
        match record:
            case "read", path, checksum_read:
                checksums_read.setdefault(path, checksum_read)
            case "wrote", path:
                files_written.add(path)
            case "listed", path, names:
                names_listed.setdefault(path, names)
            case "imported", module:
                imported_modules.add(module)
    root, temporary_folder = os.path.abspath(root), tempfile.gettempdir()
    files, lists = {}, {}
    for path, checksum_read in sorted(checksums_read.items()):
        if checksum_read is None and (path in files_written or not _is_below(path, root)):
            continue  # the chapter wrote the file, or a program only looked there for its settings
        if checksum_read is not None and not os.path.lexists(path) and _is_below(path, temporary_folder):
            continue
        files[_name_of(path, root)] = checksum_read
    output_folders = [os.path.join(root, folder) for folder in OUTPUT_FOLDERS]
    for path, names in sorted(names_listed.items()):
        if _is_below(path, root) and not any(_is_below(path, folder) for folder in output_folders):
            outputs = sorted(
                os.path.basename(file) for file in files_written if os.path.dirname(file) == path
            )
            lists[_name_of(path, root)] = [_names_digest(names, path == root, outputs), outputs]
    distributions_of, versions = _distributions_of_modules(), installed()
    imported_modules -= {*own_packages}
    packages = sorted({name for module in imported_modules for name in distributions_of.get(module, ())})
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
    for name, recorded_checksum in recorded["files"].items():
        path = _path_of(name, root)
        present_checksum = checksum(path) if os.path.isfile(path) else None  # reading a pipe would block
        if present_checksum != recorded_checksum:
            if present_checksum is None:
                return f"{name} is gone"
            return f"{name} {'has other contents' if recorded_checksum else 'is there'}"
    for name, (recorded_digest, outputs) in recorded["lists"].items():
        path = _path_of(name, root)
        present_names = os.listdir(path) if os.path.isdir(path) else []
        if _names_digest(present_names, path == root, outputs) != recorded_digest:
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


_distributions_of_modules = cache(packages_distributions)


def forget_installed():
    """Forget which packages are installed.

    A long-lived process needs this function, because packages may change while it runs.
    """
    installed.cache_clear()
    _distributions_of_modules.cache_clear()


def _names_digest(names, is_root, outputs):
    """Return a digest of the names in a folder, except hidden files and outputs.

    The outputs are files that the chapter wrote and folders that commands create.
    """
    ignored_names = {*outputs, "__pycache__", *(OUTPUT_FOLDERS if is_root else ())}
    return digest(sorted(name for name in names if name not in ignored_names and not name.startswith(".")))


def _is_below(path, folder):
    """Return whether a path is a folder or below it."""
    return path == folder or path.startswith(os.path.join(folder, ""))


def _name_of(path, root):
    """Return the name by which the inputs refer to a path, relative to the book or home."""
    home = os.path.expanduser("~")
    if _is_below(path, root):
        return Path(path).relative_to(root).as_posix()
    return f"~/{Path(path).relative_to(home).as_posix()}" if _is_below(path, home) else path


def _path_of(name, root):
    """Return the path to which a name from `_name_of` refers."""
    return os.path.normpath(os.path.join(root, os.path.expanduser(name)))

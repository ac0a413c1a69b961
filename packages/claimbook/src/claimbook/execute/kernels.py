"""Kernels that begin with what all chapters import: that takes each of them two seconds otherwise.

A first process imports it; every kernel is a copy of that process. On Windows processes cannot be copied, and
on macOS its libraries forbid it: there a kernel is started as usual.

No kernel outlives the command that started it, however that ends. A kernel that computes may not come to look
whether the command is there, so a process beside it, its guard, waits for that; the first process ends after
the last kernel. Only what a cell itself starts in a session of its own (``start_new_session=True``) is not of
the kernel's group, and outlives a command that is killed.
"""

# By hand, because Jupyter has no provisioner that copies a process.

import asyncio
import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import wait
from weakref import WeakSet

from jupyter_client import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

_LAUNCHER = "ipykernel_launcher"  # the module that a kernel of IPython's runs
_IMPORTED = ["ipykernel.kernelapp", "claimbook.page", "claimbook.execute.inputs", __name__]
# Open files: 68 were counted of a kernel, 30 of this process for each kernel; it needs some for other things.
_FILES_THERE, _FILES_HERE, _OTHER_FILES = 80, 32, 16


def kernels_at_once(wanted: int) -> int:
    """The number of kernels, at most ``wanted``, that can run at once with the files a process may have open.

    Without as many, ZeroMQ ends the whole process. The limit is raised as far as it may be.

    Raises
    ------
    ValueError
        If not one can run.
    """
    if sys.platform == "win32":  # has no such limit
        return wanted
    import resource

    used = len(os.listdir("/dev/fd")) + _OTHER_FILES
    limit, most = (
        sys.maxsize if number == resource.RLIM_INFINITY else number
        for number in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    if limit < (enough := max(used + wanted * _FILES_HERE, _FILES_THERE)):
        limit = min(enough, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    if limit < (least := max(used + _FILES_HERE, _FILES_THERE)):
        raise ValueError(f"ulimit -n {limit}: expected at least {least} open files, which a kernel needs")
    return min(wanted, (limit - used) // _FILES_HERE)


class Kernel(AsyncKernelManager):
    """A kernel that can be stopped from another thread than the one that runs it."""

    known: WeakSet = WeakSet()
    preload: list[str] = []  # what the chapters of the book import (``Book.preload``)

    def __init__(self, **options):
        super().__init__(**options)
        self.known.add(self)

    async def start_kernel(self, **options):
        # A worker of a cluster is a daemon, and those may not have such copies; nor is any other kernel one.
        daemon, usual = multiprocessing.current_process().daemon, _LAUNCHER in self.kernel_spec.argv
        if self.provisioner is None and sys.platform == "linux" and usual and not daemon:
            self.provisioner = _Copied(kernel_spec=self.kernel_spec, parent=self)
        return await super().start_kernel(**options)

    @classmethod
    def stop_all(cls):
        """Stop what is running now, with all that it started itself."""
        for kernel in list(cls.known):
            if kernel.has_kernel:
                asyncio.run(kernel.provisioner.kill())


class _Copied(LocalProvisioner):
    """A provisioner that starts a kernel as a copy of the first process, in a group of its own."""

    async def launch_kernel(self, cmd, **options):
        self.process = _Process(cmd, options["env"], options.get("cwd"), self.parent.preload)
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class _Process:
    """A copy of the first process, with as much of ``subprocess.Popen`` as Jupyter asks a kernel for."""

    stdin = stdout = stderr = None

    def __init__(self, command, env, folder, preload):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([*_IMPORTED, *preload])
        ready, tell = context.Pipe(duplex=False)
        argv = command[command.index(_LAUNCHER) + 1 :]
        self._process = context.Process(target=_run, args=(argv, dict(env), folder, tell))
        self._process.start()
        self.pid = self._process.pid
        tell.close()
        with suppress(EOFError):  # it ended before: poll() says so
            ready.recv()

    def poll(self):
        return self._process.exitcode

    def wait(self):
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)


def _run(argv, env, folder, tell):
    """Be a kernel: with its environment, in its folder, ending with the command that started it."""
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()
    try:
        tell.send(True)
    except BrokenPipeError:  # the command is gone
        return
    tell.close()
    _end_with_command()
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder or ".")
    launch_new_instance(argv=argv)


def _end_with_command():
    """Start a process that kills this one, and all that it started, when the command has ended."""
    kernel = os.getpid()
    ended, alive = os.pipe()  # the second is open for as long as this process
    on_interrupt = signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # which the whole group gets: not for the guard
    if between := os.fork():
        os.close(ended)
        os.waitpid(between, 0)
        signal.signal(signal.SIGINT, on_interrupt)
        return
    try:
        if not os.fork():  # by one between, because a kernel that ends waits two seconds for children
            os.close(alive)
            command = multiprocessing.parent_process().sentinel
            if command in wait([command, ended]):
                os.killpg(kernel, signal.SIGKILL)
    finally:
        os._exit(0)

"""Start kernels in which the common imports of all chapters are already loaded.

A first process imports these modules, and every kernel is a copy of this process. This saves two seconds for
each kernel. Windows cannot copy processes, and the libraries of macOS do not permit it, so kernels start in
the usual way on these systems.

No kernel outlives the command that started it, however the command ends. A busy kernel may never check
whether the command is still there, so a second process, the kernel's guard, waits for the end of the command.
The first process ends after the last kernel. Only a program that a cell starts in a session of its own
(``start_new_session=True``) is outside the kernel's process group and outlives a killed command.
"""

# Written by hand, because Jupyter has no provisioner that copies a process.

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

_LAUNCHER = "ipykernel_launcher"  # the module that an IPython kernel runs
_PRELOADED_MODULES = ["ipykernel.kernelapp", "claimbook.page", "claimbook.execute.inputs", __name__]
# Numbers of open files, with a margin. We counted 68 in a kernel, and 30 in this process for each kernel.
_FILES_IN_KERNEL, _FILES_HERE_PER_KERNEL, _SPARE_FILES = 80, 32, 16


def kernels_at_once(wanted_kernels: int) -> int:
    """Return the number of kernels, at most ``wanted_kernels``, that can run together.

    Raises
    ------
    ValueError
        If the limit on open files does not allow one kernel.

    Notes
    -----
    Each kernel keeps files open, and ZeroMQ ends the process if it cannot open enough of them. The limit on
    open files is therefore raised as far as the system permits.
    """
    if sys.platform == "win32":  # Windows has no such limit
        return wanted_kernels
    import resource

    open_files = len(os.listdir("/dev/fd")) + _SPARE_FILES

    def needed_limit(kernels):  # a kernel inherits the limit of this process
        return max(open_files + kernels * _FILES_HERE_PER_KERNEL, _FILES_IN_KERNEL)

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft_limit == resource.RLIM_INFINITY:
        return wanted_kernels
    if soft_limit < (limit_for_all := needed_limit(wanted_kernels)):
        is_unlimited = hard_limit == resource.RLIM_INFINITY
        soft_limit = limit_for_all if is_unlimited else min(limit_for_all, hard_limit)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))
    if soft_limit < (limit_for_one := needed_limit(1)):
        raise ValueError(
            f"ulimit -n {soft_limit}: expected at least {limit_for_one} open files, which a kernel needs"
        )
    return min(wanted_kernels, (soft_limit - open_files) // _FILES_HERE_PER_KERNEL)


class Kernel(AsyncKernelManager):
    """A kernel that can be stopped from another thread."""

    instances: WeakSet = WeakSet()
    preload: list[str] = []  # the common imports of the chapters (``Book.preload``)

    def __init__(self, **options):
        super().__init__(**options)
        self.instances.add(self)

    async def start_kernel(self, **options):
        # A worker of a cluster is a daemon, which may not start such copies. Only IPython's kernel can be
        # copied.
        is_daemon = multiprocessing.current_process().daemon
        is_ipython = _LAUNCHER in self.kernel_spec.argv
        if self.provisioner is None and sys.platform == "linux" and is_ipython and not is_daemon:
            self.provisioner = _CopyingProvisioner(kernel_spec=self.kernel_spec, parent=self)
        return await super().start_kernel(**options)

    @classmethod
    def stop_all(cls):
        """Stop all running kernels and the processes that they started."""
        for kernel in list(cls.instances):
            if kernel.has_kernel:
                asyncio.run(kernel.provisioner.kill())


class _CopyingProvisioner(LocalProvisioner):
    """A provisioner that starts a kernel as a copy of the first process."""

    async def launch_kernel(self, cmd, **options):
        self.process = _Process(cmd, options["env"], options.get("cwd"), self.parent.preload)
        self.pid = self.pgid = self.process.pid  # the kernel leads its own process group
        return self.connection_info


class _Process:
    """A copy of the first process, with an interface like ``subprocess.Popen``'s."""

    stdin = stdout = stderr = None

    def __init__(self, command, env, folder, preload):
        context = multiprocessing.get_context("forkserver")  # the fork server is the first process
        context.set_forkserver_preload([*_PRELOADED_MODULES, *preload])
        receiver, sender = context.Pipe(duplex=False)
        argv = command[command.index(_LAUNCHER) + 1 :]
        self._process = context.Process(target=_run, args=(argv, dict(env), folder, sender))
        self._process.start()
        self.pid = self._process.pid
        sender.close()
        # Wait until the kernel leads a process group of its own, to which the provisioner sends signals.
        with suppress(EOFError):  # the process has already ended, as poll() reports
            receiver.recv()

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


def _run(argv, env, folder, sender):
    """Run a kernel in its environment and folder until its command ends."""
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()
    try:
        sender.send(True)  # tells `_Process` that the process group exists
    except BrokenPipeError:  # the command is gone
        return
    sender.close()
    _start_guard()
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder or ".")
    launch_new_instance(argv=argv)


def _start_guard():
    """Start a process that kills this process group when the command has ended."""
    process_group = os.getpid()  # this process, the kernel, leads the group
    read_end, write_end = os.pipe()  # the write end is open as long as this process lives
    # An interrupt reaches the whole process group, but the guard must survive it.
    interrupt_handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The guard is a grandchild, because a kernel that ends waits two seconds for its children.
    if child := os.fork():
        os.close(read_end)
        os.waitpid(child, 0)
        signal.signal(signal.SIGINT, interrupt_handler)
        return
    try:
        if not os.fork():  # in the guard, which waits until either the command or the kernel has ended
            os.close(write_end)
            command_sentinel = multiprocessing.parent_process().sentinel
            if command_sentinel in wait([command_sentinel, read_end]):
                os.killpg(process_group, signal.SIGKILL)
    finally:
        os._exit(0)

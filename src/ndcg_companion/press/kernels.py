"""Kernels that begin with what all chapters import: that takes each of them two seconds otherwise.

A first process imports it; every kernel is a copy of that process. On Windows processes cannot be copied, and
on macOS its libraries forbid it: there a kernel is started as usual.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from weakref import WeakSet

from jupyter_client import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

_LAUNCHER = "ipykernel_launcher"  # the module that a kernel of IPython's runs
_IMPORTED = [
    "ipykernel.kernelapp",
    "scipy.stats",
    "scipy.integrate",
    "scipy.optimize",
    "ndcg_companion.chapter.axes",
    "ndcg_companion.chapter.page",
    "ndcg_companion.simulation",
]


class Kernel(AsyncKernelManager):
    """A kernel that can be stopped from another thread than the one that runs it."""

    known: WeakSet = WeakSet()

    def __init__(self, **options):
        super().__init__(**options)
        self.known.add(self)

    async def _async_pre_start_kernel(self, **options):
        # A worker of a cluster is a daemon, and those may not have such copies; nor is any other kernel one.
        daemon, usual = multiprocessing.current_process().daemon, _LAUNCHER in self.kernel_spec.argv
        if self.provisioner is None and sys.platform == "linux" and usual and not daemon:
            self.provisioner = _Copied(kernel_spec=self.kernel_spec, parent=self)
        return await super()._async_pre_start_kernel(**options)

    @classmethod
    def stop_all(cls):
        """Stop what is running now, with all that it started itself."""
        for kernel in list(cls.known):
            if kernel.has_kernel:
                asyncio.run(kernel.provisioner.kill())


class _Copied(LocalProvisioner):
    """What starts a kernel as a copy of the first process, in a group of its own."""

    async def launch_kernel(self, cmd, **options):
        self.process = _Process(cmd, options["env"], options.get("cwd"))
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class _Process:
    """A copy of the first process, with as much of ``subprocess.Popen`` as Jupyter asks a kernel for."""

    stdin = stdout = stderr = None

    def __init__(self, command, env, folder):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_IMPORTED)
        ready, tell = context.Pipe(duplex=False)
        argv = command[command.index(_LAUNCHER) + 1 :]
        self._process = context.Process(target=_run, args=(argv, dict(env), folder, tell))
        self._process.start()
        self.pid = self._process.pid
        tell.close()
        with suppress(EOFError):  # it ended before: whoever polls is told
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
    """Be a kernel: with its environment, in its folder, ending with the process from which it was copied."""
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()
    tell.send(True)
    tell.close()
    os.environ.clear()
    os.environ.update(env | {"JPY_PARENT_PID": str(os.getppid())})
    os.chdir(folder or ".")
    launch_new_instance(argv=argv)

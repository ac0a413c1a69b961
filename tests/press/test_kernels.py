"""A kernel is a copy of a process that has imported what chapters import, and a kernel like any other."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from ndcg_companion.press.kernels import Kernel

SAYS = """import os, sys
print("scipy.stats" in sys.modules, os.environ.get("TRIED"), os.getcwd(), os.getpgrp() == os.getpid())"""


async def answer(code, **options):
    """The words that a kernel prints when it runs the code."""
    kernel, said = Kernel(kernel_name="python3"), []
    await kernel.start_kernel(extra_arguments=["--log-level=CRITICAL"], **options)
    client = kernel.client()
    client.start_channels()
    await client.wait_for_ready(timeout=60)
    await client.execute_interactive(
        code, output_hook=lambda message: said.append(message["content"].get("text", ""))
    )
    client.stop_channels()
    await kernel.shutdown_kernel(now=True)
    return "".join(said).split()


@pytest.mark.skipif(sys.platform != "linux", reason="a kernel is started as usual there")
def test_a_copy_has_its_imports_its_environment_its_folder_and_its_group(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIED", "yes")
    with ThreadPoolExecutor(1) as thread:  # a browser's loop may run in this one
        said = thread.submit(asyncio.run, answer(SAYS, cwd=str(tmp_path))).result()
    assert said == ["True", "yes", str(tmp_path.resolve()), "True"]

"""A kernel is a copy of a process that has imported what chapters import, and a kernel like any other."""

import asyncio
import sys

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
    assert asyncio.run(answer(SAYS, cwd=str(tmp_path))) == ["True", "yes", str(tmp_path.resolve()), "True"]

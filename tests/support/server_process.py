"""`waymark serve` as a process of its own, for tests that kill it, restart it or load it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import requests
from patience import PATIENCE_SECONDS


class ServerProcess:
    """A server on a data folder; `kill` ends it as a power cut would, `stop` as Ctrl+C does."""

    def __init__(self, data: Path, *options: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self.log = data.parent / "server.log"
        command = [sys.executable, "-m", "waymark", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(data), "--json", "-", *options]
        self._output = self.log.open("ab")
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=self._output,
            # Tests that run in the background of a shell are started with SIGINT ignored, and pass that on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert self.process.stdout is not None
        # The answer is one JSON object over several lines; the port is open when it is told.
        told = b""
        while not told.rstrip().endswith(b"}"):
            line = self.process.stdout.readline()
            assert line, f"the server did not start: {self.log.read_text()[-2000:]}"
            told += line
        self.url = json.loads(told)["url"].rstrip("/")

    def wait_until_it_answers(self, *, verify: str | bool = True) -> None:
        """Wait for the first answer."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                requests.get(f"{self.url}/api/v1/openapi.json", timeout=5, verify=verify)
                return
            except (requests.ConnectionError, requests.Timeout):
                assert time.monotonic() < end, "the server does not answer"
                time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL: nothing can be tidied up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._output.close()

    def stop(self) -> int:
        """Ctrl+C; the exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE_SECONDS)
        self._output.close()
        return status


def files_of(pid: int) -> set[str]:
    """The open files of a process, those without a name among them."""
    found = set()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.add(os.readlink(handle))
    return found


#: Below those that the system gives out by itself, so that nobody who asks for any takes what is free now.
#: Processes of a run, whose numbers lie near each other, have two hundred each: what one of them has found
#: free stays so until its server listens there.
_PORTS = count(20_000 + 200 * (os.getpid() % 60))


def free_port() -> int:
    """A port that nobody listens at now, and no other test process looks for."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there are more ports than that")

"""Starts the program that uses the store, and tells how it ended."""

import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

HANGING_SECONDS = 180
"""A process that takes so long never ends by itself."""

FOUND, REFUSED, FAILED = 3, 4, 5
"""Its statuses: something that must not be, opening or reading that threw, writing or closing that threw."""


@dataclass(frozen=True)
class Ending:
    """How a process ended, and what it printed."""

    status: int
    output: str
    hung: bool = False

    @property
    def was_killed(self) -> bool:
        return self.status == -signal.SIGKILL and not self.hung

    @property
    def finding(self) -> tuple[str, str] | None:
        """The fault that the process itself has found: its kind, and a sentence."""
        found = re.search(r"^FOUND (\w+): (.*)$", self.output, re.MULTILINE)
        return (found[1], found[2]) if found else None

    @property
    def errors(self) -> list[str]:
        """The codes of all errors that it tells of, as `code by what: sentence`."""
        return re.findall(r"^(?:REFUSED|FAILED|THREW) (.*)$", self.output, re.MULTILINE)

    @property
    def has_opened(self) -> bool:
        return re.search(r"^OPENED ", self.output, re.MULTILINE) is not None

    @property
    def last_lines(self) -> str:
        return "\n".join(self.output.splitlines()[-12:])[-3_000:]


@dataclass
class Group:
    """A writer and what reads beside it: one process group, which dies as one when the power goes."""

    program: Path
    folder: Path
    """For output, on a disk that keeps its power."""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, arguments: list[str]) -> subprocess.Popen[bytes] | None:
        """Starts the writer, which is the first one, or another process beside it; none if the writer is gone."""
        leader = self.processes[0].pid if self.processes else 0
        with open(self._output(len(self.processes)), "wb") as output:
            try:
                process = subprocess.Popen(
                    [self.program, *arguments],
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL,
                    process_group=leader,
                    env=os.environ | {"SWIFT_BACKTRACE": "enable=no"},
                )
            except (PermissionError, ProcessLookupError):
                return None
        self.processes.append(process)
        return process

    def wait(self, kill_after: float | None = None) -> list[Ending]:
        """Waits until the writer ends, or kills all after so many seconds. The writer's ending is the first."""
        hung = False
        try:
            self.processes[0].wait(kill_after or HANGING_SECONDS)
        except subprocess.TimeoutExpired:
            hung = kill_after is None
        self.kill()
        endings = []
        for index, process in enumerate(self.processes):
            output = self._output(index).read_text(encoding="utf-8", errors="replace")
            endings.append(Ending(process.returncode, output, hung=hung and index == 0))
        return endings

    def kill(self) -> None:
        """Readers first: they judge what they read by a writer that lives."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def _output(self, index: int) -> Path:
        return self.folder / f"output-{index}"


def run(program: Path, folder: Path, arguments: list[str], kill_after: float | None = None) -> Ending:
    """Runs one process to its end."""
    group = Group(program, folder)
    try:
        group.start(arguments)
        return group.wait(kill_after)[0]
    finally:
        group.kill()


def wait_for_line(path: Path, word: str, seconds: float) -> bool:
    """Waits until a line of a file begins with a word."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if any(line.startswith(word) for line in text.splitlines()):
            return True
        time.sleep(0.005)
    return False

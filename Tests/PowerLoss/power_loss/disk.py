"""The file system that loses power, as the driver uses it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self


@dataclass(frozen=True)
class Image:
    """A choice of the things that are there when the power comes back; see Disk/Image.h."""

    kind: str
    keeping: float
    seed: int
    is_stale: bool

    @property
    def loses_power(self) -> bool:
        """Whether anything that was not synchronized may be gone."""
        return self.kind != "everything"

    def __str__(self) -> str:
        return f"{self.kind} {self.keeping} {self.seed} {int(self.is_stale)}"


def random_image(random: Random, kinds: tuple[str, ...] = ()) -> Image:
    weights = {"nothing": 3, "random": 5, "prefix": 3, "torn": 2, "everything": 2}
    chosen = {kind: weight for kind, weight in weights.items() if not kinds or kind in kinds}
    kind = random.choices(list(chosen), list(chosen.values()))[0]
    keeping = random.choice((0.1, 0.3, 0.5, 0.8, 0.95))
    return Image(kind, keeping, random.randrange(1 << 30), random.random() < 0.15)


@dataclass(frozen=True)
class State:
    has_power: bool
    operations: int
    syncs: int
    refusals_for_room: int
    last_fault: str
    """The operation at which the power went, or that was made to fail."""


class DiskFailure(Exception):
    """The file system does not do what it is told: a fault of the tests."""


class CannotMount(Exception):
    """The system does not let the file system be mounted."""


MOUNT_REFUSED = 3
"""The status with which the file system says so."""


class LosingDisk:
    """A mounted file system. It is unmounted however its use ends, and by itself when this process dies."""

    def __init__(self, program: Path, mount_point: Path) -> None:
        self.root = mount_point
        self._process = subprocess.Popen(
            [program, mount_point], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            self._read_state()
        except DiskFailure:
            if self._process.wait() == MOUNT_REFUSED:
                raise CannotMount from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unmount()

    def ask(self, command: str) -> State:
        """Gives a command of Disk/Commands.h."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(f"{command}\n")
            stdin.flush()
        except BrokenPipeError as error:
            raise DiskFailure(f"{command}: the file system has ended") from error
        return self._read_state()

    def _read_state(self) -> State:
        stdout = self._process.stdout
        assert stdout is not None
        line = stdout.readline()
        if not line:
            raise DiskFailure(f"the file system has ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise DiskFailure(answer["error"])
        return State(
            has_power=answer["hasPower"],
            operations=answer["operations"],
            syncs=answer["syncs"],
            refusals_for_room=answer["refusalsForRoom"],
            last_fault=answer["lastFault"],
        )

    def start(self, image: Image, kept: str = "") -> State:
        return self.ask(f"start {image} {kept}")

    def synchronize_names(self, folder: Path) -> None:
        """Makes durable what has a name in a folder."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def unmount(self) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.close()
        except BrokenPipeError:
            pass
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        # A process that was killed leaves its mount, whose files nobody can reach.
        for command in (["umount", "--lazy"], ["fusermount3", "-u", "-z"]):
            if not is_mounted(self.root):
                return
            subprocess.run([*command, self.root], check=False, stderr=subprocess.DEVNULL)
        if is_mounted(self.root):
            print(f"{self.root} could not be unmounted", file=sys.stderr)


def is_mounted(path: Path) -> bool:
    """Also of a file system whose process is gone, which `os.path.ismount` cannot look at."""
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8")
    return any(line.split()[1] == str(path) for line in mounts.splitlines())

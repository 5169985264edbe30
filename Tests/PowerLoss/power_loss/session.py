"""Everything that the rounds of a run share."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from .disk import LosingDisk
from .planted import Planted


@dataclass
class Session:
    program: Path
    disk: LosingDisk
    folder: Path
    """For notes and output, on a disk that keeps its power."""
    failures: Path
    """The folder for findings."""
    encrypts: bool
    planted: Planted | None = None
    end: float = float("inf")
    """When no more is begun, by the monotonic clock."""
    tallies: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.end

    def tally(self, scenario: str) -> Counter[str]:
        return self.tallies.setdefault(scenario, Counter())

    @property
    def total(self) -> Counter[str]:
        return sum(self.tallies.values(), Counter())

"""Everything that happens to one disk, from one seed."""

import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from random import Random

from .disk import Image, State, random_image
from .finding import Finding, copy_tree, keep_command
from .program import FAILED, REFUSED, Ending, Group
from .scenario import Scenario, Trouble
from .session import Session

ALLOWED_ERRORS = {
    Trouble.NONE: frozenset[str](),
    Trouble.FULL: frozenset({"outOfDiskSpace"}),
    Trouble.FAILING: frozenset({"fileOperationFailed", "durabilityLost"}),
    Trouble.UNREADABLE: frozenset({"fileOperationFailed"}),
}
"""Codes of the errors that a trouble gives reason for. No others may be thrown, and no process may die by itself."""

COUNTED_LINES = {"READ": "readings beside", "CHECKPOINT base": "bases", "CHECKPOINT delta": "deltas"}
"""Lines of the program that are counted, and what the counts are called."""


class Round(ABC):
    """Lives of processes on one disk. `run` raises `Finding` when something is wrong."""

    def __init__(self, session: Session, scenario: Scenario, seed: int) -> None:
        self.session = session
        self.disk = session.disk
        self.scenario = scenario
        self.seed = seed
        self.random = Random(seed)
        self.tally = session.tally(scenario.name)
        self.trail: list[str] = []
        """A line for everything that was done, to be kept with a finding."""
        self.notes = session.folder / "notes"
        self.power_was_lost = False
        """Whether it was since the store was opened last: what was not durable then may be gone."""
        self.is_encrypted = session.encrypts and Random(f"{seed} encrypted").random() < 0.5
        self._image: Image | None = None
        self._kept = ""
        self._command: list[str] = []
        self._notes_before = session.folder / "notes-before"

    @abstractmethod
    def run(self) -> None: ...

    # Places

    @property
    def folder(self) -> Path:
        return self.disk.root / "db"

    @property
    def file(self) -> Path:
        return self.folder / "store.firn"

    def begin(self) -> None:
        """An empty disk with a folder, of which no name will be lost."""
        self.disk.ask(f"reset {self.seed}")
        if self.session.planted and self.session.planted.disk_command:
            self.disk.ask(self.session.planted.disk_command)
        fastest, slowest = self.random.choice([(0, 0), (100, 1_500), (500, 4_000), (0, 300)])
        self.disk.ask(f"sync-takes {fastest} {slowest}")
        self.folder.mkdir()
        self.disk.synchronize_names(self.disk.root)
        self.notes.write_text("")
        self.writers = self.random.choice([1, 2, 3, 4, 8])
        if self.session.planted and self.session.planted.writer_option == "splitsCommits":
            self.writers = 1
        self.tally["rounds"] += 1

    # Processes

    def store_options(self) -> list[str]:
        """All processes that use the store agree about these."""
        scenario = self.scenario
        options = ["--file", str(self.file), "--notes", str(self.notes), "--seed", str(self.seed)]
        options += ["--shape", scenario.shape, "--durability", scenario.durability, "--writers", str(self.writers)]
        options += ["--journal", str(scenario.journal), "--history", str(scenario.history)]
        if self.is_encrypted:
            options.append("--encrypted")
        return options

    def judged_options(self, power_was_lost: bool) -> list[str]:
        return self.store_options() + (["--power-was-lost"] if power_was_lost else [])

    def writer_options(self, life: int) -> list[str]:
        options = ["--life", str(self.seed * 100 + life)]
        options += ["--checkpoint-chance", str(self.scenario.checkpoint_chance)]
        options += ["--copy-chance", str(self.scenario.copy_chance)]
        if self.session.planted and self.session.planted.writer_option:
            options += ["--planted", self.session.planted.writer_option]
        return options

    def run_group(
        self,
        commands: list[list[str]],
        kill_after: float | None = None,
        allowed: frozenset[str] = frozenset(),
        allowed_beside: frozenset[str] | None = None,
        meanwhile: Callable[[Group], None] = lambda group: None,
    ) -> list[Ending]:
        """Runs a writer and what is beside it, judges how they ended, and counts.

        `allowed` are the codes of errors that the disk gives reason for, `allowed_beside` those of the processes beside
        the writer if they are others. `meanwhile` may start more of those.
        """
        self._command = commands[0]
        shutil.copy(self.notes, self._notes_before)
        acknowledged = self.count_notes("acknowledged")
        group = Group(self.session.program, self.session.folder)
        try:
            for command in commands:
                self.trail.append(" ".join(command))
                group.start(command)
            meanwhile(group)
            endings = group.wait(kill_after)
        finally:
            group.kill()
        self.tally["acknowledged"] += max(0, self.count_notes("acknowledged") - acknowledged)
        for ending in endings:
            self.trail.append(f"-> {ending.status}: {ending.last_lines}")
        state = self.disk.ask("state")
        self.trail.append(f"   {state}")
        beside = allowed if allowed_beside is None else allowed_beside
        for index, ending in enumerate(endings):
            if index > 0 and not state.has_power:
                # It may have been started when the power had gone already.
                self._judge_finding(ending)
            else:
                self._judge(ending, state, kill_after is not None or index > 0, beside if index else allowed)
            for word, name in COUNTED_LINES.items():
                self.tally[name] += len(re.findall(f"^{word} ", ending.output, re.MULTILINE))
        return endings

    def count_notes(self, word: str) -> int:
        return sum(line.startswith(word) for line in self.notes.read_text(encoding="utf-8").splitlines())

    def _judge_finding(self, ending: Ending) -> None:
        if ending.finding:
            raise Finding(*ending.finding)
        if ending.hung:
            raise Finding("hung", f"A process did not end: {ending.last_lines}")

    def _judge(self, ending: Ending, state: State, may_be_killed: bool, allowed: frozenset[str]) -> None:
        self._judge_finding(ending)
        for error in ending.errors:
            self.tally[f"error {error.split(':')[0]}"] += 1
            if error.split()[0] not in allowed:
                raise Finding("threw", error)
        if ending.was_killed:
            if state.has_power and not may_be_killed:
                raise Finding("tests", "A process was killed by somebody else.")
        elif ending.status not in (0, REFUSED, FAILED) or (ending.status != 0 and not ending.errors):
            raise Finding("died", f"A process ended with status {ending.status}: {ending.last_lines}")

    # Power

    def lose_power(self, has_opened: bool) -> None:
        """Ends a life. If it has opened the store, only promises count that were made since then."""
        if self.disk.ask("state").has_power:
            self.disk.ask("lose-power")
        else:
            self.tally["power losses"] += 1
        if has_opened:
            self.power_was_lost = False

    def start(self, image: Image, kept: str = "") -> None:
        """The power comes back, and the disk has no troubles."""
        self.trail.append(f"start {image} {kept}")
        self.disk.start(image, kept)
        self.disk.ask("room -1")
        self._image, self._kept = image, kept
        self.tally["images"] += 1
        self.tally[f"image {image.kind}"] += 1

    def check(self, image: Image, kept: str = "", trouble: Trouble = Trouble.NONE) -> None:
        """Looks at an image, and leaves the notes as they were."""
        self.start(image, kept)
        if trouble is Trouble.NONE:
            self.disk.ask("heal")
        notes = self.notes.read_bytes()
        options = self.judged_options(self.power_was_lost or image.loses_power)
        options += self.flags(verifies=0.5, reads_only=0.4)
        self.run_group([["check", *options]], allowed=ALLOWED_ERRORS[trouble])
        self.notes.write_bytes(notes)

    def flags(self, **probabilities: float) -> list[str]:
        """Options that are there or not, each so probably."""
        return [
            f"--{name.replace('_', '-')}"
            for name, probability in probabilities.items()
            if self.random.random() < probability
        ]

    def any_image(self, kinds: tuple[str, ...] = ()) -> Image:
        return random_image(self.random, kinds)

    # Keeping

    def keep(self, finding: Finding, rerun: str) -> Path:
        """Keeps the disk as the last process found it, the notes, and how to look at it again."""
        number = 1
        while (folder := self.session.failures / f"round-{self.seed}-{self.scenario.name}-{number}").exists():
            number += 1
        folder.mkdir(parents=True)
        problems = []
        if self.disk.ask("state").has_power:
            self.disk.ask("heal")
            problems.append(copy_tree(self.disk.root, folder / "disk-afterwards"))
        again = ""
        if self._image:
            # The disk that lost the power last is still there, so the same image can be made again.
            self.disk.start(self._image, self._kept)
            problems.append(copy_tree(self.disk.root, folder / "disk"))
            shutil.copy(self._notes_before, folder / "notes")
            for notes in self.session.folder.glob("notes-of-*"):
                shutil.copy(notes, folder)
            keep_command(folder, self._command, {"disk": self.disk.root, "notes": self.session.folder})
            again = f"The last process again: Scripts/check-power-loss --image {os.path.relpath(folder)}"
        (folder / "trail.txt").write_text("\n".join(self.trail) + "\n", encoding="utf-8")
        lines = [
            str(finding),
            "",
            f"The whole round again:  {rerun}",
            again,
            *[f"Not everything could be copied: {problem}" for problem in problems if problem],
        ]
        (folder / "finding.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder

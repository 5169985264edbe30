"""Lives of a store that end anywhere, one after the other on the same disk."""

import math
import shutil
from dataclasses import dataclass

from .finding import Finding
from .program import Ending, run
from .round import ALLOWED_ERRORS, Round
from .scenario import MEBI, Trouble


@dataclass(frozen=True)
class End:
    """How a life is to end."""

    commits: int
    """After so many commits it closes the store, if nothing comes before."""
    operation: int = 0
    """At so many operations the power goes; 0 for never."""
    kill_after: float | None = None
    """After so many seconds the processes are killed."""
    idle: float = 0.0


class RandomRound(Round):
    def run(self) -> None:
        self.begin()
        self._pause = self.random.choice([0, 0, 0, 0, 200, 2_000])
        self._original = self._make_original() if self.scenario.has_original else []
        self._last_was_opening = True
        self._is_proven = True
        for life in range(self.random.randrange(4, 14)):
            if self.session.is_over:
                return
            ending = self._live(life)
            self._look_at_other_images()
            self._come_back(ending)
        if self.scenario.trouble is Trouble.NONE and self.random.random() < 0.6:
            self._delete()

    def store_options(self) -> list[str]:
        return super().store_options() + self._original

    def _make_original(self) -> list[str]:
        """A store on another disk, which this one begins with."""
        folder = self.session.folder / "original"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        count = self.random.randrange(5, 300)
        options = ["--file", str(folder / "original.firn"), "--notes", str(folder / "notes")]
        options += ["--seed", str(self.seed), "--shape", self.scenario.shape, "--commits", str(count)]
        options += ["--encrypted"] if self.is_encrypted else []
        ending = run(self.session.program, folder, ["write", *options])
        if ending.status != 0:
            raise Finding("tests", f"The original could not be made: {ending.last_lines}")
        return ["--original", str(folder / "original.firn"), "--original-commits", str(count)]

    # A life

    def _live(self, life: int) -> Ending:
        end = self._choose_end(life)
        migrates = self.random.random() < self.scenario.migration_chance
        options = self.judged_options(self.power_was_lost) + self.writer_options(life)
        options += ["--commits", str(end.commits), "--pause", str(self._pause), "--idle", str(end.idle)]
        if self.random.random() < 0.4 and not self.session.planted:
            options += ["--threads", str(self.random.randrange(1, self.writers + 1))]
        options += self.flags(
            verifies=0.25,
            reads_only=0.15,
            verifies_afterwards=0.3,
            compacts=self.scenario.compaction_chance,
            migrates=migrates,
        )
        trouble = self._make_trouble()
        # Readers know the version of the schema from the notes, and see no failed commits where nothing fails.
        count = 0 if migrates or trouble is Trouble.FAILING else self.random.choice([0, 0, 0, 1, 1, 2])
        reader = ["read", *self.store_options(), "--openings-before", str(self.count_notes("opened"))]
        opened = self.count_notes("opened")
        self.disk.ask(f"lose-power-at {end.operation}")
        ending = self.run_group([["write", *options]] + count * [reader], end.kill_after, ALLOWED_ERRORS[trouble])[0]
        has_opened = self.count_notes("opened") > opened
        self.tally["lives"] += 1
        self.tally["migrations"] += migrates and has_opened
        self.tally["closed"] += ending.status == 0
        self._is_proven = ending.status == 0
        self.lose_power(has_opened)
        return ending

    def _choose_end(self, life: int) -> End:
        kinds: dict[str, float] = {"operation": 5, "moment": 2, "opening": 4, "closed": 1, "closing": 2}
        if life == 0:
            kinds["opening"] = 1.5
        elif self._last_was_opening:
            # Recovery that is interrupted again and again.
            kinds["opening"] = 8
        if self.scenario.is_slow:
            kinds = {"idle": 6, "opening": 1, "closed": 1}
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        self._last_was_opening = kind == "opening"
        few = self.random.randrange(5, 200)
        match kind:
            case "operation":
                operation = int(math.exp(self.random.uniform(0, math.log(4_000)))) + 1
                return End(self.random.randrange(300, 1_500), operation)
            case "moment":
                return End(100_000, kill_after=self.random.uniform(0.08, 0.9))
            case "opening":
                return End(few, self.random.randrange(1, 17))
            case "closing":
                commits = self.random.randrange(1, 40) * self.writers
                return End(commits, self.random.randrange(1, 12 + 3 * commits))
            case "idle":
                return End(few, kill_after=self.random.uniform(1, 5), idle=10)
            case _:
                return End(few)

    def _make_trouble(self) -> Trouble:
        """Tells the disk which trouble it makes in this life."""
        trouble = self.scenario.trouble
        if trouble is Trouble.NONE or self.random.random() < 0.3:
            return Trouble.NONE
        count = int(math.exp(self.random.uniform(0, 6)))
        match trouble:
            case Trouble.FULL:
                room = self.random.choice([0, 0.05, 0.2, 1, 3, 5, 9, 15])
                self.disk.ask(f"room {int(room * MEBI)}")
            case Trouble.FAILING:
                what = self.random.choice(["operation", "sync"])
                self.disk.ask(f"fail {what} {min(count, 80) if what == 'sync' else count}")
            case Trouble.UNREADABLE:
                # Damage to the last commits cannot be told from a crash where the hint in the lock file is gone.
                if not self._is_proven:
                    return Trouble.NONE
                self.disk.ask(f"fail read {count} {self.random.choice(['once', 'always'])}")
        return trouble

    # After a life

    def _look_at_other_images(self) -> None:
        if self.scenario.trouble is Trouble.UNREADABLE:
            # An opening tells of the damage or finds everything, and it loses nothing for good.
            self.check(self.any_image(("everything",)), trouble=Trouble.UNREADABLE)
        for _ in range(self.random.choices([0, 1, 3], [5, 3, 2])[0]):
            self.check(self.any_image())

    def _come_back(self, ending: Ending) -> None:
        kinds = ("everything",) if self.scenario.trouble is Trouble.UNREADABLE and self.random.random() < 0.6 else ()
        image = self.any_image(kinds)
        self.start(image)
        self.disk.ask("heal")
        self.power_was_lost = self.power_was_lost or image.loses_power
        self._is_proven = self._is_proven or not image.loses_power

    def _delete(self) -> None:
        """A deletion that is interrupted leaves everything, nothing, or what is known as a rest."""
        for _ in range(3):
            self.disk.ask(f"lose-power-at {self.random.randrange(1, 16)}")
            self.run_group([["delete", *self.store_options()]])
            self.lose_power(has_opened=False)
            image = self.any_image()
            self.start(image)
            self.power_was_lost = self.power_was_lost or image.loses_power
            if self.random.random() < 0.6:
                break
        self.run_group([["delete", *self.judged_options(self.power_was_lost), "--checks"]])
        self.tally["deletions"] += 1

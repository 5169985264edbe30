"""One life that ends at every operation in turn: an opening, three commits, checkpoints, and a closing."""

from itertools import count

from .round import Round


class SteppingRound(Round):
    def run(self) -> None:
        self.begin()
        self.writers = self.random.choice([1, 2, 3])
        self._prepare()
        self.disk.ask("keep start")
        notes, power_was_lost = self.notes.read_bytes(), self.power_was_lost
        first = self.any_image()
        for step in count(1):
            if self.session.is_over:
                return
            self.notes.write_bytes(notes)
            self.power_was_lost = power_was_lost or first.loses_power
            self.start(first, "start")
            if not self._live(step):
                self.tally["steppings"] += 1
                return
            self._look(step)

    def _prepare(self) -> None:
        """A life that was closed, and one that ended with a crash."""
        commits = self.random.randrange(5, 80)
        self.run_group([["write", *self.store_options(), *self.writer_options(0), "--commits", str(commits)]])
        self.disk.ask(f"lose-power-at {self.random.randrange(20, 500)}")
        self.run_group([["write", *self.store_options(), *self.writer_options(1), "--commits", "400"]])
        self.lose_power(has_opened=True)

    def _live(self, step: int) -> bool:
        """Whether the life ended before it came to its end."""
        opened = self.count_notes("opened")
        self.disk.ask(f"lose-power-at {step}")
        options = self.judged_options(self.power_was_lost) + self.writer_options(2) + ["--commits", "3"]
        options += self.flags(migrates=self.scenario.migration_chance, verifies=0.3)
        ending = self.run_group([["write", *options]])[0]
        self.tally["lives"] += 1
        if not ending.was_killed:
            return False
        self.lose_power(self.count_notes("opened") > opened)
        return True

    def _look(self, step: int) -> None:
        """Two images of it, and one in which the next opening is interrupted as well."""
        self.check(self.any_image())
        self.check(self.any_image())
        image = self.any_image()
        self.start(image)
        self.power_was_lost = self.power_was_lost or image.loses_power
        opened = self.count_notes("opened")
        self.disk.ask(f"lose-power-at {self.random.randrange(1, 15)}")
        options = self.judged_options(self.power_was_lost) + self.writer_options(3) + ["--commits", "3"]
        ending = self.run_group([["write", *options]])[0]
        self.tally["lives"] += 1
        if ending.was_killed:
            self.lose_power(self.count_notes("opened") > opened)
            self.check(self.any_image())

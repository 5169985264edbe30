"""The folder of a store goes elsewhere while the store is open, and another store may be in its place."""

from pathlib import Path

from .finding import Finding
from .program import HANGING_SECONDS, Group, wait_for_line
from .round import Round

ALLOWED_ERRORS = frozenset({"ownedByOtherProcess", "fileNotFound", "durabilityLost", "fileOperationFailed"})
"""Codes of the errors that the first process may throw when its folder has gone."""


class ExchangeRound(Round):
    """Nothing may be acknowledged that the next opening would not find, and nothing be done to the other store."""

    def run(self) -> None:
        self.begin()
        ways = ["turned"] if self.scenario.turns_link else ["replaced", "moved", "emptied"]
        self._way = self.random.choice(ways)
        self._other_seed = self.seed + 1_000_000_007
        self._other_notes = self.session.folder / "notes-of-other"
        self._other_notes.write_text("")
        if self._way == "turned":
            self.folder.rmdir()
            (self.disk.root / "db.first").mkdir()
            self.folder.symlink_to("db.first")
        if self._way in ("replaced", "turned"):
            self._make_other()
        if self.random.random() < 0.5:
            # A store that is there already is found in another way than one that is made.
            self._write(["--commits", str(self.random.randrange(1, 50))])
        self.disk.synchronize_names(self.disk.root)
        other_before = self._content(self.disk.root / "db.other")
        has_second = self._way == "replaced" and self.random.random() < 0.5
        self._exchange(has_second)
        self._come_back()
        # A power loss may take names and locks of the other store that count for nothing.
        self._check(None if has_second or self.power_was_lost else other_before)

    @property
    def _first_folder(self) -> Path:
        """The folder with the store of the first process, under its present name."""
        if self._way == "turned":
            return self.disk.root / "db.first"
        old = self.disk.root / "db.old"
        return old if old.exists() else self.folder

    @property
    def _other_folder(self) -> Path:
        other = self.disk.root / "db.other"
        return other if other.exists() else self.folder

    def _other_options(self, folder: Path) -> list[str]:
        options = ["--file", str(folder / "store.firn"), "--notes", str(self._other_notes)]
        options += ["--seed", str(self._other_seed), "--writers", "2", "--journal", str(self.scenario.journal)]
        return options + (["--encrypted"] if self.is_encrypted else [])

    def _make_other(self) -> None:
        (self.disk.root / "db.other").mkdir()
        commits = str(self.random.randrange(1, 60))
        self.run_group([["write", *self._other_options(self.disk.root / "db.other"), "--commits", commits]])

    def _write(self, options: list[str]) -> None:
        self.run_group([["write", *self.store_options(), *self.writer_options(0), *options]])

    # The exchange

    def _exchange(self, has_second: bool) -> None:
        after = self.random.randrange(1, 80)
        options = ["--exchange", self._way, "--exchange-after", str(after), "--commits", str(after + 300)]
        if self.random.random() < 0.3:
            self.disk.ask(f"lose-power-at {self.random.randrange(10, 1_500)}")
        first = self.run_group(
            [["write", *self.store_options(), *self.writer_options(1), *options]],
            allowed=ALLOWED_ERRORS,
            allowed_beside=frozenset(),
            meanwhile=self._start_second if has_second else lambda group: None,
        )[0]
        self.tally["lives"] += 1
        exchanges = self.count_notes("exchanged")
        self.tally["exchanges"] += exchanges
        if first.errors and not exchanges:
            raise Finding("threw", f"Before the folder went away: {first.errors[0]}")

    def _start_second(self, group: Group) -> None:
        """Uses the other store, which is in the place of the first one now, while the first process goes on."""
        if not wait_for_line(self.notes, "exchanged", 20):
            return
        command = ["write", *self._other_options(self.folder), "--commits", "100", "--checkpoint-chance", "0.05"]
        self.trail.append(" ".join(command))
        if process := group.start(command):
            process.wait(HANGING_SECONDS)

    def _come_back(self) -> None:
        self.lose_power(has_opened=True)
        # Names in one folder become durable in their order, or two renames could lose a folder between them.
        image = self.any_image(("everything", "nothing", "prefix"))
        self.start(image)
        self.power_was_lost = image.loses_power

    # Afterwards

    def _check(self, other_before: dict[str, bytes] | None) -> None:
        if self._way == "emptied" and (self.disk.root / "db.old").exists():
            written = [str(path) for path in self.folder.rglob("*")] if self.folder.exists() else []
            if written:
                raise Finding("broken", f"The first process wrote into the folder of somebody else: {written}")
        if self._way in ("replaced", "turned"):
            if other_before is not None and self._content(self._other_folder) != other_before:
                raise Finding("broken", "The first process has changed files of the other store.")
            self.run_group([["check", *self._other_options(self._other_folder), "--verifies"]])
        options = self.judged_options(self.power_was_lost)
        options[options.index("--file") + 1] = str(self._first_folder / "store.firn")
        self.run_group([["check", *options, "--verifies"]])

    def _content(self, folder: Path) -> dict[str, bytes]:
        if not folder.exists():
            return {}
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

"""The kinds of stores that there are, and the troubles that they get into."""

from dataclasses import dataclass
from enum import Enum

KIBI, MEBI = 1 << 10, 1 << 20


class Kind(Enum):
    """How a round goes; each has a module of its own."""

    RANDOM = "random"
    """Lives of a store that end anywhere."""
    STEPPING = "stepping"
    """One life that ends at every operation in turn."""
    EXCHANGE = "exchange"
    """The folder of the store goes elsewhere while it is open."""


class Trouble(Enum):
    """Something that the disk does besides losing power."""

    NONE = "none"
    FULL = "full"
    FAILING = "failing"
    """An operation fails, or a sync does, and loses what it was to write."""
    UNREADABLE = "unreadable"
    """A read fails, once or for good."""


@dataclass(frozen=True)
class Scenario:
    name: str
    kind: Kind = Kind.RANDOM
    trouble: Trouble = Trouble.NONE
    durability: str = "everyCommit"
    shape: str = "small"
    journal: int = 64 * MEBI
    history: int = 0
    checkpoint_chance: float = 0.0
    copy_chance: float = 0.0
    migration_chance: float = 0.0
    compaction_chance: float = 0.05
    has_original: bool = False
    """Whether the store begins as a copy of another one."""
    turns_link: bool = False
    """Whether the folder is exchanged by a symbolic link on its path."""
    is_slow: bool = False
    """Waits for what happens when nothing does: for runs by hand."""


SCENARIOS = [
    Scenario("plain"),
    Scenario("checkpoints", journal=64 * KIBI, checkpoint_chance=0.02, copy_chance=0.005, compaction_chance=0.3),
    Scenario("unreadable", trouble=Trouble.UNREADABLE, journal=64 * KIBI, checkpoint_chance=0.03, copy_chance=0.01),
    Scenario("exchange", kind=Kind.EXCHANGE, journal=64 * KIBI, checkpoint_chance=0.02),
    Scenario("history", history=64 * MEBI, journal=512 * KIBI),
    Scenario("large", shape="large", journal=256 * KIBI, checkpoint_chance=0.05, copy_chance=0.01),
    Scenario("full", trouble=Trouble.FULL, shape="blobs", checkpoint_chance=0.01),
    Scenario("failing", trouble=Trouble.FAILING, checkpoint_chance=0.01, copy_chance=0.005),
    Scenario("migrations", migration_chance=0.6, checkpoint_chance=0.005),
    Scenario("interval", durability="60", checkpoint_chance=0.003),
    Scenario("stepping", kind=Kind.STEPPING, checkpoint_chance=0.3),
    Scenario("blobs", shape="blobs", journal=8 * MEBI),
    Scenario("original", shape="blobs", checkpoint_chance=0.01, has_original=True),
    Scenario("onCheckpoint", durability="onCheckpoint", checkpoint_chance=0.02),
    Scenario("intervalHistory", durability="30", history=64 * MEBI, checkpoint_chance=0.005, migration_chance=0.1),
    Scenario(
        "fullHistory",
        trouble=Trouble.FULL,
        history=32 * MEBI,
        journal=MEBI,
        checkpoint_chance=0.01,
        copy_chance=0.01,
        migration_chance=0.2,
    ),
    Scenario("steppingHistory", kind=Kind.STEPPING, history=32 * MEBI, journal=256 * KIBI, checkpoint_chance=0.3),
    Scenario("steppingMigration", kind=Kind.STEPPING, migration_chance=1, shape="blobs", checkpoint_chance=0.3),
    Scenario("steppingInterval", kind=Kind.STEPPING, durability="40", checkpoint_chance=0.3),
    Scenario(
        "unreadableHistory", trouble=Trouble.UNREADABLE, history=32 * MEBI, journal=256 * KIBI, checkpoint_chance=0.02
    ),
    Scenario("unreadableLarge", trouble=Trouble.UNREADABLE, shape="large", journal=256 * KIBI, checkpoint_chance=0.05),
    Scenario("fullInterval", trouble=Trouble.FULL, durability="40", checkpoint_chance=0.01),
    Scenario("largeMigrations", shape="large", migration_chance=0.4, journal=256 * KIBI, checkpoint_chance=0.05),
    Scenario("turnedLink", kind=Kind.EXCHANGE, turns_link=True, journal=64 * KIBI, checkpoint_chance=0.02),
    Scenario("idle", is_slow=True),
    Scenario("idleInterval", durability="500", is_slow=True),
]

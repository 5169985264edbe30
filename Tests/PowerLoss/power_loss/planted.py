"""Faults that are planted, to see whether they are noticed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    name: str
    description: str
    scenarios: tuple[str, ...]
    """The scenarios in which it shows."""
    disk_command: str = ""
    writer_option: str = ""
    is_quick: bool = True
    """Whether it is noticed within a few rounds."""


PLANTED = [
    Planted("fileSyncs", "syncs of files do nothing", ("plain", "checkpoints"), disk_command="lie file 1"),
    Planted("folderSyncs", "syncs of folders do nothing", ("plain", "checkpoints"), disk_command="lie folder 1"),
    Planted(
        "acknowledgesEarly",
        "commits are acknowledged before they are on disk",
        ("plain", "checkpoints"),
        writer_option="acknowledgesEarly",
    ),
    Planted(
        "splitsCommits", "what belongs to one commit is committed in two", ("plain",), writer_option="splitsCommits"
    ),
    Planted("forgetsChange", "a commit lacks a change", ("plain",), writer_option="forgetsChange"),
    Planted(
        "acknowledgesFailures",
        "a commit that threw is acknowledged",
        ("failing",),
        writer_option="acknowledgesFailures",
    ),
    Planted("room", "writes to a full disk are lost without an error", ("full",), disk_command="lie room"),
    Planted(
        "someFileSyncs",
        "one sync of a file in twenty does nothing",
        ("plain", "checkpoints", "history"),
        disk_command="lie file 0.05",
        is_quick=False,
    ),
    Planted(
        "someFolderSyncs",
        "one sync of a folder in five does nothing",
        ("checkpoints", "migrations"),
        disk_command="lie folder 0.2",
        is_quick=False,
    ),
    Planted(
        "fileSyncsOfIntervals",
        "syncs of files do nothing, where durability is a matter of time",
        ("interval", "idleInterval"),
        disk_command="lie file 1",
        is_quick=False,
    ),
]

ROUNDS_MAX = 80
"""Within so many rounds a fault has to be noticed."""

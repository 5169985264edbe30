"""Checks the disk itself: that it loses what it may, in all ways, and keeps what it must."""

import errno
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from .disk import Image, LosingDisk

Value = TypeVar("Value")

SECTOR = 512
SEEDS = range(60)


def check_disk(disk: LosingDisk) -> None:
    """Raises `AssertionError` when the disk does not do what README.md says."""
    for check in (
        _names_need_their_folder,
        _sectors_survive_by_themselves,
        _prefixes_end_anywhere,
        _renames_are_whole,
        _torn_writes_lack_a_part,
        _death_alone_loses_nothing_yet,
        _failed_syncs_lose_for_good,
        _syncs_that_lie_are_lost,
        _sectors_are_unreadable_until_written,
        _room_ends,
    ):
        disk.ask("reset 1")
        check(disk)


def _write(path: Path, content: bytes, offset: int = 0) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        os.pwrite(descriptor, content, offset)
    finally:
        os.close(descriptor)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sectors(*values: int) -> bytes:
    return b"".join(bytes([value]) * SECTOR for value in values)


def _values(path: Path) -> tuple[int, ...]:
    content = path.read_bytes()
    values = tuple(content[start] for start in range(0, len(content), SECTOR))
    assert content == _sectors(*values), "a sector is neither old nor new"
    return values


def _outcomes(disk: LosingDisk, kind: str, look: Callable[[], Value]) -> set[Value]:
    """All that is seen in many images of the last power loss."""
    outcomes = set()
    for seed in SEEDS:
        disk.start(Image(kind, 0.5, seed, is_stale=False))
        outcomes.add(look())
    return outcomes


def _error(call: Callable[[], object]) -> int | None:
    try:
        call()
    except OSError as error:
        return error.errno
    return None


def _names_need_their_folder(disk: LosingDisk) -> None:
    names = [disk.root / name for name in ("neither", "content", "name", "both")]
    _write(names[2], b"x")
    _write(names[3], b"x")
    disk.synchronize_names(disk.root)
    _write(names[0], b"x")
    _write(names[1], b"x")
    _sync(names[1])
    _sync(names[3])
    disk.ask("lose-power")

    def look() -> tuple[bytes | None, ...]:
        return tuple(path.read_bytes() if path.exists() else None for path in names)

    assert _outcomes(disk, "nothing", look) == {(None, None, b"", b"x")}
    states = _outcomes(disk, "random", look)
    for place, expected in enumerate(({None, b"", b"x"}, {None, b"x"}, {b"", b"x"}, {b"x"})):
        # A length without its bytes gives zeros.
        found = {state[place] for state in states} - {b"\0"}
        assert found == expected, f"{names[place].name}: {found}"


def _sectors_survive_by_themselves(disk: LosingDisk) -> None:
    path = disk.root / "file"
    _write(path, _sectors(1, 1, 1))
    _sync(path)
    disk.synchronize_names(disk.root)
    _write(path, _sectors(2, 2, 2))
    disk.ask("lose-power")
    states = _outcomes(disk, "random", lambda: _values(path))
    assert len(states) == 8, f"only {states}"


def _prefixes_end_anywhere(disk: LosingDisk) -> None:
    path = disk.root / "file"
    _write(path, _sectors(1, 1, 1))
    _sync(path)
    disk.synchronize_names(disk.root)
    for index in range(3):
        _write(path, _sectors(2), index * SECTOR)
    disk.ask("lose-power")
    states = _outcomes(disk, "prefix", lambda: _values(path))
    assert states == {(1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 2, 2)}, f"{states}"


def _renames_are_whole(disk: LosingDisk) -> None:
    old, new = disk.root / "old", disk.root / "new"
    for path in (old, new):
        _write(path, path.name.encode())
        _sync(path)
    disk.synchronize_names(disk.root)
    old.rename(new)
    disk.ask("lose-power")
    states = _outcomes(disk, "random", lambda: (old.exists(), new.read_bytes()))
    assert states == {(True, b"new"), (False, b"old")}, f"{states}"


def _torn_writes_lack_a_part(disk: LosingDisk) -> None:
    path = disk.root / "file"
    _write(path, _sectors(1, 1, 1))
    _write(path, _sectors(2, 2, 2))
    disk.ask("lose-power")
    states = _outcomes(disk, "torn", path.read_bytes)
    assert len(states) > 10, f"{len(states)} states"
    assert {len(state) for state in states} == {3 * SECTOR}


def _death_alone_loses_nothing_yet(disk: LosingDisk) -> None:
    named, new = disk.root / "named", disk.root / "new"
    _write(named, b"")
    _sync(named)
    disk.synchronize_names(disk.root)
    for path in (named, new):
        _write(path, b"x")
    disk.ask("lose-power")
    assert _outcomes(disk, "everything", lambda: (named.read_bytes(), new.read_bytes())) == {(b"x", b"x")}
    disk.ask("lose-power")
    assert _outcomes(disk, "nothing", lambda: (named.read_bytes(), new.exists())) == {(b"", False)}


def _failed_syncs_lose_for_good(disk: LosingDisk) -> None:
    states = set()
    for seed in SEEDS:
        disk.ask(f"reset {seed}")
        path = disk.root / "file"
        _write(path, _sectors(1, 1))
        _sync(path)
        disk.synchronize_names(disk.root)
        _write(path, _sectors(2, 2))
        disk.ask("fail sync 1")
        assert _error(partial(_sync, path)) == errno.EIO
        shown = _values(path)
        _sync(path)
        disk.ask("lose-power")
        disk.start(Image("nothing", 0, 0, is_stale=False))
        states.add((shown, _values(path)))
    for shown, durable in states:
        assert shown in ((2, 2), durable), "reading shows something else than what was written or is durable"
    assert {durable for _, durable in states} == {(1, 1), (1, 2), (2, 1), (2, 2)}, f"{states}"
    assert any(shown != durable for shown, durable in states)


def _syncs_that_lie_are_lost(disk: LosingDisk) -> None:
    path = disk.root / "file"
    _write(path, b"")
    disk.synchronize_names(disk.root)
    disk.ask("lie file 1")
    _write(path, b"x")
    _sync(path)
    disk.ask("lose-power")
    assert _outcomes(disk, "nothing", path.read_bytes) == {b""}


def _sectors_are_unreadable_until_written(disk: LosingDisk) -> None:
    path = disk.root / "file"
    _write(path, _sectors(1))
    disk.ask("fail read 1 once")
    assert [_error(path.read_bytes) for _ in range(2)] == [errno.EIO, None]
    disk.ask("fail read 1 always")
    assert [_error(path.read_bytes) for _ in range(2)] == [errno.EIO, errno.EIO]
    _write(path, _sectors(2))
    assert _values(path) == (2,)


def _room_ends(disk: LosingDisk) -> None:
    path = disk.root / "file"
    disk.ask("room 4096")
    assert _error(lambda: _write(path, bytes(4_096))) is None
    assert _error(lambda: _write(path, bytes(1), 4_096)) == errno.ENOSPC
    disk.ask("room -1")
    assert _error(lambda: _write(path, bytes(1), 4_096)) is None

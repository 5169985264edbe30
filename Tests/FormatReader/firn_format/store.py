"""Section 6, opening for reading only: base, deltas and journal of a store that nobody has open."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .catalogue import read_catalogue
from .checksum import crc32c
from .cursor import Cursor
from .damaged import require
from .effects import apply_effects, check_old_values, read_effects
from .graph import Graph
from .journal import Commit, Kind, Segment, is_empty
from .promises import check_promises
from .snapshot import BASE_MAGIC, DELTA_MAGIC, Snapshot, apply_delta, base_graph, read_snapshot


# Damaged stores differ from each other in one file, and the others need not be read again.
_snapshot = lru_cache(maxsize=8)(read_snapshot)
_segment = lru_cache(maxsize=16)(Segment)


@dataclass
class Files:
    """The bytes of the files of a store, segments and deltas by number."""

    base: bytes
    deltas: dict[int, bytes]
    segments: dict[int, bytes]
    lock: bytes | None
    key: bytes | None = None

    @staticmethod
    def load(base: Path, key: bytes | None = None) -> "Files":
        folder = base.with_name(base.name + ".journal")
        lock = base.with_name(base.name + ".lock")
        return Files(
            base.read_bytes(),
            _numbered(folder, "delta"),
            _numbered(folder, "segment"),
            lock.read_bytes() if lock.exists() else None,
            key,
        )


def _numbered(folder: Path, suffix: str) -> dict[int, bytes]:
    pattern = re.compile(rf"([0-9a-f]{{16}})\.{suffix}")
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    matches = [match for match in map(pattern.fullmatch, names) if match]
    return {int(match[1], 16): (folder / match[0]).read_bytes() for match in matches}


@dataclass
class Store:
    """What the files of a store hold, every checksum and chain value compared."""

    base: Snapshot
    deltas: list[Snapshot]
    commits: list[Commit]
    """The commits behind base and deltas."""
    durable_through: int
    """The highest version that anything says to be on disk."""
    has_tail: bool
    """Whether the journal ends with the tail of a crash, which was cut."""

    @property
    def store_id(self) -> bytes:
        return self.base.header.store_id

    @property
    def version(self) -> int:
        return self.commits[-1].version if self.commits else self.checkpoint

    @property
    def checkpoint(self) -> int:
        """The version that base and deltas lead to."""
        return (self.deltas or [self.base])[-1].header.version

    def graph(self) -> Graph:
        """The newest version of the graph."""
        graph = base_graph(self.base)
        check_promises(graph)
        for delta in self.deltas:
            apply_delta(delta, graph)
        for commit in self.commits:
            apply_commit(commit, graph)
        return graph


def read_store(files: Files) -> Store:
    store = Store(_snapshot(files.base, BASE_MAGIC, files.key), [], [], 0, False)
    base = store.base.header
    for number, data in sorted(files.deltas.items()):
        if number <= base.version:
            continue
        delta = _snapshot(data, DELTA_MAGIC, files.key)
        reached, start = store.checkpoint, delta.header.start
        require(delta.header.store_id == base.store_id, f"delta {number}: another store")
        require(delta.header.version == number, f"delta {number}: another version in its header")
        require(start == reached, f"versions {reached} to {start} are missing")
        store.deltas.append(delta)
    _read_journal(files, store)
    return store


def apply_commit(commit: Commit, graph: Graph) -> None:
    if commit.kind == Kind.CATALOGUE:
        cursor = Cursor(commit.payload, "catalogue")
        graph.change_catalogue(read_catalogue(cursor))
        cursor.end()
    else:
        effects, old_values = read_effects(commit.payload, graph.catalogue, commit.has_old_values)
        check_old_values(effects, old_values, graph)
        apply_effects(effects, graph)


def _read_journal(files: Files, store: Store) -> None:
    """Adds the commits behind base and deltas, once what was acknowledged is seen to be there."""
    segments = [
        _segment(data, number, files.key) for number, data in sorted(files.segments.items()) if not is_empty(data)
    ]
    read = _segments_to_read([segment for segment in segments if segment.header is not None], store)
    store.commits = _follow(read, store.checkpoint)
    said = [segment.durable_through.get(store.store_id, 0) for segment in segments]
    store.durable_through = max([durable_hint(files.lock, store.store_id), *said])
    require(
        store.durable_through <= store.version,
        f"version {store.durable_through} was acknowledged, the journal ends with {store.version}",
    )
    store.has_tail = len(segments) > 0 and (segments[-1].header is None or segments[-1].has_tail)


def _segments_to_read(segments: list[Segment], store: Store) -> list[Segment]:
    """From the newest that begins at or below the version that base and deltas lead to."""
    for segment in segments:
        require(segment.header.store_id == store.store_id, f"segment {segment.number}: another store")
        require(segment.header.number == segment.number, f"segment {segment.number}: another number in its header")
    starts = [
        index for index, segment in enumerate(segments) if segment.header.version_before <= store.checkpoint
    ]
    require(len(starts) > 0 or len(segments) == 0, f"what follows version {store.checkpoint} is missing")
    return segments[starts[-1] :] if starts else []


def _follow(segments: list[Segment], version: int) -> list[Commit]:
    """The commits after a version, across segments."""
    commits: list[Commit] = []
    end: tuple[int, int] | None = None
    for segment in segments:
        header = segment.header
        found = (header.version_before, header.chain_before)
        require(end is None or found == end, f"segment {segment.number}: goes on from {found}, not {end}")
        for commit in segment.commits:
            if commit.version > version:
                require(commit.version_before == version, f"versions {version} to {commit.version_before} are missing")
                commits.append(commit)
                version = commit.version
        last = segment.commits[-1] if segment.commits else None
        end = (last.version, last.chain_behind) if last else (header.version_before, segment.chain_behind_header)
    return commits


def durable_hint(lock: bytes | None, store_id: bytes) -> int:
    """What the lock file says to be durable, 0 where its line counts for nothing."""
    if lock is None:
        return 0
    store = re.search(rb"^store ([0-9a-f]{32})$", lock, re.MULTILINE)
    line = re.search(rb"^durable ([0-9]{20}) ([0-9a-f]{8})$", lock, re.MULTILINE)
    if not store or not line or bytes.fromhex(store[1].decode()) != store_id or int(line[1]) >= 1 << 64:
        return 0
    version = int(line[1])
    return version if crc32c(store_id + version.to_bytes(8, "little")) == int(line[2], 16) else 0

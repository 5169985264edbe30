"""Damages golden files: nothing may be read as something else, hang, or raise anything but `Damaged`."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from firn_format.checksum import crc32c
from firn_format.damaged import Damaged
from firn_format.journal import read_frame, read_header
from firn_format.snapshot import BASE_MAGIC, DELTA_MAGIC, apply_delta, base_graph, read_snapshot
from firn_format.store import Files, Store, apply_commit, read_store

SEED = 20_26
CHANGES_PER_FILE = 2_000
"""Every byte of a file of fewer bytes is changed, of a larger one as many, chosen by chance."""

HIDDEN_CHANGES = 300
"""Changes that a renewed CRC hides, so that the decoders themselves are put to the test."""


def damage_base(data: bytes, read: Callable[[bytes], Any]) -> str:
    """Every byte is under a CRC, so every change must be told. Under a renewed CRC other rows may come out."""
    count = 0
    for place, damaged in _changes(data):
        count += 1
        assert _is_told(lambda: read(damaged)), f"byte {place} was changed, and nothing was found"
    for length in {0, 1, 95, 96, 135, len(data) // 2, len(data) - 1}:
        assert _is_told(lambda: read(data[:length])), f"cut to {length} bytes, and nothing was found"
    told = [_is_told(lambda: read(damaged)) for damaged in _hidden_changes(data, BASE_MAGIC)]
    return f"{count} changed bytes told, {told.count(True)} of {len(told)} under a right CRC"


def damage_store(files: Files, store: Store) -> str:
    """Changes each file of a store: what is read must be a beginning of what was committed, or nothing."""
    outcomes = {"told": 0, "cut": 0, "without effect": 0}
    for place, damaged in _damaged_stores(files):
        outcomes[_outcome(place, damaged, store)] += 1
    for damaged in _stores_without_a_file(files):
        outcomes[_outcome_without_a_file(damaged, store)] += 1
    if files.key is not None:
        _damage_seals(files)
    told = list(_hidden_outcomes(files, store))
    parts = [f"{count} changes {outcome}" for outcome, count in outcomes.items()]
    return ", ".join([*parts, f"{told.count(True)} of {len(told)} under a right CRC told"])


def _damage_seals(files: Files) -> None:
    """Whoever has no key may renew CRCs, and is found out all the same."""
    for data in _hidden_changes(files.base, BASE_MAGIC, files.key):
        assert _is_told(lambda: read_store(replace(files, base=data))), "a base was changed under its CRCs"
    for number, content in files.deltas.items():
        for data in _hidden_changes(content, DELTA_MAGIC, files.key):
            damaged = replace(files, deltas=files.deltas | {number: data})
            assert _is_told(lambda: read_store(damaged)), f"delta {number} was changed under its CRCs"
    number = max(files.segments)
    for data in _changed_frames(files.segments[number], files.key):
        damaged = replace(files, segments=files.segments | {number: data})
        assert _is_told(lambda: read_store(damaged)), f"segment {number} was changed under its CRCs"
    for key in (None, bytes(64)):
        assert _is_told(lambda: read_store(replace(files, key=key))), "no key, or another one, was taken"


def _changed_frames(data: bytes, key: bytes | None) -> Iterator[bytes]:
    """Changes of what is sealed in each frame of a segment, with the CRC of the frame made to fit."""
    header = read_header(data, key)
    chance = random.Random(SEED)
    offset = header.byte_count
    while data[offset : offset + 4] == b"FRM1":
        frame = read_frame(data, offset, header.salt)
        end = offset + frame.byte_count
        for place in range(offset + 80, offset + frame.sealed_end):
            damaged = _changed(data, place, chance)
            crc = crc32c(header.salt + damaged[offset : end - 4])
            yield damaged[: end - 4] + crc.to_bytes(4, "little") + damaged[end:]
        offset = end


def _is_told(read: Callable[[], Any]) -> bool:
    try:
        read()
    except Damaged:
        return True
    return False


def _changed(data: bytes, place: int, chance: random.Random) -> bytes:
    return data[:place] + bytes([data[place] ^ chance.randrange(1, 256)]) + data[place + 1 :]


def _changes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """A place, and the data with another byte there."""
    chance = random.Random(SEED)
    places = range(len(data))
    for place in places if len(data) <= CHANGES_PER_FILE else sorted(chance.sample(places, CHANGES_PER_FILE)):
        yield place, _changed(data, place, chance)


def _hidden_changes(data: bytes, magic: bytes, key: bytes | None = None) -> Iterator[bytes]:
    """Changes of stored blocks and of the directory of a base or delta, with the CRCs made to fit."""
    chance = random.Random(SEED)
    blocks = [block for block, _ in read_snapshot(data, magic, key).blocks]
    blocks_start = 112 if key else 96
    directory_start = int.from_bytes(data[-40:-32], "little")
    for _ in range(HIDDEN_CHANGES):
        damaged = bytearray(data)
        if chance.random() < 0.3 or not blocks:
            damaged[chance.randrange(directory_start, len(data) - 40)] ^= chance.randrange(1, 256)
        else:
            index = chance.randrange(len(blocks))
            start = blocks_start + sum(block.stored_byte_count for block in blocks[:index])
            end = start + blocks[index].stored_byte_count
            damaged[chance.randrange(start, end)] ^= 1 << chance.randrange(8)
            if key is None:
                place = damaged.find(blocks[index].crc.to_bytes(4, "little"), directory_start)
                damaged[place : place + 4] = crc32c(bytes(damaged[start:end])).to_bytes(4, "little")
        damaged[-16:-12] = crc32c(bytes(damaged[directory_start:-40])).to_bytes(4, "little")
        damaged[-8:-4] = crc32c(bytes(damaged[-40:-8])).to_bytes(4, "little")
        yield bytes(damaged)


def _damaged_stores(files: Files) -> Iterator[tuple[str, Files]]:
    for place, data in _changes(files.base):
        yield f"base {place}", replace(files, base=data)
    for number, content in files.deltas.items():
        for place, data in _changes(content):
            yield f"delta {number} {place}", replace(files, deltas=files.deltas | {number: data})
    for number, content in files.segments.items():
        for place, data in _changes(content):
            yield f"segment {number} {place}", replace(files, segments=files.segments | {number: data})
    for place, data in _changes(files.lock or b""):
        yield f"lock {place}", replace(files, lock=data)


def _stores_without_a_file(files: Files) -> Iterator[Files]:
    for number in files.deltas:
        yield replace(files, deltas={other: data for other, data in files.deltas.items() if other != number})
    for number in files.segments:
        yield replace(files, segments={other: data for other, data in files.segments.items() if other != number})


def _outcome_without_a_file(damaged: Files, store: Store) -> str:
    """What a delta says may still be in the journal, and the other way round: then both must say the same."""
    try:
        found = read_store(damaged)
    except Damaged:
        return "told"
    assert found.version >= store.durable_through, f"{store.durable_through} was acknowledged, {found.version} is read"
    if found.version < store.version:
        return "cut"
    assert found.graph().rows == store.graph().rows, "deltas and journal do not say the same"
    return "without effect"


def _outcome(place: str, damaged: Files, store: Store) -> str:
    try:
        found = read_store(damaged)
    except Damaged:
        return "told"
    assert not place.startswith(("base", "delta")), f"{place} was changed, and nothing was found"
    assert found.commits == store.commits[: len(found.commits)], f"{place} was changed, and other commits were found"
    lost = [commit.version for commit in store.commits[len(found.commits) :]]
    assert all(version > store.durable_through for version in lost), f"{place} was changed, and {lost} are lost"
    return "cut" if lost else "without effect"


def _hidden_outcomes(files: Files, store: Store) -> Iterator[bool]:
    """Whether changes of deltas and of the payloads of commits were told."""
    graph = base_graph(store.base)
    for delta in store.deltas:
        for data in _hidden_changes(files.deltas[delta.header.version], DELTA_MAGIC, files.key):
            yield _is_told(lambda: apply_delta(read_snapshot(data, DELTA_MAGIC, files.key), deepcopy(graph)))
        apply_delta(delta, graph)
    chance = random.Random(SEED)
    for commit in store.commits:
        for _ in range(HIDDEN_CHANGES // 4):
            place = chance.randrange(len(commit.payload))
            damaged = replace(commit, payload=_changed(commit.payload, place, chance))
            yield _is_told(lambda: apply_commit(damaged, deepcopy(graph)))
        apply_commit(commit, graph)

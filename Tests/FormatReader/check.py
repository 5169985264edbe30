#!/usr/bin/env python3
"""Reads every golden file, compares it with its dump, and damages it.

Needs Debian's python3, python3-zstandard and python3-cryptography. Prints a line for each file, fails if one differs.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from damage import damage_base, damage_store
from firn_format.damaged import Damaged
from firn_format.dump import differences, dump
from firn_format.promises import check_promises
from firn_format.snapshot import BASE_MAGIC, base_graph, read_snapshot
from firn_format.store import Files, read_store

GOLDEN = Path(__file__).resolve().parent.parent / "FirnDurabilityTests" / "Golden"

UNJUDGED = {"format1.base", "format1-collections.base"}
"""Bases of random values, whose links lead nowhere and whose sets do not ascend: they show how values are laid out."""

ENCRYPTED = {"format1-encrypted"}
KEY = bytes(range(64))
"""Of encrypted stores."""


def read_base(data: bytes, judges: bool) -> dict[str, Any]:
    base = read_snapshot(data, BASE_MAGIC)
    graph = base_graph(base)
    if judges:
        check_promises(graph)
    return dump(base.header.store_id, base.header.version, graph)


def check_base(path: Path) -> tuple[dict[str, Any], Callable[[], str]]:
    data, judges = path.read_bytes(), path.name not in UNJUDGED
    return read_base(data, judges), lambda: damage_base(data, lambda damaged: read_base(damaged, judges))


def check_store(path: Path) -> tuple[dict[str, Any], Callable[[], str]]:
    files = Files.load(path / "store.firn", KEY if path.name in ENCRYPTED else None)
    store = read_store(files)
    tail = ", the tail of a crash" if store.has_tail else ""
    print(
        f"{path.name}: base of version {store.base.header.version}, {len(store.deltas)} deltas, "
        f"{len(files.segments)} segments, {len(store.commits)} commits{tail}"
    )
    found = dump(store.store_id, store.version, store.graph(), store.commits)
    return found, lambda: damage_store(files, store)


def check(path: Path) -> bool:
    start = time.monotonic()
    try:
        found, damage = check_store(path) if path.is_dir() else check_base(path)
    except Damaged as error:
        print(f"{path.name}: FAILED to read: {error}")
        return False
    expected = json.loads(path.with_name(f"{path.name.split('.')[0]}.json").read_text(encoding="utf-8"))
    lines = differences(found, expected)
    for line in lines[:20]:
        print(f"{path.name}: DIFFERENT at {line}")
    try:
        damage_report = damage()
    except AssertionError as error:
        print(f"{path.name}: FAILED under damage: {error}")
        return False
    row_count = sum(len(table["rows"]) for table in found["tables"])
    verdict = "ok" if not lines else "DIFFERENT"
    print(f"{path.name}: {verdict}, {row_count} rows; {damage_report}; {time.monotonic() - start:.1f} s")
    return not lines


def main() -> int:
    paths = sorted(path for path in GOLDEN.iterdir() if path.is_dir() or path.suffix != ".json")
    results = [check(path) for path in paths]
    print(f"{results.count(True)} of {len(results)} golden files are read as they were meant")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Section 2, cells: the values of one column in effects, and what happened to collections."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from .catalogue import FIXED_WIDTHS, Collection, Column, Type
from .cursor import Cursor, utf8
from .damaged import require
from .values import read_mixed

COUNT_LIMIT = (1 << 31) - 1
"""A collection has at most so many elements, a string or data value so many bytes."""


class Run(IntEnum):
    KEEP = 0
    TOUCH = 1
    DROP = 2
    INSERT = 3


@dataclass(frozen=True)
class Edit:
    """Form 1 of a list or map: what happened to the old collection."""

    runs: list[tuple[Run, int]]
    keys: list[str]
    values: list[Any]


def read_cells(cursor: Cursor, column: Column, count: int, edits: bool = False) -> list[Any]:
    """The cells of a column. Those of modified rows may be edits."""
    if column.collection is None:
        return _read_values(cursor, column, count)
    require(count <= cursor.remaining, f"{column.name}: {count} collections, but the bytes end before")
    return [_read_collection(cursor, column, edits) for _ in range(count)]


def _read_values(cursor: Cursor, column: Column, count: int) -> list[Any]:
    # Every value takes a bit at least, so that a count is not believed before its bytes were seen.
    require(count <= cursor.remaining * 8, f"{column.name}: {count} values, but the bytes end before")
    if not column.nullable or column.type == Type.LINK:
        return _read_present(cursor, column, count)
    nulls = cursor.bits(count)
    present = iter(_read_present(cursor, column, nulls.count(False)))
    return [None if null else next(present) for null in nulls]


def _read_present(cursor: Cursor, column: Column, count: int) -> list[Any]:
    if column.type == Type.BOOL:
        return cursor.bits(count)
    read = _reader(cursor, column)
    return [read() for _ in range(count)]


def _reader(cursor: Cursor, column: Column) -> Callable[[], Any]:
    type = column.type
    if type == Type.INT:
        return cursor.svarint
    if type == Type.STRING:
        return lambda: utf8(_read_bytes(cursor), column.name)
    if type == Type.DATA:
        return lambda: _read_bytes(cursor)
    if type == Type.LINK:
        return lambda: link(cursor.varint())
    if type == Type.MIXED:
        return lambda: read_mixed(cursor.bytes())
    return lambda: cursor.take(FIXED_WIDTHS[type])


def _read_bytes(cursor: Cursor) -> bytes:
    data = cursor.bytes()
    require(len(data) <= COUNT_LIMIT, f"{cursor.what}: a value of too many bytes")
    return data


def link(number: int) -> int | None:
    """A link from its key + 1, where 0 is null."""
    return number - 1 if number else None


def _read_collection(cursor: Cursor, column: Column, edits: bool) -> Any:
    form = cursor.u8()
    is_map = column.collection == Collection.MAP
    require(form == 0 or form == 1 and edits, f"{column.name}: a collection of form {form}")
    if form == 0:
        count = cursor.count(bits_each=1)
        require(count <= COUNT_LIMIT, f"{column.name}: too many elements")
        keys = _read_map_keys(cursor, count) if is_map else []
        values = _read_values(cursor, column, count)
        return make_collection(column, keys, values)
    runs = [_read_run(cursor) for _ in range(cursor.count())]
    _check_runs(runs, column)
    inserted = sum(count for kind, count in runs if kind == Run.INSERT)
    touched = sum(count for kind, count in runs if kind == Run.TOUCH)
    keys = _read_map_keys(cursor, inserted) if is_map else []
    return Edit(runs, keys, _read_values(cursor, column, inserted + touched))


def _read_map_keys(cursor: Cursor, count: int) -> list[str]:
    require(count <= cursor.remaining, f"{cursor.what}: {count} keys of a map, but the bytes end before")
    return [utf8(_read_bytes(cursor), cursor.what) for _ in range(count)]


def _read_run(cursor: Cursor) -> tuple[Run, int]:
    number = cursor.varint()
    return Run(number & 3), number >> 2


def _check_runs(runs: list[tuple[Run, int]], column: Column) -> None:
    dropped_may_follow = True
    for kind, count in runs:
        require(0 < count <= COUNT_LIMIT, f"{column.name}: a run of {count}")
        require(not (kind == Run.TOUCH and column.collection == Collection.SET), f"{column.name}: a touch in a set")
        require(kind != Run.DROP or dropped_may_follow, f"{column.name}: a drop behind an insert")
        dropped_may_follow = kind != Run.INSERT


def make_collection(column: Column, keys: list[str], values: list[Any]) -> Any:
    """A list of the elements, or of the keys and values of a map."""
    return list(zip(keys, values, strict=True)) if column.collection == Collection.MAP else values


def apply_edit(old: Any, edit: Edit, column: Column) -> Any:
    """The collection after an edit."""
    is_map = column.collection == Collection.MAP
    old_keys = [key for key, _ in old] if is_map else []
    old_values = [value for _, value in old] if is_map else old
    kept = sum(count for kind, count in edit.runs if kind != Run.INSERT)
    require(kept == len(old_values), f"{column.name}: runs over {kept} elements of {len(old_values)}")
    new_keys, new_values = iter(edit.keys), iter(edit.values)
    keys: list[str] = []
    values: list[Any] = []
    position = 0
    for kind, count in edit.runs:
        if kind == Run.KEEP:
            values += old_values[position : position + count]
        elif kind != Run.DROP:
            values += [next(new_values) for _ in range(count)]
        if is_map and kind == Run.INSERT:
            keys += [next(new_keys) for _ in range(count)]
        elif is_map and kind != Run.DROP:
            keys += old_keys[position : position + count]
        if kind != Run.INSERT:
            position += count
    require(len(values) <= COUNT_LIMIT, f"{column.name}: too many elements")
    return make_collection(column, keys, values)

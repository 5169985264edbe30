"""Section 2: what commits did, and applying it."""

from dataclasses import dataclass
from typing import Any

from .catalogue import Catalogue, Flag, Table
from .cells import Edit, apply_edit, read_cells
from .cursor import KEY_LIMIT, Cursor
from .damaged import require
from .graph import Graph, complete_row
from .promises import check_promises


@dataclass(frozen=True)
class Group:
    """Rows that were modified in the same columns."""

    keys: list[int]
    cells: dict[int, list[Any]]


@dataclass(frozen=True)
class TableEffects:
    table_id: int
    next_key: int
    inserted: Group
    modified: list[Group]
    deleted: list[int]
    deleted_primary_keys: list[Any] | None


@dataclass(frozen=True)
class OldValues:
    """What some rows were before, by column."""

    keys: list[int]
    cells: dict[int, list[Any]]


def read_effects(
    data: bytes, catalogue: Catalogue, has_old_values: bool = False
) -> tuple[list[TableEffects], list[list[OldValues]]]:
    """The effects, and for each table the old values of its groups and of the deleted rows."""
    cursor = Cursor(data, "effects")
    tables = [_read_table(cursor, catalogue) for _ in range(cursor.count())]
    old_values = [_read_old_values(cursor, table, catalogue) for table in tables] if has_old_values else []
    cursor.end()
    ids = [table.table_id for table in tables]
    require(len(set(ids)) == len(ids), "effects: a table twice")
    return tables, old_values


def _read_old_values(cursor: Cursor, effects: TableEffects, catalogue: Catalogue) -> list[OldValues]:
    table = catalogue.table(effects.table_id)
    found = []
    for group in effects.modified:
        cells = {}
        has_primary_keys = _read_bool(cursor)
        require(has_primary_keys == (table.primary_key is not None), f"{table.name}: old values without primary keys")
        if has_primary_keys:
            column = table.column(cursor.varint())
            require(Flag.PRIMARY_KEY in column.flags, f"{table.name}: primary keys of another column")
            cells[column.id] = read_cells(cursor, column, len(group.keys))
        found.append(OldValues(group.keys, cells | _read_old_cells(cursor, table, len(group.keys))))
    if effects.deleted:
        found.append(OldValues(effects.deleted, _read_old_cells(cursor, table, len(effects.deleted))))
    return found


def _read_old_cells(cursor: Cursor, table: Table, count: int) -> dict[int, list[Any]]:
    cells: dict[int, list[Any]] = {}
    for _ in range(cursor.count()):
        column = table.column(cursor.varint())
        is_collection = any(flag in column.flags for flag in (Flag.LIST, Flag.SET, Flag.MAP))
        require(not is_collection and Flag.PRIMARY_KEY not in column.flags, f"{table.name}: an old value of {column.id}")
        require(column.id not in cells, f"{table.name}: a column twice")
        cells[column.id] = read_cells(cursor, column, count)
    return cells


def check_old_values(effects: list[TableEffects], old_values: list[list[OldValues]], graph: Graph) -> None:
    """They are what the rows have."""
    for table, found in zip(effects, old_values):
        by_key, columns = graph.rows[table.table_id].by_key, graph.catalogue.table(table.table_id)
        for old in found:
            for id, cells in old.cells.items():
                if columns.column(id).is_dropped:
                    continue
                for key, value in zip(old.keys, cells):
                    require(key in by_key, f"table {table.table_id}: row {key} with an old value is not there")
                    require(by_key[key][id] == value, f"table {table.table_id}: row {key} had another value in {id}")


def _read_table(cursor: Cursor, catalogue: Catalogue) -> TableEffects:
    table = catalogue.table(cursor.varint())
    next_key = cursor.varint()
    require(next_key <= KEY_LIMIT, f"{table.name}: a next key above the limit")
    inserted_keys = cursor.keys(cursor.varint())
    column_ids: list[int] = []
    new_cells: dict[int, list[Any]] = {}
    for _ in range(cursor.count()):
        column_ids.append(cursor.varint())
        new_cells[column_ids[-1]] = read_cells(cursor, table.column(column_ids[-1]), len(inserted_keys))
    require(len(set(column_ids)) == len(column_ids), f"{table.name}: a column twice")
    require(bool(inserted_keys) or not column_ids, f"{table.name}: columns without inserted rows")
    missing = [column.id for column in table.columns if column.id not in column_ids]
    is_later = all(id > max(column_ids, default=0) for id in missing)
    require(is_later or not inserted_keys, f"{table.name}: inserted rows without columns {missing}")
    modified = []
    for _ in range(cursor.count()):
        ids = [cursor.varint() for _ in range(cursor.count())]
        columns = [table.column(id) for id in ids]
        require(len(set(ids)) == len(ids) > 0, f"{table.name}: a group with columns {ids}")
        require(table.primary_key not in columns, f"{table.name}: a modified primary key")
        keys = cursor.keys(cursor.varint())
        require(len(keys) > 0, f"{table.name}: a group without rows")
        cells = {column.id: read_cells(cursor, column, len(keys), edits=True) for column in columns}
        modified.append(Group(keys, cells))
    deleted = cursor.keys(cursor.varint())
    primary_keys = None
    if _read_bool(cursor):
        column = table.column(cursor.varint())
        require(Flag.PRIMARY_KEY in column.flags, f"{table.name}: primary keys of another column")
        primary_keys = read_cells(cursor, column, len(deleted))
    all_keys = inserted_keys + [key for group in modified for key in group.keys] + deleted
    require(len(set(all_keys)) == len(all_keys), f"{table.name}: a row in several places")
    require(all(key < next_key for key in all_keys), f"{table.name}: a key that was not given out")
    return TableEffects(table.id, next_key, Group(inserted_keys, new_cells), modified, deleted, primary_keys)


def _read_bool(cursor: Cursor) -> bool:
    value = cursor.u8()
    require(value <= 1, f"{cursor.what}: a bool of {value}")
    return value == 1


def apply_effects(effects: list[TableEffects], graph: Graph) -> None:
    """First all insertions of all tables, then the modifications, then the deletions."""
    for table in effects:
        rows = graph.rows[table.table_id]
        require(table.next_key >= rows.next_key, f"table {table.table_id}: keys are given out again")
        for index, key in enumerate(table.inserted.keys):
            require(key >= rows.next_key, f"table {table.table_id}: key {key} is given out again")
            row = {id: cells[index] for id, cells in table.inserted.cells.items()}
            rows.by_key[key] = complete_row(row, graph.catalogue.table(table.table_id))
        rows.next_key = table.next_key
    for table in effects:
        for group in table.modified:
            _modify(graph, table.table_id, group)
    for table in effects:
        _delete(graph, table)
    check_promises(graph)


def _modify(graph: Graph, table_id: int, group: Group) -> None:
    by_key, table = graph.rows[table_id].by_key, graph.catalogue.table(table_id)
    for index, key in enumerate(group.keys):
        require(key in by_key, f"table {table_id}: modified row {key} is not there")
        for id, cells in group.cells.items():
            value = cells[index]
            if table.column(id).is_dropped:
                continue
            if isinstance(value, Edit):
                value = apply_edit(by_key[key][id], value, table.column(id))
            by_key[key][id] = value


def _delete(graph: Graph, table: TableEffects) -> None:
    by_key, primary_key = graph.rows[table.table_id].by_key, graph.catalogue.table(table.table_id).primary_key
    has_primary_keys = table.deleted_primary_keys is not None
    require(
        has_primary_keys == (primary_key is not None and len(table.deleted) > 0),
        f"table {table.table_id}: deletions carry primary keys if, and only if, the table has one",
    )
    for index, key in enumerate(table.deleted):
        require(key in by_key, f"table {table.table_id}: deleted row {key} is not there")
        row = by_key.pop(key)
        if table.deleted_primary_keys is not None and primary_key is not None:
            require(row[primary_key.id] == table.deleted_primary_keys[index], f"deleted row {key}: another primary key")

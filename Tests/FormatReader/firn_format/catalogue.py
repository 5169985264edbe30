"""Section 1, the catalogue: which tables and columns there are."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property

from .cursor import Cursor
from .damaged import require


ID_LIMIT = (1 << 32) - 1
"""Ids, and the next ids, are at most this."""

NAME_LIMIT = 65_535
"""Names have at most so many bytes."""

COLUMNS_PER_TABLE = 256


class Type(IntEnum):
    """What one cell or one element holds."""

    BOOL = 0
    INT = 1
    FLOAT = 2
    DOUBLE = 3
    STRING = 4
    DATA = 5
    DATE = 6
    OBJECT_ID = 7
    UUID = 8
    DECIMAL128 = 9
    LINK = 10
    MIXED = 11


FIXED_WIDTHS = {
    Type.FLOAT: 4,
    Type.DOUBLE: 8,
    Type.DATE: 8,
    Type.OBJECT_ID: 12,
    Type.UUID: 16,
    Type.DECIMAL128: 16,
}
"""The byte counts of the types whose values all have the same one."""


class Flag(IntEnum):
    """The bits of the flags of a column."""

    NULLABLE = 0
    LIST = 1
    INDEXED = 2
    PRIMARY_KEY = 3
    SET = 4
    MAP = 5
    OWNING = 6


_DEFAULT_BIT = 7
"""Of the flags: a default follows."""


class Collection(Enum):
    LIST = "list"
    SET = "set"
    MAP = "map"


@dataclass(frozen=True)
class Column:
    id: int
    name: str
    type: Type
    flags: frozenset[Flag]
    target: int | None
    default: bytes | None = None
    """What rows have that were written before the column was there; None for null, or else zero, false or empty."""
    is_dropped: bool = False
    is_left_behind: bool = False
    """Whether the program that last opened the store for writing had the table, and not the column."""

    @property
    def nullable(self) -> bool:
        return Flag.NULLABLE in self.flags

    @cached_property
    def collection(self) -> Collection | None:
        for flag, collection in _COLLECTIONS.items():
            if flag in self.flags:
                return collection
        return None


_COLLECTIONS = {Flag.LIST: Collection.LIST, Flag.SET: Collection.SET, Flag.MAP: Collection.MAP}


@dataclass(frozen=True)
class Table:
    id: int
    name: str
    next_column_id: int
    columns: tuple[Column, ...]
    dropped: tuple[Column, ...] = ()
    """Columns that are no longer part of the table. Files that were written before may hold their cells."""

    @property
    def primary_key(self) -> Column | None:
        return next((column for column in self.columns if Flag.PRIMARY_KEY in column.flags), None)

    def column(self, id: int) -> Column:
        """A column of the table, or a dropped one."""
        found = next((column for column in self.columns + self.dropped if column.id == id), None)
        require(found is not None, f"table {self.id} has no column {id}")
        return found


@dataclass(frozen=True)
class Catalogue:
    schema_version: int
    next_table_id: int
    tables: tuple[Table, ...]

    def table(self, id: int) -> Table:
        found = next((table for table in self.tables if table.id == id), None)
        require(found is not None, f"there is no table {id}")
        return found

    def owned_tables(self) -> set[int]:
        """The tables whose rows are embedded."""
        columns = [column for table in self.tables for column in table.columns]
        return {column.target for column in columns if Flag.OWNING in column.flags and column.target is not None}


def read_catalogue(cursor: Cursor) -> Catalogue:
    schema_version, next_table_id = cursor.varint(), cursor.varint()
    catalogue = Catalogue(
        schema_version, next_table_id, tuple(_read_table(cursor) for _ in range(cursor.count()))
    )
    _check(catalogue)
    return catalogue


def _read_table(cursor: Cursor) -> Table:
    id, name, next_column_id = cursor.varint(), _read_name(cursor), cursor.varint()
    columns = [_read_column(cursor) for _ in range(cursor.count())]
    kept = tuple(column for column in columns if not column.is_dropped)
    dropped = tuple(columns[len(kept) :])
    require(all(column.is_dropped for column in dropped), f"table {name}: a column behind a dropped one")
    return Table(id, name, next_column_id, kept, dropped)


def _read_name(cursor: Cursor) -> str:
    name = cursor.string()
    require(len(name.encode()) <= NAME_LIMIT, "a name that is too long")
    return name


def _read_column(cursor: Cursor) -> Column:
    id, name, type, flags, target = cursor.varint(), _read_name(cursor), cursor.u8(), cursor.u8(), cursor.varint()
    is_dropped, is_left_behind, type = type >> 7 == 1, type >> 6 & 1 == 1, type & 0x3F
    require(not (is_dropped and is_left_behind), f"column {name}: dropped and left behind")
    require(type in list(Type), f"column {name}: type {type}")
    present = frozenset(flag for flag in Flag if flags >> flag & 1)
    default = cursor.bytes() if flags >> _DEFAULT_BIT else None
    require(default is None or not is_dropped, f"column {name}: dropped, and with a default")
    return Column(id, name, Type(type), present, target - 1 if target else None, default, is_dropped, is_left_behind)


def _check(catalogue: Catalogue) -> None:
    _check_ids([table.id for table in catalogue.tables], catalogue.next_table_id, "tables")
    _check_names([table.name for table in catalogue.tables], "tables")
    for table in catalogue.tables:
        _check_ids([column.id for column in table.columns + table.dropped], table.next_column_id, f"columns of {table.name}")
        _check_names([column.name for column in table.columns], f"columns of {table.name}")
        require(len(table.columns) <= COLUMNS_PER_TABLE, f"{table.name}: too many columns")
        primary_keys = [column for column in table.columns if Flag.PRIMARY_KEY in column.flags]
        require(len(primary_keys) <= 1, f"{table.name}: several primary keys")
        for column in table.columns:
            _check_column(column, f"{table.name}.{column.name}", catalogue)
    targets = {
        (column.target, Flag.OWNING in column.flags)
        for table in catalogue.tables
        for column in table.columns
        if column.type == Type.LINK
    }
    require(len({target for target, _ in targets}) == len(targets), "links to a table own their targets, or none does")


def _check_ids(ids: list[int], next_id: int, what: str) -> None:
    require(len(set(ids)) == len(ids), f"{what}: an id twice")
    require(all(1 <= id < next_id for id in ids), f"{what}: an id that was not given out")
    require(next_id <= ID_LIMIT, f"{what}: a next id above the limit")


def _check_names(names: list[str], what: str) -> None:
    require(len(set(names)) == len(names), f"{what}: a name twice")


def _check_column(column: Column, what: str, catalogue: Catalogue) -> None:
    flags = column.flags
    collections = [flag for flag in _COLLECTIONS if flag in flags]
    require(len(collections) <= 1, f"{what}: several collections at once")
    require((column.target is not None) == (column.type == Type.LINK), f"{what}: links, and no others, have a target")
    if column.target is not None:
        catalogue.table(column.target)
        in_list_or_set = Flag.LIST in flags or Flag.SET in flags
        require(column.nullable != in_list_or_set, f"{what}: a link is nullable unless in a list or set")
    if column.type == Type.MIXED:
        require(column.nullable, f"{what}: mixed columns are nullable")
    if Flag.INDEXED in flags or Flag.PRIMARY_KEY in flags:
        not_indexed = column.type in (Type.FLOAT, Type.LINK, Type.MIXED) or collections
        require(not not_indexed, f"{what}: of a type that is neither indexed nor a primary key")
    require(not (Flag.INDEXED in flags and Flag.PRIMARY_KEY in flags), f"{what}: a primary key with flag 2")
    has_default = column.default is not None
    require(not has_default or not collections and column.type != Type.LINK, f"{what}: a default of no use")
    require(Flag.OWNING not in flags or column.type == Type.LINK, f"{what}: only links own")
    require(not {Flag.OWNING, Flag.SET} <= flags, f"{what}: a set of embedded rows")

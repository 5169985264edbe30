"""Section 4: bases and deltas."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from . import sealed
from .catalogue import Catalogue, Column, Table, read_catalogue
from .checksum import crc32c
from .cursor import KEY_LIMIT, NUMBER_LIMIT, Cursor
from .damaged import Damaged, require
from .effects import apply_effects, read_effects
from .graph import Graph, Row
from .sealed import Seal, read_seal
from .sequences import decompress, read_column, read_dictionary, read_keys

FORMAT_VERSION = 1
HEADER_BYTE_COUNT = 96
TRAILER_BYTE_COUNT = 40
ROWS_PER_BLOCK = 16_384
RAW_BYTES_PER_BLOCK = (1 << 32) + (1 << 24)
BYTES_PER_EFFECTS_BLOCK = 1 << 20


class Kind(IntEnum):
    KEYS = 0
    COLUMN = 1
    DICTIONARY = 2
    EFFECTS = 3


@dataclass(frozen=True)
class Header:
    store_id: bytes
    epoch: int
    version: int
    start: int


@dataclass(frozen=True)
class TableState:
    table_id: int
    next_key: int
    row_count: int


@dataclass(frozen=True)
class Block:
    kind: Kind
    table_id: int
    column_id: int
    row_count: int
    raw_byte_count: int
    stored_byte_count: int
    crc: int


@dataclass(frozen=True)
class Snapshot:
    """A base or a delta, every checksum compared, its blocks decompressed."""

    header: Header
    catalogue: Catalogue
    states: list[TableState]
    blocks: list[tuple[Block, bytes]]


def read_snapshot(data: bytes, magic: bytes, key: bytes | None = None) -> Snapshot:
    """Opens what is sealed with the key of the store; without a key the file has to be plain."""
    header, seal = _read_header(data, magic, key)
    blocks_offset = sealed.HEADER_BYTE_COUNT if seal else HEADER_BYTE_COUNT
    directory_offset, directory = _read_trailer(data, blocks_offset)
    if seal:
        directory = seal.open(directory, directory_offset)
    cursor = Cursor(directory, "directory")
    catalogue = read_catalogue(cursor)
    states = [
        TableState(cursor.varint(), cursor.varint(), cursor.varint()) for _ in range(cursor.count(bits_each=24))
    ]
    blocks = [_read_block(cursor) for _ in range(cursor.count(bits_each=80))]
    cursor.end()
    require([state.table_id for state in states] == [table.id for table in catalogue.tables], "states of other tables")
    require(all(state.next_key <= KEY_LIMIT for state in states), "a next key above the limit")
    stored = Cursor(data[blocks_offset:directory_offset], "blocks")
    contents = []
    for block in blocks:
        place = blocks_offset + stored.position
        contents.append((block, _open_block(block, stored.take(block.stored_byte_count), seal, place)))
    stored.end()
    return Snapshot(header, catalogue, states, contents)


def _read_header(data: bytes, magic: bytes, key: bytes | None) -> tuple[Header, Seal | None]:
    require(data[:8] == magic, f"the magic {magic.decode()} expected")
    require(len(data) >= HEADER_BYTE_COUNT + TRAILER_BYTE_COUNT, "a base or delta that is too short")
    cursor = Cursor(data[:HEADER_BYTE_COUNT], "header")
    require(crc32c(data[:92]) == int.from_bytes(data[92:96], "little"), "header: a wrong CRC")
    cursor.take(8)
    version = cursor.unsigned(2)
    require(version == FORMAT_VERSION, f"header: format version {version}")
    flags, byte_count = cursor.unsigned(2), cursor.u32()
    header = Header(cursor.take(16), cursor.unsigned(8), cursor.unsigned(8), cursor.unsigned(8))
    salt = cursor.take(16)
    seal = read_seal(data, flags, byte_count, salt, key)
    require(seal is not None or salt == bytes(16), "header: the salt of a plain file")
    require(cursor.take(20) == bytes(20), "header: reserved bytes")
    require(max(header.epoch, header.version, header.start) <= NUMBER_LIMIT, "header: a number above the limit")
    if magic == BASE_MAGIC:
        require(header.start == 0, "a base starts from no version")
    else:
        require(header.start < header.version, "a delta leads to a later version")
    return header, seal


BASE_MAGIC = b"FIRNBASE"
DELTA_MAGIC = b"FIRNDELT"


def _read_trailer(data: bytes, blocks_offset: int) -> tuple[int, bytes]:
    """Where the directory begins, and its bytes."""
    trailer = data[-TRAILER_BYTE_COUNT:]
    require(trailer[36:] == b"FEND", "trailer: no magic")
    require(crc32c(trailer[:32]) == int.from_bytes(trailer[32:36], "little"), "trailer: a wrong CRC")
    cursor = Cursor(trailer, "trailer")
    offset, byte_count, file_byte_count = cursor.unsigned(8), cursor.unsigned(8), cursor.unsigned(8)
    crc = cursor.u32()
    require(cursor.u32() == 0, "trailer: reserved bytes")
    require(file_byte_count == len(data), f"trailer: a file of {file_byte_count} bytes")
    end = len(data) - TRAILER_BYTE_COUNT
    require(blocks_offset <= offset and offset + byte_count == end, "trailer: where the directory lies")
    directory = data[offset:end]
    require(crc32c(directory) == crc, "directory: a wrong CRC")
    return offset, directory


def _read_block(cursor: Cursor) -> Block:
    kind = cursor.u8()
    require(kind in list(Kind), f"a block of kind {kind}")
    block = Block(
        Kind(kind), cursor.varint(), cursor.varint(), cursor.varint(), cursor.varint(), cursor.varint(), cursor.u32()
    )
    require(block.row_count <= ROWS_PER_BLOCK, f"a block of {block.row_count} rows")
    require(block.raw_byte_count <= RAW_BYTES_PER_BLOCK, f"a block of {block.raw_byte_count} bytes")
    return block


def _open_block(block: Block, stored: bytes, seal: Seal | None, place: int) -> bytes:
    if seal:
        require(block.crc == 0, "block: a CRC in an encrypted file")
        stored = seal.open(stored, place)
    else:
        require(crc32c(stored) == block.crc, "block: a wrong CRC")
    require(len(stored) > 0 and stored[0] <= 1, "block: no valid compression")
    raw = stored[1:] if stored[0] == 0 else decompress(stored[1:], block.raw_byte_count, "block")
    require(len(raw) == block.raw_byte_count, "block: another byte count than the directory says")
    return raw


def base_graph(base: Snapshot) -> Graph:
    """The version of the graph that a base holds, unchecked."""
    require(all(not table.dropped for table in base.catalogue.tables), "a base with dropped columns")
    graph = Graph(base.catalogue)
    blocks = _Blocks(base.blocks)
    for state in base.states:
        graph.rows[state.table_id].next_key = state.next_key
        _read_table(blocks, base.catalogue.table(state.table_id), graph.rows[state.table_id].by_key)
        found = len(graph.rows[state.table_id].by_key)
        require(found == state.row_count, f"table {state.table_id}: {found} rows, the directory says {state.row_count}")
    blocks.end()
    return graph


class _Blocks:
    """The blocks of a base in the order of the directory, taken one by one."""

    def __init__(self, blocks: list[tuple[Block, bytes]]) -> None:
        self.blocks = blocks
        self.position = 0

    def is_next(self, kind: Kind, table_id: int, column_id: int) -> bool:
        if self.position == len(self.blocks):
            return False
        block = self.blocks[self.position][0]
        return (block.kind, block.table_id, block.column_id) == (kind, table_id, column_id)

    def take(self, kind: Kind, table_id: int, column_id: int) -> tuple[Block, bytes]:
        expected = f"a block of kind {kind} of column {table_id}.{column_id} expected"
        require(self.is_next(kind, table_id, column_id), expected)
        self.position += 1
        return self.blocks[self.position - 1]

    def end(self) -> None:
        require(self.position == len(self.blocks), "blocks behind those of all tables")


def _read_table(blocks: _Blocks, table: Table, by_key: dict[int, Row]) -> None:
    dictionaries = {column.id: _read_dictionary(blocks, table, column) for column in table.columns}
    last_key = -1
    while blocks.is_next(Kind.KEYS, table.id, 0):
        block, raw = blocks.take(Kind.KEYS, table.id, 0)
        require(block.row_count > 0, f"{table.name}: a group without rows")
        keys = read_keys(raw, block.row_count)
        require(keys[0] > last_key, f"{table.name}: groups do not ascend")
        last_key = keys[-1]
        columns = {
            column.id: _read_group(blocks, table, column, len(keys), dictionaries[column.id])
            for column in table.columns
        }
        for index, key in enumerate(keys):
            by_key[key] = {id: values[index] for id, values in columns.items()}


def _read_dictionary(blocks: _Blocks, table: Table, column: Column) -> list[bytes] | None:
    values: list[bytes] | None = None
    while blocks.is_next(Kind.DICTIONARY, table.id, column.id):
        block, raw = blocks.take(Kind.DICTIONARY, table.id, column.id)
        values = (values or []) + read_dictionary(raw, block.row_count)
    require(values is None or len(set(values)) == len(values), f"{table.name}.{column.name}: a dictionary with equals")
    return values


def _read_group(
    blocks: _Blocks, table: Table, column: Column, row_count: int, dictionary: list[bytes] | None
) -> list[Any]:
    block, raw = blocks.take(Kind.COLUMN, table.id, column.id)
    require(block.row_count == row_count, f"{table.name}.{column.name}: a block of {block.row_count} rows")
    values = read_column(raw, column, row_count, dictionary)
    while row_count == 1 and column.collection is not None and blocks.is_next(Kind.COLUMN, table.id, column.id):
        _, raw = blocks.take(Kind.COLUMN, table.id, column.id)
        values[0] += read_column(raw, column, 1, None)[0]
    return values


def apply_delta(delta: Snapshot, graph: Graph) -> None:
    """Leads the graph from the version that the delta starts from to the one that it leads to."""
    graph.change_catalogue(delta.catalogue)
    for block, _ in delta.blocks:
        ids = (block.table_id, block.column_id, block.row_count)
        require(block.kind == Kind.EFFECTS and ids == (0, 0, 0), "a delta with a block that is not of effects")
        require(1 <= block.raw_byte_count <= BYTES_PER_EFFECTS_BLOCK, "a block of effects that is empty or too long")
    effects, _ = read_effects(b"".join(raw for _, raw in delta.blocks), delta.catalogue)
    apply_effects(effects, graph)
    for state in delta.states:
        rows = graph.rows[state.table_id]
        found = TableState(state.table_id, rows.next_key, len(rows.by_key))
        if found != state:
            raise Damaged(f"after a delta: {found} found, {state} expected")

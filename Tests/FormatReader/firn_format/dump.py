"""A version of the graph as JSON, in the form that the tests in Swift write beside the golden files.

Floating-point numbers and dates are their bits in hexadecimal digits, highest first. Other values of a fixed width, and
data, are their bytes. Strings and data of more than 32 bytes are told by count and CRC.
"""

import json
from typing import Any

from .catalogue import Catalogue, Collection, Column, Table, Type
from .checksum import crc32c
from .graph import Graph
from .journal import Commit
from .values import Mixed, Tag

INLINE_BYTE_COUNT = 32


def dump(store_id: bytes, version: int, graph: Graph, commits: list[Commit] | None = None) -> dict[str, Any]:
    catalogue = graph.catalogue
    content: dict[str, Any] = {
        "storeID": store_id.hex(),
        "version": version,
        "schemaVersion": catalogue.schema_version,
        "nextTableID": catalogue.next_table_id,
        "tables": [_table(table, catalogue, graph) for table in catalogue.tables],
    }
    if commits is not None:
        content["commits"] = [
            [commit.version, int(commit.kind), commit.author, [list(entry) for entry in commit.metadata]]
            for commit in commits
        ]
    return content


def _table(table: Table, catalogue: Catalogue, graph: Graph) -> dict[str, Any]:
    rows = graph.rows[table.id]
    return {
        "id": table.id,
        "name": table.name,
        "nextColumnID": table.next_column_id,
        "columns": [_column(column) for column in table.columns],
        "nextKey": rows.next_key,
        "rows": [
            [key, *(_cell(row[column.id], column) for column in table.columns)]
            for key, row in sorted(rows.by_key.items())
        ],
    }


def _column(column: Column) -> list[Any]:
    names = [flag.name.lower() for flag in sorted(column.flags)] + ["left_behind"] * column.is_left_behind
    return [column.id, column.name, int(column.type), names, column.target]


def _cell(cell: Any, column: Column) -> Any:
    if column.collection is None:
        return _value(cell, column.type)
    if column.collection == Collection.MAP:
        return [[_bytes(key.encode(), key), _value(value, column.type)] for key, value in cell]
    return [_value(value, column.type) for value in cell]


def _value(value: Any, type: Type) -> Any:
    if isinstance(value, Mixed):
        return _mixed(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return _bytes(value.encode(), value)
    if type in (Type.FLOAT, Type.DOUBLE, Type.DATE):
        return value[::-1].hex()
    return _bytes(value, value.hex())


def _bytes(data: bytes, text: str) -> Any:
    return text if len(data) <= INLINE_BYTE_COUNT else {"bytes": len(data), "crc": f"{crc32c(data):08x}"}


def _mixed(value: Mixed) -> Any:
    if value.tag == Tag.LINK:
        return {"link": [value.table, value.value]}
    type = Type[value.tag.name] if value.tag.name in Type.__members__ else Type.INT
    return {value.tag.name.lower(): _value(value.value, type)}


def differences(found: Any, expected: Any, path: str = "") -> list[str]:
    """Where two dumps differ, each place in one line."""
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        return [line for key in found for line in differences(found[key], expected[key], f"{path}.{key}")]
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected))
        return [line for index, (a, b) in pairs for line in differences(a, b, f"{path}[{index}]")]
    # Text, as Python takes True and 1 for equal.
    one, other = (json.dumps(value, sort_keys=True) for value in (found, expected))
    return [] if one == other else [f"{path}: {one[:200]} found, {other[:200]} expected"]

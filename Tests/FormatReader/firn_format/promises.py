"""What the page promises of every version of the graph: order, live links, owners and primary keys."""

from typing import Any

from .catalogue import Collection, Column, Flag, Table, Type
from .damaged import require
from .graph import Graph
from .values import DICTIONARY_TABLE, LIST_TABLE, Mixed, Tag, order


def check_promises(graph: Graph) -> None:
    owners = _Owners(graph)
    for table in graph.catalogue.tables:
        rows = graph.rows[table.id]
        require(all(key < rows.next_key for key in rows.by_key), f"{table.name}: a key that was not given out")
        for column in table.columns:
            for row in rows.by_key.values():
                _check_cell(row[column.id], column, f"{table.name}.{column.name}", owners)
        _check_primary_keys(table, graph)
    owners.check_embedded()


def _check_cell(cell: Any, column: Column, what: str, owners: "_Owners") -> None:
    if column.collection == Collection.MAP:
        keys = [key for key, _ in cell]
        require(all(a < b for a, b in zip(keys, keys[1:])), f"{what}: keys of a map that do not ascend")
    if column.collection == Collection.SET:
        places = [order(value, column.type) for value in cell]
        require(all(a < b for a, b in zip(places, places[1:])), f"{what}: elements of a set that do not ascend")
    for value in elements(cell, column):
        if value is None:
            require(column.nullable, f"{what}: a null where none may be")
        elif column.type == Type.LINK:
            owners.follow(column.target, value, owns=Flag.OWNING in column.flags)
        elif isinstance(value, Mixed):
            owners.follow_mixed(value)


def elements(cell: Any, column: Column) -> list[Any]:
    """The elements of a list or set, the values of a map, or the one value that a cell is."""
    if column.collection is None:
        return [cell]
    return [value for _, value in cell] if column.collection == Collection.MAP else cell


def _check_primary_keys(table: Table, graph: Graph) -> None:
    column, rows = table.primary_key, graph.rows[table.id].by_key
    if column is not None:
        values = {order(row[column.id], column.type) for row in rows.values()}
        require(len(values) == len(rows), f"{table.name}: a primary key twice")


class _Owners:
    """Counts who owns each row, following every link."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.counts: dict[tuple[int, int], int] = {}
        self.nested = {table.name: table.id for table in graph.catalogue.tables}

    def follow(self, table: int | None, key: int, owns: bool) -> None:
        rows = self.graph.rows
        require(table in rows and key in rows[table].by_key, f"a link to row {key} of table {table}")
        if owns:
            self.counts[table, key] = self.counts.get((table, key), 0) + 1

    def follow_mixed(self, value: Mixed) -> None:
        if value.tag == Tag.LINK:
            self.follow(value.table, value.value, owns=False)
        elif value.tag in (Tag.LIST, Tag.DICTIONARY):
            name = LIST_TABLE if value.tag == Tag.LIST else DICTIONARY_TABLE
            table = self.nested.get(name)
            self.follow(table, value.value, owns=True)
            require(self.counts[table, value.value] == 1, f"{name}: row {value.value} with several owners")

    def check_embedded(self) -> None:
        for table in self.graph.catalogue.owned_tables():
            for key in self.graph.rows[table].by_key:
                count = self.counts.get((table, key), 0)
                require(count == 1, f"table {table}: embedded row {key} with {count} owners")

"""One version of the graph: the rows of all tables."""

from dataclasses import dataclass, field
from typing import Any

from .catalogue import Catalogue, Table
from .values import default_value

Row = dict[int, Any]
"""The values of a row by column id: see `values`; of lists and sets a list, of maps a list of keys and values."""


@dataclass
class Rows:
    next_key: int = 0
    by_key: dict[int, Row] = field(default_factory=dict)


class Graph:
    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.rows = {table.id: Rows() for table in catalogue.tables}

    def change_catalogue(self, catalogue: Catalogue) -> None:
        """Tables that are new have no rows, those that are gone take theirs with them; so do columns with values.

        Rows have the defaults of columns that are new.
        """
        self.catalogue = catalogue
        self.rows = {table.id: self.rows.get(table.id, Rows()) for table in catalogue.tables}
        for table in catalogue.tables:
            for key, row in self.rows[table.id].by_key.items():
                self.rows[table.id].by_key[key] = complete_row(row, table)


def complete_row(row: Row, table: Table) -> Row:
    """The row with the columns of a table: values of dropped ones are left out, missing ones are the defaults."""
    return {column.id: row[column.id] if column.id in row else default_value(column) for column in table.columns}

"""One version of the graph: the rows of all tables."""

from dataclasses import dataclass, field
from typing import Any

from .catalogue import Catalogue
from .damaged import require

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
        """Tables that are new have no rows, those that are gone take theirs with them."""
        self.catalogue = catalogue
        self.rows = {table.id: self.rows.get(table.id, Rows()) for table in catalogue.tables}
        for table in catalogue.tables:
            ids = {column.id for column in table.columns}
            for row in self.rows[table.id].by_key.values():
                require(set(row) == ids, f"{table.name}: rows without values for a new column")

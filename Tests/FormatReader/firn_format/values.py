"""What cells hold, and the order of the elements of sets.

Null is None, a bool is a bool, an int an int, a string a str. Everything else that has a fixed width is kept as the
bytes of the file, so that NaN and -0.0 stay what they are. A link is the key of its target.
"""

import math
import struct
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Any

from .catalogue import FIXED_WIDTHS, Column, Type
from .cursor import KEY_LIMIT, utf8
from .damaged import Damaged, require


class Tag(IntEnum):
    """The first byte of a mixed value."""

    BOOL = 1
    INT = 2
    FLOAT = 3
    DOUBLE = 4
    DECIMAL128 = 5
    STRING = 6
    DATA = 7
    DATE = 8
    OBJECT_ID = 9
    UUID = 10
    LINK = 11
    LIST = 12
    DICTIONARY = 13


@dataclass(frozen=True)
class Mixed:
    """A mixed value that is not null. `table` is that of a link only."""

    tag: Tag
    value: Any
    table: int | None = None


_TYPES = {tag: Type[tag.name] for tag in Tag if tag.name in Type.__members__}

LIST_TABLE = "AnyRealmValue.list"
DICTIONARY_TABLE = "AnyRealmValue.dictionary"


def read_mixed(data: bytes) -> Mixed:
    require(len(data) > 0 and data[0] in list(Tag), "a mixed value without a valid tag")
    tag, rest = Tag(data[0]), data[1:]
    if tag == Tag.BOOL:
        require(rest in (b"\0", b"\1"), "a mixed bool that is neither 0 nor 1")
        return Mixed(tag, rest == b"\1")
    if tag == Tag.INT:
        return Mixed(tag, _shortest(rest, signed=True, limit=8))
    if tag == Tag.STRING:
        return Mixed(tag, utf8(rest, "a mixed value"))
    if tag == Tag.DATA:
        return Mixed(tag, rest)
    if tag == Tag.LINK:
        require(len(rest) > 4, "a mixed link that is too short")
        return Mixed(tag, _key(rest[4:]), int.from_bytes(rest[:4], "little"))
    if tag in (Tag.LIST, Tag.DICTIONARY):
        return Mixed(tag, _key(rest))
    require(len(rest) == FIXED_WIDTHS[_TYPES[tag]], f"a mixed value with tag {tag} and {len(rest)} bytes")
    return Mixed(tag, rest)


def _shortest(data: bytes, signed: bool, limit: int) -> int:
    """A number in the fewest bytes, at least one."""
    require(1 <= len(data) <= limit, f"a number of {len(data)} bytes in a mixed value")
    value = int.from_bytes(data, "little", signed=signed)
    if len(data) > 1:
        shorter = int.from_bytes(data[:-1], "little", signed=signed)
        require(shorter != value, "a number in a mixed value that is longer than it has to be")
    return value


def _key(data: bytes) -> int:
    key = _shortest(data, signed=False, limit=5)
    require(key < KEY_LIMIT, "a key above the limit in a mixed value")
    return key


def default_value(column: Column) -> Any:
    """What a row has in a column that came later than the row."""
    if column.collection is not None:
        return []
    data = column.default
    if data is None:
        return None if column.nullable else zero(column.type)
    if column.type == Type.BOOL:
        require(data in (b"\0", b"\1"), f"{column.name}: a default that is no bool")
        return data == b"\1"
    if column.type == Type.INT:
        require(len(data) == 8, f"{column.name}: a default of {len(data)} bytes")
        return int.from_bytes(data, "little", signed=True)
    if column.type == Type.MIXED:
        value = read_mixed(data)
        require(value.tag < Tag.LINK, f"{column.name}: a default that is a link or collection")
        return value
    width = FIXED_WIDTHS.get(column.type, len(data))
    require(len(data) == width, f"{column.name}: a default of {len(data)} bytes")
    return utf8(data, column.name) if column.type == Type.STRING else data


def zero(type: Type) -> Any:
    """What stands for a value that is not given, where there is no null."""
    if type == Type.BOOL:
        return False
    if type == Type.INT:
        return 0
    return "" if type == Type.STRING else bytes(FIXED_WIDTHS.get(type, 0))


def order(value: Any, type: Type) -> Any:
    """Elements of a set ascend by this."""
    if value is None:
        return (0,)
    if type == Type.MIXED:
        return (1, *_mixed_order(value))
    if type in (Type.FLOAT, Type.DOUBLE, Type.DATE, Type.DECIMAL128):
        return (1, _number(value, type))
    return (1, value)


_RANKS = {
    Tag.BOOL: 0,
    Tag.INT: 1,
    Tag.FLOAT: 1,
    Tag.DOUBLE: 1,
    Tag.DECIMAL128: 1,
    Tag.STRING: 2,
    Tag.DATA: 3,
    Tag.DATE: 4,
    Tag.OBJECT_ID: 5,
    Tag.UUID: 6,
    Tag.LINK: 7,
}


def _mixed_order(value: Mixed) -> Any:
    if value.tag not in _RANKS:
        raise Damaged("a list or dictionary in a set")
    rank = _RANKS[value.tag]
    if value.tag == Tag.LINK:
        return (rank, value.table, value.value)
    if rank == 1 or value.tag == Tag.DATE:
        return (rank, _number(value.value, _TYPES[value.tag]))
    return (rank, value.value)


def _number(value: Any, type: Type) -> tuple[int, Fraction]:
    """NaN, minus infinity, numbers and infinity, in this order."""
    if type == Type.INT:
        return (2, Fraction(value))
    if type == Type.DECIMAL128:
        return _decimal(value)
    number = struct.unpack("<f" if type == Type.FLOAT else "<d", value)[0]
    if math.isnan(number):
        return (0, Fraction(0))
    if math.isinf(number):
        return (3 if number > 0 else 1, Fraction(0))
    return (2, Fraction(number))


def _decimal(value: bytes) -> tuple[int, Fraction]:
    """IEEE 754 decimal128 with a binary coefficient."""
    bits = int.from_bytes(value, "little")
    negative = bits >> 127 != 0
    combination = bits >> 122 & 0x1F
    if combination == 0x1F:
        return (0, Fraction(0))
    if combination == 0x1E:
        return (1 if negative else 3, Fraction(0))
    if combination >> 3 == 3:
        return (2, Fraction(0))
    coefficient, exponent = bits & ((1 << 113) - 1), (bits >> 113 & 0x3FFF) - 6176
    if coefficient >= 10**34:
        coefficient = 0
    number = Fraction(coefficient) * Fraction(10) ** exponent
    return (2, -number if negative else number)

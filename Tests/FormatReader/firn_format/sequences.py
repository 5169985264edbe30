"""Section 4, sequences: the values of a block of keys or of a column in a base."""

import struct
from typing import Any

import zstandard

from .catalogue import FIXED_WIDTHS, Collection, Column, Type
from .cells import link, make_collection
from .cursor import KEY_LIMIT, Cursor, utf8
from .damaged import Damaged, require
from .values import read_mixed

PADDING = 8
"""Zero bytes behind packed numbers, so that a number can be taken out of one load of 8 bytes."""

_WRAP = 1 << 64


def decompress(data: bytes, limit: int, what: str) -> bytes:
    """One zstd frame with its content size, and nothing else."""
    try:
        # Raises on a frame without its content size.
        size = zstandard.get_frame_parameters(data).content_size
        require(size != zstandard.CONTENTSIZE_UNKNOWN, f"{what}: a zstd frame without its content size")
        require(size <= limit, f"{what}: a zstd frame of {size} bytes")
        decompressor = zstandard.ZstdDecompressor().decompressobj()
        content = decompressor.decompress(data)
    except (zstandard.ZstdError, MemoryError) as error:
        raise Damaged(f"{what}: {error}") from error
    require(len(content) == size and decompressor.unused_data == b"", f"{what}: not one whole zstd frame")
    return content


def read_keys(data: bytes, count: int) -> list[int]:
    cursor = Cursor(data, "keys")
    keys = _numbers(cursor, cursor.u8(), count)
    cursor.end()
    require(all(a < b for a, b in zip(keys, keys[1:])), "keys do not ascend")
    require(all(0 <= key < KEY_LIMIT for key in keys), "a key above the limit")
    return keys


def read_dictionary(data: bytes, count: int) -> list[bytes]:
    cursor = Cursor(data, "dictionary")
    require(cursor.u8() == 5, "a dictionary consists of bytes")
    values = _bytes(cursor, count)
    cursor.end()
    return values


def read_column(data: bytes, column: Column, count: int, dictionary: list[bytes] | None) -> list[Any]:
    cursor = Cursor(data, f"column {column.name}")
    values = _read_cells(cursor, column, count, dictionary)
    cursor.end()
    return values


def _read_cells(cursor: Cursor, column: Column, count: int, dictionary: list[bytes] | None) -> list[Any]:
    if column.collection is None:
        return _read_values(cursor, column, count, dictionary)
    is_map = column.collection == Collection.MAP
    form = cursor.u8()
    require(form == (10 if is_map else 8), f"{cursor.what}: form {form}")
    counts = _counted_numbers(cursor, count)
    total = sum(counts)
    require(all(0 <= each for each in counts) and total <= 1 << 27, f"{cursor.what}: counts of elements")
    keys = [utf8(key, cursor.what) for key in _bytes(cursor, total)] if is_map else []
    values = _read_values(cursor, column, total, None)
    cells = []
    position = 0
    for each in counts:
        end = position + each
        cells.append(make_collection(column, keys[position:end], values[position:end]))
        position = end
    return cells


def _read_values(cursor: Cursor, column: Column, count: int, dictionary: list[bytes] | None) -> list[Any]:
    form = cursor.u8()
    if form == 9:
        require(column.nullable and column.type != Type.LINK, f"{cursor.what}: nulls where none may be")
        nulls = cursor.bits(count)
        return _read_present(cursor, column, cursor.u8(), count, None, nulls)
    return _read_present(cursor, column, form, count, dictionary, [False] * count)


def _read_present(
    cursor: Cursor, column: Column, form: int, count: int, dictionary: list[bytes] | None, nulls: list[bool]
) -> list[Any]:
    type = column.type
    if type == Type.BOOL and form == 4:
        raw: list[Any] = cursor.bits(count)
    elif type == Type.INT and form in (0, 1):
        raw = _numbers(cursor, form, count)
    elif type == Type.LINK and form in (0, 1):
        return [link(number) for number in _numbers(cursor, form, count)]
    elif type in FIXED_WIDTHS and form == 2:
        require(cursor.u8() == FIXED_WIDTHS[type], f"{cursor.what}: values of another width")
        raw = [cursor.take(FIXED_WIDTHS[type]) for _ in range(count)]
    elif type in (Type.DOUBLE, Type.DATE) and form == 3:
        raw = _split_doubles(cursor, count)
    elif type in (Type.DOUBLE, Type.DATE) and form == 7:
        raw = _multiples(cursor, count)
    elif type in (Type.STRING, Type.DATA, Type.MIXED) and form == 5:
        raw = _bytes(cursor, count)
    elif type in (Type.STRING, Type.DATA) and form == 6 and dictionary is not None:
        raw = _by_dictionary(cursor, count, dictionary)
        nulls = [value is None for value in raw]
    else:
        raise Damaged(f"{cursor.what}: form {form}")
    zero = _zero(type)
    require(all(value in (zero, None) for value, null in zip(raw, nulls) if null), f"{cursor.what}: no zero for a null")
    return [None if null else _value(value, column) for value, null in zip(raw, nulls, strict=True)]


def _zero(type: Type) -> Any:
    """What stands for a null in form 9."""
    if type in FIXED_WIDTHS:
        return bytes(FIXED_WIDTHS[type])
    if type == Type.BOOL:
        return False
    return 0 if type == Type.INT else b""


def _value(raw: Any, column: Column) -> Any:
    if column.type == Type.STRING:
        return utf8(raw, column.name)
    return read_mixed(raw) if column.type == Type.MIXED else raw


def _signed(number: int) -> int:
    """A number modulo 2^64 as the signed one that it stands for."""
    number %= _WRAP
    return number - _WRAP if number >> 63 else number


def _packed_bits(cursor: Cursor, count: int) -> list[int]:
    width = cursor.u8()
    require(width <= 56 or width == 64, f"{cursor.what}: numbers of {width} bits")
    byte_count = (count * width + 7) // 8
    data = cursor.take(byte_count + PADDING)
    used = int.from_bytes(data[max(byte_count - 1, 0) :], "little")
    bits_in_last = count * width - max(byte_count - 1, 0) * 8
    require(used >> bits_in_last == 0, f"{cursor.what}: bits behind packed numbers")
    mask = (1 << width) - 1
    numbers = []
    for index in range(count):
        bit = index * width
        numbers.append(int.from_bytes(data[bit >> 3 : (bit >> 3) + 8], "little") >> (bit & 7) & mask)
    return numbers


def _packed(cursor: Cursor, count: int) -> list[int]:
    base = cursor.svarint()
    return [_signed(base + number) for number in _packed_bits(cursor, count)]


def _numbers(cursor: Cursor, form: int, count: int) -> list[int]:
    if form == 0:
        return _packed(cursor, count)
    require(form == 1 and count > 0, f"{cursor.what}: {count} numbers in form {form}")
    numbers = [cursor.svarint()]
    base = cursor.varint()
    for difference in _packed_bits(cursor, count - 1):
        numbers.append(numbers[-1] + base + difference)
    require(numbers[-1] < 1 << 63, f"{cursor.what}: ascending numbers above 64 bits")
    return numbers


def _counted_numbers(cursor: Cursor, count: int) -> list[int]:
    """Packed numbers behind the count of their bytes."""
    inner = Cursor(cursor.take(cursor.u32()), cursor.what)
    numbers = _packed(inner, count)
    inner.end()
    return numbers


def _bytes(cursor: Cursor, count: int) -> list[bytes]:
    lengths = _counted_numbers(cursor, count)
    require(all(length >= 0 for length in lengths), f"{cursor.what}: a negative length")
    total = sum(lengths)
    compression, content = cursor.u8(), cursor.take(cursor.u32())
    require(compression <= 1, f"{cursor.what}: compression {compression}")
    if compression == 1:
        content = decompress(content, total, cursor.what)
    require(len(content) == total, f"{cursor.what}: lengths that add up to {total}")
    values = Cursor(content, cursor.what)
    return [values.take(length) for length in lengths]


def _by_dictionary(cursor: Cursor, count: int, dictionary: list[bytes]) -> list[bytes | None]:
    values: list[bytes | None] = []
    for number in _packed(cursor, count):
        require(0 <= number <= len(dictionary), f"{cursor.what}: value {number} of the dictionary")
        values.append(dictionary[number - 1] if number else None)
    return values


def _split_doubles(cursor: Cursor, count: int) -> list[bytes]:
    upper = decompress(cursor.take(cursor.u32()), count * 2, cursor.what)
    require(len(upper) == count * 2, f"{cursor.what}: upper bytes of doubles")
    return [cursor.take(6) + upper[index * 2 : index * 2 + 2] for index in range(count)]


def _multiples(cursor: Cursor, count: int) -> list[bytes]:
    denominator = cursor.u32()
    require(denominator in (1, 1_000, 1_000_000), f"{cursor.what}: a denominator of {denominator}")
    return [struct.pack("<d", number / denominator) for number in _packed(cursor, count)]

"""Taking numbers and bytes from the front of a byte string."""

from .damaged import Damaged, require

KEY_LIMIT = (1 << 40) - 1
"""Keys are below it, and a next key is at most this."""

NUMBER_LIMIT = 1 << 62
"""Versions, epochs and sequence numbers are at most this."""


class Cursor:
    """A place in a byte string. Every read is checked against the end."""

    def __init__(self, data: bytes, what: str) -> None:
        self.data = data
        self.what = what
        self.position = 0

    @property
    def remaining(self) -> int:
        return len(self.data) - self.position

    def take(self, count: int) -> bytes:
        require(0 <= count <= self.remaining, f"{self.what}: {count} bytes expected at {self.position}")
        start = self.position
        self.position += count
        return self.data[start : self.position]

    def unsigned(self, width: int) -> int:
        """A little-endian number of `width` bytes."""
        return int.from_bytes(self.take(width), "little")

    def u8(self) -> int:
        return self.unsigned(1)

    def u32(self) -> int:
        return self.unsigned(4)

    def varint(self) -> int:
        value = 0
        for index in range(10):
            byte = self.u8()
            value |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                require(value < 1 << 64, f"{self.what}: a varint above 64 bits")
                return value
        raise Damaged(f"{self.what}: a varint of more than 10 bytes")

    def svarint(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def count(self, bits_each: int = 8) -> int:
        """A varint that counts things of at least so many bits each, all of which are still to come."""
        value = self.varint()
        require(value * bits_each <= self.remaining * 8, f"{self.what}: {value} things, but the bytes end before")
        return value

    def bytes(self) -> bytes:
        return self.take(self.varint())

    def string(self) -> str:
        return utf8(self.bytes(), self.what)

    def bits(self, count: int) -> list[bool]:
        """Bits, eight to a byte, lowest first, the rest of the last byte being zero."""
        data = self.take((count + 7) // 8)
        number = int.from_bytes(data, "little")
        require(number >> count == 0, f"{self.what}: bits behind the last one")
        return [bool(data[index >> 3] >> (index & 7) & 1) for index in range(count)]

    def keys(self, count: int) -> list[int]:
        """Ascending keys: the first one, then each difference less one."""
        require(count <= self.remaining, f"{self.what}: {count} keys, but the bytes end before")
        keys: list[int] = []
        for _ in range(count):
            step = self.varint()
            keys.append(keys[-1] + 1 + step if keys else step)
        require(not keys or keys[-1] < KEY_LIMIT, f"{self.what}: a key above the limit")
        return keys

    def end(self) -> None:
        require(self.remaining == 0, f"{self.what}: {self.remaining} bytes behind the end")


def utf8(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Damaged(f"{what}: a string that is not UTF-8") from error

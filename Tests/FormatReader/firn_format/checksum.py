"""CRC-32C, as the head of the page defines it."""


def _make_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _make_table()


def crc32c(data: bytes, before: int = 0) -> int:
    """The CRC of the data, or of what had the CRC `before` and the data behind it."""
    table = _TABLE
    value = before ^ 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ (value >> 8)
    return value ^ 0xFFFFFFFF

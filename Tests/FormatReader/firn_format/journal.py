"""Section 3: segments of the journal and their frames."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from .checksum import crc32c
from .cursor import NUMBER_LIMIT, Cursor, utf8
from .damaged import Damaged, require

FORMAT_VERSION = 1
HEADER_BYTE_COUNT = 96
FRAME_HEADER_BYTE_COUNT = 80
FRAME_LIMIT = 2 << 20
AUTHOR_LIMIT = 4_096
METADATA_LIMIT = 65_536
PAYLOAD_LIMIT = 1 << 20


class Kind(IntEnum):
    COMMIT = 1
    CATALOGUE = 2
    PROOF = 3


@dataclass(frozen=True)
class SegmentHeader:
    store_id: bytes
    epoch: int
    number: int
    salt: bytes
    version_before: int
    durable_through: int
    chain_before: int


@dataclass(frozen=True)
class Frame:
    kind: Kind
    is_last: bool
    byte_count: int
    part: int
    store_id: bytes
    epoch: int
    version: int
    version_before: int
    durable_through: int
    chain: int
    author: str
    metadata: list[tuple[str, str]]
    payload: bytes


@dataclass(frozen=True)
class Commit:
    """A whole commit. `chain_behind` is the CRC of all bytes of its segment up to its end."""

    kind: Kind
    version: int
    version_before: int
    author: str
    metadata: list[tuple[str, str]]
    payload: bytes
    chain_behind: int


def read_header(data: bytes) -> SegmentHeader:
    require(len(data) >= HEADER_BYTE_COUNT and data[:8] == b"FIRNJRNL", "segment: no header")
    require(crc32c(data[:92]) == int.from_bytes(data[92:96], "little"), "segment: a wrong CRC of the header")
    cursor = Cursor(data[:HEADER_BYTE_COUNT], "segment header")
    cursor.take(8)
    version = cursor.unsigned(2)
    require(version == FORMAT_VERSION, f"segment: format version {version}")
    require(cursor.unsigned(2) == 0, "segment: flags")
    require(cursor.u32() == HEADER_BYTE_COUNT, "segment: another byte count of the header")
    store_id, epoch, number, salt = cursor.take(16), cursor.unsigned(8), cursor.unsigned(8), cursor.take(16)
    header = SegmentHeader(store_id, epoch, number, salt, cursor.unsigned(8), cursor.unsigned(8), cursor.u32())
    require(cursor.take(8) == bytes(8), "segment: reserved bytes")
    require(max(epoch, number, header.version_before, header.durable_through) <= NUMBER_LIMIT, "segment: a number")
    return header


def read_frame(data: bytes, offset: int, salt: bytes | None) -> Frame:
    """The frame at an offset. Without a salt its CRC cannot be compared, and its fields have to do."""
    cursor = Cursor(data[offset : offset + FRAME_HEADER_BYTE_COUNT], "frame")
    require(cursor.take(4) == b"FRM1", "frame: no magic")
    version = cursor.unsigned(2)
    require(version == FORMAT_VERSION, f"frame: format version {version}")
    kind, flags, byte_count, part = cursor.u8(), cursor.u8(), cursor.u32(), cursor.u32()
    require(kind in list(Kind) and flags <= 1, "frame: kind or flags")
    numbers = cursor.take(16), cursor.unsigned(8), cursor.unsigned(8), cursor.unsigned(8), cursor.unsigned(8)
    chain, author_count, metadata_count, payload_count = cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()
    require(byte_count <= FRAME_LIMIT, f"frame: {byte_count} bytes")
    require(author_count <= AUTHOR_LIMIT and metadata_count <= METADATA_LIMIT, "frame: author or metadata too long")
    require(payload_count <= PAYLOAD_LIMIT, "frame: a payload that is too long")
    content_end = FRAME_HEADER_BYTE_COUNT + author_count + metadata_count + payload_count
    require(byte_count == (content_end + 4 + 7) // 8 * 8, "frame: another length than its contents have")
    frame_bytes = data[offset : offset + byte_count]
    if salt is not None:
        require(len(frame_bytes) == byte_count, "frame: cut short")
        require(crc32c(salt + frame_bytes[:-4]) == int.from_bytes(frame_bytes[-4:], "little"), "frame: a wrong CRC")
        require(not any(frame_bytes[content_end:-4]), "frame: bytes behind the payload")
    body = Cursor(frame_bytes[FRAME_HEADER_BYTE_COUNT:], "frame")
    author, metadata, payload = "", [], b""
    if salt is not None:
        author = utf8(body.take(author_count), "author")
        metadata = _read_metadata(body.take(metadata_count))
        payload = body.take(payload_count)
    frame = Frame(Kind(kind), flags == 1, byte_count, part, *numbers, chain, author, metadata, payload)
    _check_frame(frame, content_end)
    return frame


def _check_frame(frame: Frame, content_end: int) -> None:
    require(max(frame.epoch, frame.version, frame.version_before) <= NUMBER_LIMIT, "frame: a number above the limit")
    if frame.kind == Kind.PROOF:
        versions = {frame.version, frame.version_before, frame.durable_through}
        is_bare = frame.part == 0 and frame.is_last and content_end == FRAME_HEADER_BYTE_COUNT
        require(len(versions) == 1 and is_bare, "frame: a proof that says something else")
    else:
        require(frame.version_before < frame.version, "frame: a version that does not ascend")
        require(frame.durable_through < frame.version, "frame: durable before it is written")
        require(frame.part == 0 or not (frame.author or frame.metadata), "frame: an author in a later part")


def _read_metadata(data: bytes) -> list[tuple[str, str]]:
    if not data:
        return []
    cursor = Cursor(data, "metadata")
    entries = [(cursor.string(), cursor.string()) for _ in range(cursor.count(bits_each=16))]
    cursor.end()
    require(all(a[0] < b[0] for a, b in zip(entries, entries[1:])), "metadata: keys that do not ascend")
    return entries


class Segment:
    """What a segment holds: its whole commits, and what it says to be durable, behind a bad place too."""

    def __init__(self, data: bytes, number: int) -> None:
        self.data = data
        self.number = number
        self.commits: list[Commit] = []
        self.durable_through: dict[bytes, int] = {}
        self.end = 0
        self.has_tail = False
        self.header: SegmentHeader | None
        try:
            self.header = read_header(data)
        except Damaged:
            self.header = None
            self._scan(0, None)
            return
        self._note(self.header.store_id, self.header.durable_through)
        self._read_commits(self.header)
        self._scan(self.end, self.header.salt)
        self.has_tail = any(data[self.end :])

    def _note(self, store_id: bytes, version: int) -> None:
        self.durable_through[store_id] = max(self.durable_through.get(store_id, 0), version)

    def _frames(self, header: SegmentHeader) -> Iterator[tuple[Frame, int, int]]:
        """Frames from the front with their end and the chain value behind them."""
        offset, chain = HEADER_BYTE_COUNT, crc32c(self.data[:HEADER_BYTE_COUNT])
        while True:
            try:
                frame = read_frame(self.data, offset, header.salt)
            except Damaged:
                return
            if frame.chain != chain or (frame.store_id, frame.epoch) != (header.store_id, header.epoch):
                return
            chain = crc32c(self.data[offset : offset + frame.byte_count], chain)
            offset += frame.byte_count
            yield frame, offset, chain

    def _read_commits(self, header: SegmentHeader) -> None:
        self.end = HEADER_BYTE_COUNT
        reached = header.version_before
        parts: list[Frame] = []
        for frame, end, chain in self._frames(header):
            if frame.kind == Kind.PROOF:
                if parts or frame.version != reached:
                    return
                self.end = end
                continue
            is_next = frame.part == len(parts) and frame.version_before == reached
            if not is_next or any((part.kind, part.version) != (frame.kind, frame.version) for part in parts):
                return
            parts.append(frame)
            if frame.is_last:
                payload = b"".join(part.payload for part in parts)
                first = parts[0]
                self.commits.append(
                    Commit(frame.kind, frame.version, reached, first.author, first.metadata, payload, chain)
                )
                reached, parts, self.end = frame.version, [], end

    def _scan(self, start: int, salt: bytes | None) -> None:
        """Notes what valid frames anywhere from the start on say. Frames stand at multiples of 8 bytes."""
        for offset in range(start, len(self.data) - FRAME_HEADER_BYTE_COUNT, 8):
            if self.data[offset : offset + 4] == b"FRM1":
                try:
                    frame = read_frame(self.data, offset, salt)
                except Damaged:
                    continue
                self._note(frame.store_id, frame.durable_through)


def is_empty(data: bytes) -> bool:
    """A segment whose first 96 bytes are zero holds nothing."""
    return not any(data[:HEADER_BYTE_COUNT])

"""Section 3: segments of the journal and their frames."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from . import sealed
from .checksum import crc32c
from .cursor import NUMBER_LIMIT, Cursor, utf8
from .damaged import Damaged, require
from .sealed import Seal, read_seal

FORMAT_VERSIONS = (1, 2, 3)
"""From the second one on, commits have old values, and in the third one segments say when they were begun."""
TIME_LIMIT = (1 << 63) - 1
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
    seal: Seal | None
    """Nil of a plain segment."""
    format_version: int

    @property
    def byte_count(self) -> int:
        return sealed.HEADER_BYTE_COUNT if self.seal else HEADER_BYTE_COUNT


@dataclass(frozen=True)
class Frame:
    format_version: int
    kind: Kind
    is_last: bool
    is_sealed: bool
    byte_count: int
    part: int
    store_id: bytes
    epoch: int
    version: int
    version_before: int
    durable_through: int
    chain: int
    author_count: int
    metadata_count: int
    payload_count: int

    @property
    def content_end(self) -> int:
        return FRAME_HEADER_BYTE_COUNT + self.author_count + self.metadata_count + self.payload_count

    @property
    def sealed_end(self) -> int:
        return self.content_end + (sealed.TAG_BYTE_COUNT if self.is_sealed else 0)


@dataclass(frozen=True)
class Content:
    """What is in a frame, and sealed in an encrypted segment."""

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
    has_old_values: bool


def read_header(data: bytes, key: bytes | None) -> SegmentHeader | None:
    """None where there is no valid header, as a crash may leave a segment.

    Raises if the segment is encrypted and the store is not, or the other way round.
    """
    if len(data) < HEADER_BYTE_COUNT or data[:8] != b"FIRNJRNL":
        return None
    if crc32c(data[:92]) != int.from_bytes(data[92:96], "little"):
        return None
    is_encrypted = data[10] & 1 == 1
    require(is_encrypted == (key is not None), f"segment: encrypted is {is_encrypted}, of the store it is not")
    try:
        return _read_fields(data, key)
    except Damaged:
        return None


def _read_fields(data: bytes, key: bytes | None) -> SegmentHeader:
    cursor = Cursor(data[:HEADER_BYTE_COUNT], "segment header")
    cursor.take(8)
    version = cursor.unsigned(2)
    require(version in FORMAT_VERSIONS, f"segment: format version {version}")
    flags, byte_count = cursor.unsigned(2), cursor.u32()
    store_id, epoch, number, salt = cursor.take(16), cursor.unsigned(8), cursor.unsigned(8), cursor.take(16)
    versions = cursor.unsigned(8), cursor.unsigned(8)
    seal = read_seal(data, flags, byte_count, salt, key)
    header = SegmentHeader(store_id, epoch, number, salt, *versions, cursor.u32(), seal, version)
    require(_is_time(cursor.unsigned(8), version), "segment: the time of its beginning")
    require(max(epoch, number, header.version_before, header.durable_through) <= NUMBER_LIMIT, "segment: a number")
    return header


def _is_time(nanoseconds: int, version: int) -> bool:
    return 1 <= nanoseconds <= TIME_LIMIT if version == 3 else nanoseconds == 0


def read_frame(data: bytes, offset: int, salt: bytes | None) -> Frame:
    """The frame at an offset. Without a salt its CRC cannot be compared, and its fields have to do."""
    cursor = Cursor(data[offset : offset + FRAME_HEADER_BYTE_COUNT], "frame")
    require(cursor.take(4) == b"FRM1", "frame: no magic")
    version = cursor.unsigned(2)
    require(version in FORMAT_VERSIONS, f"frame: format version {version}")
    kind, flags, byte_count, part = cursor.u8(), cursor.u8(), cursor.u32(), cursor.u32()
    require(kind in list(Kind) and flags <= 3, "frame: kind or flags")
    numbers = cursor.take(16), cursor.unsigned(8), cursor.unsigned(8), cursor.unsigned(8), cursor.unsigned(8)
    counts = cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()
    frame = Frame(version, Kind(kind), flags & 1 == 1, flags >> 1 == 1, byte_count, part, *numbers, *counts)
    _check_frame(frame)
    if salt is not None:
        frame_bytes = data[offset : offset + byte_count]
        require(len(frame_bytes) == byte_count, "frame: cut short")
        require(crc32c(salt + frame_bytes[:-4]) == int.from_bytes(frame_bytes[-4:], "little"), "frame: a wrong CRC")
        require(not any(frame_bytes[frame.sealed_end : -4]), "frame: bytes behind the payload")
    return frame


def _read_content(frame: Frame, content: bytes) -> Content:
    cursor = Cursor(content, "frame")
    author = utf8(cursor.take(frame.author_count), "author")
    return Content(author, _read_metadata(cursor.take(frame.metadata_count)), cursor.take(frame.payload_count))


def _check_frame(frame: Frame) -> None:
    require(frame.author_count <= AUTHOR_LIMIT, "frame: an author that is too long")
    require(frame.metadata_count <= METADATA_LIMIT, "frame: metadata that are too long")
    require(frame.payload_count <= PAYLOAD_LIMIT, "frame: a payload that is too long")
    require(frame.byte_count <= FRAME_LIMIT, "frame: too long")
    require(frame.byte_count == (frame.sealed_end + 4 + 7) // 8 * 8, "frame: another length than its contents have")
    require(max(frame.epoch, frame.version, frame.version_before) <= NUMBER_LIMIT, "frame: a number above the limit")
    if frame.kind == Kind.PROOF:
        versions = {frame.version, frame.version_before, frame.durable_through}
        is_bare = frame.part == 0 and frame.is_last and frame.content_end == FRAME_HEADER_BYTE_COUNT
        require(len(versions) == 1 and is_bare, "frame: a proof that says something else")
    else:
        require(frame.version_before < frame.version, "frame: a version that does not ascend")
        require(frame.durable_through < frame.version, "frame: durable before it is written")
        has_author = frame.author_count + frame.metadata_count > 0
        require(frame.part == 0 or not has_author, "frame: an author in a later part")


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

    def __init__(self, data: bytes, number: int, key: bytes | None) -> None:
        self.data = data
        self.number = number
        self.commits: list[Commit] = []
        self.durable_through: dict[bytes, int] = {}
        self.end = 0
        self.has_tail = False
        self.header = read_header(data, key)
        if self.header is None:
            self._scan(0, None)
            return
        self.chain_behind_header = crc32c(data[: self.header.byte_count])
        self._note(self.header.store_id, self.header.durable_through)
        self._read_commits(self.header)
        self._scan(self.end, self.header.salt)
        self.has_tail = any(data[self.end :])

    def _note(self, store_id: bytes, version: int) -> None:
        self.durable_through[store_id] = max(self.durable_through.get(store_id, 0), version)

    def _frames(self, header: SegmentHeader) -> Iterator[tuple[Frame, Content, int, int]]:
        """Frames from the front with their content, their end, and the chain value behind them."""
        offset, chain = header.byte_count, self.chain_behind_header
        tag = header.seal.check_value if header.seal else b""
        while True:
            try:
                frame = read_frame(self.data, offset, header.salt)
            except Damaged:
                return
            if frame.chain != chain or (frame.store_id, frame.epoch) != (header.store_id, header.epoch):
                return
            if frame.format_version != header.format_version:
                return
            frame_bytes = self.data[offset : offset + frame.byte_count]
            content = self._open(frame, frame_bytes, header.seal, offset, tag)
            tag = frame_bytes[frame.content_end : frame.sealed_end]
            chain = crc32c(frame_bytes, chain)
            offset += frame.byte_count
            try:
                yield frame, _read_content(frame, content), offset, chain
            except Damaged:
                return

    def _open(self, frame: Frame, frame_bytes: bytes, seal: Seal | None, offset: int, tag: bytes) -> bytes:
        """The content of a frame whose checksums are right, so that a crash did not leave it: a wrong seal raises."""
        require(frame.is_sealed == (seal is not None), f"segment {self.number}: a frame that is sealed, or not")
        stored = frame_bytes[FRAME_HEADER_BYTE_COUNT : frame.sealed_end]
        return seal.open(stored, offset, tag + frame_bytes[:FRAME_HEADER_BYTE_COUNT]) if seal else stored

    def _read_commits(self, header: SegmentHeader) -> None:
        self.end = header.byte_count
        reached = header.version_before
        parts: list[tuple[Frame, Content]] = []
        for frame, content, end, chain in self._frames(header):
            if frame.kind == Kind.PROOF:
                if parts or frame.version != reached:
                    return
                self._note(frame.store_id, frame.durable_through)
                self.end = end
                continue
            is_next = frame.part == len(parts) and frame.version_before == reached
            if not is_next or any((part.kind, part.version) != (frame.kind, frame.version) for part, _ in parts):
                return
            self._note(frame.store_id, frame.durable_through)
            parts.append((frame, content))
            if frame.is_last:
                first = parts[0][1]
                payload = b"".join(content.payload for _, content in parts)
                note = first.author, first.metadata
                has_old_values = frame.format_version >= 2 and frame.kind == Kind.COMMIT
                self.commits.append(
                    Commit(frame.kind, frame.version, reached, *note, payload, chain, has_old_values)
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

"""Section 10: what is sealed in encrypted files."""

import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .damaged import Damaged, require

TAG_BYTE_COUNT = 16
KEY_BYTE_COUNT = 64
HEADER_BYTE_COUNT = 112
_START_BYTE_COUNT = 92


class Seal:
    """Opens what is sealed in one file."""

    def __init__(self, header: bytes, salt: bytes, key: bytes) -> None:
        """Raises `Damaged` unless the header, of 112 bytes, was made with the key."""
        require(len(key) == KEY_BYTE_COUNT, f"a key of {len(key)} bytes")
        self.start = header[:_START_BYTE_COUNT]
        self.check_value = header[96:HEADER_BYTE_COUNT]
        self._cipher = AESGCM(_derive(key, salt, b"firn seal 1"))
        digest = hmac.digest(_derive(key, salt, b"firn check 1"), self.start, hashlib.sha256)
        require(hmac.compare_digest(digest[:16], self.check_value), "header: another key, or a forged header")

    def open(self, sealed: bytes, place: int, more: bytes = b"") -> bytes:
        """The plaintext of ciphertext and tag at a place of the file."""
        nonce = place.to_bytes(8, "little") + bytes(4)
        try:
            return self._cipher.decrypt(nonce, sealed, self.start + nonce + more)
        except (InvalidTag, ValueError) as error:
            raise Damaged(f"the seal at {place} is broken") from error


def _derive(key: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(key)


def read_seal(data: bytes, flags: int, byte_count: int, salt: bytes, key: bytes | None) -> Seal | None:
    """The seal of a file whose header has these fields; None of a plain one. All files of a store are sealed, or none."""
    is_encrypted = flags == 1
    require(flags <= 1 and byte_count == (HEADER_BYTE_COUNT if is_encrypted else 96), "header: flags or byte count")
    require(len(data) >= byte_count, "header: cut short")
    if key is None:
        require(not is_encrypted, "the file is encrypted, and no key is given")
        return None
    require(is_encrypted, "the file is plain, and a key is given")
    return Seal(data[:HEADER_BYTE_COUNT], salt, key)

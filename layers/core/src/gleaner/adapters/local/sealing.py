"""Seal what is secret on this machine, with a key of the data folder that only its owner reads (AC-4)."""

import os
from pathlib import Path
from typing import Any

from gleaner.contracts.errors import InvalidSettings, NotFound


class KeyFileSealer:
    """Encrypts with Fernet (AES-128-CBC and HMAC-SHA256); the key is made at the first use."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def seal(self, body: bytes) -> bytes:
        """Give the bytes, encrypted."""
        return self._fernet().encrypt(body)

    def open(self, body: bytes) -> bytes:
        """Give what was sealed; NotFound where the key is another one."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet().decrypt(body)
        except InvalidToken:
            raise NotFound(f"the session was sealed with another key than that of {self._path}: log in again") from None

    def _fernet(self) -> Any:
        try:
            from cryptography.fernet import Fernet
        except ImportError:
            raise InvalidSettings("sessions need cryptography: pip install 'gleaner-extract[browser]'") from None
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_name(f".{self._path.name}.{os.urandom(8).hex()}")
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(Fernet.generate_key())
            try:
                os.link(part, self._path)  # two that begin at once have one key: the first's
            except FileExistsError:
                pass
            finally:
                part.unlink()
        return Fernet(self._path.read_bytes())


class Unsealed:
    """Seals nothing: the bucket's own encryption does."""

    def seal(self, body: bytes) -> bytes:
        """Give the bytes as they are."""
        return body

    def open(self, body: bytes) -> bytes:
        """Give the bytes as they are."""
        return body

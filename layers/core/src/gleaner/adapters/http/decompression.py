"""Decompress HTTP bodies piece by piece, so that a bomb is noticed early (SS-2)."""

import zlib
from collections.abc import Iterator

from gleaner.contracts.errors import UnsupportedContent

ACCEPT_ENCODING = "gzip, deflate"
MAX_CODINGS = 2
STEP = 65_536
"""Bytes that one step may unpack to."""

_GZIP = 16 + zlib.MAX_WBITS
_GZIP_MAGIC = b"\x1f\x8b"
_PLAIN_NAMES = ("", "identity", "none")


class Unpacker:
    """One ``gzip`` or ``deflate`` layer. Bytes that are not packed, whatever the header says, pass as they are."""

    def __init__(self, coding: str) -> None:
        self._is_gzip = coding in ("gzip", "x-gzip")
        self._stream = None
        self._is_plain = False
        self._begin = b""

    def unpack(self, data: bytes) -> Iterator[bytes]:
        """Give what the bytes unpack to, in pieces of at most STEP bytes; UnsupportedContent when damaged."""
        if self._is_plain:
            yield data
            return
        if self._stream is None:
            self._begin += data
            if len(self._begin) < 2:
                return
            data, self._begin = self._begin, b""
            window = self._window_of(data)
            if window is None:
                self._is_plain = True
                yield data
                return
            self._stream = zlib.decompressobj(window)
        yield from self._steps(data)

    def _window_of(self, data: bytes) -> int | None:
        """Give zlib's ``wbits`` for a stream that begins so; None for bytes that are not packed."""
        if data.startswith(_GZIP_MAGIC):
            return _GZIP
        if self._is_gzip:
            return None
        # "deflate" is zlib by RFC 9110, and bare deflate by some servers; the zlib header has a check sum.
        has_zlib_header = data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
        return zlib.MAX_WBITS if has_zlib_header else -zlib.MAX_WBITS

    def _steps(self, data: bytes) -> Iterator[bytes]:
        while data and self._stream is not None:
            try:
                piece = self._stream.decompress(data, STEP)
            except zlib.error as error:
                raise UnsupportedContent(f"the answer's compression is damaged: {error}") from None
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                data = self._stream.unused_data
                if not data.startswith(_GZIP_MAGIC):
                    data = b""  # browsers ignore what follows the stream, too
                else:
                    self._stream = zlib.decompressobj(_GZIP)
            if piece:
                yield piece

    def finish(self) -> bytes:
        """Give what is left at the end of the body; UnsupportedContent when the stream broke off."""
        if self._stream is not None and not self._stream.eof:
            raise UnsupportedContent("the compressed answer ended early")
        return self._begin


class Decoder:
    """All content codings of one answer, as its ``Content-Encoding`` names them (RFC 9110, section 8.4)."""

    def __init__(self, content_encoding: str) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")]
        names = [name for name in names if name not in _PLAIN_NAMES]
        unknown = [name for name in names if name not in ("gzip", "x-gzip", "deflate")]
        if unknown or len(names) > MAX_CODINGS:
            raise UnsupportedContent(
                f"the answer is compressed as {content_encoding!r}; only gzip and deflate are supported"
            )
        self._layers = [Unpacker(name) for name in reversed(names)]

    @property
    def is_packed(self) -> bool:
        """Tell whether the body can be larger than what comes over the wire."""
        return bool(self._layers)

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Give what the bytes unpack to, in small pieces."""
        return _through(self._layers, data)

    def finish(self) -> bytes:
        """Give what the layers still hold; UnsupportedContent when one of them broke off."""
        left = b""
        for layer in self._layers:
            left = b"".join(layer.unpack(left)) + layer.finish()
        return left


def _through(layers: list[Unpacker], data: bytes) -> Iterator[bytes]:
    if not layers:
        yield data
        return
    for piece in layers[0].unpack(data):
        yield from _through(layers[1:], piece)

"""The client's side of SOCKS5: what to send, and how much to read before what comes next (RFC 1928, RFC 1929)."""

import ipaddress
from collections.abc import Generator

VERSION, NO_PASSWORD, PASSWORD, CONNECT = 5, 0, 2, 1
REFUSALS = {
    1: "it failed", 2: "its rules do not allow it", 3: "the network is unreachable", 4: "the host is unreachable",
    5: "the connection was refused", 6: "it took too long", 7: "it can't connect", 8: "it does not know such addresses",
}  # fmt: skip
"""What the codes of a reply say (RFC 1928, section 6)."""


class SocksRefusal(Exception):
    """The server does not speak SOCKS5, wants other credentials, or does not connect; the text says which."""


def handshake(address: str, port: int, credentials: str) -> Generator[tuple[bytes, int], bytes, None]:
    """Give, again and again, bytes to send and how many to read, which are sent in; SocksRefusal when it fails.

    ``address`` is an IP address: a name is never handed over. ``credentials`` are ``user:password``, or "".
    """
    method = PASSWORD if credentials else NO_PASSWORD
    version, chosen = yield bytes([VERSION, 1, method]), 2
    if version != VERSION:
        raise SocksRefusal("it does not speak SOCKS5")
    if chosen != method:
        raise SocksRefusal("it takes no credentials" if credentials else "it asks for credentials")
    if credentials:
        user, _, password = (part.encode("utf-8")[:255] for part in credentials.partition(":"))
        _, failed = yield bytes([1, len(user)]) + user + bytes([len(password)]) + password, 2
        if failed:
            raise SocksRefusal("its credentials are not right")
    packed = ipaddress.ip_address(address).packed
    target = bytes([1 if len(packed) == 4 else 4]) + packed + port.to_bytes(2, "big")
    version, code, _, kind = yield bytes([VERSION, CONNECT, 0]) + target, 4
    if version != VERSION or code:
        raise SocksRefusal(REFUSALS.get(code, "it failed"))
    size = {1: 4, 4: 16}.get(kind) or (yield b"", 1)[0]
    yield b"", size + 2  # where the proxy connects from, which nobody needs

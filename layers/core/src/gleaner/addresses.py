"""Check which addresses a URL may lead to (SS-1), and pin a host to the checked ones.

Every way out of Gleaner asks here first: plain HTTP on each redirect, and the browser's proxy on each connection.
Who connects dials ``ResolvedUrl.addresses`` and never asks DNS again, so a name can't change its answer in between.
"""

import ipaddress
import re
import socket
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias
from urllib.parse import quote

from gleaner.contracts.errors import BlockedAddress, InvalidSettings, UnreachableHost
from gleaner.contracts.settings import Settings, load_settings, without_credentials

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
IpNetwork: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""Gives the addresses of a host name; UnreachableHost when it has none."""

DEFAULT_PORTS = {"http": 80, "https": 443}
RESOLVE_TIMEOUT_S = 10.0
MAX_URL_LENGTH = 16_384

INTERNAL_NAMES = ("localhost", "local", "internal", "home.arpa", "localdomain", "ip6-localhost", "ip6-loopback")
"""Names refused together with all names below them (RFC 6761, 6762, 8375; ``metadata.google.internal``)."""

# The registries of special-purpose addresses (RFC 6890 and its updates), and what is known to be a metadata service.
REFUSED_NETWORKS: tuple[tuple[IpNetwork, str], ...] = tuple(
    (ipaddress.ip_network(network), reason)
    for network, reason in (
        ("169.254.169.254/32", "a cloud metadata service"),
        ("168.63.129.16/32", "a cloud metadata service"),
        ("100.100.100.200/32", "a cloud metadata service"),
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared address space"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "for documentation"),
        ("192.88.99.0/24", "a 6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "for benchmarks"),
        ("198.51.100.0/24", "for documentation"),
        ("203.0.113.0/24", "for documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
        ("fd00:ec2::254/128", "a cloud metadata service"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "IPv4 inside IPv6"),
        ("::/96", "IPv4 inside IPv6"),
        ("64:ff9b::/96", "IPv4 inside IPv6 (NAT64)"),
        ("64:ff9b:1::/48", "IPv4 inside IPv6 (NAT64)"),
        ("2001::/32", "IPv4 inside IPv6 (Teredo)"),
        ("2002::/16", "IPv4 inside IPv6 (6to4)"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "for documentation"),
        ("3ffe::/16", "reserved"),
        ("3fff::/20", "for documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
GLOBAL_UNICAST_V6 = ipaddress.IPv6Network("2000::/3")
ISATAP_MARKS = (0x00005EFE, 0x02005EFE)
"""Bits 32-63 of an ISATAP address, which ends in an IPv4 address (RFC 5214)."""

# The WHATWG fetch standard's bad ports: a browser opens none of them, since other protocols would read the request.
BAD_PORTS = frozenset(
    (
        0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
        109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526,
        530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045,
        4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    )
)  # fmt: skip

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#\\]*)(.*)", re.DOTALL)
_AUTHORITY = re.compile(r"(?:\[([^\[\]]*)\]|([^:\[\]]*))(?::([0-9]{0,5}))?")
_HOST_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PATH_ALONE = re.compile(r"([^?#]*)(.*)", re.DOTALL)
_DOT_SEGMENT = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_UNSAFE_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_KEPT_CHARACTERS = "!#$%&'()*+,-./:;=?@[]_~"


@dataclass(frozen=True, slots=True)
class ResolvedUrl:
    """A URL that may be fetched, with the addresses that were checked for it.

    ``host`` is lower-case ASCII without brackets, ``port`` is always given, ``addresses`` are in the order of the
    resolver. ``is_allowed_exception`` tells that the allow list named this host and port, so the addresses may be
    internal.
    """

    url: str
    scheme: str
    host: str
    port: int
    addresses: tuple[str, ...]
    is_allowed_exception: bool = False

    @property
    def authority(self) -> str:
        """The value of the Host header: the port only when it is not the scheme's own."""
        return format_authority(self.scheme, self.host, self.port)

    @property
    def request_target(self) -> str:
        """Path and query, as a request line carries them (RFC 9112, section 3.2.1)."""
        return self.url.partition("://")[2].removeprefix(self.authority).partition("#")[0]


@dataclass(frozen=True)
class HostList:
    """Hosts, ``*.suffixes``, addresses and networks that a setting lists, spelled as those of checked URLs are."""

    names: tuple[str, ...]
    networks: tuple[IpNetwork, ...]

    @classmethod
    @lru_cache(maxsize=64)
    def read(cls, setting: str, entries: tuple[str, ...]) -> "HostList":
        """Read the entries; InvalidSettings names one that could never match.

        >>> HostList.read("block_hosts", ("*.Bücher.example", "10.1.2.3/8"))
        HostList(names=('*.xn--bcher-kva.example',), networks=(IPv4Network('10.0.0.0/8'),))
        """
        names: list[str] = []
        networks: list[IpNetwork] = []
        for entry in (entry.strip().lower().strip("[]").rstrip(".") for entry in entries):
            try:
                networks.append(ipaddress.ip_network(entry, strict=False))
            except ValueError:
                names.append(_listed_name(setting, entry))
        return cls(tuple(names), tuple(networks))

    def names_host(self, host: str) -> bool:
        """Tell whether a name or suffix of the list is the host's, or that of one above it."""
        return any(_covers(pattern, host) for pattern in self.names)

    def holds(self, address: str) -> bool:
        """Tell whether the address is on the list, or in a network of it."""
        parsed = _as_address(address)
        return parsed is not None and any(parsed in network for network in self.networks)


@dataclass(frozen=True)
class Policy:
    """What an installation allows and refuses besides the rules.

    ``allow`` holds host:port pairs; each names that host, spelled so, and that port only. ``block`` holds host names
    (with all names below), ``*.suffixes`` (only the names below), addresses and networks; it wins over ``allow``.
    InvalidSettings names an entry that is none of these.
    """

    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.allowed_pairs()
        self.blocked()

    @classmethod
    def from_settings(cls, settings: Settings) -> "Policy":
        """Give the policy of ``allow_hosts`` and ``block_hosts``."""
        return cls(tuple(settings.allow_hosts), tuple(settings.block_hosts))

    def allows(self, host: str, port: int) -> bool:
        """Tell whether the pair is on the allow list."""
        return (host, port) in self.allowed_pairs()

    def allowed_pairs(self) -> frozenset[tuple[str, int]]:
        """Give the allow list, parsed."""
        return _parse_pairs(self.allow)

    def blocked(self) -> HostList:
        """Give the block list, parsed."""
        return HostList.read("block_hosts", self.block)


@lru_cache(maxsize=64)
def _parse_pairs(entries: tuple[str, ...]) -> frozenset[tuple[str, int]]:
    return frozenset(_parse_pair(entry) for entry in entries)


def _parse_pair(entry: str) -> tuple[str, int]:
    try:
        host, port = _split_authority(entry.strip())
    except BlockedAddress as error:
        raise InvalidSettings(f"allow_hosts: {entry!r} is not a host of a URL: {error}") from None
    if not port:
        raise InvalidSettings(f"allow_hosts: {entry!r} is not a host:port pair, such as 127.0.0.1:8000 or [::1]:8000")
    return host, port


def _listed_name(setting: str, entry: str) -> str:
    mark = "*." if entry.startswith("*.") else ""
    try:
        name = _plain_host(entry.removeprefix(mark))
        if not mark or _as_address(name) is None:
            return mark + name
        reason = "no name stands below an address"
    except BlockedAddress as error:
        reason = str(error)
    raise InvalidSettings(
        f"{setting}: {entry!r} is not a host, *.suffix, address or network such as 10.0.0.0/8: {reason}"
    )


def _covers(pattern: str, host: str) -> bool:
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return host == pattern or host.endswith("." + pattern)


def check_url(url: str, *, resolve: Resolve | None = None, policy: Policy | None = None) -> ResolvedUrl:
    """Give the URL with its checked addresses, or raise BlockedAddress (SS-1).

    The host is resolved once, by ``resolve`` (default: the system's resolver), and every answer must be a global
    address, else the host is refused. ``policy`` defaults to that of the settings in force. UnreachableHost when the
    name has no address.

    >>> check_url("HTTP://93.184.215.14:80/a?b#c", policy=Policy()).url
    'http://93.184.215.14/a?b#c'
    >>> check_url("http://127.1/", policy=Policy())
    Traceback (most recent call last):
    gleaner.contracts.errors.BlockedAddress: http://127.1/ is refused: 127.1 is an unusual spelling of 127.0.0.1; write the address plainly
    """  # noqa: E501
    scheme, host, port, rest = split_url(url)
    rules = Policy.from_settings(load_settings()) if policy is None else policy
    try:
        allowed = _check_host(host, port, rules)
        literal = _as_address(host)
        addresses = (str(literal),) if literal else tuple((resolve or resolve_host)(host, port))
        _check_addresses(host, addresses, rules, allowed)
    except BlockedAddress as error:
        raise BlockedAddress(f"{_shown(url)} is refused: {error}") from None
    normalized = f"{scheme}://{format_authority(scheme, host, port)}{rest}"
    return ResolvedUrl(normalized, scheme, host, port, addresses, allowed)


def split_url(url: str) -> tuple[str, str, int, str]:
    """Give scheme, host, port and the rest (path, query, fragment) of an http(s) URL, all normalised.

    BlockedAddress for everything that different URL parsers read differently: userinfo, backslashes, control
    characters, percent signs in the host, zone ids, odd spellings of IPv4 addresses, a trailing dot.

    >>> split_url("https://Example.COM")
    ('https', 'example.com', 443, '/')
    """
    try:
        scheme, authority, rest = _split_parts(url)
        host, port = _split_authority(authority)
    except BlockedAddress as error:
        raise BlockedAddress(f"{_shown(url)} is refused: {error}") from None
    path = without_dot_segments(rest if rest.startswith("/") else "/" + rest)
    return scheme, host, DEFAULT_PORTS[scheme] if port is None else port, quote(path, safe=_KEPT_CHARACTERS)


def without_dot_segments(path: str) -> str:
    """Give a path, with its query and fragment, as browsers ask for it: "." and ".." are gone (WHATWG URL, RFC 3986).

    >>> without_dot_segments("/open/../private/./x?a=../b"), without_dot_segments("/a/%2E%2e/%2e%2E/b/..")
    ('/private/x?a=../b', '/')
    """
    plain, rest = _PATH_ALONE.findall(path)[0]
    if not _DOT_SEGMENT.search(plain):
        return path
    kept: list[str] = []
    is_gone = False
    for segment in plain.split("/"):
        dots = segment.lower().replace("%2e", ".")
        is_gone = dots in (".", "..")
        if dots == ".." and len(kept) > 1:
            kept.pop()
        elif not is_gone:
            kept.append(segment)
    return "/".join([*kept, ""] if is_gone else kept) + rest


def _split_parts(url: str) -> tuple[str, str, str]:
    if len(url) > MAX_URL_LENGTH:
        raise BlockedAddress(f"it is longer than {MAX_URL_LENGTH} characters")
    if _UNSAFE_CHARACTERS.search(url):
        raise BlockedAddress("it has control characters in it")
    match = _URL.fullmatch(url)
    if not match:
        raise BlockedAddress("it is not an absolute URL; write it as https://host/path")
    scheme, authority, rest = match[1].lower(), match[2], match[3]
    if scheme not in DEFAULT_PORTS:
        raise BlockedAddress(f"the scheme is {scheme[:80]}, only http and https are fetched")
    if rest.startswith("\\"):
        raise BlockedAddress("it has a backslash where the path begins")
    return scheme, authority, rest


def _split_authority(authority: str) -> tuple[str, int | None]:
    if "@" in authority:
        raise BlockedAddress("it has a user name in front of the host")
    match = _AUTHORITY.fullmatch(authority)
    if not match:
        raise BlockedAddress(f"{authority[:80]!r} is not a host, or host and port")
    port = int(match[3]) if match[3] else None
    if port is not None and port > 65_535:
        raise BlockedAddress(f"port {port} is out of range")
    return _plain_v6(match[1]) if match[1] is not None else _plain_host(match[2]), port


def _plain_v6(text: str) -> str:
    if "%" in text:
        raise BlockedAddress(f"[{text[:80]}] has a zone id")
    try:
        return str(ipaddress.IPv6Address(text))
    except ValueError:
        raise BlockedAddress(f"[{text[:80]}] is not an IPv6 address") from None


def _plain_host(text: str) -> str:
    host = ascii_host(text)
    if host.endswith("."):
        raise BlockedAddress(f"{host} ends with a dot")
    if len(host) > 253 or not _HOST_NAME.fullmatch(host):
        raise BlockedAddress(f"{text[:80]!r} is not a host name")
    if _NUMBER_LABEL.fullmatch(host.rpartition(".")[2]) and (_as_address(host) is None or host != text):
        # WHATWG: a host whose last label is a number is an IPv4 address, however it is spelled.
        raise BlockedAddress(f"{text} is an unusual spelling{_meaning(host)}; write the address plainly")
    return host


def ascii_host(text: str) -> str:
    """Give a host's name as it is asked for (IDNA 2008, UTS 46), in small letters; BlockedAddress when it is none.

    >>> ascii_host("Bücher.example"), ascii_host("straße.example")
    ('xn--bcher-kva.example', 'xn--strae-oqa.example')
    """
    if text.isascii():
        return text.lower()
    if any(unicodedata.category(character)[0] in "CZ" for character in text):
        raise BlockedAddress(f"{text[:80]!r} has invisible characters in it")
    import idna  # 20 ms of tables, for the few hosts that need them

    try:
        return idna.encode(text, uts46=True, std3_rules=False).decode("ascii").lower()
    except UnicodeError:
        raise BlockedAddress(f"{text[:80]!r} is not a host name") from None


def _meaning(host: str) -> str:
    try:
        return f" of {socket.inet_ntoa(socket.inet_aton(host))}"
    except OSError:
        return ", and not an IPv4 address"


def _as_address(host: str) -> IpAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _check_host(host: str, port: int, policy: Policy) -> bool:
    if policy.blocked().names_host(host):
        raise BlockedAddress(f"{host} is on the block list")
    if policy.allows(host, port):
        return True
    if port in BAD_PORTS:
        raise BlockedAddress(f"port {port} belongs to a protocol other than HTTP")
    if any(_covers(name, host) for name in INTERNAL_NAMES):
        raise BlockedAddress(f"{host} is a name for internal use")
    return False


def _check_addresses(host: str, addresses: Sequence[str], policy: Policy, allowed: bool) -> None:
    if not addresses:
        raise UnreachableHost(f"{host} has no address")
    for address in addresses:
        reason = block_reason(address, policy) or (None if allowed else refusal(address))
        if reason:
            is_itself = address == host
            raise BlockedAddress(
                f"{host} is {reason}" if is_itself else f"{host} leads to {address}, which is {reason}"
            )


def block_reason(address: str, policy: Policy) -> str | None:
    """Say that the block list holds the address, or give None."""
    return "on the block list" if policy.blocked().holds(address) else None


def refusal(address: str) -> str | None:
    """Say why an address is not global, or give None for one that may be reached.

    >>> refusal("10.1.2.3"), refusal("::ffff:8.8.8.8"), refusal("8.8.8.8")
    ('private', 'IPv4 inside IPv6', None)
    """
    parsed = _as_address(address)
    if parsed is None or "%" in address:
        return "not a plain IP address"
    for network, reason in REFUSED_NETWORKS:
        if parsed in network:
            return reason
    if isinstance(parsed, ipaddress.IPv4Address):
        return None
    if parsed not in GLOBAL_UNICAST_V6:
        return "reserved"
    return "IPv4 inside IPv6 (ISATAP)" if (int(parsed) >> 32) & 0xFFFFFFFF in ISATAP_MARKS else None


def format_authority(scheme: str, host: str, port: int) -> str:
    """Give host and port as URLs and Host headers carry them.

    >>> format_authority("http", "2606:4700::1111", 8080)
    '[2606:4700::1111]:8080'
    """
    shown = f"[{host}]" if ":" in host else host
    return shown if port == DEFAULT_PORTS.get(scheme) else f"{shown}:{port}"


def resolve_host(host: str, port: int, timeout_s: float = RESOLVE_TIMEOUT_S) -> tuple[str, ...]:
    """Ask the system's resolver for the addresses of a host; UnreachableHost when it has none in time."""
    answers: list[str] = []
    failures: list[str] = []

    def ask() -> None:
        try:
            found: list[Any] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.extend(dict.fromkeys(str(entry[4][0]) for entry in found))
        except (OSError, UnicodeError) as error:
            failures.append(getattr(error, "strerror", None) or str(error))

    asking = threading.Thread(target=ask, name="resolve-host", daemon=True)  # the call itself takes no timeout
    asking.start()
    asking.join(timeout_s)
    if asking.is_alive():
        raise UnreachableHost(f"{host} was not resolved within {timeout_s:g} s")
    if not answers:
        raise UnreachableHost(f"{host} has no address: {''.join(failures) or 'the resolver gave none'}")
    return tuple(answers)


def _shown(url: str) -> str:
    url = without_credentials(url)
    return url if len(url) <= 200 and url.isprintable() else repr(url[:200])

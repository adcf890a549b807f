"""The upstream proxy of the installation's network (seed 004, ``proxy-*``)."""

import base64
from dataclasses import dataclass
from urllib.parse import urlsplit

from gleaner.addresses import HostList, format_authority
from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.settings import Settings, shown_address


@dataclass(frozen=True, slots=True)
class UpstreamProxy:
    """A proxy that connections are made through, after the check. It gets the checked address, not the name.

    So it can't be sent to another address by its own DNS; a proxy that filters by name can't do so here.
    """

    host: str
    port: int
    credentials: str = ""
    bypass: HostList | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> "UpstreamProxy | None":
        """Give the proxy of ``browser_proxy_server``, None when not set; InvalidSettings when it is no HTTP proxy."""
        browser = settings.browser
        if not browser.proxy_server:
            return None
        server = browser.proxy_server if "://" in browser.proxy_server else f"http://{browser.proxy_server}"
        try:
            parts = urlsplit(server)
            port = parts.port or 80
        except ValueError:  # whose message may repeat the password
            shown = shown_address(browser.proxy_server)
            raise InvalidSettings(f"proxy_server: {shown!r} is not an HTTP proxy such as http://host:8080") from None
        if parts.scheme != "http" or not parts.hostname:
            shown = shown_address(browser.proxy_server)
            raise InvalidSettings(f"proxy_server: {shown!r} is not an HTTP proxy such as http://host:8080")
        user = browser.proxy_username or parts.username or ""
        credentials = f"{user}:{browser.proxy_password or parts.password or ''}" if user else ""
        return cls(parts.hostname, port, credentials, bypass_of(browser.proxy_bypass or ""))

    def serves(self, host: str) -> bool:
        """Tell whether connections to the host go through this proxy."""
        return self.bypass is None or not (self.bypass.names_host(host) or self.bypass.holds(host))

    def connect_message(self, address: str, port: int) -> bytes:
        """Give the CONNECT request for a checked address."""
        authority = format_authority("", address, port)
        lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}"]
        if self.credentials:
            lines.append(f"Proxy-Authorization: {basic(self.credentials)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def bypass_of(listed: str) -> HostList:
    """Read ``proxy_bypass``; ".near.example" is "*.near.example", as Chromium has it.

    >>> bypass_of("direct.example, .Near.example").names
    ('direct.example', '*.near.example')
    """
    entries = (part.strip() for part in listed.split(",") if part.strip())
    return HostList.read("proxy_bypass", tuple(f"*{one}" if one.startswith(".") else one for one in entries))


def basic(credentials: str) -> str:
    """Give the value of an authorization header for ``user:password`` (RFC 7617)."""
    return "Basic " + base64.b64encode(credentials.encode("utf-8")).decode("ascii")

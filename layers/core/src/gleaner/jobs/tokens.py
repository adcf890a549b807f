"""Bearer tokens: each for one tenant, with a rate; only their hashes are stored (AU-1).

``TOKEN#sha256`` is what a caller's token is looked up by; ``TOKENS / tenant#id`` lists them for the operator;
``RATE#tenant / minute`` counts a tenant's requests.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest, NotFound, RateLimited, Unauthorized
from gleaner.contracts.items import every_item
from gleaner.contracts.ports import Item, JsonObject, TableStore
from gleaner.jobs.jobs import NAME

PREFIX = "gl_"
MINUTE_S = 60
COUNTS_KEPT_S = 600
"""How long a minute's count stays in the table, beyond what clocks may differ."""
DEFAULT_RATE = 600


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is calling: a tenant, by which of its tokens, and how many requests a minute it may make."""

    tenant: str
    token_id: str
    rate_per_minute: int


class Tokens:
    """The tokens of one installation."""

    def __init__(self, table: TableStore, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._clock = clock

    def create(self, tenant: str, *, rate_per_minute: int = DEFAULT_RATE, note: str = "") -> tuple[str, str]:
        """Make a token and give its id and the token itself, which is shown this once and stored nowhere."""
        if not NAME.fullmatch(tenant):
            raise InvalidRequest(f"tenant {tenant!r} is not a valid name: use letters, digits, _ and -, at most 80")
        if rate_per_minute < 1:
            raise InvalidRequest(f"rate_per_minute is {rate_per_minute}; it must be at least 1")
        token, token_id = PREFIX + secrets.token_urlsafe(32), secrets.token_hex(6)
        data: JsonObject = {
            "id": token_id,
            "tenant": tenant,
            "rate_per_minute": rate_per_minute,
            "note": note,
            "created_at": self._clock(),
        }
        digest = hash_token(token)
        self._table.put(Item(f"TOKEN#{digest}", "TOKEN", data), if_version=0)
        self._table.put(Item("TOKENS", f"{tenant}#{token_id}", {**data, "sha256": digest}), if_version=0)
        return token_id, token

    def verify(self, authorization: str | None) -> Principal:
        """Give who the Authorization header's token belongs to; Unauthorized when it is missing, unknown or revoked."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Unauthorized("a bearer token is required: Authorization: Bearer gl_…")
        item = self._table.get(f"TOKEN#{hash_token(token.strip())}", "TOKEN")
        if item is None:
            raise Unauthorized("the bearer token is unknown or was revoked")
        rate = item.data.get("rate_per_minute")
        limit = rate if isinstance(rate, int) else DEFAULT_RATE
        return Principal(str(item.data["tenant"]), str(item.data["id"]), limit)

    def admit(self, principal: Principal) -> None:
        """Count one request; RateLimited when the tenant has made too many this minute."""
        minute = int(self._clock() // MINUTE_S)
        key = (f"RATE#{principal.tenant}", f"{minute:012}#{principal.token_id}")
        over = int(time.time()) + COUNTS_KEPT_S
        if self._table.add(*key, {"n": 1}, ceilings={"n": principal.rate_per_minute}, ttl=over) is None:
            left = MINUTE_S - self._clock() % MINUTE_S
            raise RateLimited(f"more than {principal.rate_per_minute} requests per minute; wait {left:.0f} s", left)

    def list(self) -> list[JsonObject]:
        """Give all tokens: id, tenant, rate, note and time, never the token."""
        return [{name: value for name, value in item.data.items() if name != "sha256"} for item in self._all()]

    def revoke(self, token_id: str) -> None:
        """Make a token invalid at once; NotFound when there is none of that id."""
        item = next((item for item in self._all() if item.data.get("id") == token_id), None)
        if item is None:
            raise NotFound(f"there is no token {token_id}; `gleaner tokens list` shows them")
        self._table.delete(f"TOKEN#{item.data['sha256']}", "TOKEN")
        self._table.delete(item.pk, item.sk)

    def _all(self) -> Iterator[Item]:
        return every_item(lambda after: self._table.query("TOKENS", after=after))


def hash_token(token: str) -> str:
    """Give what a token is stored as: its SHA-256. It has 256 random bits, so it needs no salt."""
    return digest_of(token)

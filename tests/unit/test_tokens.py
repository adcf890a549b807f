"""Tokens: for one tenant each, hashed, revocable, and counted."""

import pytest
from gleaner.contracts.errors import InvalidRequest, NotFound, RateLimited, Unauthorized
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.jobs.tokens import Tokens, hash_token

NOON = 1_000_000 * 60.0


@pytest.mark.req("AU-1")
def test_a_token_says_which_tenant_calls() -> None:
    tokens = Tokens(MemoryTable())
    _, token = tokens.create("acme")
    assert tokens.verify(f"Bearer {token}").tenant == "acme"
    assert tokens.verify(f"bearer {token} ").tenant == "acme"


@pytest.mark.req("AU-1")
@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic TOKEN", "TOKEN", "Bearer gl_wrong"])
def test_no_token_or_a_wrong_one_is_refused(header: str | None) -> None:
    tokens = Tokens(MemoryTable())
    _, token = tokens.create("acme")
    with pytest.raises(Unauthorized):
        tokens.verify(header and header.replace("TOKEN", token))


@pytest.mark.req("AU-1")
def test_a_revoked_token_is_refused_at_once() -> None:
    tokens = Tokens(MemoryTable())
    token_id, token = tokens.create("acme")
    tokens.revoke(token_id)
    with pytest.raises(Unauthorized):
        tokens.verify(f"Bearer {token}")
    with pytest.raises(NotFound, match=token_id):
        tokens.revoke(token_id)


@pytest.mark.req("AU-1")
def test_all_tokens_are_listed_and_can_be_revoked_however_many_there_are() -> None:
    tokens = Tokens(MemoryTable())
    made = dict(tokens.create("acme") for _ in range(150))
    assert {entry["id"] for entry in tokens.list()} == set(made)
    for token_id in made:
        tokens.revoke(token_id)
    assert tokens.list() == []


@pytest.mark.req("AU-1")
def test_the_token_itself_is_stored_nowhere() -> None:
    table = MemoryTable()
    tokens = Tokens(table)
    _, token = tokens.create("acme")
    assert token not in repr(vars(table))
    assert [entry["tenant"] for entry in tokens.list()] == ["acme"]
    assert token not in repr(tokens.list())
    assert hash_token(token) not in repr(tokens.list())


@pytest.mark.req("AU-1")
def test_a_token_over_its_rate_is_told_to_wait_until_the_minute_is_over() -> None:
    now = [NOON + 20]
    table = MemoryTable()
    tokens = Tokens(table, clock=lambda: now[0])
    _, token = tokens.create("acme", rate_per_minute=2)
    caller = tokens.verify(f"Bearer {token}")
    tokens.admit(caller)
    tokens.admit(caller)
    with pytest.raises(RateLimited) as refused:
        tokens.admit(caller)
    assert refused.value.retry_after == 40
    tokens.admit(tokens.verify(f"Bearer {tokens.create('umbrella', rate_per_minute=2)[1]}"))
    now[0] += 40
    tokens.admit(caller)
    assert all(item.ttl is not None for item in table.query("RATE#acme").items), "a minute's count is not kept for ever"


@pytest.mark.req("AU-1")
@pytest.mark.parametrize(("tenant", "rate"), [("", 5), ("a/b", 5), ("a" * 81, 5), ("acme", 0)])
def test_a_tenant_or_a_rate_that_can_not_be_is_refused(tenant: str, rate: int) -> None:
    with pytest.raises(InvalidRequest):
        Tokens(MemoryTable()).create(tenant, rate_per_minute=rate)

"""Strategies are kept, found by URL glob, and ranked by how well they have done."""

import threading
from pathlib import Path
from typing import Any

import pytest
from gleaner.adapters.local.sqlite import SqliteTable
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.models import ScrapeRequest
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy, matches, url_pattern_of
from gleaner.wrappers import KeptExample, RecipeBook
from hypothesis import example, given
from hypothesis import strategies as st

SCHEMA = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}


def strategy(pattern: str = "https://shop.example/p/*", **fields: object) -> ExtractionStrategy:
    return ExtractionStrategy.model_validate({"url_pattern": pattern, "output_schema": SCHEMA, **fields})


@pytest.mark.req("ST-1")
def test_a_registered_strategy_comes_back_whole() -> None:
    cache = ExtractionCache()
    made = cache.register(strategy(css_selector="div#target", query_template="all products"))
    found = cache.get(made)
    assert found is not None
    assert (found.css_selector, found.query_template, found.output_schema) == ("div#target", "all products", SCHEMA)


@pytest.mark.req("ST-1")
def test_registering_the_same_strategy_twice_keeps_one_and_its_counts() -> None:
    cache = ExtractionCache()
    first = cache.register(strategy())
    cache.record(first, success=True)
    assert cache.register(strategy()) == first
    found = cache.get(first)
    assert found is not None
    assert found.success_count == 1
    assert len(cache.list().items) == 1


@pytest.mark.req("ST-1")
@pytest.mark.parametrize(
    ("pattern", "url", "expected"),
    [
        ("https://shop.example/p/*", "https://shop.example/p/12", True),
        ("https://shop.example/p/*", "https://shop.example/p/12?x=[1]", True),
        ("https://shop.example/p/*", "https://other.example/p/12", False),
        ("https://shop.example/p/?", "https://shop.example/p/12", False),
        ("https://shop.example/a[1]", "https://shop.example/a[1]", True),
        ("https://shop.example/a[1]*", "https://shop.example/a[1]/b", True),
        ("https://shop.example/a[0-9]", "https://shop.example/a1", True),
        ("https://shop.example/a[!0-9]", "https://shop.example/a1", False),
        ("https://shop.example/a[0-9]", "https://shop.example/ab", False),
        ("https://shop.example/**/jugs", "https://shop.example/uk/sale/jugs", True),
        ("https://shop.example/p/*", "HTTPS://Shop.Example/p/12", True),
        ("HTTPS://Shop.Example/p/*", "https://shop.example/p/12", True),
        ("https://shop.example/p/*", "https://shop.example/P/12", False),
        ("https://shop.example/p/*", "https://shop.example:443/p/12", True),
        ("https://shop.example/p/*", "https://shop.example:8443/p/12", False),
        ("https://shop.example:*/p/*", "https://shop.example:8443/p/12", True),
        ("https://shop.example/p/*", "https://ada:secret@shop.example/p/12", True),
        ("https://shop.example/p/?", "https://shop.example/p/1#reviews", True),
        ("https://shop.example/app#/p/*", "https://shop.example/app#/p/12", True),
        ("https://shop.example", "https://shop.example/", True),
        ("https://shop.example/p", "https://shop.example/p/", False),
        ("https://shop.example?page=*", "https://shop.example?page=2", True),
        ("https://*.münchen.example/*", "https://laden.xn--mnchen-3ya.example/a", True),
        ("https://shop.example/café/*", "https://shop.example/caf%C3%A9/1", True),
        ("https://shop.exampl?/p/*", "https://shop.example/p/1", True),
        ("http*://shop.example/*", "http://shop.example/p/1", True),
        ("*://shop.example/*", "http://shop.example/p/1", True),
        ("*", "https://shop.example/", True),
        ("http://[::1]:8000/*", "http://[::1]:8000/p", True),
    ],
)
def test_a_glob_matches_urls(pattern: str, url: str, expected: bool) -> None:
    assert matches(pattern, url) is expected
    cache = ExtractionCache()
    made = cache.register(strategy(pattern))
    assert [item.id for item in cache.find_matching(url)] == ([made] if expected else [])


@pytest.mark.req("ST-1")
@given(st.text(), st.text())
@example("https://[a-c].example/*", "https://a.example/")
@example("https://[", "https://[/")
@example("https://shop.example/*", "https://shop.example\ud800/")
@example("?://0", "?://0")
def test_any_text_may_be_a_glob_or_a_url(pattern: str, url: str) -> None:
    cache = ExtractionCache()
    made = cache.register(strategy(pattern))
    found = [item.id for item in cache.find_matching(url)]
    assert found == ([made] if matches(pattern, url) else [])
    assert matches(url, url)


@pytest.mark.req("ST-1")
def test_a_glob_of_many_stars_takes_no_longer_than_its_length_allows() -> None:
    assert not matches("https://shop.example/" + "*a" * 2_000 + "b", "https://shop.example/" + "a" * 4_000)


@pytest.mark.req("ST-1")
def test_a_use_that_is_counted_after_the_strategy_was_deleted_does_not_bring_it_back() -> None:
    cache = ExtractionCache()
    made = cache.register(strategy())
    assert cache.delete(made)
    cache.record(made, success=True)
    assert cache.get(made) is None
    assert cache.list().items == ()


@pytest.mark.req("ST-1")
def test_uses_are_counted_by_many_writers_at_once(tmp_path: Path) -> None:
    table = SqliteTable(tmp_path / "gleaner.db")
    cache = ExtractionCache(table)
    made = cache.register(strategy())

    def use(number: int) -> None:
        for _ in range(5):
            cache.record(made, success=number % 2 == 0)
        cache.register(strategy())
        table.close()

    threads = [threading.Thread(target=use, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = cache.get(made)
    table.close()
    assert found is not None
    assert (found.success_count, found.failure_count) == (100, 100)


@pytest.mark.req("ST-1")
def test_the_rate_decides_then_the_number_of_successes_then_the_id() -> None:
    cache = ExtractionCache()
    counts = {"c": (1, 0), "b": (90, 10), "a2": (9, 1), "a1": (9, 1), "d": (300, 300), "f": (0, 0), "g": (40, 60)}
    for name, (successes, failures) in reversed(counts.items()):
        cache.register(strategy(id=name, success_count=successes, failure_count=failures))
    found = [item.id for item in cache.find_matching("https://shop.example/p/1")]
    assert found == ["c", "b", "a1", "a2", "d", "f", "g"]


@pytest.mark.req("ST-1")
@pytest.mark.parametrize(
    "other",
    [
        {"url_pattern": "https://shop.example/q/*"},
        {"css_selector": "#shop"},
        {"query_template": "all products"},
        {"output_schema": {"type": "array"}},
    ],
)
def test_strategies_that_say_something_else_are_kept_apart_whatever_the_order_of_their_schemas_keys(
    other: dict[str, Any],
) -> None:
    cache = ExtractionCache()
    made = cache.register(strategy())
    assert cache.register(strategy(output_schema=dict(reversed(SCHEMA.items())))) == made
    assert cache.register(strategy(**other)) != made


@pytest.mark.req("ST-1")
def test_strategies_are_listed_page_by_page_and_all_of_a_host_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleaner.jobs.strategies.ITEMS_AT_ONCE", 2)
    cache = ExtractionCache()
    made = {cache.register(strategy(query_template=str(number))) for number in range(5)}
    first = cache.list(limit=3)
    rest = cache.list(limit=3, after=first.next)
    assert {item.sk for item in (*first.items, *rest.items)} == made
    assert (len(first.items), rest.next) == (3, None)
    assert {one.id for one in cache.find_matching("https://shop.example/p/1")} == made


@pytest.mark.req("ST-1", "ST-2")
def test_the_strategies_that_ask_just_this_are_found_those_for_the_url_first() -> None:
    cache = ExtractionCache()
    asked = {"css_selector": "#shop", "query_template": "all"}
    elsewhere = cache.register(strategy("https://shop.example/a/*", id="a", success_count=9, **asked))
    here = cache.register(strategy(id="b", **asked))
    request = ScrapeRequest(url="https://shop.example/p/1", output_schema=SCHEMA, css_selector="#shop", query="all")
    others: list[dict[str, Any]] = [
        {"css_selector": None},
        {"query_template": None},
        {"output_schema": {}},
        {"actions": ["click: text=Reviews"]},
    ]
    for other in others:
        cache.register(strategy(**{**asked, **other}))
        assert not strategy(**{**asked, **other}).asks(request)
    found = cache.find_asking("https://shop.example/p/1", request)
    assert [one.id for one in found] == [here, elsewhere]
    assert all(one.asks(request) for one in found)


@pytest.mark.req("ST-1")
def test_a_strategy_that_is_deleted_takes_what_was_learned_with_it() -> None:
    table = MemoryTable()
    cache, book = ExtractionCache(table), RecipeBook(table)
    made = cache.register(strategy())
    book.remember(made, KeptExample("page", "https://shop.example/p/1", [{"name": "Lamp"}]))
    book.note(made, "refused", "its prices are dates")
    assert cache.delete(made)
    assert book.examples(made) == []
    assert "refused" not in book.history(made)


@pytest.mark.req("ST-1")
def test_strategies_of_another_tenant_are_not_seen() -> None:
    table = MemoryTable()
    made = ExtractionCache(table, "one").register(strategy())
    other = ExtractionCache(table, "two")
    assert other.get(made) is None
    assert other.find_matching("https://shop.example/p/1") == []
    assert not other.delete(made)


@pytest.mark.req("ST-1")
@pytest.mark.parametrize(
    "url",
    [
        "https://s.example/list?page=2",
        "https://s.example/item/4711-lamp",
        "http://s.example",
        "https://s.example/a[x]/b[]?c[0]=1",
        "https://ada:secret@S.Example:443/a*b/c#part",
        "https://münchen.example/öl",
        "http://[::1]:8000/x",
        "https://[no-address/x",
    ],
)
def test_the_pattern_made_of_a_url_matches_that_url(url: str) -> None:
    assert matches(url_pattern_of(url), url)


@pytest.mark.req("ST-1")
@given(st.text(min_size=1), st.text())
@example("/:", "")
def test_the_pattern_made_of_any_url_matches_it_and_keeps_no_password(path: str, query: str) -> None:
    url = f"https://ada:s3cret@shop.example/{path}?{query}"
    assert matches(url_pattern_of(url), url)
    assert "s3cret@" not in url_pattern_of(url)


@pytest.mark.req("ST-2")
@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://s.example/wiki/Ada_Lovelace", "https://s.example/wiki/*"),
        ("https://s.example/red-lamp/", "https://s.example/*"),
        ("https://s.example/2026/11/news", "https://s.example/*/*/*"),
        ("https://s.example/lamps", "https://s.example/lamps*"),
        ("https://s.example/view.php?id=3", "https://s.example/view.php*"),
        ("https://s.example/lamp.html", "https://s.example/*"),
    ],
)
def test_what_names_one_page_is_left_open_in_a_pattern(url: str, pattern: str) -> None:
    assert url_pattern_of(url) == pattern


@pytest.mark.req("ST-1")
def test_the_pattern_of_a_home_page_is_for_its_host_alone() -> None:
    assert not matches(url_pattern_of("http://s.example"), "http://s.example.evil.test/")


@pytest.mark.req("ST-1", "AP-1")
def test_strategies_of_a_page_are_read_page_by_page_though_some_are_deleted_meanwhile() -> None:
    cache = ExtractionCache()
    for number in range(7):
        made = cache.register(ExtractionStrategy(url_pattern="https://a.example/*", query_template=f"no. {number}"))
        for _ in range(number % 3):
            cache.record(made, success=number != 4)
    url = "https://a.example/x"
    ranked = [one.id for one in cache.find_matching(url)]
    seen: list[str] = []
    after = None
    while True:
        page = cache.list_matching(url, limit=2, after=after)
        ids = [str(item.data["id"]) for item in page.items]
        seen += ids
        cache.delete(ids[-1])
        after = page.next
        if after is None:
            break
    assert seen == ranked
    assert cache.list_matching(url, limit=4).next is None
    with pytest.raises(InvalidRequest, match="after is 'ex_1'; it must be the `next`"):
        cache.list_matching(url, after="ex_1")

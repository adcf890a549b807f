"""The default parser: blocks in page order, scores that mean something, honest caps (PA-1, PA-2)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from gleaner.parsers import ContentChunk, DefaultParser, ParsedContent
from hypothesis import given
from hypothesis import strategies as st

URL = "https://example.com/shop/tea"
PAGE = """<html lang="en"><head><title>Tea shop</title><base href="/base/">
<meta name="description" content="All about tea"><meta name="keywords" content="tea, shop"></head><body>
<header><a href="/">Home</a> <a href="/about">About us</a></header>
<nav><ul><li><a href="a">Green tea</a><li><a href="b">Black tea</a></ul></nav>
<main><h1>Tea</h1><p>Tea is a drink made from leaves. It is served hot, and it has been so for ages.</p>
<section><h2>Shipping</h2><p>We send parcels within two days. <a href="c?d#e" title="More">Read on</a></p>
<ul><li>Standard</li><li>Express <b>fast</b></li></ul></section>
<section><h2>Prices</h2><table><tr><th>Name<th>Price<tr><td>Sencha<td>9 EUR</table></section>
<pre>line one
  line two</pre></main>
<aside>Subscribe to our newsletter</aside><script>var hidden = "x"</script><p hidden>Not seen</p>
<footer>Copyright 2026</footer>
<img src="x.png" alt="Leaves" title="Tea leaves"><img src="data:image/png;base64,AAAA" data-src="lazy.png">
<video src="/v.mp4"></video><audio><source src="s.ogg"></audio></body></html>"""


def parse(html: str = PAGE, query: str | None = None, **caps: Any) -> ParsedContent:
    return DefaultParser(**caps).parse(URL, html, user_query=query)


def texts(parsed: ParsedContent) -> list[str]:
    return [chunk.text for chunk in parsed.visible_text_chunks]


@pytest.mark.req("PA-1")
def test_the_parsed_page_has_the_form_of_the_seed() -> None:
    clock = datetime(2024, 1, 15, 10, 30, tzinfo=UTC)
    result = DefaultParser(clock=lambda: clock).parse(URL, PAGE).to_dict()
    assert list(result) == [
        *("title", "visible_text_chunks", "metadata", "links", "media", "source_url", "timestamp", "parser_used"),
        "error",
    ]
    assert (result["title"], result["source_url"], result["parser_used"]) == ("Tea shop", URL, "DefaultParser")
    assert (result["timestamp"], result["error"]) == ("2024-01-15T10:30:00+00:00", None)
    chunks: Any = result["visible_text_chunks"]
    assert list(chunks[0]) == ["text", "document_score", "query_score", "section", "tag"]
    assert result["metadata"] == {
        "description": "All about tea",
        "keywords": "tea, shop",
        "language": "en",
        "estimated_word_count": 56,
        "omitted_chunks": 0,
        "omitted_characters": 0,
    }


@pytest.mark.req("PA-1")
def test_blocks_come_in_page_order_with_section_and_tag() -> None:
    found = [(chunk.text, chunk.section, chunk.tag) for chunk in parse().visible_text_chunks]
    assert found == [
        ("Home About us", "header", "header"),
        ("Green tea", "nav", "li"),
        ("Black tea", "nav", "li"),
        ("Tea", "main", "h1"),
        ("Tea is a drink made from leaves. It is served hot, and it has been so for ages.", "main", "p"),
        ("Shipping", "section", "h2"),
        ("We send parcels within two days. Read on", "section", "p"),
        ("Standard", "section", "li"),
        ("Express fast", "section", "li"),
        ("Prices", "section", "h2"),
        ("Name | Price", "section", "tr"),
        ("Sencha | 9 EUR", "section", "tr"),
        ("line one\n  line two", "main", "pre"),
        ("Subscribe to our newsletter", "aside", "aside"),
        ("Copyright 2026", "footer", "footer"),
    ]


@pytest.mark.req("PA-1")
def test_links_and_media_are_absolute() -> None:
    parsed = parse()
    assert parsed.links == [
        {"url": "https://example.com/", "text": "Home", "title": ""},
        {"url": "https://example.com/about", "text": "About us", "title": ""},
        {"url": "https://example.com/base/a", "text": "Green tea", "title": ""},
        {"url": "https://example.com/base/b", "text": "Black tea", "title": ""},
        {"url": "https://example.com/base/c?d#e", "text": "Read on", "title": "More"},
    ]
    assert parsed.media == [
        {"type": "image", "url": "https://example.com/base/x.png", "alt": "Leaves", "title": "Tea leaves"},
        {"type": "image", "url": "https://example.com/base/lazy.png", "alt": "", "title": ""},
        {"type": "video", "url": "https://example.com/v.mp4", "alt": "", "title": ""},
        {"type": "audio", "url": "https://example.com/base/s.ogg", "alt": "", "title": ""},
    ]


@pytest.mark.req("PA-1")
def test_links_that_lead_nowhere_are_left_out() -> None:
    html = (
        "<a href='javascript:x()'>a</a><a href='http://[bad'>b</a><a>c</a><a href='/ok'></a><a href='mailto:x@y'>d</a>"
    )
    assert [link["url"] for link in parse(html).links] == ["https://example.com/ok"]


@pytest.mark.req("PA-1")
def test_a_long_block_is_split_at_sentences() -> None:
    paragraph = "This is a sentence of some words. " * 50
    parsed = parse(f"<p>{paragraph}</p>", max_chunk_size=200)
    assert all(len(text) <= 200 and text.endswith(".") for text in texts(parsed))
    assert " ".join(texts(parsed)) == paragraph.strip()


@pytest.mark.req("PA-1")
def test_what_the_caps_leave_out_is_counted() -> None:
    parsed = parse("".join(f"<p>Paragraph {number}.</p>" for number in range(10, 40)), max_chunks=12)
    assert len(parsed.visible_text_chunks) == 12
    assert parsed.metadata["omitted_chunks"] == 18
    assert parsed.metadata["omitted_characters"] == 18 * len("Paragraph 10.")


@pytest.mark.req("PA-1", "PA-2")
def test_the_best_chunks_stay_in_page_order() -> None:
    html = f"<nav>{'<p>menu entry</p>' * 30}</nav><main><p>First words.</p><p>On the price of tea.</p></main>"
    assert texts(parse(html, max_chunks=2)) == ["First words.", "On the price of tea."]
    assert texts(parse(html, "tea price", max_chunks=1)) == ["On the price of tea."]


@pytest.mark.req("PA-2")
def test_no_score_is_above_one_however_much_speaks_for_a_chunk() -> None:
    line = "The price of green tea. " * 20
    html = f"<title>{line}</title><main><h1>{line}</h1><h2>{line}</h2><p>{line}</p></main>"
    chunks = parse(html, line).visible_text_chunks
    assert {chunk.tag for chunk in chunks} == {"h1", "h2", "p"}
    for chunk in chunks:
        assert 0 < chunk.document_score <= 1
        assert 0 < (chunk.query_score or 0) <= 1


@pytest.mark.req("PA-2")
def test_content_scores_above_boilerplate() -> None:
    scores = {chunk.text: chunk.document_score for chunk in parse().visible_text_chunks}
    boilerplate = ["Home About us", "Green tea", "Black tea", "Subscribe to our newsletter", "Copyright 2026"]
    content = [score for text, score in scores.items() if text not in boilerplate]
    assert max(scores[text] for text in boilerplate) < min(content)
    linked = parse("<p><a href=/x>one two three four five six</a></p><p>one two three four five six</p>")
    assert linked.visible_text_chunks[0].document_score < linked.visible_text_chunks[1].document_score


@pytest.mark.req("PA-2")
@pytest.mark.parametrize("wrap", ["<section>{}</section>", "{}", "<div>{}</div>", "<article>{}</article>"])
def test_the_chunks_of_the_relevant_section_rank_first(wrap: str) -> None:
    sections = {
        "Opening hours": ["We are open from nine to five.", "Closed on Sundays."],
        "Returns and refunds": ["Send it back within 30 days.", "The money comes a week later."],
        "Careers": ["We look for people who like tea.", "Write to us."],
    }
    html = "".join(
        wrap.format(f"<h2>{title}</h2>" + "".join(f"<p>{line}</p>" for line in lines))
        for title, lines in sections.items()
    )
    chunks = parse(f"<main>{html}</main>", "how do refunds and returns work").visible_text_chunks
    best = sorted(chunks, key=lambda chunk: chunk.query_score or 0.0, reverse=True)[:3]
    assert {chunk.text for chunk in best} == {"Returns and refunds", *sections["Returns and refunds"]}


@pytest.mark.req("PA-2")
def test_the_neighbours_of_an_answer_score_above_other_sections() -> None:
    html = "<h2>Money</h2><p>Refunds take a week.</p><p>Write to us.</p><h2>Tea</h2><p>Leaves.</p>"
    scores = {chunk.text: chunk.query_score or 0.0 for chunk in parse(html, "refund").visible_text_chunks}
    assert scores["Refunds take a week."] > scores["Write to us."] > scores["Leaves."] == 0.0


@pytest.mark.req("PA-2")
def test_query_scores_are_none_without_a_query_and_zero_without_a_match() -> None:
    assert {chunk.query_score for chunk in parse().visible_text_chunks} == {None}
    assert {chunk.query_score for chunk in parse(query="  ").visible_text_chunks} == {None}
    assert {chunk.query_score for chunk in parse(query="zebra").visible_text_chunks} == {0.0}


@pytest.mark.req("PA-1", "PA-2")
@given(st.text(st.sampled_from("<>/=\"' pdivtralhx12.&\n"), max_size=150), st.sampled_from([None, "a", "div 1"]))
def test_any_text_parses_with_scores_in_range(html: str, query: str | None) -> None:
    for chunk in parse(html, query, max_chunks=5, max_chunk_size=20).visible_text_chunks:
        assert chunk.text.strip()
        assert len(chunk.text) <= 20
        assert 0.0 <= chunk.document_score <= 1.0
        assert (chunk.query_score is None) == (query is None)


@pytest.mark.req("PA-1")
@pytest.mark.timeout(90)
@pytest.mark.parametrize(
    "html",
    ["<div>" * 10_000 + "x", "<table><tr><td>" * 3_000 + "x", "<b>x" * 20_000, "<p>x" * 20_000, "\ud800", ""],
    ids=range(6),
)
def test_hostile_markup_parses(html: str) -> None:
    assert parse(html, "x").error is None


@pytest.mark.req("PA-1")
@pytest.mark.parametrize("caps", [{"max_chunks": 0}, {"max_chunk_size": -1}])
def test_caps_that_leave_no_room_are_refused(caps: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be a whole number of at least 1"):
        DefaultParser(**caps)


@pytest.mark.req("PA-1")
def test_chunks_and_content_can_be_made_as_the_seed_does() -> None:
    parsed = ParsedContent(
        title="T",
        visible_text_chunks=[ContentChunk(text="a", document_score=0.5, query_score=None, section="main", tag="p")],
        metadata={},
        links=[],
        media=[],
        source_url=URL,
        timestamp=datetime.now(UTC).isoformat(),
        parser_used="mine",
    )
    assert parsed.error is None


@pytest.mark.req("PA-1")
def test_the_caps_are_the_seed_s_where_none_are_given() -> None:
    whole = "x" * 990
    parsed = DefaultParser().parse("https://e.example/", f"<p>{whole}</p>" + "<p>Some more words.</p>" * 60)
    assert len(parsed.visible_text_chunks) == 50
    assert parsed.metadata["omitted_chunks"] == 11
    assert whole in [chunk.text for chunk in parsed.visible_text_chunks]
    cut = DefaultParser().parse("https://e.example/", f"<p>{whole} and {whole}</p>").visible_text_chunks
    assert max(len(chunk.text) for chunk in cut) <= 1_000

"""The content tools give what seed 002 lists, for any input (CT-1, CT-2)."""

import hashlib

import pytest
from gleaner.html.statistics import scrape_extract_content, scrape_text_similarity
from gleaner.markdown import extract_clean_markdown
from hypothesis import given
from hypothesis import strategies as st

SEED_EXAMPLE = "<html><head><title>Test</title></head><body><h1>Hello</h1><p>World</p></body></html>"
KEYS = [
    *("status", "title", "headings", "paragraph_count", "link_count", "image_count", "word_count", "content_hash"),
    "meta",
]


def words(html: str) -> object:
    return scrape_extract_content(html)["word_count"]


@pytest.mark.req("CT-1")
def test_the_example_of_the_seed() -> None:
    result = scrape_extract_content(SEED_EXAMPLE, "https://example.com")
    assert list(result) == KEYS
    assert result == {
        "status": "ok",
        "title": "Test",
        "headings": [{"level": 1, "text": "Hello"}],
        "paragraph_count": 1,
        "link_count": 0,
        "image_count": 0,
        "word_count": 2,
        "content_hash": hashlib.sha256(b"Hello World").hexdigest(),
        "meta": {},
    }


@pytest.mark.req("CT-1")
def test_a_form_feed_parts_words_and_is_none_itself() -> None:
    assert words("<p>one\x0ctwo \x0c three</p>") == 3


@pytest.mark.req("CT-1")
def test_parts_are_counted_wherever_they_are_but_in_what_is_never_seen() -> None:
    counted = "<p class=a>x<p/>y</p><a href=''>x</a><a title=' href=' name=y>x</a><abbr href=x>x</abbr><img><img src=z>"
    inside = "<div hidden><dialog>{0}</dialog>{0}</div><p style='display:none'>x</p><noscript>{0}</noscript>{0}"
    result = scrape_extract_content(f"<body><div>{inside.format(counted)}</div></body>")
    found = [result[name] for name in ("paragraph_count", "link_count", "image_count")]
    assert found == [3 * 2 + 1, 3, 6]


@pytest.mark.req("CT-1")
@pytest.mark.parametrize(
    "unseen",
    [
        "<script>var a = 'one two'</script>",
        "<style>p { color: red }</style>",
        "<template><p>one two</p></template>",
        "<noscript>one two</noscript>",
        "<p hidden>one two</p>",
        "<p style='color: red; display: none'>one <b>two</b></p>",
        "<p style='VISIBILITY:hidden'>one two</p>",
        "<p data-gleaner-hidden=''>one two</p>",
        "<dialog>one two</dialog>",
        "<svg><title>one two</title></svg>",
        "<iframe>one two</iframe>",
        "<!-- one two -->",
        "<title>one two</title>",
        "<img alt='one two' title='one two'>",
    ],
)
def test_what_a_reader_does_not_see_is_no_word(unseen: str) -> None:
    assert words(f"<body><div>before</div>{unseen} after<p>the end</p></body>") == 4


@pytest.mark.req("CT-1")
@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<p>Hel<b>lo</b> W<i>orl</i>d</p>", 2),
        ("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>e<br>f", 6),
        ("<p hidden=until-found>seen</p><dialog open>too</dialog>", 2),
        ("1 &lt; 2 &amp;amp; 3", 5),
        ("a\u00a0b\u2003c\r\nd\te", 5),
        ("<p>a<p>" + "".join(f"{space}b" for space in "\u0085\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"), 10),
        ("<p>a<p>b\u200bc \u0105 \u2020 \u3001", 5),
        ("<p style='background: url(display:nonesense)'>seen</p>", 1),
        ("", 0),
        ("   ", 0),
        ("plain text only", 3),
        ("<title>No</title><main>body tags left out</main>", 4),
        ("<div title='a > b'>one</div>", 1),
    ],
)
def test_words_are_what_white_space_and_blocks_part(html: str, count: int) -> None:
    assert words(html) == count


@pytest.mark.req("CT-1")
def test_counts_and_outline() -> None:
    result = scrape_extract_content(
        "<h2>B <em>c</em></h2><h1> A\n a </h1><h3></h3><a href='/x'>x</a><a href=''>y</a><a name=z>z</a>"
        "<img src=a><p><img><p><h6 hidden>no</h6>"
    )
    assert result["headings"] == [
        {"level": 2, "text": "B c"},
        {"level": 1, "text": "A a"},
        {"level": 3, "text": ""},
    ]
    assert result["title"] == "A a"
    assert (result["paragraph_count"], result["link_count"], result["image_count"]) == (2, 2, 2)


@pytest.mark.req("CT-1")
def test_meta_tags_by_name_property_and_equivalent() -> None:
    result = scrape_extract_content(
        "<meta charset=utf-8><meta name=description content=' About &amp; more '><meta name=Description2>"
        "<meta property=og:title content=T><meta name=description content=second>"
        "<meta http-equiv=refresh content=5><title> </title><title>Real\n title</title>"
    )
    assert result["meta"] == {"description": "About & more", "og:title": "T", "refresh": "5"}
    assert result["title"] == "Real title"


@pytest.mark.req("CT-1")
def test_the_hash_goes_by_the_visible_text_alone() -> None:
    def hash_of(html: str) -> object:
        return scrape_extract_content(html)["content_hash"]

    assert hash_of("<p class=a>one  two</p><script>1</script>") == hash_of(
        "<div>one\n<b>two</b></div><script>2</script>"
    )
    assert hash_of("caf\u00e9") == hash_of("cafe\u0301")
    assert hash_of("<p>one</p>") != hash_of("<p>two</p>")


@pytest.mark.req("CT-1", "CT-2")
@pytest.mark.parametrize("bad", [None, b"<p>x", 7, ["x"], {}])
def test_what_is_no_string_is_an_error_that_says_so(bad: object) -> None:
    for result in (
        scrape_extract_content(bad),  # type: ignore[arg-type]
        scrape_extract_content("x", bad),  # type: ignore[arg-type]
        scrape_text_similarity(bad, "x"),  # type: ignore[arg-type]
        scrape_text_similarity("x", bad),  # type: ignore[arg-type]
    ):
        assert list(result) == ["status", "error"]
        assert result["status"] == "error"
        assert type(bad).__name__ in str(result["error"])


@pytest.mark.req("CT-1")
@pytest.mark.timeout(90)
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 10_000 + "deep",
        "<b>" * 100_000 + "deep",
        "<div hidden>x</div>y" * 60_000,  # minutes, where elements are reached by their attributes in XPath
        "<p style='color:red'>x" * 60_000,
        "\ud800<p>\udfff lone</p>",
        "\x00<p>\x01nul\x0c</p>",
        "<p>" + "a<b>b</b>" * 60_000,
        "<i hidden>x</i>" * 30_000,
        "<" * 100_000,
        "&" * 100_000,
        "<!--" * 50_000,
        "<title>" * 10_000,
        "<meta name='" + "x" * 1_000_000 + "' content='y'>",
        '<?xml version="1.0" encoding="utf-16"?><p>declared</p>',
    ],
    ids=range(14),
)
def test_hostile_markup_gives_an_answer(html: str) -> None:
    assert list(scrape_extract_content(html)) == KEYS


@pytest.mark.req("CT-1")
@given(st.text(st.sampled_from("<>/=\"'&;!-ab phidenstyl\ud800\x00\n"), max_size=120))
def test_any_text_gives_the_same_answer_twice(html: str) -> None:
    result = scrape_extract_content(html)
    assert list(result) == KEYS
    assert scrape_extract_content(html) == result


@pytest.mark.req("CT-2")
@pytest.mark.parametrize(
    ("text_a", "text_b", "similarity"),
    [
        ("the quick brown fox", "the quick red fox", 0.6),
        ("", "", 0.0),
        ("   ", "\n", 0.0),
        ("word", "", 0.0),
        ("a b", "b a", 1.0),
        ("a a a b", "a b b", 1.0),
        ("Hello, World!", "hello world", 1.0),
        ("one two", "three four", 0.0),
        ("!!!", "!!!", 1.0),
        ("今天天气好", "今天天气不好", 0.8),
        ("café", "cafe\u0301", 1.0),
        ("\ud800", "\ud800", 1.0),
    ],
)
def test_similarity_is_the_share_of_common_words(text_a: str, text_b: str, similarity: float) -> None:
    assert scrape_text_similarity(text_a, text_b) == {"status": "ok", "similarity": similarity}


@pytest.mark.req("CT-2")
@given(st.text(max_size=60), st.text(max_size=60))
def test_similarity_is_symmetric_and_bounded(text_a: str, text_b: str) -> None:
    forth, back = scrape_text_similarity(text_a, text_b), scrape_text_similarity(text_b, text_a)
    assert forth == back
    assert 0.0 <= float(str(forth["similarity"])) <= 1.0


@pytest.mark.req("CT-1", "MD-6")
def test_a_page_past_the_largest_size_is_an_error_and_not_a_page_without_words() -> None:
    error = scrape_extract_content("word " * 2_000_001)
    assert error == {"status": "error", "error": "the page has 10,000,005 bytes of HTML; max_page_size is 10,000,000"}
    assert scrape_extract_content("word " * 2_000_000)["word_count"] == 2_000_000


@pytest.mark.req("CT-1", "MD-6")
@pytest.mark.parametrize("reference", ["&nGt;", "&nLt;"])
def test_a_text_that_is_longer_in_the_tree_than_in_the_markup_is_counted_whole(reference: str) -> None:
    html = f"<h1>Before</h1><p>{f'{reference} ' * 1_500_000}</p><h2>After</h2>"
    result = scrape_extract_content(html)
    assert (result["status"], result["word_count"]) == ("ok", 1_500_002)
    assert [heading["text"] for heading in result["headings"]] == ["Before", "After"]  # type: ignore[union-attr,index,call-overload]


@pytest.mark.req("CT-1", "MD-5")
@pytest.mark.parametrize("reference", ["&nGt;", "&nLt;"])
def test_many_references_that_stand_for_more_than_they_have_crash_no_parser(reference: str) -> None:
    html = f"<p class=a>{reference * 50_000}</p><h2>After</h2>"
    assert len(extract_clean_markdown(html, css_selector=".a")[0]) == 100_000


@pytest.mark.req("CT-1")
@pytest.mark.parametrize("text", ["a" * 9_999_900, "ab\n" * 3_333_300, "&amp; " * 1_666_600])
def test_one_text_up_to_the_largest_page_is_read(text: str) -> None:
    result = scrape_extract_content(f"<p>{text}</p><h2>After</h2>")
    assert (result["status"], result["word_count"]) == ("ok", len(text.split()) + 1)

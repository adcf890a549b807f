"""XML as other people write it: what attributes say, where addresses begin, and references that were escaped twice."""

import pytest
from gleaner.markdown import extract_clean_markdown

pytestmark = pytest.mark.req("MD-1", "MD-3")


def markdown_of(xml: str) -> str:
    return extract_clean_markdown(xml, "https://a.example/feed", extract_links=True)[0]


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        ("<rates date='2027-01-01' base='EUR'><rate currency='USD' rate='1.1'/></rates>", "base\n:   EUR"),
        ("<flats><flat type='loft' space='40'/><flat type='house' space='90'/></flats>", "| loft | 40 |"),
        ("<books><book lang='de' about='Saws'/><book lang='en' about='Tea'/></books>", "| de | Saws |"),
        ("<shop xmlns:g='urn:g'><lamp g:price='3' name='Ash'/><lamp g:price='4' name='Larch'/></shop>", "| 3 | Ash |"),
    ],
)
def test_an_attribute_is_said_whatever_its_name_is_in_other_vocabularies(xml: str, said: str) -> None:
    assert said in markdown_of(f"<?xml version='1.0'?>{xml}")


def test_what_says_how_a_text_is_written_is_not_said_of_it() -> None:
    xml = "<feed version='0.3' xml:lang='en' xml:base='https://b.example/'><entry><title type='html'>Tea</title>"
    found = markdown_of(
        f"{xml}<price type='decimal'>3.50</price><link rel='self' type='text/html' href='/tea'/></entry>"
    )
    assert found == "# Tea\n\nprice\n:   3.50\n\nlink\n:   [/tea](https://b.example/tea)"


@pytest.mark.parametrize(
    ("content", "address"),
    [
        ("<link href='tea'/>", "https://b.example/d/tea"),
        ("<link>https://c.example/tea</link>", "https://c.example/tea"),
        ("<content type='html' xml:base='e/'>&lt;a href='tea'&gt;Tea&lt;/a&gt;</content>", "https://b.example/d/e/tea"),
        ("<content><a xmlns='http://www.w3.org/1999/xhtml' href='/tea'>Tea</a></content>", "https://b.example/tea"),
        ("<content type='html'>&lt;a href='http://[x'&gt;Tea&lt;/a&gt; &lt;a href=tea&gt;T&lt;/a&gt;</content>",
         "https://b.example/d/tea"),
    ],
)  # fmt: skip
def test_addresses_begin_where_the_document_says(content: str, address: str) -> None:
    assert f"]({address})" in markdown_of(f"<feed xml:base='https://b.example/d/'><entry>{content}</entry></feed>")


def test_references_that_were_escaped_twice_are_what_they_mean() -> None:
    title = "it&amp;apos;s R&amp;amp;D, caf&amp;eacute; &amp;#8211; 3 &amp;lt; 4 &amp;nothing; a&amp;b"
    assert markdown_of(f"<rss><channel><title>{title}</title></channel></rss>") == (
        "# it's R&D, café – 3 < 4 &nothing; a&b"
    )


@pytest.mark.parametrize(
    ("kind", "title"),
    [(" type='html'", "# Tea & cakes"), ("", "# \\<b>Tea\\</b> & cakes"), (" type='text'", "# \\<b>Tea")],
)
def test_a_title_in_html_is_read_as_that_and_another_as_it_is(kind: str, title: str) -> None:
    entry = f"<entry><title{kind}>&lt;b&gt;Tea&lt;/b&gt; &amp;amp; cakes</title></entry>"
    assert markdown_of(f"<feed>{entry}</feed>").startswith(title)

"""Feeds, sitemaps and other data in XML, read as pages (MD-1, RC-4)."""

import pytest
from gleaner.html.typed.xml_data import is_xml_data, xml_as_html
from gleaner.markdown import extract_clean_markdown
from gleaner.page.opening import open_page
from gleaner.structured import extract_structured

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Harbour News</title>
<link>https://news.example/</link><item><title>Ferry runs again</title><link>https://news.example/ferry</link>
<dc:creator>Ada Lund</dc:creator>
<description>&lt;p&gt;The &lt;b&gt;ferry&lt;/b&gt; is back.&lt;/p&gt;</description></item>
<item><title><![CDATA[Prices & fees]]></title><link>https://news.example/fees</link><category>A</category>
<category>B</category><description><![CDATA[<p>Now <em>12 kr</em>.</p><script>x()</script>]]></description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><entry><title>First</title>
<link href="/1" rel="alternate"/><author><name>Ada Lund</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Some <b>text</b></p></div></content></entry>
</feed>"""
BOOKS = """<?xml version="1.0"?><catalog><book id="b1"><author>Kim Ralls</author><title>Midnight Rain</title>
<price>5.95</price></book><book id="b2"><author>Eva Corets</author><title>Ascendant</title><price>44.95</price></book>
</catalog>"""


@pytest.mark.req("MD-1")
def test_a_feed_keeps_its_titles_links_and_the_names_of_its_fields() -> None:
    page = open_page(RSS, "https://news.example/feed")
    assert page.title == "Harbour News"
    assert [line for line in page.text.split("\n") if line.startswith("#")] == [
        "# Harbour News",
        "## Ferry runs again",
        "## Prices & fees",
    ]
    for said in (
        "link\n:   https://news.example/ferry",
        "creator\n:   Ada Lund",
        "The **ferry** is back.",
        "Now *12 kr*.",
    ):
        assert said in page.text
    assert "x()" not in page.text
    assert "category\n:   A\n:   B" in page.text


@pytest.mark.req("MD-1", "MD-3")
def test_an_atom_feed_keeps_its_addresses_and_its_markup() -> None:
    text = extract_clean_markdown(ATOM, "https://notes.example/feed", extract_links=True)[0]
    assert "## First" in text
    assert "[/1](https://notes.example/1)" in text
    assert "author\n:   Ada Lund" in text
    assert "Some **text**" in text


@pytest.mark.req("RC-4", "MD-5")
def test_flat_records_are_a_table_that_needs_no_model() -> None:
    fields = {"title": {"type": "string"}, "price": {"type": "number"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    found = extract_structured(BOOKS, "https://x.example/books.xml", schema)
    assert found == [{"title": "Midnight Rain", "price": 5.95}, {"title": "Ascendant", "price": 44.95}]
    assert "| b2 | Eva Corets | Ascendant | 44.95 |" in extract_clean_markdown(BOOKS, css_selector="table")[0]


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<r><n>Pen</n><p currency='EUR'>3.5</p></r>", "n\n:   Pen\n\np\n:   3.5\n\np currency\n:   EUR"),
        (
            "<rates><rate code='USD' per='1.1'/><rate code='JPY' per='150'/></rates>",
            "| code | per |\n| --- | --- |\n| USD | 1.1 |\n| JPY | 150 |",
        ),
        ("<list><feed text='News' xmlUrl='/a'/><up days='7'/></list>", "feed xmlUrl\n:   /a\n\nup\n:   7"),
        ("<string xmlns='http://x.example/'>12 jugs</string>", "12 jugs"),
        ("<list><l>The <hi>old</hi> quay</l><l>by night</l></list>", "l\n:   The old quay\n:   by night"),
        ("<list>Kept<s><n>1</n><m><k>2</k></m></s></list>", "Kept"),
        ("<l>The <hi>old</hi> quay</l>", "The old quay"),
        ("<!DOCTYPE l [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><l>&b;</l>", "&b;"),
    ],
)
def test_no_text_and_no_attribute_of_data_is_lost(text: str, said: str) -> None:
    assert said in extract_clean_markdown(f"<?xml version='1.0'?>{text}")[0]


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "text",
    [
        RSS[:-300],
        "<?xml version='1.0'?><a",
        "<?xml version='1.0'?>" + "<b>" * 5_000,
        "<rss><item><title>A & B</title><x:y>c</x:y></item></rss>",
        '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><l><m>&b;</m><m>c</m></l>',
        "<?xml version='1.0' encoding='utf-16'?><list><n>ø</n><n>b</n></list>",
    ],
)
def test_broken_xml_is_read_as_far_as_it_goes(text: str) -> None:
    assert isinstance(extract_clean_markdown(text)[0], str)


@pytest.mark.req("MD-1")
def test_pages_that_are_written_as_xml_are_pages() -> None:
    page = '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="x"><body><p>Tea</p></body></html>'
    assert not is_xml_data(page)
    assert extract_clean_markdown(page)[0] == "Tea"


@pytest.mark.req("MD-6")
def test_a_long_catalogue_takes_time_in_proportion() -> None:
    rows = "".join(f"<book><author>A {number}</author><price>{number}.5</price></book>" for number in range(8_000))
    assert xml_as_html(f"<?xml version='1.0'?><catalog>{rows}</catalog>").count("<tr>") == 8_001


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("doctype", "said", "meant"),
    [
        ("", "caf&eacute; noir", "café noir"),
        ("<!DOCTYPE r SYSTEM 'http://127.0.0.1/r.dtd'>", "5&nbsp;&euro;", "5 €"),
        ("<!DOCTYPE r [<!ENTITY co 'Lund &amp; Sons'>]>", "&co; 1889", "Lund & Sons 1889"),
        ("<!DOCTYPE r [<!ENTITY lt9 \"a 'b'\">]>", "&lt9;", "a 'b'"),
        ("", "<![CDATA[A &amp; B]]>", "A & B"),
        ("<!DOCTYPE r [<!ENTITY co SYSTEM 'file:///etc/passwd'>]>", "&co;", "&co;"),
    ],
)
def test_names_for_characters_and_texts_are_written_as_they_are_meant(doctype: str, said: str, meant: str) -> None:
    text = f"<?xml version='1.0'?>{doctype}<r><i><a>{said}</a><b>1</b></i><i><a>x</a><b>2</b></i></r>"
    assert f"| {meant} | 1 |" in extract_clean_markdown(text)[0].replace("\xa0", " ")


@pytest.mark.req("MD-6", "SS-2")
def test_names_that_stand_for_names_or_for_much_unpack_to_nothing() -> None:
    laughs = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    for declared, said in (
        (f"<!ENTITY l0 'ha'>{laughs}", "&l9;"),
        (f"<!ENTITY l0 '{'ha' * 10_000}'>", "&l0;" * 10_000),
    ):
        text = f"<?xml version='1.0'?><!DOCTYPE r [{declared}]><r><a>{said}</a><b>1</b></r>"
        assert len(xml_as_html(text)) < 3 * len(text) + 1_000

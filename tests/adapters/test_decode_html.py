"""Bytes to text: every way to name a charset, wrong ones, none at all, and bytes that are nothing."""

import codecs

import pytest
from gleaner.adapters.http.fetch import decode_html
from gleaner.html.decoding.charset_guess import guess_codec
from gleaner.html.decoding.charsets import LABELS, codec_of
from hypothesis import given
from hypothesis import strategies as st

RUSSIAN = "Цена товара 1 200 рублей. Добро пожаловать в наш магазин, доставка по всей России."
JAPANESE = "商品の価格は1,200円です。当店へようこそ。送料は無料になります。東京都渋谷区のカメラ"
SIMPLIFIED = "商品价格为一千二百元。欢迎来到我们的商店，全国免费送货。"
TRADITIONAL = "商品價格為一千二百元。歡迎來到我們的商店，全國免費送貨。"
KOREAN = "상품 가격은 1,200원입니다. 저희 상점에 오신 것을 환영합니다."
GREEK = "Η τιμή του προϊόντος είναι 20 ευρώ. Καλώς ήρθατε στο κατάστημά μας."
HEBREW = "מחיר המוצר הוא 20 שקלים. ברוכים הבאים לחנות שלנו."
ARABIC = "سعر المنتج عشرون دولارا. مرحبا بكم في متجرنا."
THAI = "ราคาสินค้า 20 บาท ยินดีต้อนรับสู่ร้านของเรา"
POLISH = "Cena produktu wynosi 20 złotych. Zapraszamy do sklepu, wysyłka następnego dnia, źródło, łódź."
CZECH = "Cena výrobku je 20 korun. Vítejte v našem obchodě, příští den, žluťoučký kůň úpěl."
TURKISH = "Ürünün fiyatı 20 lira. Mağazamıza hoş geldiniz, ertesi gün teslimat, çağrı."
GERMAN = "Der Preis beträgt 20 €. Willkommen in unserem Geschäft, größere Mengen: Äpfel, Öl."
FRENCH = "Le prix du produit est de 20 €. Bienvenue à notre magasin, livraison différée, été, façade."
SPANISH = "El precio del artículo es de 20 €. ¿Dónde está? ¡Aquí! Señor, mañana, corazón."
ENGLISH = "The café’s “price” – £20… © 2020"

TEXTS = (
    (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (RUSSIAN, "cp866"), (RUSSIAN, "iso8859_5"), (JAPANESE, "cp932"),
    (JAPANESE, "euc_jp"), (JAPANESE, "iso2022_jp"), (SIMPLIFIED, "gb18030"), (TRADITIONAL, "big5hkscs"),
    (KOREAN, "cp949"), (GREEK, "cp1253"), (HEBREW, "cp1255"), (ARABIC, "cp1256"), (THAI, "cp874"), (POLISH, "cp1250"),
    (CZECH, "cp1250"), (TURKISH, "cp1254"), (GERMAN, "cp1252"), (FRENCH, "cp1252"), (SPANISH, "cp1252"),
    (ENGLISH, "cp1252"), (RUSSIAN, "utf-16-le"), (JAPANESE, "utf-8"),
)  # fmt: skip
SHORT = (("Дуб", "koi8_r"), ("Kış", "cp1254"), ("שמן", "cp1255"), ("灯", "gb18030"))
"""Texts of which nobody could guess the charset."""

PAGE = "<html><head><title>{0}</title></head><body><p class='a'>{0}</p></body></html>"


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(("text", "codec"), TEXTS)
def test_a_page_that_names_no_charset_is_read_by_its_looks(text: str, codec: str) -> None:
    page = PAGE.format(text)
    assert decode_html(page.encode(codec), "text/html") == page


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(("text", "codec"), TEXTS)
def test_a_page_is_read_as_its_header_says(text: str, codec: str) -> None:
    label = LABELS[codec][0]
    assert decode_html(text.encode(codec), f'Text/HTML; Charset="{label.upper()}"') == text


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "markup",
    [
        '<meta charset="{}">', "<META CHARSET={} />", "<meta name=x content=y><meta charset='{}'>",
        '<meta http-equiv="Content-Type" content="text/html; charset={}">',
        '<meta content="text/html;charset={}" http-equiv=content-type>', '<?xml version="1.0" encoding="{}"?>',
        "<!-- <meta charset=utf-8> --><meta charset={}>", "<title>" + "x" * 5_000 + "</title><meta charset={}>",
        "<meta charset=nonsense><meta charset={}>",
    ],
)  # fmt: skip
@pytest.mark.parametrize(("text", "codec"), [*SHORT, *(pair for pair in TEXTS if not pair[1].startswith("utf-16"))])
def test_a_page_is_read_as_its_markup_says(markup: str, text: str, codec: str) -> None:
    page = markup.format(LABELS[codec][-1]) + text[:20]
    assert decode_html(page.encode(codec), "text/html") == page


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "declared", ["", "charset=iso-8859-1", "charset=shift_jis", "charset=utf-16", "charset=koi8-r"]
)
def test_plain_utf8_is_read_as_such_whatever_the_header_says(declared: str) -> None:
    for text in (RUSSIAN, JAPANESE, KOREAN, GERMAN, "naïve", "😀 20 € – ok"):
        if declared == "charset=shift_jis" and text == "naïve":
            continue  # one pair of bytes that both charsets have: the header is believed
        assert decode_html(text.encode(), f"text/html; {declared}") == text


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    ("text", "codec"), [(RUSSIAN, "cp1251"), (JAPANESE, "cp932"), (KOREAN, "cp949"), (GREEK, "cp1253")]
)
@pytest.mark.parametrize("declared", ["utf-8", "iso-8859-1", "us-ascii", "no-such-charset"])
def test_a_charset_that_the_bytes_contradict_is_not_believed(text: str, codec: str, declared: str) -> None:
    page = PAGE.format(text)
    assert decode_html(page.encode(codec), f"text/html; charset={declared}") == page


@pytest.mark.req("MD-6")
@pytest.mark.parametrize("text", [GERMAN, FRENCH, SPANISH, ENGLISH, "ÄÖÜ ÉÈÀ", "«Où?»", "°C ½ µm"])
def test_a_true_latin_header_is_believed(text: str) -> None:
    assert decode_html(text.encode("cp1252"), "text/html; charset=iso-8859-1") == text


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    ("mark", "codec"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_wins_over_the_header(mark: bytes, codec: str) -> None:
    assert decode_html(mark + JAPANESE.encode(codec), "text/html; charset=iso-8859-1") == JAPANESE


@pytest.mark.req("MD-6")
def test_a_page_cut_in_a_character_or_with_one_bad_byte_stays_what_it_is() -> None:
    assert decode_html(JAPANESE.encode()[:-1]) == JAPANESE[:-1] + "\ufffd"
    long = (JAPANESE * 20).encode()
    assert decode_html(long[:300] + b"\xff" + long[300:], "text/html; charset=utf-8").count("\ufffd") <= 3


@pytest.mark.req("MD-6")
def test_no_byte_of_windows_1252_is_lost() -> None:
    every_byte = bytes(range(1, 256))
    text = decode_html(every_byte, "text/html; charset=windows-1252")
    assert len(text) == 255 and "\ufffd" not in text and text[0x7F:0x82] == "€\x81‚"


@pytest.mark.req("MD-6")
def test_nul_characters_are_left_out() -> None:
    assert decode_html(b"<p>a\x00b</p>") == "<p>ab</p>"
    assert decode_html(b"\x00" * 1_000) == ""


@pytest.mark.req("MD-6")
def test_labels_are_those_of_browsers() -> None:
    assert codec_of("Latin1") == "cp1252" and codec_of("GB2312") == "gb18030" and codec_of(" 'utf8'") == "utf-8"
    for label in ("utf-7", "rot13", "idna", "zlib", "unicode_escape", "punycode", ""):
        assert codec_of(label) is None
    for codec in LABELS:
        assert codecs.lookup(codec)


@pytest.mark.req("MD-6")
def test_a_charset_that_hides_ascii_is_not_read() -> None:
    assert decode_html(b"+ADw-script+AD4-", "text/html; charset=utf-7") == "+ADw-script+AD4-"


charsets = st.sampled_from([label for labels in LABELS.values() for label in labels]) | st.text(max_size=20)
fragments = st.sampled_from(
    [b"<meta charset=", b"<!--", b"<?xml encoding='", b"\xff\xfe", b"\x1b$B", b"\xe3\x81", b"\x00"]
)


@pytest.mark.req("MD-6")
@given(st.lists(st.binary(max_size=40) | fragments, max_size=12).map(b"".join), charsets)
def test_no_bytes_and_no_header_make_it_fail(raw: bytes, charset: str) -> None:
    for content_type in ("", charset, f"text/html; charset={charset}"):
        assert "\x00" not in decode_html(raw, content_type)


@pytest.mark.req("MD-6")
@given(st.text(alphabet=st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    raw = text.encode()
    if not raw.startswith((codecs.BOM_UTF8, b"\x1b")) and b"\x1b$" not in raw:
        assert decode_html(raw) == text


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(
    "piece", [b"\xff", b"<meta ", b"<!--", b"\xe9 ", b"\x81\x40", b"x\xc3", b"charset=", b"\xa4\xa2"]
)
def test_ten_megabytes_of_anything_take_linear_time(piece: bytes) -> None:
    raw = piece * (10_000_000 // len(piece))
    assert decode_html(raw, "text/html")
    assert guess_codec(raw)


def test_one_letter_said_often_is_no_other_alphabet() -> None:
    rows = "".join(f"R{row};Chaise n° {row} – chêne;{row},50 €\n" for row in range(30))
    assert "chêne" in decode_html(rows.encode("cp1252"))
    assert "żółty płot" in decode_html("żółty płot w ogródku\n".encode("cp1250"))

"""Our own code against well-kept libraries that do the same: quality on the same cases, time, import time, size.

Run it with the libraries beside the project's own packages, so that they do not enter the lock file:
``uv run --with protego --with charset-normalizer --with chardet --with ftfy --with url-normalize --with w3lib
--with rank-bm25 --with price-parser --with dateparser --with json-repair python benchmarks/libraries.py``. A library
that is missing is left out and said.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

TEXTS = {
    "cp1251": "Чайник из нержавеющей стали, объём два литра. Доставка по всей стране бесплатно.",
    "koi8_r": "Настольная лампа с регулировкой яркости, цена указана без учёта доставки.",
    "cp1253": "Ξύλινο τραπέζι κήπου για τέσσερα άτομα, διαθέσιμο σε δύο χρώματα.",
    "cp1255": "מנורת שולחן מעץ אלון, זמינה במלאי ונשלחת תוך שלושה ימים.",
    "cp1256": "مصباح مكتبي من خشب البلوط، متوفر في المخزن ويشحن خلال ثلاثة أيام.",
    "cp874": "โคมไฟตั้งโต๊ะทำจากไม้โอ๊ค มีสินค้าพร้อมส่งภายในสามวัน",
    "cp932": "オーク材のテーブルランプです。在庫があり、三日以内に発送します。",
    "euc_jp": "送料無料でお届けします。商品の色は写真と異なる場合があります。",
    "gb18030": "橡木台灯,现货供应,三天内发货。价格已含税,全国免运费。",
    "big5hkscs": "橡木檯燈,現貨供應,三天內出貨。價格已含稅,全國免運費。",
    "cp949": "참나무로 만든 탁상용 램프입니다. 재고가 있으며 사흘 안에 발송됩니다.",
    "cp1250": "Dębowa lampa stołowa, dostępna od ręki, wysyłka w ciągu trzech dni. Żółty klosz.",
    "iso8859_2": "Dřevěná stolní lampa, skladem, odesíláme do tří dnů. Příští týden levněji.",
    "cp1254": "Meşe ağacından masa lambası, stokta var, üç gün içinde gönderilir. Şık görünüş.",
    "cp1252": "Lampe de table en chêne, très légère, expédiée sous trois jours à votre adresse.",
    "cp1252 ": "The café’s “price” – £20… © 2020",
    "cp1252  ": "Ærø – 5 km, a naïve café",
}
"""A sentence for each charset, as a short page without a label has it."""

PAGE = "<html><head><title>{0}</title></head><body><h1>{0}</h1><p>{1}</p></body></html>"

MOJIBAKE = ["£9 – café, naïve", "Müller & Söhne", "“quoted” — €5", "plain text", "Größe: 5½″", "Ã is a letter", "¿Qué?"]
"""Texts that a browser read as windows-1252: to be repaired to themselves, and right ones not to be touched."""

URLS = [
    ("HTTP://Example.COM:80/a/../b", "http://example.com/b"),
    ("http://example.com/a%7Eb?x=1&y=2", "http://example.com/a%7Eb?x=1&y=2"),
    ("https://example.com:443/?b=2&a=1#top", "https://example.com/?b=2&a=1#top"),
    ("https://example.com/straße", "https://example.com/straße"),
    (" https://example.com/long\n  ", "https://example.com/long"),
    ("https:\\\\example.com\\x", "https://example.com/x"),
]
"""What the WHATWG URL standard makes of an address; percent-encoding is left as the page has it."""

PRICES = [("1.299,00 €", 1299.0), ("$1,299", 1299.0), ("1 299,-", 1299.0), ("CHF 12.50", 12.5), ("99¢", 0.99),
          ("2.3k", 2300.0), ("1,2 Mio. €", 1_200_000.0), ("(1,234)", None),
          ("12 - 15 €", None), ("1.299", None)]  # fmt: skip
"""None: nobody can tell, or it is no price."""

DAYS = [("5 March 2026", "2026-03-05"), ("5. März 2026", "2026-03-05"), ("2026年3月5日", "2026-03-05"),
        ("03/04/2026", None), ("May", None), ("12–14 May 2026", None), ("Mar 5, 2026", "2026-03-05")]  # fmt: skip
"""None: nobody can tell which day."""

ANSWERS = [
    ('[{"name": "Lamp", "price": 9.5,},]', [{"name": "Lamp", "price": 9.5}]),
    ("{'a': True, b: None}", {"a": True, "b": None}),
    ('{"size": "6" pipe", "n": 2}', {"size": '6" pipe', "n": 2}),
    ("{'a': 'it's', 'b': 'don't'}", {"a": "it's", "b": "don't"}),
    ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
    ('Sure [1]!\n[{"a": 1}]\nAnything else?', [{"a": 1}]),
    ('<think>[1, 2]</think>\n{"a": 1}', {"a": 1}),
    ('{"price": 1,299.00}', {"price": 1299.0}),
    ('{"price": $12.50}', {"price": "$12.50"}),
    ('{"a": NaN}', {"a": None}),
    ('[{"n": 1}, {"n": 2}, {"n": 3', [{"n": 1}, {"n": 2}]),
    ('[{"name": "Lamp"}, {"name": "Gre', [{"name": "Lamp"}]),
]
"""What models write, and what they mean; of a text that ends too early the whole records alone."""

ROBOTS = """User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Crawl-delay: 2

User-agent: gleaner
Disallow: /no
"""


def loaded(module: str) -> Any:
    """Give a module and print the milliseconds that its import took; None when it is not there."""
    before = time.perf_counter()
    try:
        found = import_module(module)
    except ImportError:
        print(f"  {module} is not installed")
        return None
    print(f"  import {module}: {(time.perf_counter() - before) * 1000:.0f} ms")
    return found


def report(name: str, run: Callable[[Any], Any], cases: list[tuple[Any, Any]]) -> None:
    """Print how many cases a function answers as expected, and the microseconds a call."""
    before = time.perf_counter()
    wrong: list[Any] = []
    for given, expected in cases:
        try:
            answer = run(given)
        except Exception as error:  # noqa: BLE001 a library's failure is its answer
            answer = error
        if answer != expected:
            wrong.append((given if isinstance(given, str) else expected, answer))
    each = (time.perf_counter() - before) / len(cases) * 1e6
    print(f"  {name}: {len(cases) - len(wrong)} of {len(cases)}, {each:.0f} µs a call; wrong: {wrong[:4]}")


def charsets() -> None:
    """Guess the charset of short pages without a label: right when the text comes out right."""
    from gleaner.html.decoding.charset_guess import guess_codec

    cases = [(PAGE.format(text[:20], text).encode(codec.strip(), "replace"), text) for codec, text in TEXTS.items()]

    def read(codec: str | None, raw: bytes, text: str) -> str:
        return text if codec and text in raw.decode(codec, "replace") else f"{codec}"

    texts = dict(cases)
    report("ours", lambda raw: read(guess_codec(raw), raw, texts[raw]), cases)
    if normalizer := loaded("charset_normalizer"):
        report(
            "charset-normalizer",
            lambda raw: read(getattr(normalizer.from_bytes(raw).best(), "encoding", None), raw, texts[raw]),
            cases,
        )
    if chardet := loaded("chardet"):
        web = chardet.EncodingEra.MODERN_WEB
        report(
            "chardet",
            lambda raw: read(chardet.detect(raw, encoding_era=web)["encoding"], raw, texts[raw]),
            cases,
        )


def mojibake() -> None:
    """Repair UTF-8 read as windows-1252, and leave right texts alone."""
    from gleaner.html.decoding.mojibake import repair_mojibake

    cases = [
        (text.encode().decode("cp1252", "ignore"), text) for text in MOJIBAKE if "″" not in text and "Ã" not in text
    ]
    cases += [(text, text) for text in MOJIBAKE]
    report("ours", repair_mojibake, cases)
    if ftfy := loaded("ftfy"):
        report("ftfy.fix_encoding", ftfy.fix_encoding, cases)


def addresses() -> None:
    """Write addresses as a browser does."""
    from gleaner.contracts.web_addresses import resolve_reference

    report("ours", lambda given: resolve_reference("", given), URLS)
    if library := loaded("url_normalize"):
        report("url-normalize", library.url_normalize, URLS)
    if library := loaded("w3lib.url"):
        report("w3lib.safe_url_string", library.safe_url_string, URLS)
        report("w3lib.canonicalize_url", library.canonicalize_url, URLS)


def values() -> None:
    """Read amounts and days, and refuse what nobody can tell."""
    if library := loaded("price_parser"):
        report("price-parser", lambda text: library.Price.fromstring(text).amount_float, PRICES)
    if library := loaded("dateparser"):
        report("dateparser", lambda text: (found := library.parse(text)) and found.date().isoformat(), DAYS)


def answers() -> None:
    """Read what a model writes for JSON, and never half a record; and a long answer of which each text is cut."""
    from gleaner.results.answer_json import read_answer

    hostile = '[{"a": "x' * 3_000
    readers: list[tuple[str, Callable[[str], Any]]] = [("ours", lambda text: read_answer(text).value)]
    if library := loaded("json_repair"):
        readers.append(("json-repair", library.loads))
    for name, read in readers:
        report(name, read, ANSWERS)
        before = time.process_time()
        with suppress(ValueError):
            read(hostile)
        print(f"  {name}, {len(hostile):,} characters: {time.process_time() - before:.2f} s")


def robots() -> None:
    """Say what may be fetched."""
    cases = [("/private/x", True), ("/no/x", False), ("/a.pdf", True)]
    if library := loaded("protego"):
        rules = library.Protego.parse(ROBOTS)
        report("protego, for gleaner", lambda path: rules.can_fetch(path, "gleaner"), cases)
        other = [("/private/x", False), ("/private/open/1", True), ("/a.pdf", False), ("/a.pdf?x", True)]
        report("protego, for others", lambda path: rules.can_fetch(path, "other"), other)


if __name__ == "__main__":
    for task in (charsets, mojibake, addresses, values, answers, robots):
        print(task.__name__)
        task()

"""Guess the charset of unlabelled bytes that are not UTF-8 (MD-6).

Each candidate decodes a sample; the one whose characters look most like a text of its language wins. What a text looks
like is said by its most frequent characters, which is little to know, and enough for the tens of characters that even
a short page has.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

SAMPLE_SIZE = 12_000
"""Bytes that a guess looks at, from where they are not ASCII."""

MIN_SCORE = 0.3
"""Score below which nothing is recognised, so that it is windows-1252, as in browsers."""

_KANA = "".join(map(chr, range(0x3041, 0x3094))) + "".join(map(chr, range(0x30A1, 0x30F7))) + "ー"
_JAPANESE = _KANA + (
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手"
    "米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都"
    "和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝"
    "品価格送料無税込商店様、。「」"
)
_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去"
    "法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点"
    "正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教儿原"
    "东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命"
    "山金指许统区保至队形社便空决治展马科司五基书非则听白界达光放强即难且权思完设式色路记南品住告类求据程北边张该交规万取格望术领共确"
    "价元店送货免费欢迎，。、：；！？（）《》“”"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去"
    "法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點"
    "正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教兒原"
    "東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命"
    "價格商品元店送貨免費歡迎，。、：；！？（）「」"
)
_KOREAN = (
    "이다는에의가을고하지기로사대한도리어자은인시스를정서아나라부그해일수장전제원과만보조성상여주국공있소중회면니방유동으것게거적물"
    "품세격입습저희신영합환오점무료배송안선생연구개우세미진문관민경학교비위모두트드마하할때들년월건화통신실"
)
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ"

IDEOGRAPHIC: Mapping[str, frozenset[str]] = {
    "cp932": frozenset(_JAPANESE),
    "euc_jp": frozenset(_JAPANESE),
    "gb18030": frozenset(_SIMPLIFIED),
    "big5hkscs": frozenset(_TRADITIONAL),
    "cp949": frozenset(_KOREAN),
}
"""Frequent characters of the texts that each charset of many characters is for."""

ALPHABETIC: Mapping[str, str] = {
    "cp1251": _CYRILLIC,
    "koi8_r": _CYRILLIC,
    "cp866": _CYRILLIC,
    "iso8859_5": _CYRILLIC,
    "cp1253": "αοιετσνηυρπκμλωςάίέόήύώθγδφχβξζψ",
    "cp1255": "יוהלאתרבשמםנכעקדחטפסגצזןךףץ",
    "cp1256": "اليمنوترةبعدسفهكقأحجشطصخضذزئءثغظآإىؤپچگ،؟",
    "cp874": "านรอกเงยลมวดท่้ิีัื็์ุูตสปแะคขใพหไบจผชโซธศถภฐณฉญษ",
}
"""The letters of the texts that each charset of one alphabet is for, the most frequent first."""

_PUNCTUATION = "’‘“”„–—…©®°«»£€·\xa0"
LATIN: Mapping[str, frozenset[str]] = {
    "cp1252": frozenset("éèàâêîôûçëïüäößåæøñáíóúãìòùõœšžÉÈÀÇÄÖÜØÅÆÑÁÍÓÚ¿¡" + _PUNCTUATION),
    "cp1250": frozenset("ąćęłńóśźżáčďéěíňřšťúůýžőűöüăşţĄĆĘŁŃÓŚŹŻČĎĚŇŘŠŤŮŽŐŰ" + _PUNCTUATION),
    "iso8859_2": frozenset("ąćęłńóśźżáčďéěíňřšťúůýžőűöüăşţĄĆĘŁŃÓŚŹŻČĎĚŇŘŠŤŮŽŐŰ"),
    "cp1254": frozenset("ığşçöüâîİĞŞÇÖÜ" + _PUNCTUATION),
}
LATIN_DOUBT = {"õ": 0.2, "ì": 0.4, "ù": 0.4, "ø": 0.9, "è": 0.8, "à": 0.8, "ê": 0.8, "û": 0.4, "æ": 0.9, "ñ": 0.9}
"""How much such a letter speaks for western Latin: others stand at its place in the charsets beside it."""

LATIN_BIAS = 1.04
"""By how much another Latin charset must be better than windows-1252."""

_FEWEST_LETTERS = 2
"""Different letters that a text has of its own language, if it is not western."""

_HIGH = re.compile(rb"[\x80-\xff]+")
_ACCENT_IN_WORD = re.compile(
    rb"(?<=[A-Za-z])[\x8a-\x8f\x9a-\x9f\xa3-\xbf\xc0-\xff](?=[a-z\s.,<])|(?<=[\s>])[\xc0-\xde](?=[a-z]{2})"
)
_ISO_2022 = re.compile(rb"\x1b\$[@B][\x21-\x7e]+\x1b\([BJ]")
_CASE_BREAK = re.compile("[а-яіїєґё][А-ЯІЇЄҐЁ]")


def guess_codec(raw: bytes, min_score: float = MIN_SCORE) -> str:
    """Give Python's codec for the charset that the bytes look like; a Latin one in doubt, which is mostly ``cp1252``.

    ``min_score`` is between 0 and 1: how much like a text of another script it must look to be taken for one.
    """
    if wide := guess_utf16(raw):
        return wide
    if _ISO_2022.search(raw, 0, SAMPLE_SIZE):
        return "iso2022_jp"
    sample = b"\n".join(_dense_lines(raw))
    total = sum(map(len, _HIGH.findall(sample)))
    if not total:
        return "cp1252"
    if len(_ACCENT_IN_WORD.findall(sample)) / total > 0.3:
        return _guess_latin(sample)
    scores = {codec: _ideographic_score(sample, codec, total) for codec in IDEOGRAPHIC}
    scores |= {codec: _alphabetic_score(sample, codec, total) for codec in ALPHABETIC}
    best = max(scores, key=lambda codec: scores[codec])
    return best if scores[best] >= min_score else _guess_latin(sample)


def guess_utf16(raw: bytes) -> str | None:
    """Give the UTF-16 codec that the NULs of the first bytes show, or None."""
    head = raw[:2_000]
    half = len(head) // 2
    even, odd = head[0 : half * 2 : 2].count(0), head[1 : half * 2 : 2].count(0)
    if half >= 4 and odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if half >= 4 and even > 0.4 * half and odd < 0.1 * half else None


def _dense_lines(raw: bytes) -> Iterator[bytes]:
    # The head of a page is mostly ASCII: take the pieces that have something else in them, and what is around.
    taken, position = 0, 0
    while taken < SAMPLE_SIZE and (match := _HIGH.search(raw, position)):
        begin = max(raw.rfind(b"\n", position, match.start()) + 1, match.start() - 80, position)
        end = raw.find(b"\n", match.start(), match.start() + 2_000)
        position = end if end >= 0 else match.start() + 2_000
        taken += position - begin
        yield raw[begin:position]


def _ideographic_score(sample: bytes, codec: str, total: int) -> float:
    wide = [character for character in sample.decode(codec, "replace") if character > "\x7f"]
    known = sum(1 for character in wide if character in IDEOGRAPHIC[codec])
    # What is damaged counts thrice against it. A pair of bytes may lie half in ASCII, hence the share of characters.
    return (known - 3 * wide.count("\ufffd")) / max(len(wide), total / 2)


@lru_cache(maxsize=len(ALPHABETIC))
def _letter_weights(codec: str) -> Mapping[str, float]:
    letters = ALPHABETIC[codec]
    capitals = {letter.upper(): 0.4 for letter in letters if letter.upper() != letter}
    return capitals | {letter: 1.0 - 0.8 * place / len(letters) for place, letter in enumerate(letters)}


def _alphabetic_score(sample: bytes, codec: str, total: int) -> float:
    weights = _letter_weights(codec)
    runs = [run.decode(codec, "replace") for run in _HIGH.findall(sample) if len(run) > 1]
    found = sum(weights.get(character, -0.5) for run in runs for character in run)
    return (found - sum(len(_CASE_BREAK.findall(run)) for run in runs)) / total


def _guess_latin(sample: bytes) -> str:
    scores = {codec: _latin_score(sample, codec) for codec in LATIN}
    best = max(scores, key=lambda codec: scores[codec])
    is_better = scores[best] > scores["cp1252"] * LATIN_BIAS
    return best if is_better and len(_own_letters(sample, best)) >= _FEWEST_LETTERS else "cp1252"


def _own_letters(sample: bytes, codec: str) -> set[str]:
    """Give the letters of a charset's languages that western ones have not: "chêne" thirty times is not Polish."""
    return {*sample.decode(codec, "replace")} & (LATIN[codec] - LATIN["cp1252"])


def _latin_score(sample: bytes, codec: str) -> float:
    letters = LATIN[codec]
    text = sample.decode(codec, "replace")
    doubt = LATIN_DOUBT if codec == "cp1252" else {}
    return sum(doubt.get(letter, 1.0) for letter in text if letter > "\x7f" and letter in letters)

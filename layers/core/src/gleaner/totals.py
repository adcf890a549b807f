"""Totals that a listing states about itself: "1–20 of 240", "240 results", "20 Treffer", "全240件" (CM-1)."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gleaner.units import PlacedUnit

_NUMBER = r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}){1,3}(?!\d)|\d{1,7}"
_DASH = r"[-–—−~～〜]"
_UP_TO = rf"\s*(?:{_DASH}|to|through|bis|à|au|al?|до|tot|do|till|έως|إلى|עד|đến|ถึง|hingga|sampai)\s*"
_OF = (
    r"\s*(?:of|out of|from|von|sur|de|di|из|van|av|af|ud af|fra|z|ze|з|із|из|iš|od|din|από|"
    r"من|من أصل|از|מתוך|dari|trong(?: số)?|จาก|/)"
)
_OUT_OF = rf"{_OF}\s*(?:over |about |approx\.? |circa |ca\.? |etwa |~)?"
NOUN = (
    r"(?:search )?(?:results?|items?|products?|records?|entr(?:y|ies)|listings?|match(?:es)?|hits?|articles?|rows?|"
    r"jobs?|positions|vacancies|offers|properties|homes|books|events|posts|documents|files|courses|recipes|hotels|cars|ads|"
    r"auctions|"
    r"treffern?|ergebniss?en?|artikeln?|produkten?|einträgen?|angeboten?|anzeigen|stellen|objekten?|"
    r"résultats?|produits?|articles|annonces?|offres?|éléments|"
    r"resultados?|elementos?|productos?|artículos?|anuncios?|ofertas?|registros?|itens|produtos?|"
    r"risultat[io]|element[io]|prodott[io]|articoli|annunci|"
    r"результат\w*|товар\w*|объявлени\w*|запис\w*|wynik\w*|produkt\w*|ofert\w*|resultaten|producten|artikelen|"
    r"resultat|träffar|varor|produkter|træffere?|annonser|sonuç|ürün|találat|termék|položek|výsledků|αποτελέσματα|προϊόντα|"
    r"kết quả|sản phẩm|hasil|produk|نتيجة|منتج|תוצאות|ผลลัพธ์|รายการ)"
)
"""What pages call the records of any list."""
_SHOWING = (
    r"(?:showing|viewing|displaying|display|items?|results?|records?|zeige|anzeige|affichage|mostrando|visualizzat\w+|"
    r"показано)"
)
_CJK_COUNTER = r"(?:件|条|條|个|個|项|項|款|筆|笔|건|개)"

OTHERS = (
    r"(?:more|others?|weiteren?|autres|de plus|más|otros|otras|mais|outros|outras|altri|altre|meer|anderen?|więcej"
    r"|innych|fler|andra|flere|andre|lisää|muuta|dalších|další|ещё|еще|других|daha|tane daha)"
)
ANOTHER = r"(?:another|further|weitere|encore|otros|otras|outros|outras|altri|altre|nog|kolejne|ytterligare|ещё|еще)"
"""What says, behind a number or before it, that it counts what is not shown: "12 more", "another 12"."""

_A_SHARE, _A_NOUN, _A_LABEL, _A_WORD = rf"\d{_OF}", r"\d\s+\w", r"[:=(]\s*\d", r"\w\s+\d"
_A_TOTAL_FIRST = r"\d\s+\w+(?:tan|ten|dan|den|ból|ből)\s+\d"
_A_COUNTER, _A_LINE = _CJK_COUNTER, r"\d [^\W\d_]{3}"
"""What a line must have in it to hold a statement of one sort or another: nearly all lines have none of them."""

Strength: TypeAlias = Literal["range", "shown", "listing", "loose"]

_RANGE = rf"(?P<first>{_NUMBER})\s*{_DASH}\s*(?P<last>{_NUMBER})"
_STATEMENTS: tuple[tuple[Strength, str, str], ...] = (
    (
        "range",
        _A_SHARE,
        rf"(?<![\d.,/-])(?P<first>{_NUMBER}){_UP_TO}(?P<last>{_NUMBER}){_OUT_OF}(?P<total>{_NUMBER})(?![\d%/])",
    ),
    ("range", _A_COUNTER, rf"(?P<total>{_NUMBER})\s*{_CJK_COUNTER}\s*中\s*{_RANGE}"),
    ("range", _A_TOTAL_FIRST, rf"(?P<total>{_NUMBER})\s+\w{{3,20}}(?:tan|ten|dan|den|ból|ből)\s+{_RANGE}"),
    (
        "range",
        _A_COUNTER,
        rf"(?:第\s*)?{_RANGE}\s*{_CJK_COUNTER}?\s*[，,/(（]?\s*(?:共|全|总共|總共)\s*(?P<total>{_NUMBER})\s*{_CJK_COUNTER}",
    ),
    ("range", _A_COUNTER, rf"총?\s*(?P<total>{_NUMBER})\s*{_CJK_COUNTER}\s*중(?:에서)?\s*{_RANGE}"),
    ("range", _A_COUNTER, rf"[共全总總計]\s*(?P<total>{_NUMBER})\s*{_CJK_COUNTER}[^\d]{{0,12}}?{_RANGE}"),
    ("shown", _A_SHARE, rf"\b{_SHOWING}:?\s+(?P<last>{_NUMBER}){_OUT_OF}(?P<total>{_NUMBER})(?![\d%/])"),
    ("shown", _A_SHARE, rf"(?<![\d.,/-])(?P<last>{_NUMBER}){_OUT_OF}(?P<total>{_NUMBER})\s+{NOUN}\b"),
    ("listing", _A_NOUN, rf"(?<![\d.,/$€£-])(?P<total>{_NUMBER})\s+(?:\w+ )?{NOUN}\b"),
    (
        "listing",
        _A_LABEL,
        rf"\b(?:{NOUN}|найдено|gefunden|trouvés?|encontrados?)\s*(?::|=|\()\s*(?P<total>{_NUMBER})(?![\d.,%])",
    ),
    ("listing", _A_WORD, rf"(?:найдено|всего|znaleziono|łącznie)\s+(?P<total>{_NUMBER})\b"),
    ("listing", _A_COUNTER, rf"(?:全|共|总共|總共|合計|총)\s*(?P<total>{_NUMBER})\s*{_CJK_COUNTER}"),
    ("listing", _A_COUNTER, rf"(?P<total>{_NUMBER})\s*{_CJK_COUNTER}(?:の(?:結果|商品|検索結果)|结果|商品|ヒット)"),
    ("loose", _A_LABEL, rf"\b(?:total|all|gesamt)\s*(?::|\()\s*(?P<total>{_NUMBER})(?![\d.,%])"),
    (
        "loose",
        _A_LINE,
        rf"^\W{{0,12}}(?P<total>{_NUMBER}) [^\W\d_]{{3,20}}(?: (?:found|available|in total|gefunden))?\W{{0,12}}$",
    ),
)
_PATTERNS: tuple[tuple[Strength, str, re.Pattern[str]], ...] = tuple(
    (strength, needed, re.compile(pattern, re.IGNORECASE)) for strength, needed, pattern in _STATEMENTS
)
_NEEDED = {needed: re.compile(needed, re.IGNORECASE) for _, needed, _ in _STATEMENTS}
_SHORT_LINE = re.compile(r"(?m)^(?!\|)[^\n]{1,300}$")
_DIGIT = re.compile(r"\d")
_NOT_SHOWN = re.compile(rf"\d\s+{OTHERS}\b", re.IGNORECASE)
_BEFORE_MORE = re.compile(rf"\b{ANOTHER}\s+$", re.IGNORECASE)
_MOST_LINES = 3_000
NO_LISTING = re.compile(
    r"\b(?:stars?|sterne?n?|étoiles|estrellas|stelle|reviews?|ratings?|people|persons?|users?|customers?|remaining|left|"
    r"comments?|likes?|votes?|views?|followers?|sold|points?|steps?|pages?|seiten?|min(?:utes?)?|hours?|days?|weeks?|"
    r"months?|years?|bewertung\w*|rezension\w*|avis|reseñas|recensioni|отзыв\w*|slides?|photos?|images?|found this|"
    r"bedrooms?|beds?|baths?|bathrooms?|guests?|words?|km|miles?|"
    r"shipping|delivery|seats?|per page|pro seite|par page|"
    r"opiniones|valoraciones|opinioni|opini[ie]|avaliações|comentários|comentarios|commentaires|commenti|kommentare?|"
    r"recensioner|recensies|beoordelingen|anmeldelser|arvostelua?|hodnocení|recenzí?e?|yorum\w*|değerlendirme\w*|"
    r"értékelés|vélemény|vásárló|komment\w*|κριτικές|bài viết|đánh giá|ulasan|отзыв\w*|комментари\w*|відгук\w*|"
    r"cart|basket|warenkorb|panier|carrito|cesta|carrello|carrinho|winkelwagen|winkelmand\w*|varukorg\w*|kundvagn\w*|"
    r"handlekurv\w*|kurv\w*|ostoskori\w*|koszyk\w*|košík\w*|sepet\w*|kosár\w*|корзин\w*|кошик\w*|καλάθι)\b|"
    r"レビュー|口コミ|クチコミ|カート|コメント|评论|評論|评价|評價|购物车|購物車|리뷰|후기|댓글|장바구니|รีวิว|ตะกร้า|ביקורות|عربة|تقييم",
    re.IGNORECASE,
)
_PAGE_OF = re.compile(
    rf"\b(?:page|seite|página|pagina|strona|стр(?:аница|\.)?)\s+(?P<page>{_NUMBER})(?:{_OUT_OF})(?P<pages>{_NUMBER})",
    re.IGNORECASE,
)
_NEXT_PAGE = re.compile(
    r"(?mi)^[^\w\n]{0,12}(?:next(?: page)?|older(?: posts)?|weiter|nächste(?: seite)?|suivante?|siguiente|successiva|"
    r"следующая|次へ|下一页|następna)[^\w\n]{0,12}(?:\(|$)|(?<!\d)1\W{1,4}2\W{1,4}3\W{1,4}(?:4|…)"
)


@dataclass(frozen=True, slots=True)
class StatedTotal:
    """A total that the page states: ``markdown[start:end]`` is ``text``.

    ``total`` counts the whole listing; ``first`` and ``last`` are the range that this page shows, when it says so
    ("20 of 240 results" counts as 1 to 20). ``strength``: range · shown · listing ("240 results") · loose: a line of
    a number and any noun ("5 Events"), which may be about something else.
    """

    total: int
    first: int | None
    last: int | None
    start: int
    end: int
    text: str
    strength: Strength = "listing"

    @property
    def shown(self) -> int:
        """How many records this page should show."""
        if self.first is None or self.last is None:
            return self.total
        return self.last - self.first + 1


def stated_total(markdown: str, units: Sequence[PlacedUnit] = ()) -> StatedTotal | None:
    """Give the total that a listing states about itself, or None. Statements inside ``units`` are about something else.

    A range is believed before a count, a count with a listing's noun before a bare one, an earlier before a later one.

    >>> stated_total("Showing 21–40 of 1,240 results").shown
    20
    >>> stated_total("Rated 4 of 5 stars. 12 of 13 people found this helpful.") is None
    True
    """
    inside = _spans(units)
    found = _statements(markdown, inside)
    order = ("range", "shown", "listing", "loose")
    return min(found, key=lambda total: (order.index(total.strength), total.start), default=None)


def stated_page(markdown: str) -> tuple[int, int] | None:
    """Give the page's number and the number of pages ("Page 1 of 12"), or None.

    >>> stated_page("Seite 2 von 12")
    (2, 12)
    """
    match = _PAGE_OF.search(markdown)
    return (_count(match["page"]), _count(match["pages"])) if match else None


def has_next_page(markdown: str) -> bool:
    """Tell whether the text has signs of further pages: "Next", "1 2 3 4 …", "Page 1 of 12"."""
    page = stated_page(markdown)
    return (page is not None and page[0] < page[1]) or _NEXT_PAGE.search(markdown) is not None


def _spans(units: Sequence[PlacedUnit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((unit.start, unit.end) for unit in units):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _lies_in(spans: list[tuple[int, int]], place: int) -> bool:
    at = bisect_right(spans, (place, 10**12)) - 1
    return at >= 0 and spans[at][0] <= place < spans[at][1]


def _statements(markdown: str, inside: list[tuple[int, int]]) -> Iterator[StatedTotal]:
    for begin, line in _short_lines(markdown, inside):
        there = {needed for needed, sign in _NEEDED.items() if sign.search(line)}
        for strength, needed, pattern in _PATTERNS if there else ():
            for match in pattern.finditer(line) if needed in there else ():
                total = _read(line, begin, match, strength)
                if total is not None:
                    yield total


def _short_lines(markdown: str, inside: list[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """Give the lines that may state a total, with their offsets: short ones outside of units, at the page's ends."""
    places = [
        match.span()
        for match in _SHORT_LINE.finditer(markdown)
        if _DIGIT.search(markdown, *match.span()) and not _lies_in(inside, match.start())
    ]
    chosen = places if len(places) <= 2 * _MOST_LINES else places[:_MOST_LINES] + places[-_MOST_LINES:]
    yield from ((start, markdown[start:end]) for start, end in chosen)


def _read(line: str, begin: int, match: re.Match[str], strength: Strength) -> StatedTotal | None:
    groups = match.groupdict()
    total = _count(groups["total"])
    last = _count(groups["last"]) if groups.get("last") else None
    first = _count(groups["first"]) if groups.get("first") else 1 if last is not None else None
    if total == 0 or (first is not None and last is not None and not 0 < first <= last <= total):
        return None
    if _is_about_else(line, match, strength):
        return None
    return StatedTotal(total, first, last, begin + match.start(), begin + match.end(), match.group().strip(), strength)


def _is_about_else(line: str, match: re.Match[str], strength: Strength) -> bool:
    """Tell statements about stars, pages, reviews, stock or what is not shown from a listing's own."""
    around = line[max(0, match.start() - 16) : match.end() + 24]
    if strength == "range" and re.search(NOUN, around, re.IGNORECASE):
        return False
    is_not_shown = _NOT_SHOWN.search(match[0]) or _BEFORE_MORE.search(line[: match.start()])
    return is_not_shown is not None or NO_LISTING.search(around) is not None


def _count(text: str) -> int:
    return int(re.sub(r"\D", "", text))

"""Former prices do not prove a price: "~~$30~~ now $25", "Was £49.99 Now £39.99".

They are so only beside the present price, in the same line or at the start of the next paragraph. A field whose name
asks for the former one is left alone, and so is a plain ``price`` where another field asks for the present one
(``sale_price``): it may be meant as the regular price then.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain

from gleaner.grounding.leaves import Leaf, SchemaViews
from gleaner.grounding.regions import Span, Stretches
from gleaner.grounding.text.spellings import Field, spellings
from gleaner.grounding.text.text_index import Match
from gleaner.values.money_signs import CURRENCY
from gleaner.values.name_measures import measure_of
from gleaner.values.numbers import interpret

_FORMER_NAME = re.compile(
    r"was|old|orig|regular|list|rrp|msrp|srp|uvp|before|prev|former|full|normal|stri[kc]|stroke|cross|retail|compare"
    r"|standard|usual|initial|first|start|base|high|max|vorher|alt|streich|statt|ancien|avant|barr|antes|anterior"
    r"|precedent|prima|oud|vorige|\breg\b|стар|原|定|通常|정가",
    re.IGNORECASE,
)
_PRESENT_NAME = re.compile(
    r"sale|\bnow\b|current|offer|special|deal|promo|discount|final|reduced|today|new|member|low|\bmin|aktuell|angebot"
    r"|jetzt|rabatt|actual|actuel|oferta|offerta|attual|aanbied|акци|скид|現|现|세일",
    re.IGNORECASE,
)
_MONEY = rf"(?:{CURRENCY}|￥)"
_NUMBER = r"\d(?:[\d.,'’ \u00a0\u202f]{0,16}\d)?"
_SIGNS = r"[*_~\s:：]{0,6}"
_PAID = re.compile(rf"{_MONEY}\s?(?P<ahead>{_NUMBER})|(?<![\d.,])(?P<behind>{_NUMBER})\s?{_MONEY}(?![^\W_])")
_ANY_NUMBER = re.compile(rf"(?P<ahead>{_NUMBER})(?P<behind>)")
_BARE = _PAID.pattern.replace("?P<ahead>", "").replace("?P<behind>", "")
_STRUCK = re.compile(r"~~[^~\n]{1,80}~~")
_PRICE = r"(?:[\s-]*(?:prices?|preis|prix|precio|preço|prezzo|prijs|pris|cena|цена|fiyat|価格|价|價))?"
_SPACED = (
    "was reg regular regularly list rrp msrp srp orig original originally before previously former formerly old usual "
    "usually statt uvp bisher vorher früher ehemals avant ancien antes anterior pvpr prima anziché vroeger van "
    "oorspronkelijk adviesprijs före tidigare ordinarie før førpris было раньше вместо старая było regularna původně "
    "eski önce"
)
_PHRASES = r"instead of|compare at|au lieu de|en lugar de|en vez de|invece di|ord\.? ?pris|unverb\. ?preisempf"
_UNSPACED = "原价|原價|定价|定價|市场价|市場價|参考価格|通常|希望小売|정가|ปกติ"
_WORDS = re.compile(
    rf"(?:(?<![^\W_])(?:{'|'.join(_SPACED.split())}|{_PHRASES})(?![^\W_])\.?|{_UNSPACED}){_PRICE}{_SIGNS}"
    rf"(?={_BARE})|(?<![^\W_])de\s(?=(?:{_BARE})\spor\s)",
    re.IGNORECASE,
)
_PRESENT = r"(?:now|only|just|today|sale|our|jetzt|nur|heute|ahora|ora|maintenant|nu|voor|teraz|сейчас|现|現|지금|ลด)"
_BEGINS = re.compile(rf"(?:^|[\n|.,;:!?()·•–—\d$€£%-]|(?<![^\W_]){_PRESENT})[\s*_~(\[>]*\Z", re.IGNORECASE)
_LEADS_TO_PRESENT = re.compile(rf"(?:^|[^\w]){_PRESENT}{_PRICE}{_SIGNS}\Z", re.IGNORECASE)
_NEXT = re.compile(rf"[*_]{{0,3}}(?:{_PRESENT}{_PRICE}{_SIGNS})?(?=\W{{0,4}}\d|{CURRENCY})", re.IGNORECASE)
_REACH = 60
_TOUCHING = 4


@lru_cache(maxsize=1024)
def _asks_for(field: Field) -> str:
    """Give which price a field's name asks for: the former, the present, either ("price"), or none."""
    name = "".join(spellings(field)[:1])
    if not name or not measure_of("".join(field[-1:])).is_paid:
        return ""
    return "former" if _FORMER_NAME.search(name) else "present" if _PRESENT_NAME.search(name) else "either"


class FormerPrices:
    """The places of a text that say what things cost before, and the fields that do not ask for it."""

    def __init__(self, leaves: Iterable[Leaf], views: SchemaViews, text: str) -> None:
        self._text = text
        fields = {leaf.field for leaf in leaves if leaf.field and _asks_for(leaf.field)}
        self._open = {field for field in fields if _asks_for(field) in ("present", "either")}
        for parent in {field[:-1] for field in self._open}:
            beside = {field for field in fields if field[:-1] == parent}
            for view in views.of(parent):
                properties = view.get("properties")
                beside |= {(*parent, str(name)) for name in properties} if isinstance(properties, Mapping) else set()
            if any(_asks_for(field) == "present" for field in beside):
                self._open -= {field for field in beside if _asks_for(field) == "either"}

    def without(self, leaf: Leaf, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches that do not stand in a former price, where the field asks for the present one."""
        if leaf.field not in self._open or isinstance(leaf.value, bool):
            return matches
        return [one for one in matches if not self._places.hold(one.start)]

    @cached_property
    def _places(self) -> Stretches:
        return Stretches([*self._struck(), *self._named()])

    def _struck(self) -> Iterator[Span]:
        spans = [match.span() for match in _STRUCK.finditer(self._text)]
        struck = Stretches(spans)
        for span in spans:
            near = chain(self._near(span, struck, _PAID, _REACH), self._near(span, struck, _ANY_NUMBER, _TOUCHING))
            if next(near, None) is not None:
                yield span

    def _named(self) -> Iterator[Span]:
        none_struck = Stretches(())
        for match in _WORDS.finditer(self._text):
            amount = _PAID.match(self._text, match.end())
            if amount is None:
                continue
            begins = _BEGINS.search(self._text, max(0, match.start() - _REACH), match.start()) or not match.start()
            lower = [
                one
                for one in self._near((match.start(), amount.end()), none_struck, _PAID, _REACH)
                if min(_values(one), default=0) < max(_values(amount), default=0)
            ]
            if any(begins or self._is_led_to(one.start()) for one in lower):
                yield amount.span()

    def _is_led_to(self, start: int) -> bool:
        return _LEADS_TO_PRESENT.search(self._text, max(0, start - _REACH), start) is not None

    def _near(self, span: Span, struck: Stretches, amounts: re.Pattern[str], reach: int) -> Iterator[re.Match[str]]:
        """Give the amounts in a span's line, and those that begin the next paragraph; no struck ones."""
        text = self._text
        first = max(text.rfind("\n", 0, span[0]), text.rfind("|", 0, span[0])) + 1
        ends = [at for sign in "\n|" if (at := text.find(sign, span[1])) >= 0]
        last = min(ends, default=len(text))
        if text[last : last + 2] == "\n\n" and _NEXT.match(text, last + 2):
            last = min(at for at in (text.find("\n", last + 2), len(text)) if at >= 0)
        for match in amounts.finditer(text, max(first, span[0] - reach), min(last, span[1] + reach)):
            inside = match.start() < span[1] and span[0] < match.end()
            if not inside and not struck.hold(match.start()):
                yield match


def _values(amount: re.Match[str]) -> list[int | float]:
    return interpret(re.sub(r"\s", "", amount["ahead"] or amount["behind"]))

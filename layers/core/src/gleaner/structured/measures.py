"""Units of measure and currencies by their spellings: whether a column and a field speak of the same one."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gleaner.contracts.word_lists import listed

_SPELLINGS = """
m metre meter metres meters mètre mètres metro metros mtr
km kilometre kilometer kilometres kilometers
cm centimetre centimeter centimetres centimeters
mm millimetre millimeter millimetres millimeters
in inch inches ″ "
ft foot feet ′
yd yard yards
mi mile miles
kg kilo kilos kilogram kilograms kilogramme kilogrammes
g gram grams gramm gramme grammes
mg milligram milligrams
μg ug microgram micrograms
lb lbs pound_weight
oz ounce ounces
t tonne tonnes
l litre liter litres liters
gal gallon gallons
pint pints
ml millilitre milliliter millilitres milliliters
cl centilitre
s sec second seconds
min minute minutes
h hr hrs hour hours
d day days
wk week weeks
yr year years
ms millisecond milliseconds
c °c ℃ celsius degc
f °f ℉ fahrenheit degf
k kelvin
m2 m² sqm
km2 km²
ft2 ft² sqft
mi2 mi² sqmi
ha hectare hectares
acre acres
nmi nautical_mile
kn knot knots
fathom fathoms
m3 m³
mph
km/h kmh kph
m/s
w watt watts
kw kilowatt kilowatts
megawatt megawatts
kwh
mwh
gwh
twh
hp horsepower
v volt volts
a amp amps ampere
hz hertz
mhz
ghz
b byte bytes
kb kilobyte kilobytes
mb megabyte megabytes
gb gigabyte gigabytes
tb terabyte terabytes
pa
hpa
bar
kcal
kj
j joule joules
db decibel decibels
mah
ah
wh
rpm
psi
ppm
ppb
lx lux
ohm ohms
lm lumen lumens
mbit mbit/s mbps
px pixel pixels
% percent percentage prozent
° degree degrees
eur € euro euros
usd us$ $ dollar dollars
gbp £ pound pounds sterling
chf franken fr.
jpy ¥ yen 円
inr ₹ rs rupee rupees
krw ₩ won 원
rub ₽ ruble rubles руб
pln zł zloty
czk kč
sek
nok
dkk
huf ft.
try ₺
brl r$
cad ca$ c$
aud au$ a$
nzd nz$
cny rmb yuan 元
mxn
zar
"""
_SCALED = """
thousand thousands thousandth tsd tausend mille k' tys тыс mil millares
million millions mio mn mln millionen milliones млн
billion billions bn mrd milliarde milliarden mld млрд
lakh crore dozen hundred hundreds
"""

UNITS: Mapping[str, str] = MappingProxyType(
    {spelling: line.split()[0] for line in _SPELLINGS.strip().splitlines() for spelling in line.split()}
)
"""The spellings of units in lower case, each with the name of its unit."""

CURRENCIES = listed("eur usd gbp chf jpy inr krw rub pln czk sek nok dkk huf try brl cad aud nzd cny mxn zar")
SCALES = frozenset(_SCALED.split())
"""Words that multiply the numbers beside them."""

TIMES = listed("s min h d wk yr")
"""Units of time: they are counted like things, while two metres on a page are often those of two fields."""

DOUBTFUL = listed("k b t m c f a")
"""Units that are also short for thousands, millions, billions or cents: only where label or field says so."""

_LENGTHS = listed(
    "altitude elevation height length width depth distance dimension höhe länge breite tiefe hauteur longueur largeur "
    "altura altezza lunghezza hoogte lengte höjd längd высота длина 標高 高さ"
)

_SHORT = listed("m in t l s h d c f k a b v w g j ms min won try bar day days year years")
"""Spellings that are also words: units only in brackets, or after a number or ``in``."""

_RANGE_STATED = re.compile(
    r"\b(?:from|between)\s(?P<low>\d+(?:\.\d+)?)\s?(?:to|and|[-–])\s?(?P<high>\d+(?:\.\d+)?)\b"
    r"|(?<![\d-])(?P<least>\d{1,2})\s?(?:[-–]|to)\s?(?P<most>\d{1,3})(?:\s?(?:scale|stars?|points?)\b|\s*\)|$)"
    r"|\bout of (?P<whole>\d+)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,16})[)\]]")
_AFTER_IN = re.compile(r"\b(?:in|measured in|unit:?)\s+([^\s,.;()]+)", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;()\[\]:]+")


_PHRASES = tuple(
    (re.compile(rf"\b{phrase}\b", re.IGNORECASE), short)
    for phrase, short in (
        (r"sq(?:uare|\.)?[- ](?:kilomet(?:er|re)s?|km)", "km²"),
        (r"sq(?:uare|\.)?[- ](?:met(?:er|re)s?|m)", "m²"),
        (r"sq(?:uare|\.)?[- ](?:feet|foot|ft)", "ft²"),
        (r"sq(?:uare|\.)?[- ](?:miles?|mi)", "mi²"),
        (r"cubic met(?:er|re)s?", "m³"),
        (r"kilomet(?:er|re)s? (?:per|an) hour", "km/h"),
        (r"miles (?:per|an) hour", "mph"),
        (r"degrees? celsius", "celsius"),
        (r"degrees? fahrenheit", "fahrenheit"),
        (r"(?:us|u\.s\.|american) dollars?", "USD"),
        (r"(?:british pounds?(?: sterling)?|pounds? sterling)", "GBP"),
    )
)


def shorten_units(text: str) -> str:
    """Give the text with units of several words in one.

    >>> shorten_units("Area in square kilometres"), shorten_units("Area (sq mi)")
    ('Area in km²', 'Area (mi²)')
    """
    for phrase, short in _PHRASES if " " in text or "-" in text else ():
        text = phrase.sub(short, text)
    return text


def unit_named(text: str) -> str | None:
    """Give the unit that a spelling stands for; None for a word that is no unit.

    >>> unit_named("Metres"), unit_named("€"), unit_named("apples")
    ('m', 'eur', None)
    """
    folded = text.strip().casefold().rstrip(".").replace("²", "2").replace("³", "3")
    return UNITS.get(folded) or UNITS.get(text.strip().casefold()) or _ratio(folded)


def _ratio(text: str) -> str | None:
    """Give the name of a unit by another: "l/min". Money by anything is a price of something else than the record."""
    parts = [UNITS.get(part.strip()) for part in text.split("/")]
    known = [part for part in parts if part is not None and part not in CURRENCIES]
    return "/".join(known) if len(parts) == 2 == len(known) else None


def stated_range(text: str) -> tuple[float, float] | None:
    """Give the range of values that a description states; "out of" counts from zero.

    >>> stated_range("Rating from 1 to 5"), stated_range("Score out of 100"), stated_range("Rating")
    ((1.0, 5.0), (0.0, 100.0), None)
    """
    match = _RANGE_STATED.search(text)
    if match is None:
        return None
    low, high = match["low"] or match["least"] or "0", match["high"] or match["most"] or match["whole"]
    return float(low), float(high)


def speaks_of_length(words: Iterable[str]) -> bool:
    """Tell whether a field's or a label's words say that it is measured in metres or the like."""
    return not _LENGTHS.isdisjoint(words)


def is_plain_unit(text: str) -> bool:
    """Tell whether a spelling is a unit wherever it stands, and no word besides."""
    return unit_named(text) is not None and text.strip().casefold() not in _SHORT


def units_stated(text: str) -> set[str]:
    """Give the units and scales that a description speaks of.

    >>> sorted(units_stated("Weight of the parcel in kg")), sorted(units_stated("revenue (millions)"))
    (['kg'], ['million'])
    """
    text = shorten_units(text)
    found: set[str] = set()
    for piece in (*_BRACKETED.findall(text), *_AFTER_IN.findall(text)):
        if unit := unit_named(piece):
            found.add(unit)
    for word in _WORD.findall(text):
        if is_plain_unit(word):
            found.add(UNITS.get(word.casefold()) or str(unit_named(word)))
        if word.casefold().rstrip(".") in SCALES:
            found.add(word.casefold().rstrip(".").rstrip("s"))
    return found

"""The units of measure by how they are spelled, and which of them measure the same kind of thing."""

from collections.abc import Mapping

_KINDS = (
    "km:kilometer:kilometre:км m:meter:metre:м cm:centimeter:centimetre:см mm:millimeter:millimetre:мм "
    "mi:mile ft:foot:feet "
    "inch:inches yd:yard nmi",
    "km2:km²:sqkm m2:m²:sqm:㎡ cm2:cm² ha:hectare acre sqft:ft²:ft2:sq.ft mi²:sqmi:sq.mi",
    "kg:kilo:kilogram:кг g:gram:gramme:г mg:milligram lb:lbs oz:ounce",
    "°c:celsius °f:fahrenheit",
    "km/h:kmh:kph mph m/s knot",
    "l:liter:litre:л ml:мл:milliliter:millilitre cl gal:gallon",
    "kb mb gb tb kib mib gib tib",
    "watt kw:kilowatt mw:megawatt hp:ps",
    "kcal:cal:calorie:kilocalorie:ккал kj:kilojoule",
    "%:percent:prozent:pct:percentage",
    "hpa:mbar kpa psi",
    "mah ah wh kwh mwh",
    "hz khz mhz ghz",
    "mp:megapixel",
    "sec:sekunde:second:сек min:minute:minuten:minuto:minuti:minut:minuter:dakika:мин "
    "h:hr:hour:stunde:stunden:ч day:tag:jour:dia:giorno night week month:monat year",
)
_UNITS: Mapping[str, tuple[int, str]] = {
    spelling: (kind, unit.split(":", 1)[0])
    for kind, units in enumerate(_KINDS)
    for unit in units.split()
    for spelling in unit.split(":")
}
TIMES = len(_KINDS) - 1
PERCENT = next(kind for kind, units in enumerate(_KINDS) if units.startswith("%"))


def unit_named(word: str) -> tuple[int, str] | None:
    """Give the kind and the name of the unit that a word spells; None for none.

    >>> unit_named("Kilograms") == unit_named("kg")
    True
    """
    plain = word.casefold().replace(" ", "").replace("^", "")
    return _UNITS.get(plain) or _UNITS.get(plain.removesuffix("s"))

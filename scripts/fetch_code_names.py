"""Write the names of countries, languages and days of the week, from Unicode CLDR as Babel has it.

pip install babel; python scripts/fetch_code_names.py
"""

import json
from pathlib import Path

import babel
from babel import Locale
from babel.core import get_global

TARGET = Path(__file__).parents[1] / "layers/core/src/gleaner/data/code_names.json"
LOCALES = """
en de fr es it pt nl pl cs sv da nb fi hu ro tr el ru uk ja ko zh zh_Hant ar he th vi id hi
"""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WIDTHS = ("wide", "abbreviated")
ALSO = {
    "US": ["USA", "U.S.", "U.S.A.", "United States of America"],
    "GB": ["UK", "U.K.", "Great Britain", "Großbritannien", "Grande-Bretagne", "Gran Bretaña", "Gran Bretagna"],
    "CZ": ["Czech Republic", "Tschechische Republik", "République tchèque", "República Checa", "Repubblica Ceca"],
    "NL": ["The Netherlands", "Holland"],
    "KR": ["Korea"],
    "TR": ["Turkey"],
    "AE": ["UAE"],
    "HK": ["Hong Kong"],
    "MO": ["Macao", "Macau"],
    "VN": ["Viet Nam"],
    "RU": ["Russian Federation"],
    "SK": ["Slovak Republic"],
    "CI": ["Ivory Coast"],
    "MK": ["Macedonia"],
}
"""Names that pages use and CLDR does not list first."""


def main() -> None:
    """Write the file."""
    locales = [Locale.parse(name) for name in LOCALES.split()]
    used = {code for code in locales[0].territories if len(code) == 2 and code.isalpha()} - {
        "EU",
        "EZ",
        "UN",
        "ZZ",
        "XA",
        "XB",
    }
    countries = {code: names_of(code, [one.territories for one in locales]) for code in sorted(used)}
    for code, names in ALSO.items():
        countries[code] = list(dict.fromkeys([*countries[code], *names]))
    spoken = {code for code in locales[0].languages if len(code) == 2}
    languages = {code: names_of(code, [*(one.languages for one in locales), own_name(code)]) for code in sorted(spoken)}
    data = {
        "source": f"Unicode CLDR, as Babel {babel.__version__} has it; a few more names of countries",
        "countries": countries,
        "iso3166_alpha3": longer("territory_aliases", used),
        "languages": languages,
        "weekdays": {name: names_of_day(at, locales) for at, name in enumerate(WEEKDAYS)},
        "iso639_3": longer("language_aliases", spoken),
    }
    TARGET.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def names_of(code: str, tables: list[dict[str, str]]) -> list[str]:
    """Give all names of a code, each once."""
    return list(dict.fromkeys(name for table in tables if (name := table.get(code)) and name != code))


def names_of_day(day: int, locales: list[Locale]) -> list[str]:
    """Give all names of a day of the week, and what they are shortened to."""
    forms = (one.days[context][width] for one in locales for context in ("format", "stand-alone") for width in WIDTHS)
    return list(dict.fromkeys(name for form in forms if len(name := form[day].rstrip(".")) > 1))


def own_name(code: str) -> dict[str, str]:
    """Give what a language calls itself."""
    try:
        return {code: Locale.parse(code).languages.get(code, "")}
    except babel.UnknownLocaleError:
        return {}


def longer(table: str, codes: set[str]) -> dict[str, str]:
    """Give the codes of two letters by those of three."""
    both = ((long, shorts[0] if isinstance(shorts, list) else shorts) for long, shorts in get_global(table).items())
    return {long: short for long, short in sorted(both) if len(long) == 3 and long.isalpha() and short in codes}


main()

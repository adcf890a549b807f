"""Decide whether a page without records is truly empty, by its words and by the schema."""

import re
from typing import Any

from gleaner.schemas import declared_properties, declared_types
from gleaner.values.money_signs import AMOUNT

_THINGS = (
    r"(?:search )?(?:results?|items?|products?|records?|entries|entry|listings?|matches|hits|articles?|jobs?|"
    r"positions?|vacanc(?:y|ies)|offers?|properties|events?|posts?|documents?|files?|courses?|hotels?|orders?|data|comments?|"
    r"reviews?|openings?)"
)
_SAYINGS = (
    rf"no (?:\w+ ){{0,2}}{_THINGS}\b",
    rf"(?<![\d.,])0 (?:\w+ )?{_THINGS}\b",
    r"nothing (?:was |has been )?(?:found|here|to show|yet)",
    r"(?:there (?:are|is)|we have|found) (?:currently )?(?:no|nothing)\b",
    r"(?:did not|didn't) match any",
    r"(?:couldn't|could not) find any",
    rf"{_THINGS} (?:not found|(?:is|are) (?:currently )?empty)",
    r"keine? (?:\w+ )?(?:ergebnis\w*|treffer|artikel|produkte?|einträge|angebote)",
    r"nichts gefunden",
    r"aucune? (?:\w+ )?(?:résultats?|produits?|articles?|annonces?|offres?)",
    r"(?:sin|ningún|no hay|no se encontraron) (?:\w+ )?(?:resultados?|productos?|artículos?|anuncios?)",
    r"nessun\w* (?:\w+ )?(?:risultat\w|prodott\w|articol\w)",
    r"(?:nenhum (?:resultado|produto|item)|sem resultados)",
    r"geen (?:resultaten|producten|artikelen)",
    r"brak (?:wyników|produktów)",
    r"inga (?:träffar|resultat)",
    r"(?:ничего не найдено|нет результатов)",
)
_NOTHING = re.compile(
    rf"\b(?:{'|'.join(_SAYINGS)})|該当(?:する|なし)|見つかりません|没有找到|沒有找到|暂无|無結果|无结果|검색 결과가 없",
    re.IGNORECASE,
)
_SHORT_LINE = re.compile(r"(?m)^[^\n|]{1,200}$")
_MONEY = re.compile(AMOUNT)
_MONEY_FIELD = re.compile(r"price|cost|amount|fee|salary|fare|rent|preis|prix|precio|prezzo|цена", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WINDOW = 400
_LEAST_NUMBERS = 2


def says_it_is_empty(markdown: str) -> bool:
    """Tell whether a short line of the page says that there is nothing to list.

    >>> says_it_is_empty("# Jobs\\n\\nNo open positions right now."), says_it_is_empty("No. 5: a lamp")
    (True, False)
    """
    return any(_NOTHING.search(line[0]) for line in _SHORT_LINE.finditer(markdown))


def may_hold_records(markdown: str, item_schema: Any) -> bool:
    """Tell whether a page states what a record of this schema would: an amount of money, or several numbers together.

    A schema of nothing but texts looks for nothing that can be told from other text.

    >>> schema = {"properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    >>> may_hold_records("The lamp costs $5.", schema), may_hold_records("We are open from 9.", schema)
    (True, False)
    """
    properties = declared_properties(item_schema)
    numeric = [name for name, schema in properties.items() if _is_numeric(schema)]
    if any(_MONEY_FIELD.search(name) for name in properties) and _MONEY.search(markdown):
        return True
    wanted = len(numeric)
    places = [match.start() for match in _NUMBER.finditer(markdown)]
    return wanted >= _LEAST_NUMBERS and any(
        last - first <= _WINDOW for first, last in zip(places, places[wanted - 1 :], strict=False)
    )


def _is_numeric(schema: dict[str, Any] | bool) -> bool:
    if isinstance(schema, dict) and schema.get("format") in ("date", "date-time", "time"):
        return True
    types = declared_types(schema)
    return bool(types & {"number", "integer"}) and "string" not in types

"""Values as sites show them: names, titles, sentences, days, amounts; nothing that the test generator uses."""

from random import Random

_FIRST = [
    "Aisha",
    "Bruno",
    "Carmen",
    "Dmitri",
    "Elif",
    "Farid",
    "Greta",
    "Hiro",
    "Ines",
    "Jonas",
    "Kofi",
    "Lena",
    "Mateo",
    "Nadia",
    "Omar",
    "Priya",
    "Quentin",
    "Rosa",
    "Sven",
    "Tariq",
]
_LAST = [
    "Abbott",
    "Brandt",
    "Castillo",
    "Dahl",
    "Eriksen",
    "Fontaine",
    "Gupta",
    "Haddad",
    "Ivanova",
    "Jansen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quispe",
    "Rossi",
    "Sato",
    "Thornton",
]
_NOUNS = [
    "kettle",
    "lantern",
    "compass",
    "ledger",
    "harbor",
    "orchard",
    "turbine",
    "violin",
    "glacier",
    "backpack",
    "router",
    "camera",
    "saddle",
    "printer",
    "teapot",
    "bicycle",
    "monitor",
    "hammock",
    "drill",
    "blanket",
]
_ADJECTIVES = [
    "quiet",
    "amber",
    "portable",
    "wireless",
    "rugged",
    "vintage",
    "compact",
    "solar",
    "folding",
    "stainless",
    "woven",
    "silent",
    "hollow",
    "crimson",
    "northern",
    "electric",
    "foldable",
    "heavy",
    "modern",
    "classic",
]
_VERBS = [
    "repairing",
    "shipping",
    "measuring",
    "painting",
    "debugging",
    "mapping",
    "tuning",
    "growing",
    "restoring",
    "compiling",
    "reading",
    "testing",
    "hosting",
    "parsing",
    "baking",
]
_CITIES = [
    "Lisbon",
    "Oslo",
    "Tampa",
    "Kyoto",
    "Leeds",
    "Porto",
    "Turin",
    "Quito",
    "Austin",
    "Bergen",
    "Galway",
    "Haifa",
    "Izmir",
    "Jaipur",
    "Krakow",
    "Lyon",
    "Malmo",
    "Nantes",
    "Osaka",
    "Perth",
]
_STEMS = [
    "Nor",
    "Vex",
    "Bright",
    "Hex",
    "Lumen",
    "Quar",
    "Tern",
    "Ald",
    "Mar",
    "Zephyr",
    "Cobal",
    "Fen",
    "Gran",
    "Hol",
    "Iver",
]
_ENDS = ["ix", "ton", "wave", "line", "works", "field", "soft", "gate", "mark", "well"]
_FORMS = ["Inc.", "LLC", "GmbH", "& Sons", "Labs", "Group", "Ltd"]


def person(r: Random) -> str:
    return f"{r.choice(_FIRST)} {r.choice(_LAST)}"


def login(r: Random) -> str:
    return r.choice(
        [
            f"{r.choice(_NOUNS)}{r.randint(1, 999)}",
            f"{r.choice(_FIRST).lower()}_{r.choice(_ENDS)}",
            f"{r.choice(_STEMS).lower()}{r.choice(_ENDS)}",
        ]
    )


def company(r: Random) -> str:
    return f"{r.choice(_STEMS)}{r.choice(_ENDS)}{r.choice(['', ' ' + r.choice(_FORMS)])}"


def city(r: Random) -> str:
    return r.choice(_CITIES)


def thing(r: Random) -> str:
    return f"{r.choice(_ADJECTIVES).title()} {r.choice(_NOUNS).title()}"


def product(r: Random) -> str:
    tail = r.choice(
        [
            "",
            f" {r.randint(2, 90)} L",
            f", Pack of {r.randint(2, 12)}",
            f" ({r.choice(_ADJECTIVES)})",
            f" {r.choice('ABCDEX')}{r.randint(100, 9900)}",
        ]
    )
    return f"{r.choice(_STEMS)}{r.choice(_ENDS)} {thing(r)}{tail}"


def headline(r: Random) -> str:
    forms = [
        f"{r.choice(_VERBS).title()} a {r.choice(_ADJECTIVES)} {r.choice(_NOUNS)} in {r.randint(2, 40)} steps",
        f"Show HN: {thing(r)} – {r.choice(_VERBS)} without the {r.choice(_NOUNS)}",
        f"Why {r.choice(_NOUNS)}s beat {r.choice(_NOUNS)}s ({r.randint(1990, 2025)})",
        f"{company(r)} buys {company(r)} for ${r.randint(2, 90)}M",
        f"The {r.choice(_ADJECTIVES)} {r.choice(_NOUNS)}: a {r.choice(_ADJECTIVES)} history",
        f"How do I keep a {r.choice(_NOUNS)} from {r.choice(_VERBS)} twice?",
    ]
    return r.choice(forms)


def sentence(r: Random) -> str:
    forms = [
        f"A {r.choice(_ADJECTIVES)} {r.choice(_NOUNS)} for {r.choice(_VERBS)} on the road.",
        f"We tried {r.choice(_VERBS)} with {r.randint(2, 30)} {r.choice(_NOUNS)}s and it held.",
        f"The {r.choice(_NOUNS)} was {r.choice(_ADJECTIVES)}, the {r.choice(_NOUNS)} was not.",
        f"Nobody in {city(r)} would agree that {r.choice(_VERBS)} is {r.choice(_ADJECTIVES)}.",
    ]
    return r.choice(forms)


def text(r: Random, least: int = 1, most: int = 3) -> str:
    return " ".join(sentence(r) for _ in range(r.randint(least, most)))


def tags(r: Random, least: int = 0, most: int = 4) -> list[str]:
    return r.sample(_NOUNS, r.randint(least, most))


def words(r: Random, count: int) -> list[str]:
    return r.sample(_NOUNS, count)


def day(r: Random, first: int = 2021, last: int = 2025) -> str:
    return f"{r.randint(first, last)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}"


def amount(r: Random, low: float = 4, high: float = 900) -> float:
    return round(r.uniform(low, high), 2)


def maybe(r: Random, value: object, share: float = 0.7) -> object:
    return value if r.random() < share else None


def slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())

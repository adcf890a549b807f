"""The invented records that each program is filled with."""

from dataclasses import asdict, dataclass
from typing import Any

_WOODS = ("Larch", "Oak", "Elm", "Ash", "Birch", "Maple", "Cedar", "Pine", "Walnut", "Cherry", "Beech", "Alder")
_KINDS = ("Floor", "Desk", "Wall", "Reading", "Garden", "Ceiling", "Table", "Night", "Work", "Hall", "Porch")
_MAKERS = ("Tobin & Daughters", "Hale Works", "Nordby", "O'Dell Lights", "Sand and Sons", "Mirek")


@dataclass(frozen=True, slots=True)
class Lamp:
    """A record: no two have one name, and several have one maker, price or power."""

    name: str
    maker: str
    price: float
    watts: int


def lamps(count: int = 300) -> list[Lamp]:
    """Give as many invented lamps, in an order that is none of the names'."""
    numbers = [number * 7 % count for number in range(count)]
    return [
        Lamp(
            f"{_WOODS[n % 12]} {_KINDS[n // 12 % 11]} Lamp {chr(65 + n % 26)}{n:03}",
            _MAKERS[n % 6],
            round(9.95 + n % 83 * 1.25, 2),
            5 + n % 36,
        )
        for n in numbers
    ]


def as_data(records: list[Lamp]) -> list[dict[str, Any]]:
    """Give the records as JSON has them."""
    return [asdict(one) for one in records]

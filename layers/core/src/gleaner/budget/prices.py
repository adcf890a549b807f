"""The prices of models, from ``data/prices.json`` (EX-9)."""

import re
from dataclasses import dataclass
from functools import cache

from gleaner.contracts.json_text import packaged


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, in and out, as they were listed in the month ``as_of`` ("": given, or free)."""

    input: float
    output: float
    as_of: str = ""

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Give the price of one call in US dollars.

        >>> Price(3, 15).cost(1_000_000, 100_000)
        4.5
        """
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


FREE = Price(0.0, 0.0)
_VERSION = re.compile(r"(?:[-@]\d{6,}|-\d{4}-\d\d-\d\d|-v\d+|-\d+(?=:)|:\d+|[-:]latest)*")
_REGION = re.compile(r"^(?:us-gov|us|eu|apac|jp|au|ca|global)\.")


def dollars(usd: float | None, as_of: str | None = None) -> str:
    """Write a cost for people, with the month of the prices where it is known.

    >>> dollars(0), dollars(0.00003), dollars(0.0031), dollars(12.5), dollars(None)
    ('$0', 'under $0.0001', '$0.0031', '$12.50', 'unknown price')
    >>> dollars(0.0031, "2026-11")
    '$0.0031 (prices of 2026-11)'
    """
    if usd and as_of:
        return f"{dollars(usd)} (prices of {as_of})"
    if usd is None:
        return "unknown price"
    if 0 < usd < 0.0001:
        return "under $0.0001"
    return f"${usd:.{4 if usd < 0.1 else 2}f}" if usd else "$0"


def price_of(
    model_name: str | None, *, input_usd: float | None = None, output_usd: float | None = None
) -> Price | None:
    """Give the price of a model by its name (``bedrock:…``, ``openai:…``, ``local:…``); None when it is not known.

    Both ``input_usd`` and ``output_usd`` (per million tokens) override the table. An inference profile's region and a
    version at the end of the name do not matter: the longest name of the table that the model's name starts with
    counts.
    """
    if input_usd is not None and output_usd is not None:
        return Price(input_usd, output_usd)
    provider, _, name = (model_name or "").partition(":")
    if provider in ("local", "ollama", "lmstudio", "llamacpp", "vllm", "function"):
        return FREE
    plain = _REGION.sub("", name.rpartition("/")[2] if provider == "bedrock" else name)
    known = _table().get(provider, {})
    best = max((entry for entry in known if _names(entry, plain)), key=len, default=None)
    return None if best is None else known[best]


def _names(entry: str, model: str) -> bool:
    """Tell whether the model is the entry or a dated or numbered version of it, and not a sibling of its family."""
    return model.startswith(entry) and _VERSION.fullmatch(model, len(entry)) is not None


@cache
def _table() -> dict[str, dict[str, Price]]:
    stored = packaged("prices")
    return {
        provider: {
            name: Price(float(given), float(answered), str(month[0] if month else stored["as_of"]))
            for name, (given, answered, *month) in models.items()
        }
        for provider, models in stored["usd_per_million_tokens"].items()
    }

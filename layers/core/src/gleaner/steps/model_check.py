"""Whether the model can be asked, before a page is fetched for nothing; and what is known of its context (EX-12)."""

import os
import time
from typing import Protocol, runtime_checkable

from gleaner.contracts.digests import digest_of
from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.ports import Item, JsonObject, Services
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.strategies import ExtractionCache

CHECKED = "MODEL#checked"
FRESH_S = {True: 600, False: 60}
"""How long a model that was found is taken for granted, in the cloud and here, where servers come and go."""
CHARS_A_TOKEN = 3
PROMPT_TOKENS = 700
"""What a prompt has beside the page: the system's words, the form of the answer, a schema of ten fields."""
LEAST_CHUNK = 2_000


@runtime_checkable
class Checkable(Protocol):
    """A model that can say beforehand whether it can be asked."""

    def check(self, timeout_s: float = 10.0) -> None:
        """Raise ModelMisconfigured or ModelUnavailable."""
        ...


def check_model(request: ScrapeRequest, ref: JobRef, services: Services) -> None:
    """Raise ModelMisconfigured or ModelUnavailable when a page would be fetched for a model that can't be asked.

    Not asked again for some time; and not at all where a recipe may answer, which no outage of a model is to stop.
    """
    if request.url is None or not request.wants_extraction or "model" not in request.config.tiers:
        return
    model = services.model
    if not isinstance(model, Checkable) or _mark(services) is not None or _may_be_known(request, ref, services):
        return
    model.check()
    known: JsonObject = {"context_tokens": getattr(model, "context_tokens", None)}
    ttl = int(time.time()) + FRESH_S[services.settings.cloud]
    services.table.put(Item(CHECKED, _key(services), known, ttl=ttl))


def chunk_chars(wanted: int, services: Services) -> int:
    """Give how long chunks may be: as ``wanted``, or what leaves room for an answer in the model's context."""
    mark = _mark(services) if services.settings.cloud else None
    known = mark.data.get("context_tokens") if mark else getattr(services.model, "context_tokens", None)
    if not isinstance(known, int):
        return wanted
    return min(wanted, max(LEAST_CHUNK, (known // 2 - PROMPT_TOKENS) * CHARS_A_TOKEN))


def _mark(services: Services) -> Item | None:
    return services.table.get(CHECKED, _key(services))


def _key(services: Services) -> str:
    """Name the model as it is reached; on this machine for this process alone."""
    settings = services.settings
    process = "" if settings.cloud else str(os.getpid())
    return digest_of(f"{settings.model} {settings.llm.openai_base_url} {settings.llm.bedrock_endpoint_url} {process}")


def _may_be_known(request: ScrapeRequest, ref: JobRef, services: Services) -> bool:
    """Tell whether a page was read before that was asked the same: a recipe may answer this one."""
    if request.output_schema is None or "recipe" not in request.config.tiers:
        return False
    cache = ExtractionCache(services.table, ref.tenant)
    return bool(cache.find_asking(str(request.url), request))

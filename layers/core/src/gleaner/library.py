"""Gleaner as a library: the same state machine, in this process (LB-1)."""

from pathlib import Path
from typing import Any, Self

from gleaner.contracts.errors import InvalidRequest, InvalidSettings
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.models import ScrapeResult, parse_request
from gleaner.contracts.ports import Model
from gleaner.contracts.settings import load_settings
from gleaner.html.links import page_links
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.jobs.jobs import JobRef, new_job_id
from gleaner.jobs.pages import Page, Pages, page_id_of
from gleaner.local.runner import LocalRunner, StepListener
from gleaner.schemas.classes import schema_of_classes
from gleaner.wiring import WiredServices


class Gleaner:
    """Scrapes pages and extracts records on this machine.

    ``model`` is a name as in the settings ("bedrock:…", "openai:…", "none") or an object with
    ``answer(ModelRequest) -> ModelAnswer``. ``home`` is the data folder. Other settings go by their names
    (``allow_hosts=["127.0.0.1:8000"]``, ``max_page_size=…``, ``browser={…}``); what is not given comes from the
    environment. InvalidSettings names what is wrong.
    """

    def __init__(
        self,
        model: str | Model | None = None,
        home: str | Path | None = None,
        *,
        tenant: str = DEFAULT_TENANT,
        on_step: StepListener | None = None,
        **settings: Any,
    ) -> None:
        named = model if isinstance(model, str) else None
        if not (model is None or named is not None or callable(getattr(model, "answer", None))):
            raise InvalidSettings(f"model is a name, or an object with answer(request); {model!r} has no such method")
        self.tenant = JobRef("any", tenant).tenant
        loaded = load_settings(model=named, home=Path(home) if home else None, **settings)
        self.services = WiredServices(loaded, model=None if isinstance(model, str) else model)
        self._runner = LocalRunner(self.services, on_step)
        self._is_closed = False

    def scrape(self, url: str | None = None, **request: Any) -> ScrapeResult:
        """Scrape one page; the fields are those of ScrapeRequest.

        Raises InvalidRequest for a request that is wrong in itself; whatever happens later is in the result, whose
        ``status`` is complete, partial or failed.
        """
        fields = {**request, "url": url} if url is not None else request
        return self._run(_plain(fields), JobRef(new_job_id(), self.tenant))

    def extract_html(
        self,
        html: str,
        url: str,
        *,
        query: str | None = None,
        output_schema: Any = None,
        extraction_id: str | None = None,
        **request: Any,
    ) -> ScrapeResult:
        """Work on HTML that is at hand, as if it had been fetched from the URL; nothing is fetched."""
        if not isinstance(html, str):
            raise InvalidRequest(f"html is a str, not {type(html).__name__}; decode bytes with decode_html")
        if not isinstance(url, str):
            raise InvalidRequest(f"url is a str, the address that the page is from, not {type(url).__name__}")
        ref = JobRef(new_job_id(), self.tenant)
        page_id = page_id_of(ref, url)
        page = Page(page_id, url, url, 200, links=tuple(page_links(html, url)))
        named = {"query": query, "output_schema": output_schema, "extraction_id": extraction_id}
        fields = {**request, **{name: value for name, value in named.items() if value is not None}, "page_id": page_id}
        plain = _plain(fields)
        Pages(self.services.blobs, ref).store(page, mark_hidden_by_styles(html))
        return self._run(plain, ref)

    def _run(self, request: dict[str, Any], ref: JobRef) -> ScrapeResult:
        if self._is_closed:
            raise RuntimeError("this Gleaner is closed; make a new one")
        return self._runner.run_scrape(request, ref)

    def close(self) -> None:
        """Close the browser and the stores."""
        self._is_closed = True
        self._runner.close()
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """Give the request as the JSON that every other way in would send; InvalidRequest when it is wrong in itself."""
    if "output_schema" in fields:
        try:
            fields = {**fields, "output_schema": schema_of_classes(fields["output_schema"])}
        except ValueError as error:
            raise InvalidRequest(f"output_schema: {error}") from None
    return parse_request(fields).model_dump(mode="json", exclude_unset=True)

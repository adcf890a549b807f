"""The routes of the HTTP API, over a gateway made for each request's tenant."""

import json
import logging
import re
from functools import cache
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.exceptions import NotFoundError, ServiceError
from aws_lambda_powertools.event_handler.openapi.exceptions import (
    RequestUnsupportedContentType,
    RequestValidationError,
)
from aws_lambda_powertools.event_handler.openapi.models import HTTPBearer
from aws_lambda_powertools.event_handler.openapi.params import Body

from gleaner.api.answers import (
    After,
    GatewayOf,
    Id,
    IdempotencyKey,
    Limit,
    PageUrl,
    Picture,
    Wait,
    answering,
    fitting,
    json_answer,
    json_of,
    raw_answer,
)
from gleaner.api.batches import add_batches
from gleaner.api.bodies import (
    Answer,
    BrowseBody,
    ContentBody,
    Controls,
    Health,
    Job,
    JobList,
    JobRecord,
    Parsers,
    ScrapeBody,
    SessionRecords,
    SimilarityBody,
    StrategyDetails,
    StrategyList,
    SuggestBody,
    Suggestions,
)
from gleaner.api.extractions import add_extractions
from gleaner.api.large_answers import location_of
from gleaner.api.problems import problem, problem_of, validation_detail
from gleaner.api.reading import ExactReading
from gleaner.api.sites import add_sites
from gleaner.api.watches import add_watches
from gleaner.contracts.error_types import OF_HTTP, ErrorType
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.guides import installed_version
from gleaner.contracts.models import ScrapeResult
from gleaner.html.statistics import scrape_extract_content, scrape_text_similarity
from gleaner.jobs.jobs import JobRef
from gleaner.parsers import ParserRegistry
from gleaner.service.gateway import Gateway, public_record

VERSION = installed_version()
log = logging.getLogger("gleaner.api")
"""Where a fault is told: its caller learns no more than its kind."""
BEARER = "Create one with `gleaner tokens create TENANT`; `gleaner serve` without --require-token needs none"


def add_routes(app: ApiGatewayResolver, gateway_of: GatewayOf, *, has_model: bool = False) -> ApiGatewayResolver:
    """Put all routes on a resolver and give it back."""
    app.configure_openapi(
        title="Gleaner",
        version=VERSION,
        description="Web pages to Markdown and to JSON records with proof.",
        security_schemes={"bearer": HTTPBearer(description=BEARER)},
        security=[{"bearer": []}],
    )
    app.enable_swagger(path="/docs", title="Gleaner", version=VERSION, compress=True)
    app._request_validation_middleware = ExactReading()  # pyright: ignore[reportPrivateUsage]
    _handle_errors(app)
    _add_scrape(app, gateway_of)
    _add_jobs(app, gateway_of)
    add_extractions(app, gateway_of)
    _add_strategies(app, gateway_of)
    _add_sessions(app, gateway_of)
    _add_tools(app, gateway_of, has_model=has_model)
    add_batches(app, gateway_of)
    add_watches(app, gateway_of)
    add_sites(app, gateway_of)
    return app


def _handle_errors(app: ApiGatewayResolver) -> None:
    @app.exception_handler(GleanerError)
    def on_our_own(error: GleanerError) -> Response[str]:
        return problem_of(error)

    @app.exception_handler(RequestValidationError)
    def on_validation(error: RequestValidationError) -> Response[str]:
        found = error.errors()
        if found and tuple(found[0].get("loc", ()))[:1] == ("response",):
            log.error("an answer at %r that is not as described", app.current_event.path, exc_info=error)
            return problem(
                500, ErrorType.INTERNAL_ERROR, "internal error in Gleaner: the answer does not match its description"
            )
        return problem(422, ErrorType.INVALID_REQUEST, validation_detail(found))

    @app.exception_handler(RequestUnsupportedContentType)
    def on_type(_: RequestUnsupportedContentType) -> Response[str]:
        said = "the body must be plain JSON: content-type: application/json, and no content-encoding"
        return problem(415, ErrorType.UNSUPPORTED_MEDIA_TYPE, said)

    @app.not_found
    def on_unknown(_: NotFoundError) -> Response[str]:
        return nothing_there(app, app.current_event.http_method.upper(), app.current_event.path)

    @app.exception_handler(ServiceError)
    def on_service(error: ServiceError) -> Response[str]:
        return problem(error.status_code, OF_HTTP.get(error.status_code, ErrorType.INVALID_REQUEST), str(error.msg))

    @app.exception_handler(Exception)
    def on_fault(error: Exception) -> Response[str]:
        event = app.current_event
        log.error("a fault at %s %r", event.http_method, event.path, exc_info=error)
        return problem(500, ErrorType.INTERNAL_ERROR, f"internal error in Gleaner: {type(error).__name__}")


def nothing_there(app: ApiGatewayResolver, method: str, path: str) -> Response[str]:
    """Answer where no route is: 405 with what is allowed, else 404."""
    allowed = [verb for shape, verbs in _shapes(app) if shape.fullmatch(path) for verb in verbs]
    if allowed and method not in allowed:  # else it has characters that no name has
        headers = {"Allow": ", ".join(sorted(allowed))}
        return problem(
            405, ErrorType.METHOD_NOT_ALLOWED, f"{path[:200]} takes {headers['Allow']}, not {method[:20]}", headers
        )
    return problem(404, ErrorType.NOT_FOUND, f"there is nothing at {method[:20]} {path[:200]}")


@cache
def _shapes(app: ApiGatewayResolver) -> list[tuple[re.Pattern[str], list[str]]]:
    paths: dict[str, Any] = json.loads(openapi(app))["paths"]
    shapes = {"/docs": ["GET"], "/openapi.json": ["GET"], "/mcp": ["POST"]} | {
        path: [method.upper() for method in methods] for path, methods in paths.items()
    }
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods) for path, methods in shapes.items()]


def _add_scrape(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    responses = answering("The job is still running", 202, json_of(Job)) | answering(
        "The result", 200, json_of(ScrapeResult)
    )

    @app.post("/v1/scrape", summary="Scrape a page", tags=["scrape"], responses=responses)
    def scrape(
        body: Annotated[ScrapeBody, Body()], wait: Wait = 20, idempotency_key: IdempotencyKey = None
    ) -> Response[Answer]:
        gateway = gateway_of(app)
        request = body.model_dump(exclude_unset=True)
        ref, result = gateway.scrape(request, wait_s=wait, idempotency_key=idempotency_key)
        if result is None:
            return _accepted(gateway, ref)
        return json_answer(200, result.to_json())


def _accepted(gateway: Gateway, ref: JobRef) -> Response[Answer]:
    headers = {"Location": f"/v1/jobs/{ref.job_id}", "Retry-After": "2"}
    return json_answer(202, gateway.job(ref.job_id), headers)


def _add_jobs(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    @app.get("/v1/jobs", summary="List jobs", tags=["jobs"], responses=answering("Jobs"))
    def list_jobs(limit: Limit = 50, after: After = None) -> Response[JobList]:
        page = gateway_of(app).list_jobs(limit=limit, after=after)
        jobs = [JobRecord.model_validate(public_record(item.data)).model_dump(mode="json") for item in page.items]
        return json_answer(200, {"jobs": jobs, "next": page.next})

    @app.get("/v1/jobs/<job_id>", summary="Get a job", tags=["jobs"], responses=answering("Job"))
    def see_job(job_id: Id) -> Response[Job]:
        return json_answer(200, Job.model_validate(gateway_of(app).job(job_id)).model_dump(mode="json"))

    done = answering("The result", content=json_of(ScrapeResult))

    @app.get("/v1/jobs/<job_id>/result", summary="Get a job's result", tags=["jobs"], responses=done)
    def read_result(job_id: Id) -> Response[Answer]:
        return json_answer(200, gateway_of(app).result(job_id).to_json())

    asked = answering("The request")

    @app.get("/v1/jobs/<job_id>/request", summary="Get a job's request", tags=["jobs"], responses=asked)
    def read_request(job_id: Id) -> Response[Answer]:
        return json_answer(200, gateway_of(app).request(job_id))

    steps = answering("Steps, one for each control")

    @app.get("/v1/jobs/<job_id>/controls", summary="List the controls of a job's page", tags=["jobs"], responses=steps)
    def list_controls(job_id: Id) -> Response[Controls]:
        return json_answer(200, gateway_of(app).controls(job_id))

    @app.delete("/v1/jobs/<job_id>", summary="Cancel a job", tags=["jobs"], responses=answering("Job"))
    def cancel(job_id: Id) -> Response[Job]:
        return json_answer(200, Job.model_validate(gateway_of(app).cancel(job_id)).model_dump(mode="json"))

    text = answering("Markdown", content={"text/markdown": {}})

    @app.get("/v1/jobs/<job_id>/markdown", summary="Get the Markdown of a job's page", tags=["jobs"], responses=text)
    def read_markdown(job_id: Id) -> Response[str]:
        markdown = gateway_of(app).markdown(job_id)
        return raw_answer("text/markdown; charset=utf-8", markdown)

    report = answering("The report", content={"text/html": {}})

    @app.get("/v1/jobs/<job_id>/report", summary="Get a job's result as a page", tags=["jobs"], responses=report)
    def read_report(job_id: Id) -> Response[str]:
        from gleaner.reports.document import POLICY

        body = gateway_of(app).report(job_id)
        return raw_answer("text/html; charset=utf-8", body, {"Content-Security-Policy": f"{POLICY}; sandbox"})

    image = answering("The image", content={"image/png": {}})

    @app.get("/v1/jobs/<job_id>/screenshot", summary="Get a job's screenshot or media", tags=["jobs"], responses=image)
    def see_screenshot(job_id: Id, format: Picture = None):  # without a return type: Powertools would write JSON
        gateway = gateway_of(app)
        media = gateway.media(job_id, format)
        body = gateway.media_body(media)
        if body is None:
            headers = {"Location": media.url, "Cache-Control": "no-store"}
            return json_answer(303, location_of(media.url, media.size, media.screenshot_mime), headers)
        return raw_answer(media.screenshot_mime, body)


def _add_strategies(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    @app.get("/v1/strategies", summary="List strategies", tags=["strategies"], responses=answering("Strategies"))
    def list_strategies(limit: Limit = 100, after: After = None, url: PageUrl = None) -> Response[StrategyList]:
        strategies = gateway_of(app).strategies
        if url is None:
            found = strategies.list(limit=limit, after=after)
        else:
            found = strategies.list_matching(url, limit=limit, after=after)
        page = fitting(found)
        return json_answer(200, {"strategies": [dict(item.data) for item in page.items], "next": page.next})

    one = answering("The strategy")

    @app.get("/v1/strategies/<strategy_id>", summary="Get a strategy", tags=["strategies"], responses=one)
    def see_strategy(strategy_id: Id) -> Response[StrategyDetails]:
        gateway = gateway_of(app)
        found = gateway.strategy(strategy_id).model_dump(mode="json")
        return json_answer(200, {**found, "recipes": gateway.recipes(strategy_id)})

    gone = answering("Deleted", 204)

    @app.delete("/v1/strategies/<strategy_id>", summary="Delete a strategy", tags=["strategies"], responses=gone)
    def delete_strategy(strategy_id: Id) -> Response[None]:
        gateway = gateway_of(app)
        gateway.strategy(strategy_id)
        gateway.strategies.delete(strategy_id)
        return Response(204)


def _add_sessions(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    @app.get("/v1/sessions", summary="List named sessions", tags=["sessions"], responses=answering("Sessions"))
    def list_sessions(limit: Limit = 100, after: After = None) -> Response[SessionRecords]:
        page = gateway_of(app).sessions.list(limit=limit, after=after)
        return json_answer(200, {"sessions": [dict(item.data) for item in page.items], "next": page.next})

    gone = answering("Deleted", 204)

    @app.delete("/v1/sessions/<session>", summary="Delete a named session", tags=["sessions"], responses=gone)
    def delete_session(session: Id) -> Response[None]:
        gateway_of(app).delete_session(session)
        return Response(204)


def _add_tools(app: ApiGatewayResolver, gateway_of: GatewayOf, *, has_model: bool) -> None:
    answer = answering("The page, or why it failed")

    @app.post("/v1/content", summary="Analyse HTML", tags=["tools"], responses=answer)
    def content(body: Annotated[ContentBody, Body()]) -> Response[Answer]:
        gateway_of(app)
        return json_answer(200, scrape_extract_content(body.html, body.base_url))

    @app.post("/v1/similarity", summary="Compare two texts", tags=["tools"], responses=answer)
    def similarity(body: Annotated[SimilarityBody, Body()]) -> Response[Answer]:
        gateway_of(app)
        return json_answer(200, scrape_text_similarity(body.text_a, body.text_b))

    @app.post("/v1/browse", summary="Browse a page with a parser", tags=["tools"], responses=answer)
    def browse(body: Annotated[BrowseBody, Body()]) -> Response[Answer]:
        return json_answer(200, gateway_of(app).browse(body.model_dump(exclude_unset=True)))

    @app.post("/v1/suggest", summary="Suggest schemas for a page", tags=["tools"], responses=answering("Schemas"))
    def suggest(body: Annotated[SuggestBody, Body()]) -> Response[Suggestions]:
        return json_answer(200, gateway_of(app).suggest(body.model_dump(exclude_unset=True, exclude_none=True)))

    @app.get("/v1/parsers", summary="List page parsers", tags=["tools"], responses=answering("Parsers"))
    def parsers() -> Response[Parsers]:
        gateway_of(app)
        return json_answer(200, {"parsers": ParserRegistry().list_parsers()})

    @app.get("/openapi.json", include_in_schema=False)
    def description() -> Response[str]:
        return Response(200, content_type="application/json", body=openapi(app))

    @app.get(
        "/health",
        summary="Check the health",
        tags=["operation"],
        responses={200: {"description": "The API is up"}},
        security=[{}],
    )
    def health() -> Response[Health]:
        return json_answer(200, {"status": "ok", "has_model": has_model})


@cache
def openapi(app: ApiGatewayResolver) -> str:
    """Give the OpenAPI description, in one form only."""
    description = json.loads(app.get_openapi_json_schema(title="Gleaner", version=VERSION))
    for operation in (one for methods in description["paths"].values() for one in methods.values()):
        operation["responses"].get("204", {}).pop("content", None)  # Powertools describes a body where there is none
    return json.dumps(description, indent=1, sort_keys=True)

"""The routes of watches."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Body
from pydantic import BaseModel, ConfigDict

from gleaner.api.answers import After, GatewayOf, Id, Limit, answering, json_answer, next_link
from gleaner.jobs.record_changes import RecordChanges
from gleaner.jobs.watches import WatchOrder, WatchRun, public_watch


class WatchRecord(BaseModel):
    """A watch: its request, how often it runs, and the run that goes on. ``webhook.secret`` is shown once."""

    model_config = ConfigDict(extra="allow")
    watch_id: str
    every_s: int
    due_at: float | None = None
    paused: bool = False


class WatchList(BaseModel):
    """Watches; ``next`` continues after them."""

    watches: list[WatchRecord]
    next: str | None = None


class WatchRuns(BaseModel):
    """The history of a watch, oldest first; ``next`` continues after it."""

    runs: list[WatchRun]
    next: str | None = None


class WatchChanges(BaseModel):
    """A run of a watch, and what has changed in it."""

    run: WatchRun
    changes: RecordChanges


def add_watches(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    """Put the routes on a resolver."""
    made = answering("The watch", 201)

    @app.post("/v1/watches", summary="Watch records for changes", tags=["watches"], status_code=201, responses=made)
    def create_watch(body: Annotated[WatchOrder, Body()]) -> Response[WatchRecord]:
        record = gateway_of(app).create_watch(body.model_dump(exclude_unset=True))
        return json_answer(201, record, {"Location": f"/v1/watches/{record['watch_id']}"})

    @app.get("/v1/watches", summary="List watches", tags=["watches"], responses=answering("Watches"))
    def list_watches(limit: Limit = 50, after: After = None) -> Response[WatchList]:
        page = gateway_of(app).watches.list(limit=limit, after=after)
        return json_answer(200, {"watches": [public_watch(item.data) for item in page.items], "next": page.next})

    @app.get("/v1/watches/<watch_id>", summary="See a watch", tags=["watches"], responses=answering("Watch"))
    def see_watch(watch_id: Id) -> Response[WatchRecord]:
        return json_answer(200, public_watch(gateway_of(app).watches.record(watch_id)))

    begun = answering("The run begins", 202)

    @app.post("/v1/watches/<watch_id>/runs", summary="Run a watch now", tags=["watches"], status_code=202,
              responses=begun)  # fmt: skip
    def run_watch(watch_id: Id) -> Response[WatchRecord]:
        return json_answer(202, public_watch(gateway_of(app).run_watch(watch_id)))

    @app.post("/v1/watches/<watch_id>/pause", summary="Pause a watch", tags=["watches"], responses=answering("Watch"))
    def pause_watch(watch_id: Id) -> Response[WatchRecord]:
        return json_answer(200, public_watch(gateway_of(app).pause_watch(watch_id, is_paused=True)))

    @app.post("/v1/watches/<watch_id>/resume", summary="Resume a watch", tags=["watches"],
              responses=answering("Watch"))  # fmt: skip
    def resume_watch(watch_id: Id) -> Response[WatchRecord]:
        return json_answer(200, public_watch(gateway_of(app).pause_watch(watch_id, is_paused=False)))

    @app.get("/v1/watches/<watch_id>/runs", summary="Read a watch's history", tags=["watches"],
             responses=answering("Runs, oldest first"))  # fmt: skip
    def read_runs(watch_id: Id, limit: Limit = 50, after: After = None) -> Response[WatchRuns]:
        watches = gateway_of(app).watches
        watches.record(watch_id)
        page = watches.runs(watch_id, limit=limit, after=after)
        headers = next_link(f"/v1/watches/{watch_id}/runs", page.next, limit=limit)
        return json_answer(200, {"runs": [item.data for item in page.items], "next": page.next}, headers)

    @app.get("/v1/watches/<watch_id>/runs/<run_id>", summary="Read what changed in a run", tags=["watches"],
             responses=answering("Changes, with the proof of old and new"))  # fmt: skip
    def read_changes(watch_id: Id, run_id: Id) -> Response[WatchChanges]:
        watches = gateway_of(app).watches
        changes: Any = watches.changes(watch_id, run_id)
        run: Any = watches.run(watch_id, run_id)
        found = {"run": run.model_dump(mode="json"), "changes": changes.model_dump(mode="json")}
        return json_answer(200, found)

    @app.delete("/v1/watches/<watch_id>", summary="Watch no more", tags=["watches"], responses=answering("Watch"))
    def delete_watch(watch_id: Id) -> Response[WatchRecord]:
        record = public_watch(gateway_of(app).watches.record(watch_id))
        gateway_of(app).delete_watch(watch_id)
        return json_answer(200, record)

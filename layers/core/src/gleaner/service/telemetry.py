"""Logs, traces and metrics of the functions on AWS; locally, handlers run unchanged.

A step that has something to count gives it as ``measures`` in its answer, and what its trace is to be found by as
``annotations``; the wrapper takes both out and sends them as EMF metrics and to X-Ray: no state carries them on.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from gleaner.contracts.errors import GleanerError
from gleaner.contracts.settings import on_lambda
from gleaner.jobs.jobs import job_id_of
from gleaner.service.gc_tuning import seldom_collected

Handler = Callable[[Any, Any], Any]
TOLD = ("status", "statusCode", "kind", "index", "admitted", "isAuthorized")
"""What of an answer is logged: never a page's content."""


TRACED = ("botocore",)
"""Whose calls a trace shows: those of AWS. Patching all that the tracer knows imports each of it, httpx and more."""


if on_lambda():
    # For good: what a handler imports stays, and looking at it for garbage meanwhile takes a tenth of a cold start.
    seldom_collected.__enter__()


def _sampled_by_lambda() -> None:
    """Keep the tracer from making a client of X-Ray as it is imported, to ask what is to be sampled.

    On Lambda a call's own header says that, and nobody asks the client; making it takes 85 to 99 ms of each cold start.
    """
    import sys
    from types import ModuleType

    class ServiceConnector:
        """Knows no rules; the sampler asks for them only where it decides by itself."""

        context = None

        def setup_xray_client(self, ip: str, port: int, client: object) -> None:
            """Have no client."""

    stand_in = ModuleType("aws_xray_sdk.core.sampling.connector")
    vars(stand_in)["ServiceConnector"] = ServiceConnector
    sys.modules.setdefault(stand_in.__name__, stand_in)


def observed(handler: Handler) -> Handler:
    """Wrap a Lambda handler: the job id in each log line, a trace of each call, EMF metrics of what it did."""
    function = on_lambda()

    @wraps(handler)
    def plain(event: Any, context: Any) -> Any:
        with seldom_collected:
            return _split(handler(event, context))[0]

    return plain if function is None else _on_lambda(handler, function)


def _on_lambda(handler: Handler, function: str) -> Handler:
    _sampled_by_lambda()
    from aws_lambda_powertools import Logger, Metrics, Tracer
    from aws_lambda_powertools.metrics import MetricUnit

    logger = Logger(service="gleaner")
    metrics = Metrics(namespace="Gleaner", service="gleaner")
    tracer = Tracer(service="gleaner", patch_modules=TRACED)

    @wraps(handler)
    def call(event: Any, context: Any) -> Any:
        logger.append_keys(job_id=job_id_in(event), function=function)
        try:
            with seldom_collected:
                answer, measures, annotations = _split(handler(event, context))
        except GleanerError as error:
            logger.warning(error.message, extra={"error_type": error.error_type})
            raise
        except Exception:
            logger.exception("failed")
            raise
        for name, value in annotations.items():
            tracer.put_annotation(key=name, value=value)
        for name, amount in measures.items():
            metrics.add_metric(name=name, unit=MetricUnit.Count, value=amount)
        if measures:
            metrics.flush_metrics()
        told = answer if isinstance(answer, dict) else {}
        logger.info("done", extra={name: told[name] for name in TOLD if name in told})
        return answer

    return tracer.capture_lambda_handler(  # pyright: ignore
        logger.inject_lambda_context(call, clear_state=True),  # pyright: ignore
        capture_response=False,
    )


def job_id_in(event: Any) -> str | None:
    """Give the id of the job, else of the batch or site, that an event is about; None when it is about neither."""
    for holder in _holders(event):
        for name in ("job", "batch", "site"):
            named = holder.get(name)
            if isinstance(named, dict) and isinstance(named.get("job_id"), str):
                return named["job_id"]
    execution = _execution_in(event) if isinstance(event, dict) else None
    return job_id_of(execution) if isinstance(execution, str) else None


def _execution_in(event: dict[str, Any]) -> Any:
    detail = event.get("detail")
    return detail.get("name") if isinstance(detail, dict) and "executionArn" in detail else event.get("execution")


def _holders(event: Any) -> Iterator[dict[str, Any]]:
    """Give where an event may name its job: a batch's page, an execution's input, the event itself."""
    if isinstance(event, dict):
        places = (event.get("item"), event.get("input"), event)
        yield from (place for place in places if isinstance(place, dict))


def _split(answer: Any) -> tuple[Any, dict[str, float], dict[str, str]]:
    """Give an answer without what it tells operators, and that: measures and annotations."""
    if not isinstance(answer, dict):
        return answer, {}, {}
    kept = {name: value for name, value in answer.items() if name not in ("measures", "annotations")}
    return kept, answer.get("measures", {}), answer.get("annotations", {})

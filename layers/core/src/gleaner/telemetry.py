"""Logs, traces and metrics of the functions, on AWS only; on this machine a handler is called as it is."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from gleaner.settings import on_lambda

Handler = Callable[[Any, Any], Any]


def observed(handler: Handler) -> Handler:
    """Wrap a Lambda handler: the job id in each log line, a trace of each call, EMF metrics of what it did."""
    function = on_lambda()
    if function is None:
        return handler
    from aws_lambda_powertools import Logger, Metrics, Tracer
    from aws_lambda_powertools.metrics import MetricUnit

    logger = Logger(service="gleaner")
    metrics = Metrics(namespace="Gleaner", service="gleaner")
    tracer = Tracer(service="gleaner")

    @wraps(handler)
    def call(event: Any, context: Any) -> Any:
        logger.append_keys(job_id=_job_id(event), function=function)
        answer = handler(event, context)
        for name, amount in _measures(answer).items():
            metrics.add_metric(name=name, unit=MetricUnit.Count, value=amount)
        logger.info("done", extra={"answer": answer})
        return answer

    return metrics.log_metrics(tracer.capture_lambda_handler(logger.inject_lambda_context(call, clear_state=True)))  # pyright: ignore


def _job_id(event: Any) -> str | None:
    if not isinstance(event, dict):
        return None
    job = event.get("job") or (event.get("input") or {}).get("job") or {}
    return job.get("job_id") or event.get("execution")


def _measures(answer: Any) -> dict[str, float]:
    return answer.get("measures", {}) if isinstance(answer, dict) else {}

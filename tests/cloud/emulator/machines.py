"""Step Functions: what the emulator leaves out of the states that this project uses."""

from functools import wraps
from typing import Any

import ministack.services.stepfunctions as sfn
from replacing import replace

NOT_EMULATED = ("ItemBatcher", "ResultWriter", "ToleratedFailurePercentagePath")


def install() -> None:
    """Let Maps read their concurrency from a path, retries wait no longer than said, and stopped executions stop."""
    replace(sfn, "_run_distributed_map", _with_paths)
    replace(sfn, "_find_matching_retrier", _with_longest_wait)
    for name in ("_execute_task", "_execute_map", "_execute_parallel"):
        replace(sfn, name, _unless_stopped)
    replace(sfn, "_fail_execution", lambda fail: lambda execution, *args, **named: (
        None if execution.get("status") == "ABORTED" else fail(execution, *args, **named)
    ))  # fmt: skip


def _with_paths(run_map: Any) -> Any:
    @wraps(run_map)
    def run(state: Any, raw_input: Any, effective: Any, iterator: Any, execution: Any, context: Any) -> Any:
        unknown = [name for name in NOT_EMULATED if name in state]
        if unknown:
            raise sfn._ExecutionError("States.Runtime", f"the emulator passes over {unknown}: teach it in machines.py")
        if "MaxConcurrencyPath" in state:
            most = sfn._resolve_path_or_ctx(state["MaxConcurrencyPath"], effective, context)
            state = {**state, "MaxConcurrency": most}
        return run_map(state, raw_input, effective, iterator, execution, context)

    return run


def _with_longest_wait(find: Any) -> Any:
    @wraps(find)
    def found(retriers: Any, error: str, counts: Any) -> Any:
        retrier, at = find(retriers, error, counts)
        if retrier is not None and "MaxDelaySeconds" in retrier:
            wait = retrier.get("IntervalSeconds", 1) * retrier.get("BackoffRate", 2.0) ** counts.get(at, 0)
            retrier = {**retrier, "IntervalSeconds": min(wait, retrier["MaxDelaySeconds"]), "BackoffRate": 1}
        return retrier, at

    return found


def _unless_stopped(execute: Any) -> Any:
    @wraps(execute)
    def guarded(state: Any, raw_input: Any, execution: Any, context: Any) -> Any:
        if _is_stopped(execution):
            raise sfn._ExecutionError("States.Runtime", "the execution was stopped")
        return execute(state, raw_input, execution, context)

    return guarded


def _is_stopped(execution: Any) -> bool:
    """Tell whether an execution was stopped, or the one whose Map it is a part of."""
    while execution.get("mapRunArn"):
        run = sfn._map_runs.get(execution["mapRunArn"])
        execution = sfn._executions.get(run["executionArn"]) if run else {}
    return execution.get("status") == "ABORTED"

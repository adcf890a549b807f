"""The ``error_type`` that results, problem+json, MCP and the command carry for programs (seed 001, PR 5)."""

import re
from enum import StrEnum


class ErrorType(StrEnum):
    """All error types: of raised errors, of incomplete results, of HTTP and of AWS."""

    INVALID_REQUEST = "invalid_request"
    INVALID_SCHEMA = "invalid_schema"
    INVALID_SELECTOR = "invalid_selector"
    UNSUPPORTED_FORMAT = "unsupported_format"
    INVALID_SETTINGS = "invalid_settings"
    SELECTOR_NOT_FOUND = "selector_not_found"
    ACTION_FAILED = "action_failed"
    BLOCKED_ADDRESS = "blocked_address"
    DISALLOWED_BY_ROBOTS = "disallowed_by_robots"
    NOT_FOUND = "not_found"
    UNAUTHORIZED = "unauthorized"
    MODEL_MISCONFIGURED = "model_misconfigured"

    HTTP_STATUS_ERROR = "http_status_error"
    WALLED = "walled"
    UNREACHABLE_HOST = "unreachable_host"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    PAGE_TOO_LARGE = "page_too_large"
    MEDIA_TOO_LARGE = "media_too_large"
    HEADERS_TOO_LARGE = "headers_too_large"
    DECOMPRESSED_TOO_LARGE = "decompressed_too_large"
    TOO_MANY_CHUNKS = "too_many_chunks"
    UNSUPPORTED_CONTENT = "unsupported_content"
    LOCKED_DOCUMENT = "locked_document"
    DAMAGED_DOCUMENT = "damaged_document"
    NO_TEXT_LAYER = "no_text_layer"
    FETCH_TIMEOUT = "fetch_timeout"

    BUDGET_EXCEEDED = "budget_exceeded"

    RATE_LIMITED = "rate_limited"
    MODEL_UNAVAILABLE = "model_unavailable"
    BROWSER_CRASHED = "browser_crashed"
    QUEUE_TIMEOUT = "queue_timeout"
    PROFILE_LOCKED = "profile_locked"
    STORE_THROTTLED = "store_throttled"
    LAYOUT_BEING_READ = "layout_being_read"
    WEBHOOK_FAILED = "webhook_failed"

    MODEL_TIMEOUT = "model_timeout"
    PROMPT_TOO_LONG = "prompt_too_long"
    MODEL_REFUSED = "model_refused"

    STORAGE_FULL = "storage_full"
    NO_DATA = "no_data"
    INTERNAL_ERROR = "internal_error"

    VALIDATION_ERROR = "validation_error"
    EMPTY_ANSWER = "empty_answer"
    OUTPUT_CUT = "output_cut"
    MISSING_UNITS = "missing_units"
    UNGROUNDED = "ungrounded"
    NO_MODEL = "no_model"
    CANCELLED = "cancelled"

    METHOD_NOT_ALLOWED = "method_not_allowed"
    BODY_TOO_LARGE = "body_too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"

    THROTTLED = "throttled"
    TASK_TIMEOUT = "task_timeout"
    FUNCTION_KILLED = "function_killed"
    EXECUTION_TIMED_OUT = "execution_timed_out"
    EXECUTION_ABORTED = "execution_aborted"


OF_RESULTS = {
    ErrorType.VALIDATION_ERROR: "the model's answers for a chunk do not match the schema",
    ErrorType.EMPTY_ANSWER: "a chunk of the page, or the model's answer for it, is empty",
    ErrorType.OUTPUT_CUT: "the answer for a chunk was cut off, even after the chunk was halved",
    ErrorType.MISSING_UNITS: "the page shows records that the result does not have",
    ErrorType.UNGROUNDED: "the page does not prove a required value: its item is withheld, or a single object keeps it",
    ErrorType.NO_MODEL: "no model was asked about what no other tier answered",
    ErrorType.CANCELLED: "the job was cancelled before this chunk was read",
}
"""What ``extraction.errors`` tell besides of errors that were raised, and what each means."""

THROTTLING = re.compile("Throttl|TooManyRequests|LimitExceeded|ThroughputExceeded|QuotaExceeded|SlowDown")
"""How all services of AWS name what asks the caller to come back later."""

OF_AN_UNUSABLE_MODEL = frozenset({ErrorType.MODEL_MISCONFIGURED, ErrorType.MODEL_UNAVAILABLE, ErrorType.RATE_LIMITED})
"""What an operator has to mend when a model answers nothing else: access, key, name, endpoint or quota."""

OF_HTTP = {
    405: ErrorType.METHOD_NOT_ALLOWED,
    413: ErrorType.BODY_TOO_LARGE,
    415: ErrorType.UNSUPPORTED_MEDIA_TYPE,
}
"""What a request is refused as before it is read, by the status."""

"""Map the errors of AWS calls to Gleaner's error tree."""

from botocore.exceptions import ClientError

from gleaner.contracts.error_types import THROTTLING

STUMBLED = frozenset({"InternalServerError", "InternalError", "InternalFailure", "InternalException",
                      "ServiceUnavailable", "TransactionConflictException"})  # fmt: skip
"""What a service says when it, and not the request, was at fault: it may go through later."""


def code_of(error: ClientError) -> str:
    """Give the service's code for what went wrong; "" where it gave none."""
    return error.response.get("Error", {}).get("Code", "")


def may_go_through_later(code: str) -> bool:
    """Tell whether a service refused a call for its own want of room or health."""
    return code in STUMBLED or THROTTLING.search(code) is not None

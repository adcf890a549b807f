"""What AWS says of a call that it refused."""

from botocore.exceptions import ClientError


def code_of(error: ClientError) -> str:
    """Give the service's code for what went wrong; "" where it gave none."""
    return error.response.get("Error", {}).get("Code", "")

"""Read secrets from Secrets Manager by their ARN."""

from gleaner.contracts.error_types import THROTTLING
from gleaner.contracts.errors import ModelMisconfigured, StoreThrottled


def read_secret(arn: str) -> str:
    """Give a secret's text, kept for five minutes; ModelMisconfigured when it can't be read, StoreThrottled for now."""
    from aws_lambda_powertools.utilities.parameters import GetParameterError, get_secret

    try:
        return str(get_secret(arn, max_age=300))
    except GetParameterError as error:
        if THROTTLING.search(str(error)):
            raise StoreThrottled(f"Secrets Manager asks for fewer requests: {error}") from None
        raise ModelMisconfigured(f"the secret {arn} can't be read: {error}") from None

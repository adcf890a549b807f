"""Secrets by their ARN."""

from gleaner.errors import ModelMisconfigured


def read_secret(arn: str) -> str:
    """Give a secret's text, kept for five minutes; ModelMisconfigured when it can't be read."""
    from aws_lambda_powertools.utilities.parameters import GetParameterError, get_secret

    try:
        return str(get_secret(arn, max_age=300))
    except GetParameterError as error:
        raise ModelMisconfigured(f"the secret {arn} can't be read: {error}") from None

"""Read secrets from Secrets Manager: the model's by its ARN, tenants' by their name."""

import json

from gleaner.contracts.error_types import THROTTLING
from gleaner.contracts.errors import InvalidSettings, ModelMisconfigured, NotFound, StoreThrottled
from gleaner.contracts.ports import Secret
from gleaner.jobs.secrets import read_secret as read_stored


def read_secret(arn: str) -> str:
    """Give a secret's text, kept for five minutes; ModelMisconfigured when it can't be read, StoreThrottled for now."""
    from aws_lambda_powertools.utilities.parameters import GetParameterError, get_secret

    try:
        return str(get_secret(arn, max_age=300))
    except GetParameterError as error:
        if THROTTLING.search(str(error)):
            raise StoreThrottled(f"Secrets Manager asks for fewer requests: {error}") from None
        raise ModelMisconfigured(f"the secret {arn} can't be read: {error}") from None


class SecretsManager:
    """The tenants' secrets, as ``PREFIX/TENANT/NAME``, each a JSON object with ``value`` and ``hosts``."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def get(self, tenant: str, name: str) -> Secret:
        """Give a secret, kept for five minutes; NotFound where the tenant has none of that name that may be read."""
        from aws_lambda_powertools.utilities.parameters import GetParameterError, get_secret

        where = f"{self._prefix}/{tenant}/{name}"
        try:
            stored = json.loads(str(get_secret(where, max_age=300)))
        except GetParameterError as error:
            if THROTTLING.search(str(error)):
                raise StoreThrottled(f"Secrets Manager asks for fewer requests: {error}") from None
            raise NotFound(f"tenant {tenant} has no secret {name}: {where} can't be read in Secrets Manager") from None
        except ValueError:
            raise InvalidSettings(f"secret {name}: {where} is not valid JSON") from None
        return read_stored(name, stored)

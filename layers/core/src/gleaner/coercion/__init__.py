"""Values brought into the types that the schema declares, before validation, by declared transforms (SC-4).

Only where the type or format is not met already, and only where the text has one reading.
"""

from gleaner.coercion.walk import Coerced, coerce
from gleaner.schemas.fields import transforms_for
from gleaner.values.readings import TRANSFORMS

__all__ = ["TRANSFORMS", "Coerced", "coerce", "transforms_for"]

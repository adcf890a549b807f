"""A throttled table is asked again, for a while."""

import pytest
from gleaner.contracts.errors import StoreThrottled
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.ports import Item
from gleaner.steps.patience import WAITS_S, patient


class Busy(MemoryTable):
    """Refuses as many calls as it is told."""

    def __init__(self, refusals: int) -> None:
        super().__init__()
        self.refusals = refusals

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        if self.refusals:
            self.refusals -= 1
            raise StoreThrottled("slow down")
        return super().put(item, if_version=if_version)


@pytest.mark.req("EX-9")
def test_a_write_goes_through_as_soon_as_the_table_lets_it() -> None:
    table, waited = Busy(3), list[float]()
    assert patient(table, waited.append).put(Item("p", "s", {"n": 1}), if_version=0)
    assert waited == list(WAITS_S[:3])
    assert patient(table).get("p", "s") is not None


@pytest.mark.req("EX-9")
def test_a_table_that_stays_throttled_is_given_up_to_the_state_machine() -> None:
    waited = list[float]()
    with pytest.raises(StoreThrottled):
        patient(Busy(100), waited.append).put(Item("p", "s", {}))
    assert waited == list(WAITS_S)

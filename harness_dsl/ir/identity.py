"""A bounded memory of what was computed for immutable objects, found again by identity."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


class ByIdentity(Generic[_Value]):
    """Values by the object they follow from. Objects are kept with them, so that no id is used again."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._kept: OrderedDict[int, tuple[Any, _Value]] = OrderedDict()

    def __reduce__(self) -> tuple[type["ByIdentity[Any]"], tuple[int]]:
        """A copy, here or in another process, knows nothing: other objects may have these ids there."""
        return ByIdentity, (self._most,)

    def get(self, owner: Any, make: Callable[[], _Value]) -> _Value:
        """The value for `owner`, made now if it is not known."""
        known = self._kept.get(id(owner))
        if known is not None:
            return known[1]
        value = make()
        self._kept[id(owner)] = (owner, value)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value

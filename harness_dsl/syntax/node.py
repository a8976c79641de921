"""The base of tree nodes.

The classes are what `dataclass(slots=True, eq=False)` would make of them. That decorator compiles a
constructor for each class at import; for the sixty classes of the tree that took longer than checking a file.
"""

from typing import Any, ClassVar, dataclass_transform


def _init(self: Any, *values: Any, **named: Any) -> None:
    for name, value in zip(self.__match_args__, values, strict=False):
        setattr(self, name, value)
    for name in named:
        setattr(self, name, named[name])


@dataclass_transform(eq_default=False)
class NodeType(type):
    """The annotations of a class become its slots and the arguments of its constructor, its base's first."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "NodeType":
        own = tuple(field for field in namespace.get("__annotations__", ()) if field != "__match_args__")
        inherited: tuple[str, ...] = getattr(bases[0], "__match_args__", ()) if bases else ()
        namespace["__slots__"] = own
        namespace["__match_args__"] = inherited + own
        namespace["__init__"] = _init
        return super().__new__(mcs, name, bases, namespace)


class Node(metaclass=NodeType):
    """`text[start:end]` of the file, in code points."""

    __match_args__: ClassVar[tuple[str, ...]]
    start: int
    end: int

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name, None)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({shown})"

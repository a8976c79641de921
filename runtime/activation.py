"""Compiled harnesses as the service takes them."""

from typing import Any

from pydantic import ValidationError

from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import SCHEMA_VERSION, Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.verify import verify_core, verify_surface


class ActivationError(Exception):
    """A document that is no compiled harness of this version; the message is one sentence."""


def read_harness(document: Any) -> tuple[Core, Surface]:
    """The Core and Surface of `{"schema_version", "core", "surface", "digests"}`, which `harnessc compile`
    writes.

    Raises `ActivationError` when it is something else, of another version, not valid, or changed since it was
    compiled.
    """
    if not isinstance(document, dict) or "core" not in document or "surface" not in document:
        raise ActivationError("this is no compiled harness: `harnessc compile` writes one")
    version = str(document.get("schema_version", ""))
    if version.split(".")[0] != SCHEMA_VERSION.split(".")[0]:
        raise ActivationError(
            f"schema version {version!r} is not {SCHEMA_VERSION}: compile the harness again"
        )
    try:
        core = Core.model_validate(document["core"])
        surface = Surface.model_validate(document["surface"])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ActivationError(f"the harness is not valid at {where}: {first['msg']}") from error
    problems = verify_core(core) or verify_surface(core, surface)
    if problems:
        raise ActivationError(f"{problems[0].id}: {problems[0].message}")
    digests = document.get("digests")
    stated = digests if isinstance(digests, dict) else {}
    for name, actual in (("core", core_digest(core)), ("surface", surface_digest(core, surface))):
        if name in stated and stated[name] != actual:
            raise ActivationError(f"the {name} was changed after it was compiled: its digest differs")
    return core, surface

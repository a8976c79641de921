"""A compiled harness as a file: canonical JSON with Core, Surface and digests."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from harness_dsl.diagnostics.system import reason
from harness_dsl.ir.canonical import canonical_json, core_digest, surface_digest
from harness_dsl.ir.core import SCHEMA_VERSION, Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.verify import verify_core, verify_surface


class ArtefactError(Exception):
    """The file is no compiled harness that this version can use; the message says why, in one sentence."""


@dataclass(slots=True, frozen=True)
class Artefact:
    core: Core
    surface: Surface
    source_digest: str


def dump_ir(core: Core, surface: Surface, source: str) -> bytes:
    """RFC 8785 bytes of the compiled harness; `source` is the digest of its text."""
    return canonical_json(
        {
            "schema_version": SCHEMA_VERSION,
            "core": core.model_dump(mode="json"),
            "surface": surface.model_dump(mode="json"),
            "digests": {
                "source": source,
                "core": core_digest(core),
                "surface": surface_digest(core, surface),
            },
        }
    )


def load_ir(path: str | Path) -> Artefact:
    """The compiled harness at `path`. Raises `ArtefactError`."""
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise ArtefactError(f"`{path}` cannot be read: {reason(error)}") from None
    except (ValueError, RecursionError):
        raise ArtefactError(f"`{path}` is no JSON") from None
    return parse_ir(data, f"`{path}`")


def parse_ir(data: Any, name: str) -> Artefact:
    """The compiled harness in `data`. Raises `ArtefactError`; `name` is how messages speak of it."""
    if not isinstance(data, dict) or not isinstance(data.get("schema_version"), str):
        raise ArtefactError(f"{name} is no compiled harness: it has no `schema_version`")
    for part in (data, data.get("core"), data.get("surface")):
        version = part.get("schema_version", SCHEMA_VERSION) if isinstance(part, dict) else SCHEMA_VERSION
        if version != SCHEMA_VERSION:
            raise ArtefactError(
                f"{name} has schema version {version}, and this version of harnessc reads {SCHEMA_VERSION}: "
                "compile the source again, or use the version of harnessc that wrote it"
            )
    try:
        core = Core.model_validate_json(json.dumps(data.get("core")))
        surface = Surface.model_validate_json(json.dumps(data.get("surface")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the root"
        raise ArtefactError(f"{name} is no valid IR: {where}: {first['msg']}") from None
    problems = verify_core(core) or verify_surface(core, surface)
    if problems:
        raise ArtefactError(f"{name} is no valid harness: {problems[0].id}: {problems[0].message}")
    digests = data.get("digests")
    stated = digests if isinstance(digests, dict) else {}
    actual = {"core": core_digest(core), "surface": surface_digest(core, surface)}
    for part, digest in actual.items():
        if stated.get(part) != digest:
            raise ArtefactError(
                f"{name} was changed after it was compiled, or compiled by another version of harnessc: its "
                f"{part.capitalize()} has another digest; compile the source again"
            )
    return Artefact(core, surface, str(stated.get("source", "")))

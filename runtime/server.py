"""The HTTP service: viewers' messages in, replies out, and the harness swapped while it runs.

POST /v1/rooms/{room}/danmaku   {"text": "…"} → the reply, its calls, and the version that gave it
GET  /v1/rooms/{room}           what was said and done in the room
POST /admin/harness             activate a compiled harness (bearer token)
GET  /healthz, /readyz          the process is up; its engine answers
"""

import contextlib
import dataclasses
import hmac
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from harness_dsl.syntax.artefact import ArtefactError, parse_ir
from runtime.report import room_report, turn_report
from runtime.rooms import Busy, Rooms

MESSAGE_BYTES = 16 * 1024
MESSAGE_CHARS = 2000
HARNESS_BYTES = 8 * 1024 * 1024
ROOM_NAME = re.compile(r"[\w.-]{1,64}")

log = logging.getLogger("harness.server")


def create_app(rooms: Rooms, *, admin_token: str | None) -> Starlette:
    """The service over `rooms`. Without `admin_token` no harness can be activated."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await rooms.close()

    service = _Service(rooms, admin_token)
    routes = [
        Route("/v1/rooms/{room}/danmaku", service.danmaku, methods=["POST"]),
        Route("/v1/rooms/{room}", service.room, methods=["GET"]),
        Route("/admin/harness", service.activate, methods=["POST"]),
        Route("/healthz", service.health, methods=["GET"]),
        Route("/readyz", service.ready, methods=["GET"]),
    ]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        HTTPException: _refused,
        Exception: _crashed,
    }
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)


class _Service:
    def __init__(self, rooms: Rooms, admin_token: str | None) -> None:
        self._rooms = rooms
        self._admin_token = admin_token

    async def danmaku(self, request: Request) -> Response:
        room = _room_name(request)
        body = await _json(request, MESSAGE_BYTES)
        text = body.get("text") if isinstance(body, dict) else None
        if not isinstance(text, str) or not text.strip():
            raise HTTPException(400, 'the body is {"text": "…"} with a text that is not empty')
        if set(body) != {"text"}:
            raise HTTPException(400, "the body has `text` alone")
        if len(text) > MESSAGE_CHARS:
            raise HTTPException(413, f"the text has more than {MESSAGE_CHARS} characters")
        try:
            turn = await self._rooms.say(room, text)
        except Busy as error:
            raise HTTPException(429, str(error), headers={"Retry-After": "1"}) from error
        status = 502 if turn.outcome == "engine_error" else 200
        return JSONResponse({"room": room, **turn_report(turn)}, status_code=status)

    async def room(self, request: Request) -> Response:
        room = _room_name(request)
        session = self._rooms.session(room)
        if session is None:
            raise HTTPException(404, "nobody has spoken in this room")
        return JSONResponse({"room": room, **room_report(session)})

    async def activate(self, request: Request) -> Response:
        self._authorize(request)
        body = await _json(request, HARNESS_BYTES)
        try:
            given = parse_ir(body, "the body")
            activation = self._rooms.activate(given.core, given.surface)
        except (ArtefactError, ValueError) as error:
            raise HTTPException(422, str(error)) from error
        log.info("activated %s %s", activation.version, activation.surface_digest)
        return JSONResponse(dataclasses.asdict(activation))

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(self, _: Request) -> Response:
        active = self._rooms.active
        ready = await self._rooms.ready()
        body = {
            "ready": ready,
            "engine": self._rooms.engine.name,
            "version": active.core.version,
            "core_digest": active.core_digest,
            "surface_digest": active.surface_digest,
        }
        return JSONResponse(body, status_code=200 if ready else 503)

    def _authorize(self, request: Request) -> None:
        if not self._admin_token:
            raise HTTPException(403, "no admin token is set for this service")
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        # Compared as bytes: `compare_digest` takes no text beyond ASCII.
        right = hmac.compare_digest(given.encode(), self._admin_token.encode())
        if scheme.lower() != "bearer" or not right:
            raise HTTPException(401, "a bearer token is needed", headers={"WWW-Authenticate": "Bearer"})


def _room_name(request: Request) -> str:
    room = request.path_params["room"]
    if not isinstance(room, str) or not ROOM_NAME.fullmatch(room):
        raise HTTPException(400, "a room's name has 1 to 64 letters, digits, `_`, `.` or `-`")
    return room


async def _json(request: Request, limit: int) -> Any:
    """The body as JSON; it is read no further than `limit` bytes."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise HTTPException(413, f"the body has more than {limit} bytes")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, "the body is not JSON") from error


async def _refused(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return await _crashed(_, error)
    return JSONResponse(
        {"error": {"status": error.status_code, "message": error.detail}},
        status_code=error.status_code,
        headers=error.headers,
    )


async def _crashed(request: Request, error: Exception) -> Response:
    log.exception("%s failed", request.url.path, exc_info=error)
    return JSONResponse({"error": {"status": 500, "message": "this request failed"}}, status_code=500)

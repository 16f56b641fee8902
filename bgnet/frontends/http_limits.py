"""Limits on what is sent to the HTTP server."""

import asyncio

from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request's body, and seconds for it to come.
LONGEST_BODY, BODY_SECONDS = 1 << 16, 10.0


class BodyLimits:
    """ASGI middleware that reads the whole body first, if it is neither too long nor too slow."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        body, more = b"", True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more and len(body) <= LONGEST_BODY:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
        except TimeoutError:
            await JSONResponse({"message": "the request took too long"}, 408)(scope, receive, send)
            return
        if len(body) > LONGEST_BODY:
            sentence = f"a body has {LONGEST_BODY} bytes at most"
            await JSONResponse({"message": sentence}, 413)(scope, receive, send)
            return
        read = False

        async def again() -> Message:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)

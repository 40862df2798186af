"""A request and its answer on their way: ASGI's two ends of a connection, with their times."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import IO, Any

from webapp.http import time_limits
from webapp.http.connection_limits import Guest

log = logging.getLogger(__name__)
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Gone(Exception):
    """Error: the client has disconnected, or sent nothing for too long."""


@dataclass
class Exchange:
    """One request of a connection, and its answer."""

    guest: Guest
    _receive: Receive
    _send: Send
    #: File of the request's body, and the number of bytes received.
    body: IO[bytes]
    size: int = 0
    #: Refusal instead of an answer: an HTTP status, or the error that occurred while the body was stored.
    refused: int | OSError | None = None

    @property
    def gone(self) -> bool:
        """Whether the client no longer waits for the answer; also read by the thread that computes it. Asking
        uvicorn would need `receive`, which would read and buffer requests sent ahead."""
        return self.guest.gone

    async def receive(self, seconds: float) -> Message:
        """The next part of the body. Raises `Gone`."""
        try:
            async with asyncio.timeout(seconds):
                message = await self._receive()
        except TimeoutError:
            self.guest.leave()
            raise Gone from None
        if message["type"] != "http.request":
            raise Gone
        self.guest.move()
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer at the client's speed; does nothing once the client has gone. Never
        raises, since the thread that computes the answer would wait for ever."""
        if self.gone:
            return
        try:
            async with asyncio.timeout(time_limits.SILENT_SECONDS):
                await self._send(message)
            self.guest.move()
        except TimeoutError:
            self.guest.leave()
        except Exception as error:
            # Uvicorn had already answered: the body turned out not to be valid HTTP.
            log.warning("an answer was not sent: %r", error)
            self.guest.leave()

    async def send_refusal(self, message: Message) -> None:
        """Send a part of a refusal. The client's bytes are read until the client stops: closing with unread
        bytes would reset the connection and lose the answer."""
        if message["type"] == "http.response.start":
            await self.send(message | {"headers": [*message["headers"], (b"connection", b"close")]})
            return
        if not message.get("more_body"):
            await self._drain()
        await self.send(message)

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(time_limits.DRAIN_SECONDS):
                while (await self._receive()).get("more_body"):
                    pass
        except TimeoutError:
            return

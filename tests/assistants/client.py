"""The client of the SDK, which asks ``sitemapaudit mcp`` or its server in this process."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import Tool

from sitemapaudit.assistants.server import NOTICE, make_server
from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.audit_folder.started_audits import StartedAudits

T = TypeVar("T")
Ask = Callable[..., Awaitable[dict[str, Any]]]


def ask_command(command: str, work: Callable[[Ask], Awaitable[None]]) -> list[Tool]:
    """Let a command of the shell answer; return its tools."""

    async def connect() -> list[Tool]:
        server = StdioServerParameters(command="sh", args=["-c", command])
        async with Client(stdio_client(server)) as client:
            await work(_asker(client))
            return (await client.list_tools()).tools

    return asyncio.run(connect())


def ask_server(
    folder: AuditFolder, audits: StartedAudits | None, work: Callable[[Ask], Awaitable[T]]
) -> T:
    """Let a server in this process answer; return what ``work`` does."""

    async def connect() -> T:
        async with Client(make_server(folder, audits)) as client:
            return await work(_asker(client))

    return asyncio.run(connect())


def _asker(client: Client) -> Ask:
    """Return a function that calls a tool, and returns its answer or its error."""

    async def ask(tool: str, **given: Any) -> dict[str, Any]:
        result = await client.call_tool(tool, given)
        (content,) = result.content
        assert content.type == "text"
        if result.is_error:
            return {"error": content.text}
        answer: dict[str, Any] = json.loads(content.text)
        assert next(iter(answer)) == "notice"
        assert answer["notice"] == NOTICE
        return answer

    return ask

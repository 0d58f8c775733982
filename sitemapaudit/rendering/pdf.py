"""The report of a run as a PDF file, printed by a browser."""

import asyncio
from pathlib import Path
from typing import Any, Final

from sitemapaudit.rendering.browser import Browser
from sitemapaudit.runs.durable import sync_file, sync_folder

NAME: Final = "report.pdf"
MAX_SECONDS: Final = 180
"""The limit for the time that printing takes, in seconds."""


class PdfError(Exception):
    """The browser did not print the page; the message says why."""


def print_pdf(page: Path, browser: Browser) -> Path:
    """Print a page on A4 into ``report.pdf`` next to it; return that file.

    Readers see the old file or the new one. Raises PdfError or OSError.
    """
    file = page.with_name(NAME)
    draft = file.with_suffix(".new")
    try:
        draft.write_bytes(asyncio.run(_print(page.resolve().as_uri(), browser)))
        sync_file(draft)
        draft.replace(file)
        sync_folder(file.parent)
    finally:
        draft.unlink(missing_ok=True)
    return file


async def _print(address: str, browser: Browser) -> bytes:
    from playwright.async_api import Error  # noqa: PLC0415 - it takes long to import

    try:
        async with asyncio.timeout(MAX_SECONDS):
            return await _print_with(browser, address)
    except TimeoutError:
        raise PdfError(f"it took longer than {MAX_SECONDS} seconds") from None
    except Error as error:
        raise PdfError(str(error).partition("\n")[0]) from None


async def _print_with(browser: Browser, address: str) -> bytes:
    from playwright.async_api import async_playwright  # noqa: PLC0415 - as above

    milliseconds = 1_000 * MAX_SECONDS
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(
            executable_path=browser.program,
            chromium_sandbox=browser.sandbox,
            timeout=milliseconds,
        )
        try:
            context: Any = await opened.new_context(offline=True)
            tab = await context.new_page()
            await tab.goto(address, timeout=milliseconds)
            printed: bytes = await tab.pdf(format="A4", prefer_css_page_size=True, tagged=True)
            return printed
        finally:
            await opened.close()

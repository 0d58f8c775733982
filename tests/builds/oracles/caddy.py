"""Caddy with ``root`` and ``file_server``."""

from pathlib import Path
from random import Random
from typing import Final

from tests.builds.oracles.oracle import Case
from tests.builds.oracles.serving import ServerOracle
from tests.builds.oracles.sites import random_files, random_path
from tests.builds.oracles.tools import Tools

_CONFIGURATION: Final = """
{{
    admin off
    auto_https off
    storage file_system {folder}/storage
}}
http://:{port} {{
    bind 127.0.0.1
    root * {folder}/{{host}}
    file_server
}}
"""


class Caddy(ServerOracle):
    hosting = "caddy"
    cases = 20

    def install(self, tools: Tools) -> str:
        tools.debian("caddy", "caddy")
        return "Caddy " + tools.version("caddy", "version")

    def random_case(self, random: Random) -> Case:
        files = random_files(random)
        return Case(files, [random_path(random, [*files]) for _ in range(25)])

    def command(self, folder: Path, port: int, tools: Tools) -> list[str]:
        file = folder / "Caddyfile"
        file.write_text(_CONFIGURATION.format(folder=folder, port=port))
        return [tools.program("caddy"), "run", "--adapter", "caddyfile", "--config", f"{file}"]

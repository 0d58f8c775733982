"""nginx with the configuration that the kind ``nginx`` stands for."""

from pathlib import Path
from random import Random
from typing import Final

from tests.builds.oracles.oracle import Case
from tests.builds.oracles.serving import ServerOracle
from tests.builds.oracles.sites import random_files, random_path
from tests.builds.oracles.tools import Tools

_CONFIGURATION: Final = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/$host;
        error_page 404 /404.html;
        location / {{ try_files $uri $uri.html $uri/ =404; }}
    }}
}}
"""


class Nginx(ServerOracle):
    hosting = "nginx"
    cases = 20

    def install(self, tools: Tools) -> str:
        tools.debian("nginx", "nginx")
        return tools.version("nginx", "-v")

    def random_case(self, random: Random) -> Case:
        files = random_files(random)
        return Case(files, [random_path(random, [*files]) for _ in range(25)])

    def command(self, folder: Path, port: int, tools: Tools) -> list[str]:
        file = folder / "nginx.conf"
        file.write_text(_CONFIGURATION.format(folder=folder, port=port))
        return [
            tools.program("nginx"),
            "-p",
            f"{folder}",
            "-c",
            f"{file}",
            "-e",
            f"{folder}/errors",
        ]

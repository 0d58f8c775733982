"""An object store on loopback that is compatible with S3."""

from typing import Any, Self
from urllib.request import ProxyHandler, Request, build_opener

_KEY, _SECRET, _REGION = "key", "secret", "us-east-1"


class Store:
    """An empty store; a context manager that serves it.

    There can be one at a time: its content is in the memory of the process, not of the server.
    What it imports takes a fifth of a second, in each test process: only what uses it does.
    """

    def __init__(self) -> None:
        from moto.server import ThreadedMotoServer  # noqa: PLC0415 - see above

        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)

    def __enter__(self) -> Self:
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        empty = Request(f"{self.endpoint}/moto-api/reset", method="POST")
        build_opener(ProxyHandler({})).open(empty, timeout=30).close()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    @property
    def settings(self) -> dict[str, str]:
        """The settings with which Scrapy uses the store."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": _KEY,
            "AWS_SECRET_ACCESS_KEY": _SECRET,
            "AWS_REGION_NAME": _REGION,
        }

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which AWS tools use the store."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": _KEY,
            "AWS_SECRET_ACCESS_KEY": _SECRET,
            "AWS_DEFAULT_REGION": _REGION,
        }

    def create_bucket(self, name: str) -> Any:
        import boto3  # noqa: PLC0415 - see above

        store = boto3.resource(
            "s3",
            endpoint_url=self.endpoint,
            aws_access_key_id=_KEY,
            aws_secret_access_key=_SECRET,
            region_name=_REGION,
        )
        return store.create_bucket(Bucket=name)

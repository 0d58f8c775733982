"""How tests are named."""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their length: a compressed file holds the time at which it was made."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None

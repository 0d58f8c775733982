"""Writes the generated pages: ``python -m docs.generated``."""

from docs.generated.pages import write

if __name__ == "__main__":
    write()

"""The likely causes of many findings."""

from dataclasses import dataclass, field


@dataclass(slots=True, frozen=True)
class Fix:
    """A setting of a generator, with code in backticks, and the page of its manual."""

    generator: str
    how: str
    source: str

    def __str__(self) -> str:
        return f"{self.generator}: {self.how.replace('`', '')} ({self.source})."


@dataclass(slots=True, frozen=True)
class LikelyCause:
    """A cause that many URLs share: a sentence about it, and what fixes it.

    ``rules`` are the rules that find its effects, ``urls`` counts the URLs, or other places.
    """

    sentence: str
    rules: list[str]
    urls: int
    fixes: list[Fix] = field(default_factory=list)

    def __str__(self) -> str:
        return self.describe(None)

    def describe(self, remedy: str | None) -> str:
        """Return the sentence, with the fixes that a remedy does not name."""
        fixes = [str(fix) for fix in self.fixes if fix.source not in (remedy or "")]
        return " ".join((self.sentence, *fixes))

    def explains(self, rules: set[str]) -> bool:
        """Return whether one of these rules finds its effects."""
        return not rules.isdisjoint(self.rules)

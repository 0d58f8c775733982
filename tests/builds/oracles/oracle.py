"""What all oracles share: cases, the recording of their answers, and the comparison with ours."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final
from urllib.parse import quote

from msgspec import Struct, field

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.replies import HostedReply
from tests.builds.builds import describe, write_build
from tests.builds.oracles.tools import Tools

RECORDED_SEED: Final = 43

OVER_HTTP: Final = "http://example.com"
"""The beginning of a target that is requested over http, and not over https."""


class Case(Struct):
    """A build with its rules, the targets of requests, and the answer to each.

    ``answers`` are empty for a case that the program refuses.
    """

    files: dict[str, str]
    requests: list[str]
    answers: list[str] = field(default_factory=list)

    def as_json(self) -> str:
        """Return one line, in which each request has its answer."""
        pairs = zip(self.requests, self.answers, strict=True)
        # An empty file is one whose content does not matter.
        texts = {name: text for name, text in self.files.items() if text}
        names = [name for name, text in self.files.items() if not text]
        document = {"files": texts, "names": names, "requests": [" ".join(pair) for pair in pairs]}
        return json.dumps({key: value for key, value in document.items() if value})

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Case":
        """Return the case of a line."""
        pairs = [request.partition(" ") for request in document["requests"]]
        files = dict.fromkeys(document.get("names", ()), "") | document.get("files", {})
        return cls(files, [pair[0] for pair in pairs], [pair[2] for pair in pairs])


class Difference(Struct):
    """A reply that is not that of the oracle."""

    case: Case
    target: str
    expected: str
    found: str


class Result(Struct):
    """The number of replies by ``equal``, ``unknown``, or the reason of an exception."""

    counts: Counter[str] = field(default_factory=Counter)
    different: list[Difference] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        """Add the replies of another result."""
        self.counts += other.counts
        self.different += other.different


class Oracle:
    """A program that answers as a hosting does."""

    hosting: ClassVar[str] = ""
    """The kind of hosting that is compared with it."""
    cases: ClassVar[int] = 50
    """Cases of a recording, or of a seed."""
    exceptions: ClassVar[Mapping[str, Callable[[Difference], object]]] = {}
    """The differences that are meant, by their reason."""
    examples: ClassVar[Sequence[Case]] = ()
    """Cases that are always asked: they show differences that random ones rarely have."""

    def install(self, tools: Tools) -> str:
        """Install the program, and return its name and version."""
        raise NotImplementedError

    def random_case(self, random: Random) -> Case:
        """Return a random case without answers."""
        raise NotImplementedError

    def ask(self, cases: Sequence[Case], tools: Tools) -> None:
        """Put the answers of the program into the cases."""
        raise NotImplementedError

    def describe(self, reply: HostedReply, folder: Path, _target: str) -> str:
        """Return our reply as the answers of the program are written."""
        return describe(reply, folder)

    @property
    def name(self) -> str:
        """The name of the module."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def recording(self) -> Path:
        """The file with the recorded answers."""
        return Path(__file__).with_name(f"{self.name}.json")

    def random_cases(self, seed: int) -> list[Case]:
        """Return the cases of a seed."""
        random = Random(seed)
        examples = (Case(each.files, each.requests) for each in self.examples)
        return [*examples, *(self.random_case(random) for _ in range(self.cases))]

    def record(self, version: str, cases: Iterable[Case]) -> None:
        """Write the cases with their answers."""
        lines = [json.dumps(version), *(case.as_json() for case in cases)]
        self.recording.write_text("[\n" + ",\n".join(lines) + "\n]\n")

    def recorded(self) -> list[Case]:
        """Return the recorded cases."""
        return [*map(Case.from_json, json.loads(self.recording.read_text())[1:])]

    def compare(self, cases: Iterable[Case], folder: Path) -> Result:
        """Compare our replies with the answers; the builds are written into the folder."""
        result = Result()
        for difference in self._differences(cases, folder):
            found, expected = normal(difference.found), normal(difference.expected)
            reasons = (why for why, applies in self.exceptions.items() if applies(difference))
            if found == expected:
                result.counts["equal"] += 1
            elif found == "unknown":
                result.counts["unknown"] += 1
            elif reason := next(reasons, None):
                result.counts[reason] += 1
            else:
                result.different.append(difference)
        return result

    def _differences(self, cases: Iterable[Case], folder: Path) -> Iterator[Difference]:
        folders: dict[tuple[str, ...], Path] = {}
        for case in cases:
            names = (*case.files,)
            texts = {name: text for name, text in case.files.items() if text}
            # Cases whose files have the same names share a folder: writing costs most of the time.
            written = texts if names in folders else case.files
            root = write_build(folders.setdefault(names, folder / str(len(folders))), written)
            build = Build(root, self.hosting)
            for target, expected in zip(case.requests, case.answers, strict=True):
                path = target.removeprefix(OVER_HTTP)
                scheme = "https" if path == target else "http"
                found = self.describe(build.reply("example.com", path, scheme), root, path)
                yield Difference(case, target, expected, found)


def normal(answer: str) -> str:
    """Return an answer without differences that mean nothing.

    Programs encode different characters of a location, and write triplets in lower case or in upper
    case. A location with two slashes would name another host: ours stay on their host.
    """
    answer = quote(re.sub(" //+", " /", answer), safe="%/:?#&=+,;@!$'()*~ ")
    return re.sub("%[0-9a-f]{2}", lambda match: match[0].upper(), answer).replace(" ", "%20")

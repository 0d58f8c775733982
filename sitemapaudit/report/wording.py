"""Sentences about numbers: shares, samples, links, waits."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

from sitemapaudit.comparison.share_change import ShareChange
from sitemapaudit.items import Revalidation
from sitemapaudit.numbers import count_noun, percent
from sitemapaudit.runs.link_counts import LinkCounts
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.reused_run import ReusedRun
from sitemapaudit.runs.sample import Bounds, Sample
from sitemapaudit.runs.share import Share

MANY_SCRIPT_PAGES: Final = 10
"""Number of pages without text that is reported even if most pages of the site have text."""

_SPACE: Final = "\N{NO-BREAK SPACE}"
_TIMES: Final = "\N{MULTIPLICATION SIGN}"


def name_rules(counts: Mapping[str, int]) -> str:
    """Return rules with their numbers of findings, the largest first."""
    ranked = Counter(counts).most_common()
    return ", ".join(f"{rule} {_TIMES}{number:,}" for rule, number in ranked)


def describe_bounds(bounds: Bounds) -> str:
    """Return a share with its bounds, rounded outward: ``93.1 % (90.8 to 95.0 %)``."""
    guess = "unknown" if bounds.share is None else percent(bounds.share)
    return f"{guess} {_interval(bounds)}"


def describe_share_change(change: ShareChange) -> str:
    """Describe whether the share of indexable URLs changed by more than chance."""
    shares = f"indexable: {percent(change.before)} before, {percent(change.after)} now"
    low, high = (
        f"{100 * part:+.1f}".replace("-", "\N{MINUS SIGN}") for part in (change.low, change.high)
    )
    points = f"{low} to {high} percentage points"
    if change.is_more_than_chance:
        return f"{shares}: the change is more than chance ({points})."
    return f"{shares}: the change may be chance ({points})."


def _interval(bounds: Bounds) -> str:
    low = math.floor(bounds.low * 1000 + 1e-7) / 10
    high = math.ceil(bounds.high * 1000 - 1e-7) / 10
    return f"({low:.1f} to {high:.1f}{_SPACE}%)"


def describe_sources(manifest: Manifest) -> str:
    """Return how many sitemaps list the URLs of a run, or that a list does."""
    noun = "sitemap" if manifest.reads_sitemaps else "list"
    return count_noun(manifest.rows.get("sitemaps", 0), noun)


def describe_share(share: Share) -> str:
    """Describe how many of the judged URLs are indexable, and how many URLs were not judged.

    Everything that prints the share of a run prints this sentence.
    """
    return " ".join(filter(None, share_parts(share)))


def share_parts(share: Share) -> tuple[str, str]:
    """Return the share in percent, if any URL was judged, and the rest of its sentence."""
    source = " in the sitemaps that could be read" if share.unread_sitemaps else ""
    rest = f"; {describe_undetermined(share)}." if share.unknown else "."
    if share.sample and share.bounds and share.bounds.share is not None:
        guess = f"indexable: {percent(share.bounds.share)}"
        return guess, f"{_interval(share.bounds)} {_describe_sample(share.sample)}{source}{rest}"
    if share.value is None:
        return "", f"It is unknown whether any listed URL{source} is indexable{rest}"
    verb = "is" if share.judged == 1 else "are"
    judged = count_noun(share.judged, "judged URL")
    return percent(share.value), f"of {judged}{source} {verb} indexable{rest}"


def describe_known(share: Share) -> str:
    """Describe how many URLs are known to be indexable, without those skipped by choice."""
    if share.sample and share.bounds:
        population = share.sample.population
        least = f"at least {round(share.bounds.low * population):,}"
        noun = count_noun(population, "URL")
        return f"{least} of {noun} are known to be indexable, at 95\N{NO-BREAK SPACE}% confidence"
    total = share.judged + share.unknown
    verb = "is" if total == 1 else "are"
    return f"{share.indexable:,} of {count_noun(total, 'URL')} {verb} known to be indexable"


def _describe_sample(sample: Sample) -> str:
    """Describe the population and the size of a sample."""
    drawn = f"of {count_noun(sample.population, 'URL')}, from a sample of {sample.drawn:,}"
    bounds = sample.indexable
    if sample.margin is None or bounds is None:
        return drawn
    percents = 100 * (bounds.high - bounds.low) / 2
    reached = percents <= float(sample.margin.strip("±%"))
    if not reached and sample.omitted:
        return f"{drawn}, too few for {sample.margin}"
    # The sample stops growing then: more pages would not make the unknown ones known.
    condition = "" if reached else " except for unknown pages"
    return f"{drawn}, enough for {sample.margin}{condition}"


def describe_undetermined(share: Share) -> str:
    """Describe how many URLs could not be determined, and why."""
    reasons = ", ".join(f"{count:,} {verdict}" for verdict, count in share.undetermined.items())
    return f"{share.unknown:,} could not be determined ({reasons})"


def describe_waits(refused: Mapping[str, int], rested: float) -> str:
    """Describe how many responses asked to wait, per status, and how long hosts were paused."""
    return (
        f"{count_noun(sum(refused.values()), 'response')} with status {' or '.join(refused)} "
        f"asked to wait, and hosts were paused for {rested:,.1f} seconds in total"
    )


def describe_script_pages(pages: int, read: int) -> str | None:
    """Describe how many pages need a browser; None if these are few."""
    if not pages or (pages < MANY_SCRIPT_PAGES and 2 * pages < read):
        return None
    return (
        f"{pages:,} of {count_noun(read, 'page')} {'has' if pages == 1 else 'have'} almost no text"
        " without JavaScript, and no browser rendered them: audit again with render=auto"
    )


def describe_counts(counts: Mapping[str, int]) -> str:
    """Describe how many listed URLs have each verdict."""
    return ", ".join(f"{number:,} {verdict}" for verdict, number in counts.items())


def describe_reuse(reused: ReusedRun) -> str:
    """Describe how many pages were revalidated, and with which results."""
    if reused.reason is not None or reused.run is None:
        earlier = f"Nothing of {reused.run}" if reused.run else "Nothing"
        return f"{earlier} was reused: {reused.reason}."
    found = reused.revalidated
    asked = sum(found.values()) + reused.refetched
    kept, same = found.get(Revalidation.NOT_MODIFIED, 0), found.get(Revalidation.SAME, 0)
    controls = found.get(Revalidation.CONFIRMED, 0)
    untrue = found.get(Revalidation.UNTRUE, 0)
    failed, changed = found.get(Revalidation.FAILED, 0), found.get(Revalidation.CHANGED, 0)
    asked_about = f"Revalidated {count_noun(asked, 'page')} against {reused.run}"
    parts = [f"{asked_about}: {kept:,} not modified", f"{changed:,} changed"]
    if same:
        parts.append(f"{same:,} sent again with the same content")
    if all_controls := controls + untrue + failed:
        parts.append(f"{controls:,} of {count_noun(all_controls, 'control')} confirmed")
    if reused.refetched:
        parts.append(f"{reused.refetched:,} fetched in full, because controls differed or failed")
    return f"{', '.join(parts)}."


def describe_links(links: LinkCounts) -> str:
    """Describe how many listed, indexable pages visitors can and cannot find by links."""
    pages = count_noun(links.indexable, "listed, indexable page")
    parts = [f"{links.reachable:,} of {pages} can be reached from the home page"]
    if links.orphans:
        parts.append(count_noun(links.orphans, "orphan"))
    if links.candidates:
        noun = "an orphan" if links.candidates == 1 else "orphans"
        parts.append(f"{links.candidates:,} may be {noun}")
    if links.unlisted:
        parts.append(f"{count_noun(links.unlisted, 'linked page')} in no sitemap")
    return "; ".join(parts)


def describe_coverage(links: LinkCounts) -> str:
    """Describe for how many pages all links are known."""
    return (
        f"all links of {links.read_pages:,} of {count_noun(links.known_pages, 'known page')}"
        f" ({percent(links.share_read)}) are known"
    )


def describe_gaps(gaps: Mapping[str, int]) -> str:
    """Describe why links may be unknown, and on how many pages."""
    return ", ".join(f"{reason} ({number:,})" for reason, number in gaps.items())


def describe_repairs(repairs: Mapping[str, int]) -> str | None:
    """Describe what a repair would change; None if nothing."""
    words = {"dropped": "remove", "replaced": "replace"}
    parts = [f"{words[each]} {repairs[each]:,}" for each in words if repairs.get(each)]
    if parts:
        parts[-1] += f" of {count_noun(repairs.get('listed', 0), 'listed URL')}"
    if number := repairs.get("without_url", 0):
        parts.append(f"remove {count_noun(number, 'entry')} without a usable URL")
    return f"{parts[0][0].upper()}{', '.join(parts)[1:]}" if parts else None


def describe_new(changes: Mapping[str, int]) -> str:
    """Describe how many findings are new, fixed, or were not checked by the earlier run."""
    parts = [count_noun(changes["new"], "new finding"), f"{changes['fixed']:,} fixed"]
    if unknown := changes.get("not-checked-before", 0):
        parts.append(f"{unknown:,} not checked before")
    return ", ".join(parts)


def describe_listing(changes: Mapping[str, int]) -> str:
    """Describe how many URLs were added, removed and moved."""
    parts = [f"{count_noun(changes['added'], 'URL')} added", f"{changes['removed']:,} removed"]
    if moved := changes.get("moved", 0):
        parts.append(f"{moved:,} moved")
    return ", ".join(parts)

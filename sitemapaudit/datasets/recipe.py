"""The recipe of the tables: every relation of a run, in the order in which they are created.

A relation reads only relations above it. Only what a run needs is created.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from sitemapaudit.datasets import (
    agent_verdicts,
    finding_table,
    ledger_copies,
    merged_findings,
    page_table,
    relations,
    run_table,
    similar_texts,
    url_table,
)
from sitemapaudit.datasets.agent_verdicts import has_agents
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import ledger_columns
from sitemapaudit.datasets.ledger_copies import store_copy, store_log
from sitemapaudit.datasets.links import (
    coverage,
    gaps,
    graph,
    orphans,
    page_states,
    suggestions,
    tables,
    unlisted_pages,
)
from sitemapaudit.datasets.links.tables import records_links, records_no_links
from sitemapaudit.datasets.media import media_listing, media_table
from sitemapaudit.datasets.media.media_table import checks_media
from sitemapaudit.datasets.samples import estimates, sampling
from sitemapaudit.datasets.samples.sampling import (
    draws_sample,
    grows_sample,
    store_candidates,
    store_sample,
    takes_sample,
)
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.manifest import Manifest

_LOGS: Final = " ".join(f"{table}_log" for table in LEDGER_TABLES)


def _only(when: Callable[[Manifest], bool], *relations: Relation) -> Iterator[Relation]:
    """Yield relations that only some runs have."""
    return (replace(relation, when=when) for relation in relations)


BEFORE_RULES: Final = (
    # The ledger as it was written.
    *(Relation(f"{table}_log", ledger_columns(table), store=store_log) for table in LEDGER_TABLES),
    # What was read, each row once.
    Relation("robots", ledger_copies.ROBOTS, "robots_log", store=store_copy),
    Relation("sitemaps", ledger_copies.SITEMAPS, "sitemaps_log", store=store_copy),
    Relation("entries", ledger_copies.ENTRIES, "entries_log sitemaps", store=store_copy),
    # The sample that was drawn.
    Relation("candidates", sampling.CANDIDATES, "entries", takes_sample, store_candidates),
    Relation("strata", sampling.STRATA, "candidates", takes_sample),
    Relation("sample", sampling.SAMPLE, "candidates strata", draws_sample, store_sample),
    Relation("sample", sampling.GROWN_SAMPLE, "candidates pages_log", grows_sample, store_sample),
    # What is listed, and what came back.
    Relation("repeated_urls", url_table.REPEATED_URLS, "entries"),
    Relation(
        "listed",
        url_table.LISTED,
        "entries repeated_urls sample",
        store=url_table.store_listed,
        fill=url_table.mark_sample,
    ),
    Relation(
        "last_pages",
        page_table.LAST_PAGES,
        "pages_log rechecks_log",
        fill=page_table.drop_repeated_pages,
    ),
    Relation("leads", page_table.LEADS, "last_pages listed entries", fill=page_table.fill_leads),
    Relation(
        "first_pages",
        page_table.FIRST_PAGES,
        "last_pages findings_log rechecks_log",
        fill=page_table.fill_first_pages,
    ),
    Relation(
        "pages",
        page_table.PAGES,
        "last_pages listed leads first_pages renderings_log",
        store=page_table.store_pages,
    ),
    # The link graph.
    Relation("link_domains", tables.LINK_DOMAINS, fill=tables.fill_link_domains),
    *_only(
        records_links,
        Relation("link_names", tables.LINK_NAMES, fill=tables.fill_link_names),
        Relation("link_blocks", tables.LINK_BLOCKS, fill=tables.fill_link_blocks),
        Relation("link_nodes", tables.LINK_NODES, "link_names link_blocks pages listed"),
        Relation("link_sources", tables.LINK_SOURCES, "link_blocks link_nodes pages"),
        Relation(
            "named_edges",
            tables.NAMED_EDGES,
            "link_sources link_nodes",
            fill=tables.fill_named_edges,
        ),
        Relation("moves", tables.MOVES, "pages link_nodes"),
        Relation("link_losses", tables.LINK_LOSSES, "link_sources named_edges"),
        Relation("edges", tables.EDGES, "named_edges link_losses", store=tables.store_edges),
        Relation("links", graph.LINKS, "edges link_nodes", store=graph.store_links),
        Relation("homes", graph.HOMES, "robots sitemaps", fill=graph.move_homes),
        Relation("clicks", graph.CLICKS, "link_nodes homes edges moves", fill=graph.fill_clicks),
        Relation("inlinks", graph.INLINKS, "edges moves"),
        Relation(
            "link_counts",
            graph.LINK_COUNTS,
            "listed link_nodes link_sources link_domains inlinks clicks",
        ),
        Relation("duplicate_links", graph.DUPLICATE_LINKS, "pages link_nodes edges moves clicks"),
    ),
    *_only(
        records_no_links,
        Relation("link_nodes", graph.NO_LINK_NODES),
        Relation("inlinks", graph.NO_INLINKS),
        Relation("link_counts", graph.NO_LINK_COUNTS),
    ),
    # The verdicts.
    Relation("chains", url_table.CHAINS, "listed pages"),
    Relation("final_pages", url_table.FINAL_PAGES, "chains pages"),
    Relation("probes", url_table.PROBES, "pages"),
    Relation("soft_404s", url_table.SOFT_404S, "pages probes"),
    Relation(
        "urls",
        url_table.URLS,
        "listed pages chains final_pages soft_404s link_counts",
        store=url_table.store_urls,
    ),
    Relation(
        "run",
        run_table.RUN,
        f"{_LOGS} robots sitemaps entries candidates pages listed urls edges moves",
        fill=run_table.fill_run,
    ),
    # Images and videos.
    *_only(
        checks_media,
        Relation("media_places", media_listing.MEDIA_PLACES, "entries"),
        Relation("media_written", media_listing.MEDIA_WRITTEN, "media_places"),
        Relation(
            "media_locs",
            media_listing.MEDIA_LOCS,
            "media_written",
            fill=media_listing.normalize_locs,
        ),
        Relation("media_kinds", media_table.MEDIA_KINDS, "media_places media_locs"),
        Relation("media_answers", media_table.MEDIA_ANSWERS, "media_log media_kinds pages"),
        Relation("media", media_table.MEDIA, "media_log media_kinds media_answers"),
        Relation("media_ends", media_table.MEDIA_ENDS, "media_kinds media_answers"),
        Relation("listed_media", media_table.LISTED_MEDIA, "media_places media_locs media_ends"),
    ),
    # The verdicts for several agents.
    *_only(
        has_agents,
        Relation("agents", agent_verdicts.AGENTS, fill=agent_verdicts.fill_agents),
        Relation(
            "agent_groups", agent_verdicts.AGENT_GROUPS, "robots", fill=agent_verdicts.fill_groups
        ),
        Relation(
            "agent_blocks",
            agent_verdicts.AGENT_BLOCKS,
            "robots listed urls agent_groups",
            fill=agent_verdicts.fill_blocks,
        ),
        Relation(
            "agent_facts", agent_verdicts.AGENT_FACTS, "agent_pages_log robots pages listed urls"
        ),
        Relation(
            "verdicts", agent_verdicts.VERDICTS, "agent_facts agents agent_blocks agent_groups urls"
        ),
    ),
    # The findings of row rules, and what query rules read besides the tables.
    Relation(
        "findings",
        finding_table.FINDINGS,
        "findings_log rechecks_log listed",
        store=finding_table.store_findings,
        fill=finding_table.drop_repeated_findings,
    ),
    Relation("rule_options", finding_table.RULE_OPTIONS, fill=finding_table.fill_rule_options),
    Relation("sitemap_files", relations.SITEMAP_FILES, "sitemaps"),
    Relation("declared_sitemaps", relations.DECLARED_SITEMAPS, "robots"),
    Relation(
        "authorized_sitemaps",
        relations.AUTHORIZED_SITEMAPS,
        "entries sitemap_files declared_sitemaps",
    ),
    Relation(
        "incomplete_origins",
        relations.INCOMPLETE_ORIGINS,
        "robots sitemaps declared_sitemaps authorized_sitemaps urls pages run",
    ),
    Relation("site_hosts", relations.SITE_HOSTS, "robots pages urls link_nodes link_domains"),
    Relation("origins_with_robots", relations.ORIGINS_WITH_ROBOTS, "robots"),
    Relation("cross_origin_entries", relations.CROSS_ORIGIN_ENTRIES, "entries sitemap_files"),
    Relation(
        "listed_texts",
        similar_texts.LISTED_TEXTS,
        "pages",
        store=similar_texts.store_listed_texts,
    ),
    Relation(
        "repeated_texts",
        similar_texts.REPEATED_TEXTS,
        "listed_texts",
        fill=similar_texts.fill_repeated_texts,
    ),
    Relation(
        "similar_texts",
        similar_texts.SIMILAR_TEXTS,
        "listed_texts",
        fill=similar_texts.fill_similar_texts,
    ),
    Relation("alternates", relations.LANGUAGE_ALTERNATES, "entries pages"),
    # Results of links: pages that visitors cannot find, and pages that no sitemap lists.
    *_only(
        records_links,
        Relation(
            "link_pages",
            page_states.LINK_PAGES,
            "homes pages urls site_hosts link_sources link_nodes inlinks moves",
        ),
        Relation("link_gaps", gaps.LINK_GAPS, "link_pages link_losses sitemaps run"),
        Relation("link_coverage", coverage.LINK_COVERAGE, "link_pages link_nodes"),
        Relation("twin_links", graph.TWIN_LINKS, "urls pages link_nodes edges moves clicks"),
        Relation("orphans", orphans.ORPHANS, "urls duplicate_links twin_links link_gaps"),
        Relation(
            "unlisted_pages",
            unlisted_pages.UNLISTED_PAGES,
            "robots pages urls site_hosts incomplete_origins link_nodes inlinks clicks soft_404s",
        ),
        Relation("lost", suggestions.LOST, "orphans pages"),
        Relation("lost_places", suggestions.LOST_PLACES, "lost"),
        Relation(
            "offers",
            suggestions.OFFERS,
            "pages urls orphans lost_places link_nodes link_sources clicks",
        ),
        Relation("suggestions", suggestions.SUGGESTIONS, "lost_places offers"),
        Relation("orphans_with_suggestions", suggestions.WITH_SUGGESTIONS, "orphans suggestions"),
    ),
)
"""The relations that query rules can read."""

AFTER_RULES: Final = (
    Relation("merged_causes", merged_findings.MERGED_CAUSES, "findings"),
    Relation(
        "occurrences",
        merged_findings.OCCURRENCES,
        "findings merged_causes",
        store=merged_findings.store_occurrences,
    ),
    Relation(
        "found_rules",
        merged_findings.FOUND_RULES,
        "listed findings occurrences",
        store=merged_findings.store_found_rules,
    ),
    Relation("outcomes", estimates.OUTCOMES, "sample urls found_rules", takes_sample),
    Relation("hits", estimates.HITS, "outcomes", takes_sample),
    Relation(
        "estimates",
        estimates.SHARES,
        "strata sample outcomes hits",
        takes_sample,
        fill=estimates.fill_estimates,
    ),
)
"""The relations that are made of all findings."""

RECIPE: Final = (*BEFORE_RULES, *AFTER_RULES)


def needed_relations(names: Iterable[str], manifest: Manifest) -> list[Relation]:
    """Return the relations with these names that a run has, and all that they need, in order.

    Other names are skipped.
    """
    wanted = set(names)
    found = []
    for relation in reversed(RECIPE):
        if relation.name in wanted and relation.when(manifest):
            wanted.update(relation.needs.split())
            found.append(relation)
    return found[::-1]


def create_relations(build: Build, names: Iterable[str]) -> None:
    """Create the relations with these names and all that they need, unless they exist."""
    for relation in needed_relations(names, build.manifest):
        if relation.name not in build.created:
            relation.create(build)
            build.created.add(relation.name)

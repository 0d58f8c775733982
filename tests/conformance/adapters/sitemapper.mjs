// sitemapper, of npm: the entries that it returns. The argument is the folder of node_modules.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = join(process.argv[2], "node_modules", "sitemapper");
const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { default: Sitemapper } = await import(pathToFileURL(join(folder, about.main)).href);

const names = ["lastmod", "changefreq", "priority"];
const fields = { loc: true, lastmod: true, changefreq: true, priority: true };
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function read(start) {
  const answer = await new Sitemapper({ timeout: 25000, fields }).fetch(start);
  const sites = answer.sites.filter((site) => site.loc);
  const found = { urls: sites.map((site) => site.loc) };
  for (const name of names) {
    const present = sites.filter((site) => site[name] !== undefined);
    found[name] = Object.fromEntries(present.map((site) => [site.loc, site[name]]));
  }
  return found;
}

write({
  name: about.name,
  version: about.version,
  tells: { sitemap: ["urls", ...names] },
  without: ["text", "rss-and-atom"],
});
for await (const line of createInterface({ input: process.stdin })) {
  try {
    write(await read(JSON.parse(line).start));
  } catch (error) {
    write({ error: String(error) });
  }
}

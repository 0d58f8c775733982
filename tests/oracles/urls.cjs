// Reads pairs of an address and its base, and writes the URL of each, or null.
const { URL } = require(require.resolve("whatwg-url", { paths: [process.cwd()] }));

const pairs = JSON.parse(require("fs").readFileSync(0, "utf8"));
const found = pairs.map(([address, base]) => {
  try {
    return new URL(address, base ?? undefined).href;
  } catch {
    return null;
  }
});
process.stdout.write(JSON.stringify(found));

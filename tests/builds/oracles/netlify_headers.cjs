// Reads [[_headers, netlify.toml, paths]] from standard input, and writes the value of X-Robots-Tag
// for each path, as `netlify dev` applies the rules: of several, the last one counts.
const fs = require("fs");
const os = require("os");
const path = require("path");

(async () => {
  const parser = path.join(process.cwd(), "node_modules/@netlify/headers-parser/lib/index.js");
  const { parseAllHeaders } = await import(parser);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "headers-"));
  const file = path.join(folder, "_headers");
  const netlifyConfigPath = path.join(folder, "netlify.toml");
  const answers = [];
  for (const [blocks, tables, requests] of JSON.parse(fs.readFileSync(0, "utf8"))) {
    fs.writeFileSync(file, blocks);
    fs.writeFileSync(netlifyConfigPath, tables);
    const { headers } = await parseAllHeaders({ headersFiles: [file], netlifyConfigPath, minimal: false });
    answers.push(
      requests.map((request) => {
        const matching = headers.filter(({ forRegExp }) => forRegExp.test(decodeURIComponent(request)));
        const values = Object.assign({}, ...matching.map(({ values }) => values));
        return values["X-Robots-Tag"] || "";
      }),
    );
  }
  console.log(JSON.stringify(answers));
})();

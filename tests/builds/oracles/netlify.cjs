// Reads [[rules, targets]] from standard input, and writes the match of each request.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { createRequire } = require("module");
const here = createRequire(path.join(process.cwd(), "index.js"));
const redirector = here("netlify-redirector");

// What `netlify dev` does with the rules before it gives them to the engine.
const asJson = ({ conditions: { country, language, role, ...conditions }, from, query, signed, ...rest }) => ({
  ...rest,
  origin: from,
  params: query,
  conditions: {
    ...conditions,
    ...(role && { Role: role }),
    ...(country && { Country: country }),
    ...(language && { Language: language }),
  },
});

(async () => {
  const parser = path.join(process.cwd(), "node_modules/@netlify/redirect-parser/lib/index.js");
  const { parseAllRedirects } = await import(parser);
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "rules-")), "_redirects");
  const answers = [];
  for (const [rules, requests] of JSON.parse(fs.readFileSync(0, "utf8"))) {
    fs.writeFileSync(file, rules);
    const parsed = { redirectsFiles: [file], configRedirects: [], minimal: false };
    const { redirects } = await parseAllRedirects(parsed);
    const matcher = await redirector.parseJSON(JSON.stringify(redirects.map(asJson)), {});
    answers.push(
      requests.map((request) => {
        const isInsecure = request.startsWith("http://example.com");
        const [path, query] = request.replace("http://example.com", "").split("?");
        const same = { scheme: isInsecure ? "http" : "https", host: "example.com", headers: {}, cookieValues: {} };
        const nothing = { getHeader: () => "", getCookie: () => "" };
        const match = matcher.match({ ...same, ...nothing, path, query });
        return match ? `${match.status} ${match.to}` : "";
      }),
    );
  }
  console.log(JSON.stringify(answers));
})();

// Reads [[staticwebapp.config.json, paths]] from standard input, and writes the redirect or the status
// of the route of each path.
const fs = require("fs");
const path = require("path");

(async () => {
  const routes = "node_modules/@azure/static-web-apps-cli/dist/msha/routes-engine/rules/routes.js";
  const { tryGetMatchingRoute } = await import(path.join(process.cwd(), routes));
  const answers = JSON.parse(fs.readFileSync(0, "utf8")).map(([config, requests]) =>
    requests.map((url) => {
      const route = tryGetMatchingRoute({ url, method: "GET", headers: { host: "example.com" } }, config);
      if (!route) return "";
      if (!route.redirect) return String(route.statusCode);
      const location = route.redirect.replace(/^https?:\/\/example\.com/, "");
      return `${route.statusCode === 301 ? 301 : 302} ${location}`;
    }),
  );
  console.log(JSON.stringify(answers));
  process.exit(0);
})();

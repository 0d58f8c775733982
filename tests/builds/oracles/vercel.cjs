// Reads [[config, paths]] from standard input, and writes the redirect of each request.
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");
const { getTransformedRoutes } = createRequire(path.join(process.cwd(), "index.js"))("@vercel/routing-utils");

const redirectOf = (routes, request) => {
  for (const route of routes) {
    if (route.handle) break;
    const match = new RegExp(route.src).exec(request);
    if (!match || !route.headers || !route.headers.Location) continue;
    const target = route.headers.Location.replace(/\$(\d+)/g, (_, number) => match[number] || "");
    return `${route.status} ${target}`;
  }
  return "";
};

const answers = JSON.parse(fs.readFileSync(0, "utf8")).map(([config, requests]) => {
  const { routes, error } = getTransformedRoutes(config);
  return error ? [] : requests.map((request) => redirectOf(routes || [], request));
});
console.log(JSON.stringify(answers));

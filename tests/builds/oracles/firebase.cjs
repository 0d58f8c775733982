// Serves each folder t0, t1, … with its firebase.json as superstatic does, by the name of the host.
// Arguments: the folder with the packages, and the port.
const fs = require("fs");
const http = require("http");
const path = require("path");
const { createRequire } = require("module");
const superstatic = createRequire(path.join(process.argv[2], "index.js"))("superstatic").default;

const apps = {};
for (const name of fs.readdirSync(".").filter((each) => /^t\d+$/.test(each))) {
  const { hosting } = JSON.parse(fs.readFileSync(path.join(name, "firebase.json"), "utf8"));
  apps[name] = superstatic({ config: hosting, cwd: path.resolve(name), fallthrough: true });
}
http
  .createServer((request, response) => {
    const end = () => {
      response.statusCode = 404;
      response.end();
    };
    apps[request.headers.host](request, response, end);
  })
  .listen(Number(process.argv[3]), "127.0.0.1");

// Serves the page's files from the source tree in front of running nodes, so that a change shows with a reload and nothing is built.
//
//   deno run --allow-net --allow-read Tests/Page/serve.js 7001=http://127.0.0.1:8421,TOKEN 7002=http://127.0.0.1:8422,TOKEN
//
// Each argument is a port to serve on, the address of a node (`moot up --web 8421`), and its token (`moot open --token`). It answers
// like the node: the same security policy, the same paths. It is for this machine only, and lets in whoever can reach the port.

const assets = new URL("../../Sources/CPage/assets/", import.meta.url);

const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src 'self' blob:",
  "connect-src 'self'", "manifest-src 'self'", "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'",
  "require-trusted-types-for 'script'", "trusted-types 'none'",
].join("; ");

/** @type {Record<string, string>} */
const types = {
  html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8",
  svg: "image/svg+xml", json: "application/manifest+json",
};

for (const argument of Deno.args) {
  const [port, target] = argument.split(/=(.*)/s);
  const [node, token] = target.split(",");
  Deno.serve({ port: Number(port), hostname: "127.0.0.1", onListen: () => console.log(`http://127.0.0.1:${port}/`) }, (request) => answer(request, node, token));
}

/** @param {Request} request @param {string} node @param {string} token */
async function answer(request, node, token) {
  const url = new URL(request.url);
  if (url.pathname.startsWith("/api/")) {
    const headers = new Headers(request.headers);
    for (const name of ["host", "origin", "referer", "cookie", "connection", "sec-fetch-site"]) headers.delete(name);
    headers.set("authorization", `Bearer ${token}`);
    try {
      const response = await fetch(node + url.pathname + url.search, { method: request.method, headers, body: request.body, signal: request.signal });
      const answered = new Headers(response.headers);
      answered.delete("content-encoding");
      return new Response(response.body, { status: response.status, headers: answered });
    } catch {
      // A browser must see a node that is gone as a broken connection; a status of the proxy's own comes nearest.
      return new Response("the node is not running", { status: 502 });
    }
  }
  const name = url.pathname === "/" ? "index.html" : url.pathname.replace(/^\/page\/[^/]*\//, "");
  if (!/^[a-z]+\.[a-z]+$/.test(name)) return new Response("nothing is here", { status: 404 });
  try {
    const body = await Deno.readFile(new URL(name, assets));
    return new Response(body, {
      headers: {
        "content-type": types[name.split(".")[1]] ?? "application/octet-stream", "content-security-policy": policy, "cache-control": "no-store",
        "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cross-origin-opener-policy": "same-origin",
      },
    });
  } catch {
    return new Response("nothing is here", { status: 404 });
  }
}

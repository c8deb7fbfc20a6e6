// Names below localhost are this host (RFC 6761). Browsers know that; what Playwright asks by itself resolves them elsewhere.
const dns = require("node:dns");

for (const resolver of [dns, dns.promises]) {
  const { lookup } = resolver;
  resolver.lookup = (name, ...rest) => lookup.call(resolver, name.endsWith(".localhost") ? "localhost" : name, ...rest);
}

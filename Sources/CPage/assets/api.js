// Asks the node, by its documented API and nothing else, with the two secrets of this browser's session.
//
// Cookies know no ports: another server on 127.0.0.1 is sent the cookie, too. So the cookie alone opens nothing. The page claims a
// key, which only pages of this origin can read, by what stands in the address that let it in. Where a browser sends no header of
// ours, for pictures and for the stream of events, a ticket stands for the key for some minutes.
//
// Whoever has the port when the node stopped is asked in its place. So nothing is sent after a break before the node has proved that it is the
// one that let this browser in: it answers a number drawn here as only that one can.

/** A refusal by the node, or that it did not answer. */
export class APIError extends Error {
  /**
   * @param {number} status 0 where the node did not answer
   * @param {string} code
   * @param {string} message
   * @param {string} [hint]
   */
  constructor(status, code, message, hint) {
    super(message);
    this.name = "APIError";
    this.status = status;
    this.code = code;
    this.hint = hint;
  }

  /** Whether it may work when it is tried again as it is. */
  get isTransient() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const base = "/api/v1";

/** Told of every answer: whether the node answers, and whether it lets this browser in. */
export const connection = new EventTarget();

// What breaks as the page goes says nothing about the node.
let goesUntil = 0;
addEventListener("beforeunload", () => goesUntil = Date.now() + 5000);

/** @param {"online" | "offline" | "replaced" | "refused"} state */
export function tell(state) {
  if (state !== "online") isProven = false;
  if (state === "offline" && Date.now() < goesUntil) return;
  connection.dispatchEvent(new CustomEvent("state", { detail: state }));
}

/**
 * The path of a request with its parameters; those that are null or undefined are left out.
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} [query]
 */
export function address(path, query) {
  // What a link named must not lead to another request than the one that was meant.
  if (/[?#\\]|(^|\/)\.\.?(\/|$)/.test(path)) throw new APIError(400, "bad_address", "This address leads nowhere");
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return base + path + (text ? "?" + text : "");
}

/**
 * Sends a request and reads its JSON.
 * @param {string} method
 * @param {string} path below `/api/v1`
 * @param {{query?: Record<string, any>, body?: any, signal?: AbortSignal, keepalive?: boolean}} [options]
 * @returns {Promise<any>}
 * @throws {APIError}
 */
export async function ask(method, path, options = {}) {
  // What is sent as the page goes has no time to wait.
  if (!isProven) await prove();
  // Before the page has its key everything is refused.
  if (claim) await claimed().catch(() => {});
  const used = key();
  let response = await send(method, path, options);
  if (response.status === 401 && await entered(used)) response = await send(method, path, options);
  return await read(response);
}

/** Whether this browser is let in by another key than the one that was refused. @param {string | null} used */
async function entered(used) {
  try {
    return await session.enter(used);
  } catch {
    return false;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{query?: Record<string, any>, body?: any, signal?: AbortSignal, keepalive?: boolean}} options
 */
async function send(method, path, options) {
  try {
    return await fetch(address(path, options.query), {
      method,
      headers: options.body === undefined ? session.headers() : { ...session.headers(), "Content-Type": "application/json" },
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      keepalive: options.keepalive,
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable("offline");
  }
}

/** @param {"offline" | "replaced"} state */
function unreachable(state) {
  tell(state);
  return new APIError(0, "node_unreachable", "Moot does not answer", "What you typed stays here.");
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function read(response) {
  // Only something between the browser and the node answers so, and then the node does not.
  if (isOfProxy(response)) throw unreachable("offline");
  tell(response.status === 401 ? "refused" : "online");
  if (response.status === 204) return undefined;
  let value;
  try {
    value = await response.json();
  } catch (error) {
    // Who left in the middle of an answer has not got an empty one.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (response.ok) return undefined;
  }
  if (response.ok) return value;
  const detail = value?.error ?? {};
  throw new APIError(
    response.status,
    detail.code ?? "unknown",
    detail.message ?? `The node answered ${response.status}`,
    detail.hint,
  );
}

export const api = {
  /** @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal] */
  get: (path, query, signal) => ask("GET", path, { query, signal }),
  /** @param {string} path @param {any} [body] */
  post: (path, body) => ask("POST", path, { body }),
  /** @param {string} path @param {any} [body] */
  put: (path, body) => ask("PUT", path, { body }),
  /** @param {string} path @param {any} [body] */
  patch: (path, body) => ask("PATCH", path, { body }),
  /** @param {string} path @param {Record<string, any>} [query] */
  delete: (path, query) => ask("DELETE", path, { query }),

  /** Where the bytes of a file are. @param {string} id */
  blob: (id) => session.blob(id),
};

/** Only something between the browser and the node answers so. @param {Response} response */
function isOfProxy(response) {
  return response.status === 502 || response.status === 504;
}

// Whom this page talks to

const nodeName = "moot-node";
/** Whether the node has proved itself since something last spoke against it. */
let isProven = false;
/** @type {Promise<void> | null} */
let proving = null;
/** @type {string | null} */
let node = null;

/**
 * Makes sure that the node of this page answers, and nobody in its place.
 * @throws {APIError} with status 0 where it does not
 */
export async function prove() {
  if (!isProven) await (proving ??= challenge().finally(() => {
    proving = null;
  }));
}

async function challenge() {
  // Not read anew: another tab may have been loaded from somebody else.
  const secret = node ??= kept(nodeName);
  // Who was not let in yet has nothing to show to anybody.
  if (!secret) {
    isProven = true;
    return;
  }
  const nonce = text(crypto.getRandomValues(new Uint8Array(32)));
  let answer;
  try {
    const response = await fetch(`${base}/web/proof`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ nonce }),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
    });
    if (isOfProxy(response)) throw new TypeError("unreachable");
    answer = (await response.json().catch(() => null))?.proof;
  } catch {
    throw unreachable("offline");
  }
  const bytes = new Uint8Array(secret.match(/../g)?.map((/** @type {string} */ each) => parseInt(each, 16)) ?? []);
  const shared = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const expected = await crypto.subtle.sign("HMAC", shared, new TextEncoder().encode(`moot/1/web-proof/${nonce}`));
  if (answer !== text(new Uint8Array(expected))) throw unreachable("replaced");
  isProven = true;
}

/** @param {Uint8Array} bytes */
function text(bytes) {
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// The second secret

const keyName = "moot-key";
let ticket = "";
/** @type {number | undefined} */
let timer;
/** Where pictures were loaded: see `tickets.js`. @type {Map<string, string>} */
const addresses = new Map();

/** @param {string} name @returns {string | null} */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function key() {
  return kept(keyName);
}

/** What proves to the node, once, that this page was entered by an address that lets a browser in. */
let claim = new URLSearchParams(globalThis.location?.search ?? "").get("claim") ?? "";

export const session = {
  /** What every request carries besides the cookie. @returns {Record<string, string>} */
  headers() {
    const secret = key();
    return secret ? { "Moot-Key": secret } : {};
  },

  /**
   * Makes sure of the key, and of a ticket. False where this browser is not let in.
   * @param {string | null} [refused] the key of a request that was refused, null where it had none; nothing where none was
   */
  async enter(refused) {
    await claimed();
    if (key() && key() !== refused) return await renew();
    // A program that shows a token on the page's behalf has no session, and needs no key.
    return refused === undefined;
  },

  /** The address with a ticket, where there is one. @param {string} address */
  ticketed(address) {
    return ticket ? `${address}${address.includes("?") ? "&" : "?"}ticket=${ticket}` : address;
  },

  renew,
  addresses,

  get isProven() {
    return isProven;
  },

  /** Whether this page was entered, and could not get its key yet. */
  get isClaiming() {
    return claim !== "";
  },

  /** From now on the node must prove itself anew: a connection broke. */
  doubt() {
    isProven = false;
  },

  /** Where the bytes of a file are. @param {string} id */
  blob(id) {
    return addresses.get(id) ?? session.ticketed(`${base}/blobs/${encodeURIComponent(id)}`);
  },
};

/** @type {Promise<void> | null} */
let claiming = null;

/** Waits for the key, of this tab or another: one claims at a time, for each session is told its key once. */
function claimed() {
  return claiming ??= navigator.locks.request("moot-key", () => claim ? claimKey() : undefined).finally(() => {
    claiming = null;
  });
}

async function claimKey() {
  await prove();
  // With the key that it had the session of before ends: a browser has one.
  const response = await fetch(`${base}/web/key`, {
    method: "POST",
    headers: { ...session.headers(), "Content-Type": "application/json" },
    body: JSON.stringify({ claim }),
    cache: "no-store",
  });
  const told = response.ok ? await response.json() : null;
  if (told) {
    localStorage.setItem(nodeName, told.node);
    localStorage.setItem(keyName, told.key);
  }
  // It works once, so it need not stay in the address. Where the node did not answer, or could not, it is shown again.
  // Only now, when the key is there: what is asked meanwhile waits for it.
  if (response.status < 500) {
    claim = "";
    globalThis.history.replaceState(globalThis.history.state, "", location.pathname + location.hash);
  }
}

/** Gets a new ticket; false if there is none for this browser. */
async function renew() {
  clearTimeout(timer);
  if (!key()) return true;
  await prove();
  const response = await fetch(`${base}/web/tickets`, { method: "POST", headers: session.headers(), cache: "no-store" });
  if (!response.ok) return response.status !== 401;
  const made = await response.json();
  ticket = made.ticket;
  timer = setTimeout(() => void renew().catch(() => {}), Math.max(10, made.expires_in_seconds / 2) * 1000);
  return true;
}

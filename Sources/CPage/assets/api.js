// Asks the node, by its documented API and nothing else.

import { session } from "./session.js";

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

/** @param {"online" | "offline" | "refused"} state */
function tell(state) {
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
  let response = await send(method, path, options);
  if (response.status === 401 && await entered()) response = await send(method, path, options);
  return await read(response);
}

/** Whether this browser is let in by another key than it had. */
async function entered() {
  try {
    return await session.enter(true);
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
    tell("offline");
    throw new APIError(0, "node_unreachable", "Moot is not running", "What you typed stays here.");
  }
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function read(response) {
  // Only something between the browser and the node answers so, and then the node does not.
  if (response.status === 502 || response.status === 504) {
    tell("offline");
    throw new APIError(0, "node_unreachable", "Moot is not running", "What you typed stays here.");
  }
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

  upload,
};

/**
 * Uploads a file.
 *
 * `fetch` tells no progress of what it sends, so this is an XMLHttpRequest.
 *
 * @param {Blob} file
 * @param {string} name
 * @param {{progress?: (part: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<any>} the `File`
 */
export function upload(file, name, options = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address("/blobs", { name: shortened(name) }));
    for (const [field, value] of Object.entries(session.headers())) request.setRequestHeader(field, value);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) options.progress?.(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) return resolve(request.response);
      if (request.status === 401) tell("refused");
      const detail = request.response?.error ?? {};
      reject(new APIError(request.status, detail.code ?? "unknown", detail.message ?? "The file was not taken", detail.hint));
    });
    request.addEventListener("error", () => {
      reject(new APIError(0, "node_unreachable", "Moot is not running", "Try again when it is back."));
    });
    request.addEventListener("abort", () => reject(new DOMException("canceled", "AbortError")));
    options.signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** A name of at most 255 bytes that keeps its extension. @param {string} name */
function shortened(name) {
  const encoder = new TextEncoder();
  if (encoder.encode(name).length <= 255) return name;
  const end = /\.[^.]{1,10}$/u.exec(name)?.[0] ?? "";
  const begin = [...name.slice(0, name.length - end.length)];
  while (encoder.encode(begin.join("") + end).length > 255) begin.pop();
  return begin.join("") + end;
}

// Brings a file to the node, and tells how far it is.

import { address, APIError, prove, session, tell } from "./api.js";

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
export async function upload(file, name, options = {}) {
  await prove();
  return await new Promise((resolve, reject) => {
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
      session.doubt();
      reject(new APIError(0, "node_unreachable", "Moot does not answer", "Try again when it does."));
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

// The second secret of this browser's session.
//
// Cookies know no ports: another server on 127.0.0.1 is sent the cookie, too. So the cookie alone opens nothing. The page claims a
// key, which only pages of this origin can read, by what stands in the address that let it in. Where a browser sends no header of ours, for pictures and for the stream of
// events, a ticket stands for the key for some minutes.

const base = "/api/v1";
const name = "moot-key";
let ticket = "";
/** @type {number | undefined} */
let timer;
/** The addresses at which pictures were loaded: the browser kept them, and needs no new ticket to show them again. @type {Map<string, string>} */
const addresses = new Map();

/** @returns {string | null} */
function key() {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** What proves to the node, once, that this page was entered by an address that lets a browser in. */
let claim = new URLSearchParams(globalThis.location?.search ?? "").get("claim") ?? "";

export const session = {
  /** What every request carries besides the cookie. @returns {Record<string, string>} */
  headers() {
    const secret = key();
    return secret ? { "Moot-Key": secret } : {};
  },

  /** Makes sure of the key, and of a ticket. False where this browser is not let in. @param {boolean} [isRefused] whether the key was refused */
  enter(isRefused = false) {
    const before = key();
    // One tab at a time: each session is told its key once.
    return navigator.locks.request("moot-key", async () => {
      if (claim) {
        const response = await fetch(`${base}/web/key`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ claim }),
          cache: "no-store",
        });
        // It works once, so it need not stay in the address. Where the node did not answer, it is shown again.
        claim = "";
        globalThis.history.replaceState(globalThis.history.state, "", location.pathname + location.hash);
        if (response.ok) {
          localStorage.setItem(name, (await response.json()).key);
          return await renew();
        }
      }
      if (key() && (!isRefused || key() !== before)) return await renew();
      // A program that shows a token on the page's behalf has no session, and needs no key.
      return !isRefused;
    });
  },

  /** The address with a ticket, where there is one. @param {string} address */
  ticketed(address) {
    return ticket ? `${address}${address.includes("?") ? "&" : "?"}ticket=${ticket}` : address;
  },

  renew,

  /** Where the bytes of a file are. @param {string} id */
  blob(id) {
    return addresses.get(id) ?? session.ticketed(`${base}/blobs/${encodeURIComponent(id)}`);
  },
};

/** Gets a new ticket; false if there is none for this browser. */
async function renew() {
  clearTimeout(timer);
  if (!key()) return true;
  const response = await fetch(`${base}/web/tickets`, { method: "POST", headers: session.headers(), cache: "no-store" });
  if (!response.ok) return response.status !== 401;
  const made = await response.json();
  ticket = made.ticket;
  timer = setTimeout(() => void renew().catch(() => {}), Math.max(10, made.expires_in_seconds / 2) * 1000);
  return true;
}

/** The id of the file at an address of ours; nothing for another. @param {string | null} address */
function fileOf(address) {
  return address?.startsWith(`${base}/blobs/`) ? address.slice(`${base}/blobs/`.length).split("?")[0] : undefined;
}

/** Mends what a ticket that ended breaks, wherever it is on the page. */
export function installTickets() {
  // A picture that comes into sight after its ticket ended, and that the browser did not keep, is asked for once more.
  document.addEventListener("error", async (event) => {
    const element = /** @type {HTMLElement} */ (event.target);
    if (!(element instanceof HTMLImageElement || element instanceof HTMLMediaElement)) return;
    const id = fileOf(element.getAttribute("src"));
    if (!id || !ticket || element.dataset.again) return;
    element.dataset.again = "yes";
    addresses.delete(id);
    if (await renew().catch(() => false)) element.src = session.blob(id);
  }, true);

  document.addEventListener("load", (event) => {
    const address = event.target instanceof HTMLImageElement ? event.target.getAttribute("src") : null;
    const id = fileOf(address);
    if (!id || !address) return;
    addresses.set(id, address);
    if (addresses.size > 1000) addresses.delete(addresses.keys().next().value ?? "");
  }, true);

  // A download begins with a ticket of now.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[download]");
    const id = fileOf(link?.getAttribute("href") ?? null);
    if (link && id) link.setAttribute("href", session.ticketed(`${base}/blobs/${id}`));
  }, true);
}

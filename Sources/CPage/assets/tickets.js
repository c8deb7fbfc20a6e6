// Mends what a ticket that ended breaks, wherever it is on the page. A ticket is good for minutes, so this may come after the first screen.

import { address, session } from "./api.js";

const { addresses } = session;

/** How many pictures the browser is trusted to have kept. */
const most = 1000;

/** The id of the file at an address of ours; nothing for another. @param {string | null | undefined} of */
function fileOf(of) {
  const blobs = address("/blobs/");
  return of?.startsWith(blobs) ? of.slice(blobs.length).split("?")[0] : undefined;
}

/** Where a picture is that the browser has: it needs no new ticket to show it again. @param {EventTarget | null} picture */
function keep(picture) {
  const at = picture instanceof HTMLImageElement ? picture.getAttribute("src") : null;
  const id = fileOf(at);
  if (!id || !at) return;
  addresses.set(id, at);
  if (addresses.size > most) addresses.delete(addresses.keys().next().value ?? "");
}

export function installTickets() {
  // A picture that comes into sight after its ticket ended, and that the browser did not keep, is asked for once more.
  document.addEventListener("error", async (event) => {
    const element = /** @type {HTMLElement} */ (event.target);
    if (!(element instanceof HTMLImageElement || element instanceof HTMLMediaElement)) return;
    const id = fileOf(element.getAttribute("src"));
    if (!id || !session.ticketed("") || element.dataset.again) return;
    element.dataset.again = "yes";
    addresses.delete(id);
    if (await session.renew().catch(() => false)) element.src = session.blob(id);
  }, true);

  document.addEventListener("load", (event) => keep(event.target), true);
  for (const picture of document.images) if (picture.complete && picture.naturalWidth > 0) keep(picture);

  // A download begins with a ticket of now.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[download]");
    const id = fileOf(link?.getAttribute("href"));
    // Nothing of whoever answers in the place of the node is saved as a file of it.
    if (id && !session.isProven) event.preventDefault();
    else if (link && id) link.setAttribute("href", session.ticketed(address(`/blobs/${id}`)));
  }, true);
}

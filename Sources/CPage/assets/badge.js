// The number of unread messages on the icon of the tab, which is all that a pinned tab shows.

/** @type {HTMLImageElement | null} */
let picture = null;
let shown = 0;
let address = "";

/** @param {number} count */
export async function showBadge(count) {
  if (count === shown) return;
  shown = count;
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (!link) return;
  const original = link.dataset.original ??= link.href;
  if ("setAppBadge" in navigator) void (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
  if (count === 0) {
    link.href = original;
    return;
  }
  try {
    if (!picture) {
      picture = new Image();
      picture.src = original;
      await picture.decode();
    }
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.drawImage(picture, 0, 0, 64, 64);
    context.fillStyle = "#c4271b";
    context.beginPath();
    context.arc(44, 20, 20, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = "#fff";
    context.font = `600 ${count > 9 ? 22 : 28}px sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(count > 99 ? "99" : String(count), 44, 22);
    canvas.toBlob((blob) => {
      if (!blob || shown !== count) return;
      const next = URL.createObjectURL(blob);
      link.href = next;
      // The browser may still be reading the one before.
      const before = address;
      if (before) setTimeout(() => URL.revokeObjectURL(before), 10_000);
      address = next;
    });
  } catch {
    // Without a badge the title still has the number.
  }
}

// What shows of the page while nobody looks at it: notifications by the browser, and the number of unread messages on the icon of its tab.
//
// Notifications are for who wants them and whose desktop does not notify already. One for each conversation; a press opens the
// message. Which messages notify the node decides, so that all devices and programs agree.

const key = "moot-notify";

/** @type {Map<string, Notification>} */
const shown = new Map();

export const notifications = {
  /** Whether it makes sense to offer it. @param {any} status */
  canAsk: (status) => "Notification" in globalThis && !status?.notifies && Notification.permission !== "denied",

  get isOn() {
    try {
      return "Notification" in globalThis && Notification.permission === "granted" && localStorage.getItem(key) === "on";
    } catch {
      return false;
    }
  },

  /** @param {import("./main.js").App} app */
  async toggle(app) {
    const isOn = !notifications.isOn;
    if (isOn && await Notification.requestPermission() !== "granted") {
      app.toast("The browser did not allow this page to notify", "error");
      return;
    }
    try {
      localStorage.setItem(key, isOn ? "on" : "off");
    } catch {
      // A browser that keeps nothing asks again the next time.
    }
    app.toast(isOn ? "This browser notifies while the page is open" : "This browser no longer notifies");
  },

  /** @param {any} notification @param {(link: string) => void} open */
  show(notification, open) {
    if (!notification || !notifications.isOn) return;
    const { conversation } = notification;
    const made = new Notification(notification.title, { body: notification.body, tag: conversation, silent: !notification.sound });
    shown.set(conversation, made);
    made.addEventListener("click", () => {
      window.focus();
      made.close();
      open(notification.link);
    });
    made.addEventListener("close", () => {
      if (shown.get(conversation) === made) shown.delete(conversation);
    });
  },

  /** @param {string} conversation */
  clear(conversation) {
    shown.get(conversation)?.close();
    shown.delete(conversation);
  },
};

// The number on the icon, which is all that a pinned tab shows

/** @type {HTMLImageElement | null} */
let picture = null;
let counted = 0;
let address = "";

/** @param {number} count */
export async function showBadge(count) {
  if (count === counted) return;
  counted = count;
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
      if (!blob || counted !== count) return;
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

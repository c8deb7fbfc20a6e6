// Notifications by the browser, for who wants them and whose desktop does not notify already. One for each conversation; a press opens the
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

// One stream of events for all tabs of this browser.
//
// A browser opens six connections to one host (HTTP/1.1), so a stream for every tab would leave none for requests. The tab that
// holds a lock has the stream and hands every event to the others on a channel. When it goes, the lock goes with it, and the next
// tab goes on after the last event that it saw.

import { address, ask, prove, session } from "./api.js";

/**
 * @param {{since: number, event: (event: any) => void, state: (state: "online" | "offline" | "replaced" | "refused") => void}} options
 * @returns {{stop: () => void, readonly isLeader: boolean}} the leader is the one tab that has the stream
 */
export function listen(options) {
  const channel = new BroadcastChannel("moot-events");
  const stopped = new AbortController();
  let last = options.since;
  /** @type {EventSource | null} */
  let source = null;
  let lastHeard = Date.now();
  let release = () => {};

  /** @param {any} event */
  function take(event) {
    lastHeard = Date.now();
    if (event.type === "heartbeat") return;
    // The stream of a new leader begins with what the others have seen. After a restart of the node ids begin again.
    if (event.type !== "resync" && event.id <= last) return;
    last = event.id ?? last;
    options.event(event);
  }

  channel.addEventListener("message", ({ data }) => {
    if (data.kind === "events") for (const text of data.events) take(JSON.parse(text));
    else if (data.kind === "doubt") session.doubt();
    else if (data.kind === "state") {
      if (data.state !== "online") session.doubt();
      options.state(data.state);
    }
  });

  /** What the other tabs have not been handed yet. @type {string[]} */
  let waiting = [];

  /** Hands an event to the other tabs. One message for a burst, and as text: what the channel would copy member by member costs more. @param {string} text */
  function hand(text) {
    waiting.push(text);
    if (waiting.length > 1) return;
    setTimeout(() => {
      if (!stopped.signal.aborted) channel.postMessage({ kind: "events", events: waiting });
      waiting = [];
    });
  }

  /** @param {"online" | "offline" | "replaced" | "refused"} state */
  function tell(state) {
    options.state(state);
    channel.postMessage({ kind: "state", state });
  }

  /** The other tabs find out for themselves whom they lost; this page was told. */
  function lose() {
    if (!stopped.signal.aborted) channel.postMessage({ kind: "state", state: "offline" });
  }

  /** Begins to follow, at the node and at nobody in its place: the address has a ticket. */
  async function open() {
    try {
      await prove();
    } catch {
      return void lose();
    }
    if (stopped.signal.aborted) return;
    source?.close();
    const mine = source = new EventSource(session.ticketed(address("/events", { since: last, fold: true })));
    mine.addEventListener("open", () => source === mine && tell("online"));
    for (const type of types) {
      mine.addEventListener(type, (message) => {
        if (source !== mine) return;
        const text = /** @type {MessageEvent} */ (message).data;
        hand(text);
        take(JSON.parse(text));
      });
    }
    mine.addEventListener("error", () => source === mine && void again(mine));
  }

  /** After a break. The browser would come back by itself, to whoever answers there by then. @param {EventSource} mine */
  async function again(mine) {
    mine.close();
    // A page that goes may have something to take back.
    await new Promise((resolve) => setTimeout(resolve));
    session.doubt();
    channel.postMessage({ kind: "doubt" });
    try {
      // A stream does not say why it failed, so an ordinary request asks.
      await ask("GET", "/status");
    } catch {
      if (!session.isProven) return void lose();
    }
    // The ticket may have ended meanwhile.
    setTimeout(() => void session.renew().catch(() => {}).then(() => source === mine && open()), 2000);
  }

  let isLate = false;
  setTimeout(() => isLate = true, 1000);
  navigator.locks.request("moot-events", { signal: stopped.signal }, () => {
    // The tab that had it may have been gone for a while.
    if (isLate) session.doubt();
    void open();
    return new Promise((resolve) => {
      release = () => resolve(undefined);
    });
  }).catch(() => {});

  // A connection that died without a word, as when a laptop slept, is made anew. The node says something every 15 seconds.
  const watch = setInterval(() => {
    if (!source || Date.now() - lastHeard < silence) return;
    lastHeard = Date.now();
    void again(source);
  }, 5000);

  return {
    get isLeader() {
      return source !== null;
    },
    stop() {
      stopped.abort();
      clearInterval(watch);
      source?.close();
      channel.close();
      release();
    },
  };
}

const types = [
  "message",
  "message_changed",
  "receipts",
  "conversation",
  "overruled",
  "typing",
  "file",
  "peer",
  "person",
  "warning",
  "notification",
  "notification_cleared",
  "notification_opened",
  "resync",
  "heartbeat",
];

/** After how many milliseconds without a word the connection is taken for broken. */
const silence = 60_000;

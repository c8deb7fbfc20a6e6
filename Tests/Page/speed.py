#!/usr/bin/env python3
"""Measures how fast the page is, in headless Chromium on a node with many messages, and prints each figure with its goal.

    .build/page/environment/bin/python Tests/Page/speed.py [--moot FILE] [--messages 100000] [--conversations 100] [--source] [--json]

`Tests/Page/run` makes that environment, and `moot-bench --only page` starts this in it. Use a release build: the figures are of the node and
the page together. What is quick is measured in three browsers one after the other, that kept nothing; the figure is the median.
"""

import argparse
import json
import pathlib
import shutil
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))

# How many browsers one after the other.
RUNS = 3

# When the first message came into the document. What is asked for later, nothing that is shown waited for.
FIRST = """
  new MutationObserver((_, observer) => {
    if (!document.querySelector("article")) return;
    window.firstMessage = performance.now();
    observer.disconnect();
  }).observe(document, {childList: true, subtree: true});
"""

OPEN = """async () => {
  while (!window.firstMessage) await new Promise(requestAnimationFrame);
  while (document.querySelector(".list[aria-busy]")) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  // One that was asked for twice is one.
  const files = [...new Map(performance.getEntriesByType("resource")
    .filter((each) => each.name.includes("/page/") && each.startTime < window.firstMessage).map((each) => [each.name, each])).values()];
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  // The document itself is one, too.
  const own = performance.getEntriesByType("navigation")[0].decodedBodySize;
  return {usable: performance.now(), paint: paint ? paint.startTime : 0, files: files.length + 1, bytes: files.reduce((sum, each) => sum + each.decodedBodySize, own)};
}"""

SWITCH = """async (addresses) => {
  const times = [];
  for (let turn = 0; turn < 30; turn++) {
    const before = document.querySelector(".conversation:not(.row)");
    const began = performance.now();
    location.hash = addresses[turn % addresses.length];
    while (document.querySelector(".conversation:not(.row)") === before || !document.querySelector(".conversation:not(.row) article") ||
      document.querySelector(".list[aria-busy]")) await new Promise(requestAnimationFrame);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times;
}"""

SEND = """async () => {
  const field = document.querySelector(".composer textarea");
  const times = [];
  for (let turn = 0; turn < 30; turn++) {
    field.value = `speed ${turn}`;
    field.dispatchEvent(new Event("input"));
    const began = performance.now();
    field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true}));
    const last = [...document.querySelectorAll("article")].at(-1);
    if (!last.textContent.includes(`speed ${turn}`)) throw new Error("the bubble is not there at once");
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times;
}"""

# When messages with the text "tick N" were on the screen, in milliseconds since 1970: after the frame in which they came into the document.
# What comes into it while a frame is made, as the page does it, is on the screen with that frame and not with the next.
PAINTED = """() => {
  const frame = requestAnimationFrame;
  let isInFrame = false;
  window.requestAnimationFrame = (draw) => frame((time) => {
    isInFrame = true;
    draw(time);
    // After those who hear of what changed.
    queueMicrotask(() => isInFrame = false);
  });
  const afterFrame = (then) => isInFrame ? setTimeout(then) : frame(() => setTimeout(then));
  window.painted = {};
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) {
      const number = /tick (\\d+)[.]/.exec(node.textContent)?.[1];
      if (number && !(number in window.painted)) {
        window.painted[number] = 0;
        afterFrame(() => window.painted[number] = performance.timeOrigin + performance.now());
      }
    }
  }).observe(document.querySelector(".list"), {childList: true, subtree: true});
}"""

LONG_TASKS = """() => {
  window.longTasks = [];
  new PerformanceObserver((entries) => window.longTasks.push(...entries.getEntries().map((each) => each.duration))).observe({type: "longtask"});
}"""

PICKER = """async () => {
  const button = document.querySelector('[aria-label="Insert an emoji"]');
  const times = [];
  for (let turn = 0; turn < 5; turn++) {
    const began = performance.now();
    button.click();
    while (!document.querySelector(".emoji-picker .emoji-button")) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - began);
    document.querySelector(".emoji-picker").hidePopover();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return times;
}"""

WALK = """async (seconds) => {
  const list = document.querySelector(".list");
  const frames = [], long = [];
  const observer = new PerformanceObserver((entries) => long.push(...entries.getEntries().map((each) => each.duration)));
  observer.observe({type: "longtask"});
  let jump = 0, last = performance.now(), row = null, top = 0;
  for (const began = last; last - began < seconds * 1000;) {
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    if (row?.isConnected) jump = Math.max(jump, Math.abs(row.getBoundingClientRect().top - top));
    list.scrollTop -= 6000 * Math.min(now - last, 50) / 1000;
    last = now;
    const edge = list.getBoundingClientRect().top + 200;
    row = [...document.querySelectorAll("article")].find((each) => each.getBoundingClientRect().bottom > edge);
    top = row?.getBoundingClientRect().top;
  }
  observer.disconnect();
  return {frames, long, jump, nodes: document.querySelectorAll("*").length, rows: document.querySelectorAll("article").length,
    heap: performance.memory?.usedJSHeapSize ?? 0};
}"""


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moot", type=pathlib.Path, default=ROOT / ".build/release/moot")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--conversations", type=int, default=100)
    parser.add_argument("--source", action="store_true", help="show the page from its source files")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each figure")
    arguments = parser.parse_args()
    figures.as_json = arguments.json
    # Whoever started this may end it; the nodes and the browser must not stay.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    from harness.develop import PageServer
    from harness.nodes import connected_nodes, wait_until
    from harness.runner import chromium
    from playwright.sync_api import sync_playwright

    folder = pathlib.Path(tempfile.mkdtemp(prefix="moot-speed-"))
    nodes = connected_nodes(arguments.moot.resolve(), folder)
    try:
        node = nodes[0]
        if arguments.source:
            node.stand_in = PageServer(node).address
        many = node.group("Many", "Bob", "Carol")
        # Of a group that nobody accepted not all would be taken.
        for other in nodes[1:]:
            wait_until(lambda other=other: other.has(many), 20)
            other.ask("POST", f"/conversations/{many}/messages", {"text": "Here I am"})
        for start in range(0, arguments.messages, 4_000):
            count = min(4_000, arguments.messages - start)
            texts = [f"{start + each}: " + "the tide is at noon and the wind is from the west " * (each % 4 + 1) for each in range(count)]
            node.ask("POST", f"/conversations/{many}/messages", {"texts": texts})
        others = [node.group(f"Group {each}", "Bob", "Carol") for each in range(arguments.conversations - 1)]
        for each in others[:10]:
            node.ask("POST", f"/conversations/{each}/messages", {"texts": [f"Message {number}" for number in range(100)]})
        if not arguments.json:
            print(f"{arguments.messages} messages, {arguments.conversations} conversations\n")
        with sync_playwright() as playwright:
            measure(lambda: playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox", "--enable-precise-memory-info"]), node, many, others)
    finally:
        for node in nodes:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measure(launch, node, many, others):
    settle(node)
    alone = idle_share(node)
    runs = []
    for _ in range(RUNS):
        # It goes on handing on what came in the browser before.
        settle(node)
        machine(launch())
        browser = launch()
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        runs.append(quick(page, node, many, others))
        if len(runs) < RUNS:
            browser.close()
    for each in zip(*runs):
        what, _, unit, goal = each[0]
        tell(what, [value for _, value, _, _ in each], unit, goal)
    # As every open page is most of the time: shown, and nothing happens.
    settle(node)
    tell("an idle page costs the node", [max(0, idle_share(node) - alone) * 100], "% of a core", 0.1)
    walk = page.evaluate(WALK, 15)
    tell("a frame at 6,000 px/s (p95)", [percentile(walk["frames"], 0.95)], "ms", 34)
    tell("long tasks meanwhile", [len(walk["long"])], "", 0)
    tell("the largest jump meanwhile", [walk["jump"]], "px", 1)
    tell("elements in the document", [walk["nodes"]], "", 5_000)
    tell("rows", [walk["rows"]], "", 300)
    tell("heap", [walk["heap"] / 1e6], "MB", 20)
    browser.close()


def quick(page, node, many, others):
    """What is measured in each browser: its name, the figure, its unit and its goal."""
    found = []

    def note(what, value, unit, goal):
        found.append((what, value, unit, goal))

    page.add_init_script(FIRST)
    # The address lets in once; the fragment survives its redirect.
    page.goto(node.one_time_address() + f"#/conversation/{many}")
    cold = page.evaluate(OPEN)
    note("first paint, nothing kept", cold["paint"], "ms", 300)
    note("usable, nothing kept", cold["usable"], "ms", 500)
    note("files until the first message", cold["files"], "", 16)
    note("bytes of those", cold["bytes"] / 1e3, "kB", 200)
    warm = []
    for _ in range(5):
        page.reload()
        warm.append(page.evaluate(OPEN))
    note("first paint, files kept", percentile([each["paint"] for each in warm], 0.5), "ms", 150)
    note("usable, files kept", percentile([each["usable"] for each in warm], 0.5), "ms", 500)
    addresses = [f"#/conversation/{each}" for each in [others[0], many, *others[1:6]]]
    note("to another conversation (p95)", percentile(page.evaluate(SWITCH, addresses), 0.95), "ms", 100)
    page.evaluate("location.hash = '#/'")
    page.wait_for_selector(".welcome")
    page.evaluate(SWITCH.replace("turn < 30", "turn < 1"), [f"#/conversation/{many}"])
    note("Enter to bubble (p95)", percentile(page.evaluate(SEND), 0.95), "ms", 50)
    note("emoji picker, the first time", page.evaluate(PICKER)[0], "ms", 100)
    delays = arrivals(page, node, many)
    note("sent at the node to painted (p50)", percentile(delays, 0.5), "ms", 20)
    note("sent at the node to painted (p99)", percentile(delays, 0.99), "ms", 60)
    note("the longest task in a burst of 1,000", burst(page, node, many), "ms", 50)
    return found


def machine(browser):
    """Tells how soon a browser that was just started shows a page of one word: no page is sooner here."""
    page = browser.new_page()
    page.goto("data:text/html,<p>word")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    browser.close()
    if not figures.as_json:
        print(f"machine: a page of one word is painted after {paint:.0f} ms", flush=True)


def arrivals(page, node, conversation):
    """How soon what is sent at the node is on the screen. The node's own part of it, with a flush of the disk, is in the figures."""
    page.evaluate(PAINTED)
    # Messages of the browsers before have other numbers.
    first = time.time_ns() // 1_000_000
    sent = {}
    for number in range(first, first + 100):
        sent[str(number)] = time.time() * 1_000
        node.ask("POST", f"/conversations/{conversation}/messages", {"text": f"tick {number}."})
        page.wait_for_timeout(60)
    page.wait_for_function(f"Object.entries(painted).filter(([each, at]) => each >= {first} && at > 0).length >= 100", timeout=20_000)
    painted = page.evaluate("painted")
    return [painted[number] - began for number, began in sent.items()]


def burst(page, node, conversation):
    """The longest task while a thousand messages come at once."""
    page.evaluate(LONG_TASKS)
    name = f"burst {time.time_ns()}"
    node.ask("POST", f"/conversations/{conversation}/messages", {"texts": [f"{name} {number}" for number in range(1_000)]})
    page.get_by_text(f"{name} 999", exact=True).first.wait_for(timeout=20_000)
    page.wait_for_timeout(1_000)
    return max(page.evaluate("longTasks"), default=0)


def idle_share(node, seconds=20):
    """How much of a core a node takes that is asked nothing, from 0 to 1."""
    began, before = time.monotonic(), processor_seconds(node)
    time.sleep(seconds)
    return (processor_seconds(node) - before) / (time.monotonic() - began)


def settle(node):
    """Waits until a node has handed on what was written, for a minute at most."""
    end = time.monotonic() + 60
    while idle_share(node, 2) > 0.02 and time.monotonic() < end:
        pass


def processor_seconds(node):
    """How long all threads of a node have run; the kernel counts nanoseconds here, and hundredths of a second elsewhere."""
    total = 0
    for task in pathlib.Path(f"/proc/{node.process.pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except FileNotFoundError:
            pass
    return total / 1e9


class figures:
    """How figures are told."""

    as_json = False


def tell(what, values, unit, goal):
    """Prints the median, and each value where there are several."""
    value = percentile(values, 0.5)
    if figures.as_json:
        return print(json.dumps({"what": what, "value": value, "unit": unit, "goal": goal}), flush=True)
    shown = f"{value:,.{0 if goal >= 1 or goal == 0 else 3}f} {unit}".strip()
    ratio = f"{value / goal:.2f} × " if goal else ""
    each = f"   ({', '.join(f'{each:,.0f}' for each in values)})" if len(values) > 1 else ""
    print(f"{what:40} {shown:>12}   {ratio}goal {goal:,} {unit}".rstrip() + each + ("" if value <= goal else "   MISSED"), flush=True)


if __name__ == "__main__":
    main()

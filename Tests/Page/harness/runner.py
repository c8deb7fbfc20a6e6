"""Runs the stories, a line each, and says at the end how many passed."""

import contextlib
import multiprocessing
import os
import pathlib
import queue
import shutil
import signal
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

from .browser import LONGEST_WAIT, PATIENCE, User
from .develop import PageServer
from .nodes import connected_nodes, wait_until

STORIES = []

# The program behind Playwright asks for the names of pages, too.
os.environ["NODE_OPTIONS"] = f"--require={pathlib.Path(__file__).with_name('localhost.cjs')}"

# A hung browser must not hang scripts/test. Alone on two processors the stories take a fifth of this.
MOST_SECONDS = 1800


def story(function):
    """Marks a test. Its first sentence says what holds."""
    STORIES.append(function)
    return function


class World:
    """Alice, Bob and Carol with their nodes, and a browser each."""

    pump = None

    def __init__(self, browser, nodes, artifacts, folder):
        self.browser, self.nodes, self.artifacts, self.folder = browser, nodes, artifacts, folder
        self.alice, self.bob, self.carol = self.users = [User(browser, node, artifacts) for node in nodes]
        self._guests = []
        # The browser's events reach this thread only while it waits for the browser.
        World.pump = self.alice.page.wait_for_timeout

    def group(self, title, *members):
        """A group of Alice's that everybody in it has. Without members it is one with Bob and Carol."""
        names = members or ("Bob", "Carol")
        conversation = self.alice.node.group(title, *names)
        for user in self.users:
            if user.name in names:
                wait(lambda user=user: user.node.has(conversation), f"{user.name} has no group")
        return conversation

    def guest(self, user, **options):
        """Another browser of a user's, not let in yet, until the story ends."""
        guest = User(self.browser, user.node, self.artifacts, **options)
        guest.context.tracing.start_chunk()
        self._guests.append(guest)
        return guest

    def begin(self):
        for user in self.users:
            user.begin()

    def end(self, failed_as):
        # A user may have several browsers.
        for number, user in enumerate(self.users + self._guests):
            user.end(failed_as and f"FAILED-{failed_as}-{number}-{user.name}")
        for guest in self._guests:
            guest.context.close()
        self._guests.clear()
        for user in self.users:
            for page in user.context.pages:
                if page is not user.page:
                    page.close()
            if failed_as:
                # A dialog or half a text must not make the next story fail as well.
                user.page.goto(user.node.origin + "/#/")
                user.page.reload()

    @property
    def wrongs(self):
        return [wrong for user in self.users + self._guests for wrong in user.wrongs]


def wait(condition, complaint, timeout=LONGEST_WAIT / 1000):
    """Waits until something holds, while the browser goes on."""
    end = time.monotonic() + timeout
    while not wait_until(condition, 0):
        if time.monotonic() > end:
            raise AssertionError(complaint)
        World.pump(50)


@contextlib.contextmanager
def world(moot, artifacts, is_headed, is_from_source):
    """Three nodes in a folder of their own, and a browser for each of their users."""
    folder, nodes = pathlib.Path(tempfile.mkdtemp(prefix="moot-page-")), []
    try:
        nodes = connected_nodes(moot, folder)
        if is_from_source:
            for node in nodes:
                node.stand_in = PageServer(node).address
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium(), headless=not is_headed, args=["--no-sandbox", "--force-color-profile=srgb"]
            )
            made = World(browser, nodes, artifacts, folder)
            for user in made.users:
                user.enter()
            yield made
            browser.close()
    finally:
        for node in nodes:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


def tell_stories(left, results, *options):
    """Tells stories in one world, until none is left. Others do the same in theirs, in processes of their own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with world(*options) as here:
        while (each := left.get()) is not None:
            results.put((each, attempt(STORIES[each], here)))


def run(moot, artifacts, only=(), is_headed=False, is_from_source=False, worlds=1):
    """Returns how many stories passed and how many failed."""
    stories = [number for number, each in enumerate(STORIES) if not only or any(word in each.__name__ for word in only)]
    if not stories:
        raise SystemExit(f"no story has any of these words in its name: {', '.join(only)}")
    artifacts.mkdir(parents=True, exist_ok=True)
    worlds = max(1, min(worlds, len(stories)))
    # A world has the stories that were imported here.
    forking = multiprocessing.get_context("fork")
    left, results = forking.Queue(), forking.Queue()
    for each in stories + [None] * worlds:
        left.put(each)
    options = (left, results, moot, artifacts, is_headed, is_from_source)
    processes = [forking.Process(target=tell_stories, args=options) for _ in range(worlds)]
    for process in processes:
        process.start()
    outcomes, broken, end = {}, 0, time.monotonic() + MOST_SECONDS * PATIENCE
    try:
        # What a world did not get to is missing among the outcomes.
        while len(outcomes) < len(stories) and time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                number, has_passed = results.get(timeout=1)
                outcomes[number] = has_passed
                continue
            if not any(process.is_alive() for process in processes):
                break
    finally:
        for process in processes:
            process.join(20 * PATIENCE)
            process.terminate()
            process.join(20)
            process.kill()
            process.join()
            if process.exitcode != 0:
                print(f"FAILED  a world ended with status {process.exitcode}", flush=True)
                broken += 1
    for number in stories:
        if number not in outcomes:
            print(f"FAILED  {STORIES[number].__name__}: it was not told to its end", flush=True)
    passed = sum(outcomes.values())
    return passed, len(stories) - passed + broken


def attempt(function, world):
    """Runs one story and prints its line."""
    name, started, reason = function.__name__, time.monotonic(), None
    world.begin()
    try:
        function(world)
        for user in world.users:
            user.page.wait_for_timeout(1)
        if world.wrongs:
            reason = "the page complained: " + "; ".join(world.wrongs[:4])
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)
        line = next((frame for frame in reversed(place) if "/stories/" in frame.filename), place[-1])
        reason = f"{pathlib.Path(line.filename).name}:{line.lineno}: {str(error).strip() or type(error).__name__}"
        if world.wrongs:
            reason += "\n    the page complained: " + "; ".join(world.wrongs[:4])
    try:
        world.end(name if reason else None)
    except Exception as error:
        reason = reason or f"the browser did not go on: {error}"
    seconds = time.monotonic() - started
    if reason:
        print(f"FAILED  {name} ({seconds:.1f} s): {reason[:1500]}", flush=True)
    else:
        print(f"passed  {name} ({seconds:.1f} s)", flush=True)
    return reason is None


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise RuntimeError("no Chromium is installed")

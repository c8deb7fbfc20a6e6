"""A browser for each user, and what must hold on every screen: no error, no foreign request, nothing that axe finds."""

import contextlib
import os
import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# The page's `app`, as its modules have it: for what no control on a screen does.
APP = "(await import(document.querySelector('script[type=module]').src)).app"

AXE_OPTIONS = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
AXE_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}

# How many times as long as on the usual machine something may take here, as `scripts/test` measured.
PATIENCE = min(max(float(os.environ.get("MOOT_TEST_PATIENCE", 1)), 1), 10)
# How long a page may take to show something, in milliseconds. `scripts/test` compiles and fuzzes on the same processors and the same disk.
LONGEST_WAIT = int(30_000 * PATIENCE)
expect.set_options(timeout=LONGEST_WAIT)


class User:
    """Somebody in front of a browser of their own, whose node is `node`."""

    def __init__(self, browser, node, artifacts, **options):
        self.node, self.artifacts, self.name = node, artifacts, node.name
        options = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce", **options}
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(LONGEST_WAIT)
        self.context.tracing.start(snapshots=True)
        self.wrongs, self._tolerated = [], []
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self.wrongs.append(f"{self.name}: {error.error}"))
        self.context.on("request", self._see)
        self.page = self.context.new_page()

    def _hear(self, message):
        text = f"{message.text} ({message.location.get('url', '')})"
        if message.type in ("error", "warning"):
            self.wrongs.append(f"{self.name}: {text}")

    def _see(self, request):
        # A page of the run before goes on asking whether its node is back.
        origins = {self.node.stand_in} if self.node.stand_in else self.node.origins
        if not request.url.startswith(("data:", *(before + origin + after for origin in origins for before, after in (("", "/"), ("blob:", ""))))):
            self.wrongs.append(f"{self.name}: a foreign request to {request.url}")

    @contextlib.contextmanager
    def tolerating(self, pattern):
        """What the browser itself says about answers that a story brings about, such as those of a stopped node."""
        self._tolerated.append(pattern)
        try:
            yield
        finally:
            # The browser tells of them a moment later.
            self.page.wait_for_timeout(200 * PATIENCE)
            self.wrongs[:] = [wrong for wrong in self.wrongs if not re.search(pattern, wrong)]
            self._tolerated.remove(pattern)

    # Where they are

    def enter(self):
        """Lets the browser in, as `moot open` does."""
        self.page.goto(self.node.one_time_address())
        expect(self.page.get_by_role("navigation", name="Conversations")).to_be_visible()
        # Its key is told to the page once: whoever loads it anew before has none.
        expect(self.page).not_to_have_url(re.compile("claim="))

    def go(self, address, page=None):
        """To an address of the page, such as `#/people`, as a link would."""
        (page or self.page).goto(f"{self.node.origin}/{address}")

    def open(self, conversation, page=None):
        """To a conversation; returns its composer."""
        self.go(f"#/conversation/{conversation}", page)
        return self.composer(page)

    def composer(self, page=None):
        box = (page or self.page).get_by_role("main").get_by_role("textbox", name=re.compile("^Message"))
        expect(box).to_be_visible()
        return box

    def link(self, title):
        """A conversation in the list, by its title."""
        return self.page.get_by_role("navigation", name="Conversations").get_by_role("link", name=re.compile("^" + re.escape(title).replace("/", r"\/")))

    def choose(self, button, *items):
        """Opens the menu of a button, and takes an item of it."""
        button.click()
        for item in items:
            self.page.get_by_role("menuitem", name=re.compile(item)).click()

    def say(self, text):
        box = self.composer()
        box.fill(text)
        box.press("Enter")

    def row(self, text, page=None):
        """The message with that text, as it is announced."""
        return (page or self.page).get_by_role("article", name=re.compile(re.escape(text)))

    # What must hold

    def shoot(self, name, page=None):
        (page or self.page).screenshot(path=str(self.artifacts / f"{name}.png"))

    def check_access(self, where, page=None, options=AXE_OPTIONS):
        """Raises what axe finds."""
        found = Axe().run(page or self.page, options=options)
        violations = found.response["violations"]
        if violations:
            lines = [
                f"{each['id']} ({each['impact']}): {each['help']}: {node['html'][:160]}" for each in violations for node in each["nodes"][:3]
            ]
            raise AssertionError(f"axe finds on {where}:\n    " + "\n    ".join(lines))

    def screen(self, name, page=None):
        """A picture of a screen in light and in dark, and axe on both."""
        page = page or self.page
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(60)
            self.shoot(f"{name}-{scheme}", page)
            # Only colors are others in the dark.
            self.check_access(f"{name}, {scheme}", page, AXE_OPTIONS if scheme == "light" else AXE_COLORS)
        page.emulate_media(color_scheme="light")

    def begin(self):
        """Forgets what went wrong before, and begins a trace."""
        self.wrongs.clear()
        self.context.tracing.start_chunk()

    def end(self, failed_as=None):
        """Keeps the trace, and a picture of every page, as files of that name, if a story failed."""
        if failed_as is None:
            self.context.tracing.stop_chunk()
            return
        with contextlib.suppress(Exception):
            for number, page in enumerate(self.context.pages):
                page.screenshot(path=str(self.artifacts / f"{failed_as}-{number}.png"), timeout=5_000)
        with contextlib.suppress(Exception):
            self.context.tracing.stop_chunk(path=str(self.artifacts / f"{failed_as}.zip"))

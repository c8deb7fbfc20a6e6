"""A node that stops. These stories end sessions, so they are the last."""

from harness.runner import story, wait
from playwright.sync_api import expect

BROWSER_WORDS = "Failed to load|ERR_|401|EventSource|net::"


@story
def a_stopped_node_is_told_and_what_was_typed_stays(world):
    """The page says that Moot does not answer; the text is there when it is back."""
    group = world.group("Outage")
    carol = world.carol
    box = carol.open(group)
    box.fill("Not sent yet")
    wait(lambda: carol.node.ask("GET", f"/conversations/{group}").get("draft") == "Not sent yet", "the draft is not kept")
    with carol.tolerating(BROWSER_WORDS):
        carol.node.stop()
        expect(carol.page.get_by_text("Moot does not answer")).to_be_visible()
        expect(box).to_have_value("Not sent yet")
        carol.shoot("not-running")
        before = carol.page.url.split("#")[0]
        carol.node.start()
        # The page of a new run has another address. This one asks for a proof, gets none, and stays as it is.
        expect(carol.page.get_by_text("Moot was started again.")).to_be_visible()
        expect(box).to_have_value("Not sent yet")
        carol.shoot("started-again")
        carol.enter()
        assert carol.page.url.split("#")[0] != before
        expect(carol.open(group)).to_have_value("Not sent yet")
        carol.page.wait_for_timeout(300)

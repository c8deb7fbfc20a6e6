"""How a browser is let in, and how it is not."""

import json
import re
import subprocess

from harness.browser import APP
from harness.runner import story, wait
from playwright.sync_api import expect


@story
def a_browser_that_was_not_let_in_is_told_how(world):
    """Without an address of `moot open` there is a heading, and the command."""
    guest = world.guest(world.alice)
    with guest.tolerating("401"):
        guest.page.goto(guest.node.origin + "/")
        expect(guest.page.get_by_role("heading", level=1)).to_be_visible()
        expect(guest.page.get_by_text("moot open").first).to_be_visible()
        guest.shoot("not-let-in")
        # It asks again and again whether it is let in.
        guest.page.goto("about:blank")


@story
def an_address_lets_in_once(world):
    """The address works for the first browser and for no other."""
    first, second = world.guest(world.alice), world.guest(world.alice)
    address = first.node.one_time_address()
    first.page.goto(address)
    expect(first.page.get_by_role("navigation", name="Conversations")).to_be_visible()
    with second.tolerating("40[0-9]|410"):
        second.page.goto(address)
        expect(second.page.get_by_role("heading", level=1)).to_be_visible()
        expect(second.page.get_by_role("navigation", name="Conversations")).to_have_count(0)


@story
def an_address_leads_to_the_devices(world):
    """It is what the notification of a new device has; what is asked while the key comes waits for it."""
    guest, node = world.guest(world.alice), world.alice.node
    guest.page.add_init_script("""
        const read = Response.prototype.json;
        Response.prototype.json = async function () {
          if (this.url.endsWith("/web/key")) await new Promise((come) => setTimeout(come, 700));
          return await read.call(this);
        };
    """)
    command = [node.moot, "open", "moot://devices", "--print", "--home", str(node.home)]
    guest.page.goto(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip())
    expect(guest.page.get_by_role("heading", name="Your devices")).to_be_visible()
    expect(guest.page).not_to_have_url(re.compile("claim="))


@story
def the_page_may_do_only_what_it_needs(world):
    """Nothing from elsewhere, no markup from text, no frame around it."""
    answer = world.alice.context.request.get(world.alice.node.origin + "/")
    policy = answer.headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", "frame-ancestors 'none'"):
        assert part in policy, f"the policy lacks {part}: {policy}"
    blocked = world.alice.page.evaluate("() => { try { document.body.innerHTML = '<i>x</i>'; return false } catch { return true } }")
    assert blocked, "markup was made of text"
    world.alice.wrongs.clear()


@story
def a_session_is_ended_from_another_browser(world):
    """The node's page lists who is let in; the one that is ended says so, and a new address lets it in again."""
    guest = world.guest(world.alice)
    guest.enter()
    alice = world.alice
    alice.go("#/node")
    others = alice.page.get_by_role("button", name=re.compile("End the session of browser"))
    expect(others.first).to_be_visible()
    others.first.scroll_into_view_if_needed()
    alice.screen("sessions")
    with guest.tolerating("40[13]|Failed to load|ERR_"):
        for _ in range(others.count()):
            others.first.click()
            alice.page.wait_for_timeout(200)
        expect(others).to_have_count(0)
        expect(guest.page.get_by_role("heading", name="This browser is not let in")).to_be_visible()
    guest.enter()


@story
def a_browser_is_let_in_although_its_key_could_not_be_kept_at_first(world):
    """What claims the key is shown again after an answer that says nothing about it, such as that the disk is full."""
    guest, refusals = world.guest(world.alice), []

    def refuse(route):
        refusals.append(route)
        route.fulfill(status=507, body=json.dumps({"error": {"code": "disk_full", "message": "The disk is full"}}))

    guest.page.route("**/api/v1/web/key", refuse)
    with guest.tolerating("401|507|Failed to load"):
        guest.page.goto(guest.node.one_time_address())
        wait(lambda: len(refusals) >= 2, "the key was asked for only once")
        guest.page.unroute_all(behavior="ignoreErrors")
        expect(guest.page.get_by_role("navigation", name="Conversations")).to_be_visible()
    assert "claim" not in guest.page.url, "what claims the key stays in the address"


@story
def a_request_with_the_key_of_before_is_made_again(world):
    """Another tab was let in anew while it was on its way."""
    guest, held = world.guest(world.alice), []
    guest.enter()
    guest.page.route("**/api/v1/profile", lambda route: route.continue_() if held else held.append(route))
    guest.page.evaluate(f"async () => {{ const {{ api }} = {APP}; api.get('/profile').then((me) => window.asked = me.user, (error) => window.asked = error.code); }}")
    wait(lambda: held, "nothing was asked for")
    with guest.tolerating("401|Failed to load"):
        other = guest.context.new_page()
        other.goto(guest.node.one_time_address())
        expect(other.get_by_role("navigation", name="Conversations")).to_be_visible()
        held[0].fulfill(status=401, body=json.dumps({"error": {"code": "not_admitted", "message": "No"}}))
        wait(lambda: guest.page.evaluate("window.asked"), "there is no answer")
        assert guest.page.evaluate("window.asked") == guest.node.user.hex(), guest.page.evaluate("window.asked")
        guest.page.unroute_all(behavior="ignoreErrors")

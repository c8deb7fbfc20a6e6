"""How a browser is let in, and how it is not."""

import re

from harness.runner import story
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
        expect(guest.page.get_by_role("heading", name="This browser is not let in")).to_be_visible(timeout=20_000)
    guest.enter()

"""What people do with messages that are there."""

import re

from harness.runner import story, wait
from playwright.sync_api import expect


def focused(user, text):
    """The row of a message, with the focus."""
    row = user.row(text)
    expect(row).to_be_visible()
    row.focus()
    return row


@story
def the_last_own_message_is_edited_with_arrow_up(world):
    """In an empty composer the arrow takes it back; the others see the change, and that there was one."""
    group = world.group("Edits")
    world.bob.open(group)
    box = world.alice.open(group)
    world.alice.say("Sale at six")
    expect(world.alice.row("Sale at six")).to_be_visible()
    wait(lambda: world.alice.node.message(group, "Sale at six"), "it was not sent")
    box.press("ArrowUp")
    expect(box).to_have_value("Sale at six")
    box.fill("Sail at six")
    box.press("Enter")
    expect(world.bob.page.get_by_role("article", name=re.compile("Sail at six.*edited"))).to_be_visible()
    expect(box).to_have_value("")


@story
def a_message_is_deleted_for_everyone(world):
    """It asks first; then its place says that it was deleted."""
    group = world.group("Deletions")
    world.alice.node.say(group, "Oops")
    world.bob.open(group)
    world.alice.open(group)
    focused(world.alice, "Oops").press("Delete")
    world.alice.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(world.bob.row("This message was deleted")).to_be_visible()
    expect(world.bob.page.get_by_text("Oops")).to_have_count(0)


@story
def a_reaction_is_a_toggle_that_tells_who(world):
    """A press gives it, another takes it back."""
    group = world.group("Reactions")
    message = world.alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "Land!"})
    message = message["messages"][0] if "messages" in message else message
    world.alice.open(group)
    wait(lambda: world.bob.node.message(group, "Land!"), "Bob has no message")
    world.bob.node.ask("PUT", f"/messages/{message['id']}/reactions/%F0%9F%91%8D")
    button = world.alice.row("Land!").get_by_role("button", name="👍 1, Bob")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    mine = world.alice.row("Land!").get_by_role("button", name=re.compile("👍 2"))
    expect(mine).to_have_attribute("aria-pressed", "true")
    mine.click()
    expect(world.alice.row("Land!").get_by_role("button", name="👍 1, Bob")).to_be_visible()


@story
def an_emoji_is_picked_with_the_keyboard(world):
    """+ on a message opens the picker; a word finds the emoji."""
    group = world.group("Emoji")
    world.bob.node.say(group, "We are there")
    world.alice.open(group)
    focused(world.alice, "We are there").press("+")
    picker = world.alice.page.get_by_role("dialog")
    expect(picker).to_be_visible()
    world.alice.shoot("emoji-picker")
    world.alice.page.keyboard.type("heart")
    world.alice.page.keyboard.press("Enter")
    expect(world.alice.row("We are there").get_by_role("button", name=re.compile("1, You"))).to_be_visible()


@story
def a_reply_shows_what_it_answers_and_leads_there(world):
    """R begins it, Escape would end it; the quote is a way back."""
    group = world.group("Replies")
    world.bob.node.say(group, "Who steers?")
    world.alice.open(group)
    focused(world.alice, "Who steers?").press("r")
    expect(world.alice.page.get_by_text("Reply to Bob")).to_be_visible()
    world.alice.say("I do")
    quote = world.alice.row("I do").get_by_role("button", name=re.compile("In reply to Bob: Who steers?"))
    quote.click()
    expect(world.alice.row("Who steers?").first).to_be_in_viewport()
    world.bob.open(group)
    expect(world.bob.row("I do").get_by_role("button", name=re.compile("In reply to you"))).to_be_visible()


@story
def a_pinned_message_stands_above_for_everybody(world):
    """P pins it, and the bar leads to it."""
    group = world.group("Pins")
    world.alice.node.say(group, "Watch begins at two")
    world.bob.open(group)
    world.alice.open(group)
    focused(world.alice, "Watch begins at two").press("p")
    for user in (world.alice, world.bob):
        expect(user.page.get_by_role("button", name=re.compile("Pinned message.*Watch begins at two", re.S))).to_be_visible()


@story
def who_read_a_message_is_told_live(world):
    """The dialog lists who has it, and moves Bob when he reads."""
    group = world.group("Receipts")
    world.bob.go("#/")
    world.alice.open(group)
    world.alice.say("Read this")
    expect(world.alice.page.get_by_role("article", name=re.compile("Read this.*Delivered to 2 of 2"))).to_be_visible()
    world.alice.row("Read this").get_by_role("button", name=re.compile("Delivered")).click()
    dialog = world.alice.page.get_by_role("dialog")
    expect(dialog.get_by_text("Bob")).to_be_visible()
    world.bob.open(group)
    expect(dialog.get_by_text(re.compile("^Read"))).not_to_have_count(0)
    wait(lambda: any(p["user"] == world.bob.node.user.hex() for p in world.alice.node.ask("GET", f"/messages/{world.alice.node.message(group, 'Read this')['id']}/receipts")["read"]), "nobody read it")
    world.alice.screen("read-by")
    world.alice.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

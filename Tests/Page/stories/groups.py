"""Making groups, and who is in them."""

import re
import threading

from harness.runner import story, wait
from playwright.sync_api import expect


def info(user, conversation):
    """Opens the details of a conversation."""
    user.open(conversation)
    user.go(f"#/conversation/{conversation}/info")
    panel = user.page.get_by_role("region", name="Details")
    expect(panel).to_be_visible()
    return panel


def member(user, name):
    return user.page.get_by_role("region", name="Details").get_by_role("button", name=re.compile(f"{name}.*(online|last seen)"))


@story
def a_group_is_made_with_two_others_and_a_name_of_fifty(world):
    """Fewer people are refused in words; a longer name leaves Create disabled; then everybody has it."""
    alice = world.alice
    alice.go("#/")
    alice.choose(alice.page.get_by_role("button", name="New message or group"), "New group")
    dialog = alice.page.get_by_role("dialog", name="New group")
    dialog.get_by_role("checkbox", name="Bob").check()
    dialog.get_by_role("button", name=re.compile("^Next")).click()
    expect(dialog.get_by_role("alert")).to_have_text("Please select at least 2 other users to create a group chat")
    dialog.get_by_role("checkbox", name="Carol").check()
    alice.screen("people-picker")
    dialog.get_by_role("button", name=re.compile("^Next")).click()
    expect(dialog.get_by_text("3 participants")).to_be_visible()
    name, create = dialog.get_by_role("textbox", name=re.compile("Group name")), dialog.get_by_role("button", name="Create")
    name.fill("x" * 51)
    expect(dialog.get_by_text("51/50 characters")).to_be_visible()
    expect(create).to_be_disabled()
    name.fill("Fifty " + "y" * 44)
    alice.screen("new-group")
    create.click()
    expect(alice.page.get_by_role("heading", level=1)).to_have_text("Fifty " + "y" * 44)
    for user in (world.bob, world.carol):
        expect(user.link("Fifty y")).to_be_visible()


@story
def the_details_tell_who_is_in_and_in_which_role(world):
    """Everybody with presence; roles have words."""
    group = world.group("Roles")
    panel = info(world.alice, group)
    expect(member(world.alice, "Alice")).to_contain_text("Founder")
    for name in ("Bob", "Carol"):
        expect(member(world.alice, name)).to_contain_text("online")
    expect(panel.get_by_role("heading", name="3 participants")).to_be_visible()
    world.alice.shoot("info")


@story
def somebody_is_promoted_and_everybody_sees_it(world):
    """From the menu of the member; the sentence is the same for all."""
    group = world.group("Promotion")
    world.carol.open(group)
    info(world.alice, group)
    world.alice.choose(member(world.alice, "Bob"), "Make admin")
    world.alice.page.get_by_role("dialog").get_by_role("button", name="Promote").click()
    expect(member(world.alice, "Bob")).to_contain_text("Admin")
    expect(world.carol.page.get_by_role("article", name="Alice made Bob an admin")).to_be_visible()


@story
def somebody_is_removed_and_added_again(world):
    """The removed one is told and cannot write; everybody sees who did it."""
    group = world.group("In and out")
    world.carol.open(group)
    world.bob.open(group)
    info(world.alice, group)
    world.alice.choose(member(world.alice, "Carol"), "Remove from the group")
    dialog = world.alice.page.get_by_role("dialog")
    world.alice.shoot("remove")
    dialog.get_by_role("button", name="Remove").click()
    expect(world.bob.page.get_by_role("article", name="Alice removed Carol")).to_be_visible()
    expect(world.carol.page.get_by_text("You are not a participant in this conversation any more")).to_be_visible()
    expect(world.carol.page.get_by_role("main").get_by_role("textbox")).to_have_count(0)
    world.alice.page.get_by_role("region", name="Details").get_by_role("button", name="Add", exact=True).click()
    picker = world.alice.page.get_by_role("dialog")
    expect(picker.get_by_role("checkbox", name="Bob")).to_have_count(0)
    picker.get_by_role("checkbox", name="Carol").check()
    picker.get_by_role("button", name=re.compile("^Add")).click()
    expect(world.bob.page.get_by_role("article", name="Alice added Carol")).to_be_visible()
    expect(world.carol.composer()).to_be_enabled()


@story
def what_somebody_did_is_taken_back_with_them(world):
    """What falls is said first, and for everybody it falls."""
    group = world.group("Taken back")
    alice, bob = world.alice, world.bob
    alice.node.ask("PATCH", f"/conversations/{group}/members/{alice.node.user_id('Bob')}", {"role": "admin"})
    wait(lambda: bob.node.ask("GET", f"/conversations/{group}")["me"].get("role") == "admin", "Bob is no admin")
    bob.node.ask("PATCH", f"/conversations/{group}", {"name": "Bob's own"})
    bob.node.ask("POST", f"/conversations/{group}/messages", {"text": "It is mine now"})
    wait(lambda: alice.node.ask("GET", f"/conversations/{group}")["title"] == "Bob's own", "the name does not come")
    wait(lambda: alice.node.message(group, "It is mine now"), "the message does not come")
    info(alice, group)
    alice.choose(member(alice, "Bob"), "Remove from the group")
    dialog = alice.page.get_by_role("dialog", name="Remove Bob?")
    dialog.get_by_label("Take back what they did in the group").select_option("The last 15 minutes")
    expect(dialog).to_contain_text("1 decision will not count any more.")
    alice.shoot("remove-taking-back")
    dialog.get_by_role("button", name="Remove", exact=True).click()
    for each in [alice, world.carol]:
        wait(lambda: each.node.ask("GET", f"/conversations/{group}")["title"] == "Taken back", "the name is not back")
    wait(lambda: not bob.node.ask("GET", f"/conversations/{group}")["me"]["is_member"], "Bob is still in")
    row = alice.row("It is mine now")
    expect(row).to_have_accessible_name(re.compile("does not count"))
    row.focus()
    row.press("Enter")
    alice.page.get_by_role("menuitem", name="Why it does not count").click()
    reason = alice.page.get_by_role("dialog", name="Does not count")
    expect(reason).to_contain_text("Whoever took its author out had not seen it: Alice removed Bob.")
    alice.shoot("does-not-count")
    alice.page.keyboard.press("Escape")
    expect(reason).to_be_hidden()


@story
def the_last_but_one_is_removed_only_after_a_warning(world):
    """The group is archived then, and that is said before."""
    group = world.group("Nearly empty")
    world.alice.node.ask("DELETE", f"/conversations/{group}/members/{world.alice.node.user_id('Carol')}")
    info(world.alice, group)
    world.alice.choose(member(world.alice, "Bob"), "Remove from the group")
    dialog = world.alice.page.get_by_role("dialog")
    expect(dialog.get_by_text("This will archive the group (only 1 member remaining)")).to_be_visible()
    dialog.get_by_role("button", name="Remove").click()
    wait(lambda: world.alice.node.ask("GET", f"/conversations/{group}")["archived"], "the group is not archived")
    wait(lambda: not world.bob.node.ask("GET", f"/conversations/{group}")["me"]["is_member"], "Bob is still in")


@story
def the_last_admin_names_a_successor(world):
    """Whoever leaves as the last admin chooses who comes after them."""
    group = world.group("Succession")
    panel = info(world.alice, group)
    panel.get_by_role("button", name=re.compile("Leave")).click()
    dialog = world.alice.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    world.alice.shoot("leave")
    # That a successor is needed the node says with a refusal, which the browser writes down.
    with world.alice.tolerating("409"):
        dialog.get_by_role("button", name="Leave").click()
        dialog.get_by_role("button", name="Carol").click()
    wait(lambda: not world.alice.node.ask("GET", f"/conversations/{group}")["me"]["is_member"], "Alice has not left")
    wait(lambda: world.carol.node.ask("GET", f"/conversations/{group}")["me"].get("role") == "admin", "Carol is no admin")


@story
def a_group_that_somebody_left_is_erased(world):
    """It goes from the list of whoever left it, in every tab, and stays with the others."""
    group = world.group("Long ago")
    alice, bob = world.alice, world.bob
    alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "What was said"})
    other = bob.context.new_page()
    bob.open(group, other)
    expect(bob.row("What was said", other)).to_be_visible()
    bob.page.bring_to_front()
    panel = info(bob, group)
    bob.node.ask("POST", f"/conversations/{group}/leave", {})
    # Whoever is out is led to the conversation.
    expect(bob.page).to_have_url(re.compile(f"#/conversation/{group}$"))
    bob.go(f"#/conversation/{group}/info")
    panel.get_by_role("button", name="Erase from this computer").click()
    dialog = bob.page.get_by_role("dialog", name="Erase Long ago?")
    bob.screen("erase")
    dialog.get_by_role("button", name="Cancel").click()
    expect(bob.row("What was said")).to_be_visible()
    with bob.tolerating("404"):
        panel.get_by_role("button", name="Erase from this computer").click()
        dialog.get_by_role("button", name="Erase").click()
        expect(bob.page).to_have_url(re.compile("#/$"))
        expect(bob.link("Long ago")).to_have_count(0)
        bob.go(f"#/conversation/{group}")
        expect(bob.page.get_by_role("heading", name="Conversation not found")).to_be_visible()
        expect(other.get_by_role("heading", name="Conversation not found")).to_be_visible()
        expect(other.get_by_role("alert")).to_have_count(0)
    other.close()
    alice.open(group)
    expect(alice.row("What was said")).to_be_visible()


@story
def a_group_is_renamed_and_described(world):
    """The counter counts characters; everybody has the new name."""
    group = world.group("Old name")
    world.bob.open(group)
    panel = info(world.alice, group)
    panel.get_by_role("button", name="Edit group").click()
    dialog = world.alice.page.get_by_role("dialog", name="Edit group")
    dialog.get_by_role("textbox", name=re.compile("Group name")).fill("New name 🚢")
    expect(dialog.get_by_text("10/50 characters")).to_be_visible()
    dialog.get_by_role("textbox", name="Description").fill("Where it goes")
    world.alice.screen("edit-group")
    dialog.get_by_role("button", name="Save").click()
    expect(world.bob.page.get_by_role("heading", level=1)).to_have_text("New name 🚢")
    expect(world.bob.page.get_by_role("article", name=re.compile("Alice changed the group name to .New name 🚢"))).to_be_visible()


@story
def who_loses_a_rename_is_told_and_can_have_their_name(world):
    """Two admins rename at the same moment: one of them is asked whether they want theirs."""
    group = world.group("Contested")
    alice, bob = world.alice, world.bob
    alice.node.ask("PATCH", f"/conversations/{group}/members/{alice.node.user_id('Bob')}", {"role": "admin"})
    wait(lambda: bob.node.ask("GET", f"/conversations/{group}")["me"]["role"] == "admin", "Bob is no admin")
    for user in (alice, bob):
        user.open(group)
    button = "Use mine"
    for attempt in range(8):
        threads = [
            threading.Thread(target=user.node.ask, args=("PATCH", f"/conversations/{group}", {"name": f"{user.name}'s {attempt}"}))
            for user in (alice, bob)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alice.page.wait_for_timeout(700)
        losers = [user for user in (alice, bob) if user.page.get_by_role("button", name=button).count()]
        if losers:
            break
    assert losers, "nobody was told"
    loser = losers[0]
    loser.shoot("overruled")
    loser.page.get_by_role("button", name=button).first.click()
    other = alice if loser is bob else bob
    expect(other.page.get_by_role("heading", level=1)).to_have_text(re.compile(f"^{loser.name}'s"))


@story
def somebody_who_wants_to_be_asked_accepts_or_declines(world):
    """The group waits under Requests until they answer."""
    carol = world.carol
    carol.node.ask("PATCH", "/profile", {"asks_when_added": True})
    try:
        groups = [world.alice.node.group(title, "Bob", "Carol") for title in ("Yes please", "No thanks")]
        carol.go("#/")
        carol.page.get_by_role("button", name=re.compile("^Requests")).click()
        for title in ("Yes please", "No thanks"):
            expect(carol.link(title)).to_be_visible()
        carol.link("Yes please").click()
        carol.screen("request")
        carol.page.get_by_role("button", name="Accept").click()
        expect(carol.composer()).to_be_enabled()
        carol.go(f"#/conversation/{groups[1]}")
        carol.page.get_by_role("button", name="Decline").click()
        wait(lambda: not any(each["id"] == groups[1] for each in carol.node.ask("GET", "/conversations?requests=true")), "it still waits")
    finally:
        carol.node.ask("PATCH", "/profile", {"asks_when_added": False})


@story
def in_an_announcement_group_members_read_only(world):
    """The switch is for admins; a member is told why there is nothing to write in."""
    group = world.group("Notices")
    world.bob.open(group)
    panel = info(world.alice, group)
    panel.get_by_role("switch", name="Only admins and moderators write").check()
    expect(world.bob.page.get_by_text("Only admins and moderators write here.")).to_be_visible()
    expect(world.bob.page.get_by_role("main").get_by_role("textbox")).to_have_count(0)
    panel.get_by_role("switch", name="Only admins and moderators write").uncheck()
    expect(world.bob.composer()).to_be_enabled()


@story
def a_direct_conversation_begins_with_its_first_message(world):
    """Chosen from the people; titled by the other one on both sides."""
    bob = world.bob
    bob.go("#/")
    bob.choose(bob.page.get_by_role("button", name="New message or group"), "New message")
    bob.page.get_by_role("dialog", name="New message").get_by_role("button", name=re.compile("Carol")).click()
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("Carol")
    bob.say("Just us two")
    expect(bob.row("Just us two")).to_be_visible()
    shown = world.carol.page.get_by_role("navigation", name="Conversations").get_by_role("link", name=re.compile("^Bob [0-9]"))
    expect(shown).to_contain_text("Just us two")
    shown.click()
    expect(world.carol.page.get_by_role("heading", level=1)).to_have_text("Bob")
    expect(bob.page.get_by_role("article", name=re.compile("Just us two.*Read$"))).to_be_visible()

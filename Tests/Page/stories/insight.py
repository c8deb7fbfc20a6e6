"""Search, statistics, the history of a group, the laboratory, the node."""

import pathlib
import re
import threading

from harness.runner import story, wait
from playwright.sync_api import expect

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"


@story
def a_search_finds_everywhere_and_enter_jumps(world):
    """The words are marked; Enter opens the message in its place."""
    group = world.group("Search place")
    world.bob.node.say(group, "The albatross follows us")
    wait(lambda: world.alice.node.message(group, "The albatross follows us"), "Alice has no message")
    alice = world.alice
    alice.go("#/search")
    field = alice.page.get_by_role("main").get_by_role("searchbox", name="Search messages")
    field.fill("albatr")
    hit = alice.page.get_by_role("list", name="Messages found").get_by_role("link", name=re.compile("albatross"))
    expect(hit).to_have_count(1)
    alice.shoot("search")
    field.press("Enter")
    expect(alice.row("The albatross follows us")).to_be_in_viewport()
    alice.page.go_back()
    expect(alice.page.get_by_role("main").get_by_role("searchbox", name="Search messages")).to_have_value("albatr")


@story
def a_search_in_one_conversation_finds_nothing_of_others(world):
    """Control and F search where one is."""
    here, there = world.group("Here"), world.group("There")
    for group, text in ((here, "a heron here"), (there, "a heron there")):
        world.bob.node.say(group, text)
        wait(lambda group=group, text=text: world.alice.node.message(group, text), "Alice has no message")
    world.alice.open(here).focus()
    world.alice.page.keyboard.press("Control+f")
    field = world.alice.page.get_by_role("region", name="Details").get_by_role("searchbox", name="Search messages")
    field.fill("heron")
    hits = world.alice.page.get_by_role("list", name="Messages found").get_by_role("link")
    expect(hits).to_have_count(1)
    expect(hits).to_contain_text("a heron here")
    world.alice.page.get_by_role("combobox", name="Where to search").select_option("Everywhere")
    expect(hits).to_have_count(2)


@story
def statistics_are_plots_and_tables_and_are_saved(world):
    """Bars, a heat map and a line; each has a table, and is saved as CSV, SVG and PNG."""
    group = world.group("Numbers")
    world.bob.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"{number}" for number in range(12)]})
    wait(lambda: world.alice.node.message(group, "11"), "Alice does not have all")
    alice = world.alice
    alice.open(group)
    alice.go(f"#/conversation/{group}/statistics")
    for title in ("Messages per day", "When people write", "Growth"):
        expect(alice.page.get_by_role("figure", name=re.compile(title))).to_be_visible()
    expect(alice.page.get_by_role("img", name=re.compile("^12 messages from"))).to_be_visible()
    alice.shoot("statistics")
    figure = alice.page.get_by_role("figure", name=re.compile("Messages per day"))
    figure.get_by_text("As a table").click()
    expect(figure.get_by_role("cell", name="12", exact=True)).to_be_visible()
    saved = {}
    for kind in ("CSV", "SVG", "PNG"):
        with alice.page.expect_download() as download:
            alice.page.get_by_role("button", name=f"Save Messages per day as {kind}").click()
        saved[kind] = pathlib.Path(download.value.path()).read_bytes()
    assert saved["CSV"].startswith(b"Day,Messages\r\n") and saved["CSV"].endswith(b",12\r\n"), saved["CSV"][-60:]
    assert b"<svg" in saved["SVG"] and b"var(" not in saved["SVG"] and b"light-dark" not in saved["SVG"] and saved["PNG"].startswith(b"\x89PNG"), saved["SVG"][:200]


@story
def the_history_of_a_group_shows_what_is_void_and_why(world):
    """Two admins act at once; what does not count is struck through, with the rule and what decided."""
    alice, bob, carol = world.alice, world.bob, world.carol
    group = world.group("Quarrel")
    for name in ("Bob", "Carol"):
        alice.node.ask("PATCH", f"/conversations/{group}/members/{alice.node.user_id(name)}", {"role": "admin"})
    wait(lambda: all(user.node.ask("GET", f"/conversations/{group}")["me"].get("role") == "admin" for user in (bob, carol)), "they are no admins")
    # Bob ranks above Carol and removes her; what she does at the same moment is void.
    acts = [
        threading.Thread(target=bob.node.ask, args=("DELETE", f"/conversations/{group}/members/{bob.node.user_id('Carol')}")),
        threading.Thread(target=carol.node.ask, args=("PATCH", f"/conversations/{group}", {"name": "Carol's"})),
    ]
    for act in acts:
        act.start()
    for act in acts:
        act.join()
    wait(lambda: not carol.node.ask("GET", f"/conversations/{group}")["me"]["is_member"], "Carol is still in")
    alice.open(group)
    alice.go(f"#/conversation/{group}/membership")
    panel = alice.page.get_by_role("region", name="Details")
    expect(panel.get_by_role("button", name=re.compile("Bob removed Carol"))).to_be_visible()
    alice.shoot("history")
    voids = [each for each in alice.node.ask("GET", f"/conversations/{group}/membership") if not each["effective"]]
    if voids:
        row = panel.get_by_role("button", name=re.compile("Carol set the name.*Void", re.S))
        row.click()
        expect(panel.get_by_text("Why it does not count:")).to_be_visible()
        panel.get_by_role("button", name="Bob removed Carol", exact=True).first.click()
        # The row says more than the link to it, and may stand on either side of it: the two are concurrent.
        expect(panel.get_by_role("button", name=re.compile("Bob removed Carol.+", re.S)).first).to_be_focused()


@story
def the_laboratory_judges_every_case_as_the_suite_says(world):
    """A file of scenarios is dropped; each case, shuffled, ends as the file says."""
    alice = world.alice
    alice.go("#/laboratory")
    page = alice.page
    expect(page.get_by_role("heading", name="Laboratory")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Carol removed Bob.*Void", re.S))).to_be_visible()
    alice.shoot("laboratory")
    page.get_by_role("button", name="Shuffle").click()
    expect(page.get_by_text("every one gives this result")).to_be_visible()
    text = (FIXTURES / "membership.ndjson").read_text()
    page.get_by_text("Drop a file of scenarios here").evaluate(
        """(element, text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'membership.ndjson', {type: 'application/x-ndjson'}));
            element.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        text,
    )
    count = len(text.splitlines())
    expect(page.get_by_role("combobox", name="Case").get_by_role("option")).to_have_count(count)
    page.get_by_role("button", name="Check every case").click()
    expect(page.get_by_text(f"{count} cases, each in a random order: all end as the file says")).to_be_visible()
    alice.shoot("laboratory-suite")


@story
def the_node_tells_how_it_does(world):
    """Whom it is connected to; and whether the replicas are equal."""
    world.alice.go("#/node")
    page = world.alice.page
    table = page.get_by_role("region", name="Connected nodes", exact=True).get_by_role("table")
    for name in ("Bob", "Carol"):
        expect(table.get_by_role("rowheader", name=name)).to_be_visible()
    world.alice.shoot("node")
    page.get_by_role("button", name="Compare replicas").click()
    expect(page.get_by_text(re.compile("Every reachable replica equals yours|Some replicas differ"))).to_be_visible()
    # It was disabled meanwhile, which takes the focus away.
    expect(page.get_by_role("button", name="Compare replicas")).to_be_focused()


@story
def the_doctor_says_what_it_found_and_what_mends_it(world):
    """From the node's screen: nodes of this test listen on loopback only, which is a finding; then Bob's node is asked as well."""
    alice, page = world.alice, world.alice.page
    # Bob's node answers where Bob takes part.
    group = world.group("Doctor")
    world.bob.node.say(group, "Here I am")
    wait(lambda: alice.node.message(group, "Here I am"), "Alice has no message")
    held = []
    page.route("**/api/v1/diagnosis", lambda route: held.append(route), times=1)
    alice.go("#/node")
    page.get_by_role("main").get_by_role("link", name="Doctor").click()
    expect(page.get_by_role("heading", name="Doctor", level=1)).to_be_focused()
    status = page.get_by_role("main").get_by_role("status")
    expect(status).to_contain_text(re.compile("^Looking at this host"))
    expect(page.get_by_role("button", name="Look again")).to_be_disabled()
    wait(lambda: held, "nobody is asked")
    held[0].continue_()
    expect(status).to_contain_text(re.compile("^Found: .*1 problem"))
    findings = page.get_by_role("list", name="What was found").get_by_role("listitem")
    loopback = findings.filter(has_text="loopback_only")
    expect(loopback.get_by_role("heading", level=2)).to_have_text(re.compile("Problem TCP port"))
    expect(loopback).to_contain_text("The node listens on 127.0.0.1:")
    expect(loopback).to_contain_text("Only programs of this host can reach it.")
    expect(loopback.locator("code").first).to_contain_text("moot up --listen 0.0.0.0:")
    loopback.get_by_role("button", name=re.compile("^Copy what mends TCP port")).click()
    expect(page.get_by_text("Copied")).to_be_visible()
    alice.screen("doctor")
    page.get_by_role("combobox", name="Also ask what the node of somebody sees of this one").select_option(label="Bob")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("region", name="Who was asked")).to_contain_text("The node of Bob at 127.0.0.1:")
    expect(page.get_by_role("button", name="Look again")).to_be_focused()


@story
def the_doctor_says_so_where_nothing_was_found(world):
    """What the node answers is made up here: the host of a test is never quite healthy."""
    page = world.alice.page
    healthy = {"healthy": True, "node": True, "findings": [], "unseen": []}
    page.route("**/api/v1/diagnosis", lambda route: route.fulfill(json=healthy))
    try:
        for address in ("#/node", "#/doctor"):
            world.alice.go(address)
        expect(page.get_by_role("main").get_by_role("status")).to_have_text("Nothing was found.")
        expect(page.get_by_role("list", name="What was found")).to_have_count(0)
    finally:
        page.unroute("**/api/v1/diagnosis")


@story
def the_doctor_says_so_where_the_node_did_not_answer(world):
    """The host alone may be healthy: that is no good news of the node."""
    page = world.alice.page
    silent = {"healthy": True, "node": False, "findings": [], "unseen": []}
    page.route("**/api/v1/diagnosis", lambda route: route.fulfill(json=silent))
    try:
        for address in ("#/node", "#/doctor"):
            world.alice.go(address)
        status = page.get_by_role("main").get_by_role("status")
        expect(status).to_have_text("The node did not answer, so only the host was looked at. Nothing was found.")
        expect(status.locator(".good")).to_have_count(0)
    finally:
        page.unroute("**/api/v1/diagnosis")


@story
def the_doctor_tells_people_and_findings_of_one_name_apart(world):
    """By a part of the id, and by the code."""
    page = world.alice.page
    findings = [
        {"code": code, "severity": "note", "about": "Max", "measured": "This.", "meaning": "That.", "remedy": "moot status"}
        for code in ("slow_peer", "program_differs")
    ]
    peers = [{"user": letter * 64, "name": name} for letter, name in (("a", "Max"), ("b", "Max"), ("c", "Mia"))]
    page.route("**/api/v1/diagnosis", lambda route: route.fulfill(json={"healthy": True, "node": True, "findings": findings, "unseen": []}))
    page.route("**/api/v1/peers", lambda route: route.fulfill(json=peers))
    try:
        for address in ("#/node", "#/doctor"):
            world.alice.go(address)
        options = page.get_by_role("combobox", name="Also ask what the node of somebody sees of this one").get_by_role("option")
        expect(options).to_have_text(["Nobody", "Max (aaaaaaaa)", "Max (bbbbbbbb)", "Mia"])
        for each in findings:
            expect(page.get_by_role("button", name=f"Copy what mends Max ({each['code']})", exact=True)).to_have_count(1)
    finally:
        page.unroute("**/api/v1/diagnosis")
        page.unroute("**/api/v1/peers")


@story
def the_doctor_asks_no_more_once_somebody_left(world):
    """Whoever waits for their turn and goes elsewhere has nobody look."""
    page = world.alice.page
    asked = []

    def refuse(route):
        asked.append(route)
        route.fulfill(status=409, json={"error": {"code": "diagnosis_under_way", "message": "The doctor looks already"}})

    page.route("**/api/v1/diagnosis", refuse)
    try:
        with world.alice.tolerating("409"):
            for address in ("#/node", "#/doctor"):
                world.alice.go(address)
            wait(lambda: asked, "nobody is asked")
            world.alice.go("#/node")
            expect(page.get_by_role("heading", name="This node", level=1)).to_be_visible()
            before = len(asked)
            page.wait_for_timeout(2_500)
            assert len(asked) == before, f"{len(asked) - before} more were asked"
    finally:
        page.unroute("**/api/v1/diagnosis")


@story
def a_line_that_is_no_scenario_is_explained(world):
    """The laboratory says what is wrong with it, in the words of the node."""
    page = world.alice.page
    world.alice.go("#/laboratory")
    expect(page.get_by_role("heading", name="Laboratory")).to_be_visible()
    with world.alice.tolerating("400"):
        page.get_by_text("Drop a file of scenarios here").evaluate(
            """element => {
                const data = new DataTransfer();
                data.items.add(new File(['{"label": "Broken", "ops": [{"id": "a", "author": "A", "type": "leave", "parents": []}]}'], 'broken.ndjson'));
                element.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
            }"""
        )
        expect(page.get_by_role("combobox", name="Case").get_by_role("option", name="Broken")).to_have_count(1)
        expect(page.get_by_text(re.compile("This is no scenario: .*no parents and is not the creation"))).to_be_visible()

import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@Suite("The timeline of a group")
struct TimelineStories {
    /// Alice and Bob, both admins, on two sides of a cut.
    private static func sides() throws -> (alice: Circle, bob: Circle) {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave", called: "Ship", outsiders: ["Erin"])
        let bob = circle.user("Bob")
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        return (circle, circle)
    }

    /// Both sides after they met.
    private static func together(_ alice: Circle, _ bob: Circle) throws -> [Circle] {
        var both = [alice, bob]
        try both[0].meet(bob)
        try both[1].meet(alice)
        return both
    }

    // MARK: - Coming and going

    @Test func `of two who remove a person at the same time, the first tells it`() throws {
        var (alice, bob) = try Self.sides()
        try alice.remove("Dave", by: "Alice")
        bob.wait(minutes: 1)
        try bob.remove("Dave", by: "Bob")
        for circle in try Self.together(alice, bob) {
            #expect(circle.told(to: "Carol").filter { $0.hasSuffix("removed Dave") } == ["Alice removed Dave"])
            #expect(circle.told(to: "Dave").filter { $0.contains("removed") } == ["You were removed from Ship"])
            #expect(circle.group.history.filter { $0.body?.type == .remove && $0.voidReason == nil }.count == 2)
        }
    }

    @Test func `of two who add a person at the same time, the first tells it`() throws {
        var (alice, bob) = try Self.sides()
        try alice.add("Erin", by: "Alice")
        bob.wait(minutes: 1)
        try bob.add("Erin", by: "Bob")
        for circle in try Self.together(alice, bob) {
            #expect(circle.told(to: "Carol").filter { $0.contains("added Erin") } == ["Alice added Erin"])
            #expect(circle.told(to: "Erin") == ["You were added to this group"])
        }
    }

    @Test func `who leaves while they are removed departs once`() throws {
        var (alice, dave) = try Self.sides()
        try dave.write(by: "Dave", .leave(pins: []))
        alice.wait(minutes: 1)
        try alice.remove("Dave", by: "Alice")
        for circle in try Self.together(alice, dave) {
            #expect(circle.told(to: "Carol").suffix(2) == ["Alice made Bob an admin", "Dave left the group"])
            #expect(!circle.group.hasLeft(circle.user("Dave")), "who was removed is not said to have only left")
        }
    }

    @Test func `each departure of a person who came back is told`() throws {
        var (alice, _) = try Self.sides()
        for _ in 0..<2 {
            try alice.remove("Dave", by: "Alice")
            try alice.add("Dave", by: "Alice")
        }
        #expect(
            alice.told(to: "Carol").suffix(4) == [
                "Alice removed Dave", "Alice added Dave", "Alice removed Dave", "Alice added Dave",
            ])
    }

    /// The removal that had not seen the return reaches it, too.
    @Test func `a return that a concurrent removal ended is not told after it`() throws {
        for bobWaits in [0, 5] as [Int64] {
            var (alice, bob) = try Self.sides()
            try alice.remove("Dave", by: "Alice")
            alice.wait(minutes: 2)
            try alice.add("Dave", by: "Alice")
            bob.wait(minutes: 1 + bobWaits)
            try bob.remove("Dave", by: "Bob")
            for circle in try Self.together(alice, bob) {
                #expect(!circle.group.isMember(circle.user("Dave")))
                let told = circle.told(to: "Carol").filter { $0.hasSuffix("Dave") }
                #expect(
                    told
                        == (bobWaits == 0
                            ? ["Alice removed Dave"] : ["Alice removed Dave", "Alice added Dave", "Bob removed Dave"]))
            }
        }
    }

    // MARK: - News

    @Test func `who was told of a departure is not told again when another decision turns out to be the first`() throws
    {
        var (alice, bob) = try Self.sides()
        try alice.remove("Dave", by: "Alice")
        bob.wait(minutes: 1)
        let before = bob.group.systemMessages
        try bob.remove("Dave", by: "Bob")
        let told = bob.group.systemMessages
        #expect(bob.group.news(since: before, for: bob.user("Dave")).map(\.action) == [.removed(bob.user("Dave"))])
        try bob.meet(alice)
        #expect(bob.told(to: "Dave").last == "You were removed from Ship")
        for name in ["Carol", "Dave"] { #expect(bob.group.news(since: told, for: bob.user(name)).isEmpty) }
    }

    @Test func `who came in is not told again, others who come in with them are`() throws {
        var (alice, bob) = try Self.sides()
        let before = bob.group.systemMessages
        try alice.add("Erin", by: "Alice")
        bob.wait(minutes: 1)
        try bob.add("Erin", by: "Bob")
        let told = bob.group.systemMessages
        #expect(
            bob.texts(of: bob.group.news(since: before, for: bob.user("Carol")), for: "Carol") == ["Bob added Erin"])
        try bob.meet(alice)
        for name in ["Carol", "Erin"] { #expect(bob.group.news(since: told, for: bob.user(name)).isEmpty) }
    }

    // MARK: - Newcomers

    @Test func `a creation is one event, and newcomers read that they were added`() throws {
        let circle = try Circle("Alice", "Bob", "Carol", called: "Ship")
        #expect(circle.told(to: "Alice") == ["Alice created the group \"Ship\""])
        for name in ["Bob", "Carol"] {
            #expect(circle.told(to: name) == ["Alice created the group \"Ship\"", "You were added to this group"])
        }
        let creation = try #require(circle.group.systemMessages.first)
        #expect(creation.targets == [circle.user("Bob"), circle.user("Carol")])
        #expect(creation.value == "Ship")
    }

    @Test func `people added in one go are one message, and each reads of themselves`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", called: "Ship", outsiders: ["Dave", "Erin", "Frank"])
        try circle.add("Dave", "Erin", by: "Alice")
        #expect(circle.told(to: "Bob").last == "Alice added 2 participants")
        for name in ["Dave", "Erin"] { #expect(circle.told(to: name) == ["You were added to this group"]) }
        try circle.add("Frank", by: "Alice")
        #expect(circle.told(to: "Bob").suffix(2) == ["Alice added 2 participants", "Alice added Frank"])
        #expect(circle.told(to: "Dave") == ["You were added to this group", "Alice added Frank"])
    }

    @Test func `nobody reads what happened before they came, or while they were out`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", called: "Ship", outsiders: ["Erin"])
        try circle.remove("Carol", by: "Alice")
        try circle.set(to: "Boat", by: "Alice")
        try circle.add("Erin", by: "Alice")
        try circle.set(to: "Raft", by: "Alice")
        #expect(
            circle.told(to: "Erin") == ["You were added to this group", "Alice changed the group name to \"Raft\""])
        try circle.add("Carol", by: "Alice")
        #expect(
            circle.told(to: "Carol") == [
                "Alice created the group \"Ship\"", "You were added to this group", "You were removed from Raft",
                "You were added to this group",
            ])
    }

    // MARK: - Succession

    @Test func `who took over is told, also when they have acted and others have gone`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave", "Erin", called: "Ship")
        try circle.write(by: "Alice", .leave(pins: []))
        let acting = try #require(circle.group.actingAdmin)
        let name = try #require(circle.people.first { $0.value.user == acting }?.key)
        let others = ["Bob", "Carol", "Dave", "Erin"].filter { $0 != name }
        let told = ["Alice left the group", "\(name) is now the group admin"]
        #expect(circle.told(to: others[0]).suffix(2) == told)
        let message = try #require(circle.group.systemMessages.last)
        try circle.write(by: others[1], .leave(pins: []))
        #expect(circle.group.systemMessages.contains(message), "who else leaves changes nothing")
        #expect(circle.group.ratification(owedBy: acting) { _ in [] } == nil, "it would make them admin for good")
        let before = circle.group.systemMessages
        try circle.decide(name) { .ratify(under: $0, keep: [], bans: []) }
        #expect(circle.group.actingAdmin == nil, "they are admin now")
        #expect(circle.group.systemMessages == before)
        #expect(circle.told(to: others[0]).filter { $0.hasSuffix("is now the group admin") } == [told[1]])
    }

    // MARK: - Registers

    @Test func `of two names given at the same time the one that does not stay is marked, if it comes last`() throws {
        var (alice, bob) = try Self.sides()
        try alice.set(to: "Schooner", by: "Alice")
        bob.wait(minutes: 1)
        try bob.set(to: "Boat", by: "Bob")
        for circle in try Self.together(alice, bob) {
            #expect(circle.group.name == "Schooner", "the founder ranks above Bob")
            #expect(
                circle.told(to: "Carol").suffix(2) == [
                    "Alice changed the group name to \"Schooner\"",
                    "Bob changed the group name to \"Boat\" (overruled)",
                ])
        }
    }

    @Test func `a name that counted until another one was written at the same time is not marked`() throws {
        var (alice, bob) = try Self.sides()
        try bob.set(to: "Boat", by: "Bob")
        alice.wait(minutes: 1)
        try alice.set(to: "Schooner", by: "Alice")
        for circle in try Self.together(alice, bob) {
            #expect(
                circle.told(to: "Carol").suffix(2) == [
                    "Bob changed the group name to \"Boat\"", "Alice changed the group name to \"Schooner\"",
                ])
        }
    }

    @Test func `what is written again is told once`() throws {
        var (alice, bob) = try Self.sides()
        try alice.set(to: "Boat", by: "Alice")
        try bob.set(to: "Boat", by: "Bob")
        try bob.set(to: "Boat", by: "Bob")
        for circle in try Self.together(alice, bob) {
            #expect(circle.told(to: "Carol").filter { $0.contains("Boat") }.count == 1)
        }
        #expect(alice.group.holds("Boat", in: Group.nameField))
        #expect(!alice.group.holds("Ship", in: Group.nameField))
    }

    @Test func `every setting is told in words`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", called: "Ship")
        let settings = ["announcement": "off", "members-add": "moderators", "statistics": "everyone"]
        #expect(Set(settings.keys) == Set(Group.settings.keys))
        for (field, value) in settings { #expect(circle.group.currentSetting(of: field) == value) }
        try circle.set("announcement", to: "off", by: "Alice")
        #expect(circle.told(to: "Bob").last == "You were added to this group", "nothing has changed")
        for (field, value) in [
            ("announcement", "on"), ("announcement", "off"), ("members-add", "everyone"), ("members-add", "moderators"),
        ] {
            try circle.set(field, to: value, by: "Alice")
            #expect(circle.group.currentSetting(of: field) == value)
        }
        #expect(
            circle.told(to: "Bob").suffix(4) == [
                "Alice lets only admins and moderators write", "Alice lets every member write",
                "Alice lets every member add people", "Alice lets only admins and moderators add people",
            ])
    }

    @Test func `no text carries what a name does to a terminal`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", called: "Sh\u{202E}ip")
        try circle.set("\u{1B}[2J", to: "x\ny", by: "Alice")
        try circle.remove("Carol", by: "Alice")
        for message in circle.group.systemMessages {
            let text = message.text(for: circle.user("Bob"), groupName: "S\u{7}") { _ in "Al\u{202E}i\nce\u{1B}" }
            #expect(text == SanitizedText.line(text) && !text.contains("\u{202E}") && !text.contains("\u{1B}"))
            #expect(!text.contains("\n"))
        }
        #expect(TypingIndicators.sentence(about: ["A\u{202E}l\u{1B}"]) == "Al is typing...")
    }
}

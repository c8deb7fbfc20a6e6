import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("A group")
struct GroupStories {
    @Test
    func `tells its story in the words of the reader`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let bob = circle.user("Bob")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        try circle.decide("Bob") { .set(under: $0, field: Group.nameField, value: "Ship") }
        try circle.decide("Bob") { .remove(under: $0, target: carol, pins: []) }
        try circle.write(by: "Alice", .leave(pins: []))
        #expect(
            circle.told(to: "Alice") == [
                "Alice created the group", "Alice added 2 participants", "Alice made Bob an admin",
                "Bob changed the group name to \"Ship\"", "Bob removed Carol", "Alice left the group",
            ])
        #expect(circle.told(to: "Bob").first == "You were added to this group")
        #expect(circle.told(to: "Carol").last == "You were removed from Ship")
        #expect(circle.group.members.map(\.user) == [bob])
        #expect(circle.group.isArchived)
    }

    @Test
    func `tells nothing of what was void`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        let before = circle.told(to: "Alice")
        try circle.write(by: "Bob", .remove(under: .acting, target: carol, pins: []))
        #expect(circle.told(to: "Alice") == before)
        #expect(circle.group.history.last?.voidReason?.rule == .notActingAdmin)
        #expect(circle.group.members.count == 3)
    }

    @Test
    func `names who takes over when no admin is left`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        try circle.write(by: "Alice", .leave(pins: []))
        #expect(circle.group.actingAdmin == circle.user("Bob") || circle.group.actingAdmin == circle.user("Carol"))
        #expect(circle.told(to: "Bob").last?.hasSuffix("is now the group admin") == true)
    }

    @Test
    func `says before it is written why an operation would be void`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let (alice, bob, carol) = (circle.user("Alice"), circle.user("Bob"), circle.user("Carol"))
        #expect(circle.group.permission(for: { .remove(under: $0, target: carol, pins: []) }, by: bob) == nil)
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        let upwards = circle.group.permission(for: { .remove(under: $0, target: alice, pins: []) }, by: bob)
        guard case .refused(let voidReason)? = upwards else {
            Issue.record("Bob may not remove Alice, but: \(String(describing: upwards))")
            return
        }
        #expect(voidReason.rule == .outranked)
        guard case .granted? = circle.group.permission(for: { .remove(under: $0, target: carol, pins: []) }, by: bob)
        else {
            Issue.record("Bob may remove Carol")
            return
        }
        #expect(circle.group.members.count == 3, "asking changes nothing")
    }

    @Test
    func `lets a demoted admin act under what is left, and removed people under nothing`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        let (bob, dave) = (circle.user("Bob"), circle.user("Dave"))
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        try circle.decide("Alice") { .demote(under: $0, target: bob, role: .moderator) }
        // Under their old grant a removal would be void: they need the whole of it. The demotion gave them a grant of
        // its own.
        #expect(try circle.decide("Bob") { .remove(under: $0, target: dave, pins: []) } != nil)
        #expect(circle.group.history.last?.voidReason == nil)
        #expect(!circle.group.isMember(dave))
        try circle.decide("Alice") { .remove(under: $0, target: bob, pins: []) }
        #expect(circle.group.permission(for: { .set(under: $0, field: "name", value: "x") }, by: bob) == nil)
        #expect(circle.group.audience[bob] == .former)
    }

    @Test
    func `owes a ratification by the next admin when an admin has left, once`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        let (alice, bob, carol, dave) = (
            circle.user("Alice"), circle.user("Bob"), circle.user("Carol"), circle.user("Dave")
        )
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        try circle.decide("Alice") { .remove(under: $0, target: dave, pins: []) }
        #expect(circle.group.ratification(owedBy: bob) { _ in [] } == nil, "nobody has left")
        try circle.write(by: "Alice", .leave(pins: []))
        #expect(circle.group.ratification(owedBy: carol) { _ in [] } == nil, "Carol is not the next")
        let owed = try #require(circle.group.ratification(owedBy: bob) { _ in [] })
        let bodies = owed(.acting)
        #expect(
            bodies == [
                .ratify(
                    under: .acting, keep: [MembershipBody.Keep(user: carol, role: .member)],
                    bans: [alice, dave].sorted().map { MembershipBody.Ban(user: $0, pins: []) })
            ])
        try circle.decide("Bob") { owed($0)[0] }
        #expect(circle.group.history.last?.voidReason == nil)
        #expect(circle.group.ratification(owedBy: bob) { _ in [] } == nil, "it is done")
    }

    @Test
    func `owes a ratification, once, when somebody has left who brought others in`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave", "Erin")
        let (alice, bob, dave, erin) = (
            circle.user("Alice"), circle.user("Bob"), circle.user("Dave"), circle.user("Erin")
        )
        try circle.write(by: "Erin", .leave(pins: []))
        #expect(circle.group.ratification(owedBy: alice) { _ in [] } == nil, "Erin brought nobody")
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .moderator) }
        try circle.add("Erin", by: "Bob")
        try circle.write(by: "Bob", .leave(pins: []))
        let owed = try #require(circle.group.ratification(owedBy: alice) { _ in [] })
        let before = circle
        try circle.decide("Alice") { owed($0)[0] }
        #expect(circle.group.isMember(erin) && circle.group.isMember(dave))
        // What they do now on old heads counts no more.
        var old = before
        try old.remove("Carol", by: "Bob")
        try circle.meet(old)
        #expect(circle.group.isMember(circle.user("Carol")))
        try circle.write(by: "Bob", .leave(pins: []))
        #expect(circle.group.ratification(owedBy: alice) { _ in [] } == nil, "they can leave as often as they like")
    }

    @Test
    func `puts what is told in an order that a wrong clock cannot break`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let bob = circle.user("Bob")
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        let times = circle.group.history.map(\.hybridTime)
        #expect(times == times.sorted() && Set(times).count == times.count)
    }
}

@Suite("The codes of a group")
struct GroupCodeTests {
    @Test
    func `become used or taken back, each for itself`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let key = circle.person("Carol").root
        let code = { (authority: MembershipBody.Authority) in
            MembershipBody.invite(under: authority, .holder(of: key.verifyingKey, until: Timestamp(clamping: .max)))
        }
        let open = try #require(try circle.decide("Alice", code))
        let canceled = try #require(try circle.decide("Alice", code))
        try circle.decide("Alice") { .cancel(under: $0, invite: canceled) }
        let void = try #require(try circle.write(by: "Bob", code(.acting)))
        #expect(circle.group.codes.map(\.id) == [open, canceled, void])
        #expect(circle.group.codes.map(\.state) == [.open, .canceled, .void])
        #expect(circle.group.codes.map(\.isTakenBack) == [false, true, false])
        #expect(circle.group.openCodes.map(\.id) == [open])
        #expect(circle.group.codes(of: circle.user("Bob")).map(\.id) == [void])
        #expect(circle.group.code(canceled)?.state == .canceled)
        let keys = [open, canceled, void].map { circle.group.key(ofCode: $0) }
        #expect(keys == [key.verifyingKey, key.verifyingKey, nil], "no proof of a void one is looked at")
    }

    /// Anybody who ever was a member can write as many as they like.
    @Test
    func `cost little where they are void`() throws {
        var circle = try Circle("Alice", "Bob")
        let key = circle.person("Bob").root.verifyingKey
        let void = MembershipBody.invite(under: .acting, .holder(of: key, until: Timestamp(clamping: .max)))
        try circle.write(by: "Bob", all: Array(repeating: void, count: 1_500))
        var count = 0
        let time = ContinuousClock().measure {
            count = circle.group.codes.count(where: { $0.state == .void })
        }
        #expect(count == 1_500)
        #expect(time < .seconds(1))
    }
}

@Suite("A title")
struct TitleTests {
    @Test
    func `is the name, else the people`() {
        #expect(Title.of(name: "Ship", others: ["Bob"]) == "Ship")
        #expect(Title.of(name: nil, others: ["Alice", "Bob", "Charlie"]) == "Alice, Bob, Charlie")
        #expect(Title.of(name: nil, others: ["Alice", "Bob", "Charlie", "Dora"]) == "Alice, Bob, +2 more")
    }
}

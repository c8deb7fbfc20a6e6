import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// What finding views and members at heads costs, counted in operations judged.
@Suite("Judging pasts")
struct PastTests {
    /// A circle whose people write apart from each other, each on a branch, and the head of each branch after each
    /// round.
    private func branches(_ names: [String], rounds: Int) throws -> (Circle, heads: [[OperationID]]) {
        var apart: [Circle] = []
        for _ in names {
            apart.append(try Circle("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"))
        }
        var heads: [[OperationID]] = []
        for round in 0..<rounds {
            for (place, name) in names.enumerated() {
                let id =
                    place == 0 && round % 7 == 3
                    ? try apart[place].decide(name) { .set(under: $0, field: "name", value: "\(round)") }
                    : try apart[place].renew(name)
                heads.append([try #require(id)])
            }
        }
        var together = apart[0]
        for other in apart.dropFirst() { try together.meet(other) }
        return (together, heads)
    }

    @Test func `at the heads of two branches in turn costs each operation once`() throws {
        let (circle, heads) = try branches(["Alice", "Bob"], rounds: 200)
        var group = circle.group
        let judged = group.judgedForPasts
        for heads in heads {
            let view = group.view(at: heads, in: circle.log.membership)
            #expect(view != nil)
        }
        #expect(group.judgedForPasts - judged <= 2 * circle.log.membership.operations.count)
    }

    @Test func `at the heads of ten branches in turn costs each operation once, too`() throws {
        let names = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"]
        let (circle, heads) = try branches(names, rounds: 20)
        var group = circle.group
        let judged = group.judgedForPasts
        for heads in heads {
            let view = group.view(at: heads, in: circle.log.membership)
            #expect(view != nil)
        }
        #expect(group.judgedForPasts - judged <= 2 * circle.log.membership.operations.count)
    }

    @Test func `at ever earlier heads costs a stretch of the branch each time, and not the branch`() throws {
        var circle = try Circle("Alice", "Bob")
        var heads: [[OperationID]] = []
        for _ in 0..<1_000 { heads.append([try #require(try circle.renew("Bob"))]) }
        var group = circle.group
        let judged = group.judgedForPasts
        for heads in heads.reversed() {
            let view = group.view(at: heads, in: circle.log.membership)
            #expect(view != nil)
        }
        #expect(group.judgedForPasts - judged <= heads.count * 128, "half of the lane each time were 500")
    }

    @Test func `at a thousand heads of a crowd that stays as it is costs nothing the second time`() throws {
        var circle = try Circle(named: (0..<100).map { "P\($0)" })
        var heads: [[OperationID]] = []
        for _ in 0..<1_000 { heads.append([try #require(try circle.renew("P1"))]) }
        var group = circle.group
        for heads in heads { _ = group.view(at: heads, in: circle.log.membership) }
        let judged = group.judgedForPasts
        for heads in heads {
            let view = group.view(at: heads, in: circle.log.membership)
            #expect(view != nil)
        }
        #expect(group.judgedForPasts == judged)
    }

    @Test func `costs nothing at heads from which nothing follows`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        let root = circle.log.membership.heads
        let founding = MembershipBody.Authority.grant(operation: try #require(circle.lane.first).id, slot: 0)
        var heads = [root]
        // Two of Bob's devices would write such a ladder without a fork; so do two people.
        for round in 0..<300 {
            let before = heads.suffix(2).joined().sorted()
            for name in ["Bob", "Carol"] {
                let body: MembershipBody =
                    switch round % 3 {
                    case 0: .merge
                    case 1: .set(under: founding, field: "name", value: "\(round)")
                    default: .promote(under: founding, target: carol, role: .admin)
                    }
                heads.append([try #require(try circle.write(by: name, body, after: before))])
            }
        }
        var group = circle.group
        let first = group.view(at: root, in: circle.log.membership)
        let expected = try #require(first)
        let judged = group.judgedForPasts
        for heads in heads {
            let view = group.view(at: heads, in: circle.log.membership)
            #expect(view?.readers == expected.readers)
            let isMember = group.isMember(carol, at: heads, in: circle.log.membership)
            #expect(isMember)
        }
        #expect(group.judgedForPasts == judged)
    }

    @Test func `of nothing is the past of a conversation that has not begun`() throws {
        var random = SplitMix64(seed: 1)
        let (alice, bob) = (Person(using: &random), Person(using: &random))
        let root = ConversationRoot.direct(min(alice.user, bob.user), max(alice.user, bob.user))
        let conversation = ConversationID(directBetween: alice.user, and: bob.user)
        var group = Group(conversation: conversation, root: root)
        let view = group.view(at: [], in: MembershipGraph())
        #expect(view?.readers == [])
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `in any order finds what an empty start finds`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (circle, heads) = try branches(["Alice", "Bob", "Carol"], rounds: 6)
        let dave = circle.user("Dave")
        try circle.decide("Alice") { .remove(under: $0, target: dave, pins: []) }
        heads.append(circle.log.membership.heads)
        for _ in 0..<10 {
            heads.append(Array(Set(heads.shuffled(using: &random).prefix(2).joined())).sorted())
        }
        var group = circle.group
        for heads in heads.shuffled(using: &random) {
            var fresh = Group(conversation: circle.log.conversation, root: .group)
            fresh.insert(circle.lane)
            let lane = circle.log.membership
            let (found, expected) = (group.view(at: heads, in: lane), fresh.view(at: heads, in: lane))
            #expect(found == expected, "seed \(seed)")
            let (isMember, wasExpected) = (
                group.isMember(dave, at: heads, in: lane), fresh.isMember(dave, at: heads, in: lane)
            )
            #expect(isMember == wasExpected, "seed \(seed)")
        }
    }
}

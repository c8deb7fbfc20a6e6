import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// What a group tells depends on which operations there are, and on nothing else.
@Suite("The order of arrival")
struct TimelineOrderTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `changes nothing of what a group tells, and to whom`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var whole = try Circle("Alice", "Bob", "Carol", "Dave", "Erin", called: "Ship", seed: seed)
        for admin in ["Bob", "Carol", "Dave"] {
            let user = whole.user(admin)
            try whole.decide("Alice") { .promote(under: $0, target: user, role: .admin) }
        }
        var sides = Array(repeating: whole, count: 3)
        for _ in 0..<30 {
            let side = Int.random(in: 0..<3, using: &random)
            sides[side].wait(minutes: Int64.random(in: 0..<3, using: &random))
            try GroupGrowthTests.live(on: &sides[side], by: GroupGrowthTests.sides[side], using: &random)
        }
        for side in [1, 2] { try sides[0].meet(sides[side]) }
        let circle = sides[0]
        for _ in 0..<4 {
            let group = Self.group(of: circle.lane.inArrivalOrder(using: &random), in: circle, using: &random)
            #expect(group.systemMessages == circle.group.systemMessages, "seed \(seed)")
            for person in circle.people.values {
                let (ours, theirs) = (
                    group.systemMessages(for: person.user), circle.group.systemMessages(for: person.user)
                )
                #expect(ours == theirs, "seed \(seed)")
            }
        }
        expectSense(in: circle, seed: seed)
    }

    /// Whoever is said to have gone last is not in the group. Who took over may be in it all the same: a removal that
    /// the departure had not seen does not matter then.
    private func expectSense(in circle: Circle, seed: UInt64) {
        let places = circle.group.systemMessages.map(\.position)
        #expect(places == places.sorted() && Set(places).count == places.count, "seed \(seed)")
        for person in circle.people.values {
            let departures = circle.group.systemMessages.filter { message in
                message.action == .removed(person.user) || message.action == .left && message.actor == person.user
            }
            let hasTakenOver = circle.group.systemMessages.contains { $0.action == .actingAdmin(person.user) }
            guard let last = departures.last, !hasTakenOver else { continue }
            let isBack = circle.group.systemMessages.contains { message in
                last.position < message.position && message.targets.contains(person.user)
            }
            #expect(isBack || !circle.group.isMember(person.user), "seed \(seed)")
        }
    }

    /// A group that takes in operations a few at a time.
    private static func group(of lane: [Operation], in circle: Circle, using random: inout SplitMix64) -> Group {
        var group = Group(conversation: circle.log.conversation, root: .group)
        var rest = lane[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...4, using: &random)
            group.insert(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return group
    }
}

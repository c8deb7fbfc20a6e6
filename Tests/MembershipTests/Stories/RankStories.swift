import Membership
import Testing

@Suite("Who outranks whom")
struct RankStories {
    @Test func `a higher role weighs more, however late it came`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        let removal = room.remove("Bob", by: "Carol")
        #expect(room.counts(removal))
    }

    @Test func `of one role the smaller depth weighs more`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let carol = room.promote("Carol", to: .admin, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let upwards = room.remove("Carol", by: "Bob")
        let downwards = room.demote("Bob", to: .member, by: "Carol")
        #expect(room.reason(against: upwards) == .outranked(by: carol))
        #expect(room.counts(downwards))
    }

    @Test func `depth counts the longest way, not how many operations there are`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        let detour = room.merge(by: "Alice", after: [base])
        let bob = room.promote("Bob", to: .admin, by: "Alice", after: [detour])
        let carol = room.promote("Carol", to: .admin, by: "Alice", after: [base])
        room.merge(by: "Alice")
        let upwards = room.remove("Carol", by: "Bob", under: bob.grant())
        let downwards = room.remove("Bob", by: "Carol", under: carol.grant())
        #expect(room.reason(against: upwards) == .outranked(by: carol))
        #expect(room.counts(downwards))
    }

    @Test func `of one operation the smaller slot weighs more`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.ratify(keep: [Kept("Carol", .moderator), Kept("Bob", .moderator)], by: "Alice")
        let carols = room.invite("Dave", by: "Carol")
        let bobs = room.invite("Erin", by: "Bob")
        let upwards = room.cancel(carols, by: "Bob")
        let downwards = room.cancel(bobs, by: "Carol")
        #expect(room.reason(against: upwards) == .outranked(by: carols))
        #expect(room.counts(downwards))
    }

    @Test func `at equal depth and slot the tie-breaker decides`() {
        var room = Room()
        let base = room.add("Carol", "Bob", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice", after: [base])
        let bob = room.promote("Bob", to: .admin, by: "Alice", after: [base])
        let head = room.merge(by: "Alice")
        let upwards = room.remove("Bob", by: "Carol", after: [head])
        let downwards = room.remove("Carol", by: "Bob", after: [head])
        #expect(room.reason(against: upwards) == .outranked(by: bob))
        #expect(room.counts(downwards))
    }

    @Test func `the grant of an acting admin weighs more than a promotion of the same depth`() {
        var room = Room()
        let base = room.add("Zoe", "Bob", by: "Alice")
        let phone = room.leave("Alice", after: [base])
        let rightful = room.add("Dave", by: "Zoe", under: .acting, after: [phone])
        let detour = room.merge(by: "Alice", after: [base])
        room.promote("Bob", to: .admin, by: "Alice", after: [detour])
        let head = room.merge(by: "Zoe")
        let upwards = room.remove("Zoe", by: "Bob", after: [head])
        let downwards = room.remove("Bob", by: "Zoe", after: [head])
        #expect(room.reason(against: upwards) == .outranked(by: rightful))
        #expect(room.counts(downwards))
    }

    @Test func `whoever grants outranks what they grant`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let bob = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Bob")
        let ungrateful = room.remove("Bob", by: "Carol")
        let regretful = room.remove("Carol", by: "Bob")
        #expect(room.reason(against: ungrateful) == .outranked(by: bob))
        #expect(room.counts(regretful))
    }

    @Test func `a second promotion does not take the rank of the first away`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let first = room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let byFirst = room.remove("Carol", by: "Bob", under: first.grant())
        #expect(room.counts(byFirst))
    }

    @Test func `who acts under their weaker grant weighs no more than that`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let carol = room.promote("Carol", to: .admin, by: "Alice")
        let second = room.promote("Bob", to: .admin, by: "Alice")
        let bySecond = room.remove("Carol", by: "Bob", under: second.grant())
        #expect(room.reason(against: bySecond) == .outranked(by: carol))
    }
}

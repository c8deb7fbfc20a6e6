import Membership
import Testing

@Suite("What is a departure")
struct DepartureStories {
    @Test func `a founder or admin departs by leaving and by stepping down`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let stepdown = room.stepDown("Bob")
        let leave = room.leave("Alice")
        #expect(room.resolver.officeDepartures.sorted() == [stepdown, leave].sorted())
    }

    @Test func `whoever takes the office from an admin makes them depart`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        for person in ["Bob", "Carol", "Dave"] { room.promote(person, to: .admin, by: "Alice") }
        let removal = room.remove("Bob", by: "Alice")
        let demotion = room.demote("Carol", to: .moderator, by: "Alice")
        let ban = room.ratify(ban: ["Dave"], by: "Alice")
        #expect(room.resolver.officeDepartures.sorted() == [removal, demotion, ban].sorted())
    }

    @Test func `members and moderators do not depart`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.leave("Bob")
        room.demote("Carol", to: .member, by: "Alice")
        room.remove("Dave", by: "Alice")
        #expect(room.resolver.officeDepartures == [])
    }

    @Test func `a void removal makes nobody depart`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let base = room.promote("Carol", to: .admin, by: "Alice")
        room.remove("Carol", by: "Bob", after: [base])
        let removal = room.remove("Bob", by: "Alice", after: [base])
        #expect(room.resolver.officeDepartures == [removal])
    }

    @Test func `who was removed does not depart by leaving as well`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        room.leave("Bob", after: [base])
        let removal = room.remove("Bob", by: "Alice", after: [base])
        room.leave("Bob", after: [removal])
        #expect(room.resolver.officeDepartures == [removal])
    }

    @Test func `nobody departs twice`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        let stepdown = room.stepDown("Bob")
        room.stepDown("Bob")
        room.leave("Bob")
        #expect(room.resolver.officeDepartures == [stepdown])
    }

    @Test func `the acting admin departs only if they have acted`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let founders = room.leave("Alice")
        room.leave("Bob")
        #expect(room.resolver.officeDepartures == [founders])
        room.add("Dave", by: "Carol", under: .acting)
        let carols = room.leave("Carol")
        #expect(room.resolver.officeDepartures.sorted() == [founders, carols].sorted())
    }

    @Test func `a demotion that leaves an acting admin less makes them depart`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.leave("Alice")
        room.promote("Carol", to: .admin, by: "Bob", under: .acting)
        let demotion = room.demote("Carol", to: .member, by: "Bob")
        #expect(room.resolver.officeDepartures.sorted() == [base, demotion].sorted())
    }
}

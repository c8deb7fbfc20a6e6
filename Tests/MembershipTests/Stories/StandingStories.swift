import Membership
import Testing

@Suite("Role and seniority")
struct StandingStories {
    @Test func `the role is the highest role of what is left`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        #expect(room.roles["Bob"] == .moderator)
        room.promote("Bob", to: .admin, by: "Alice")
        #expect(room.roles["Bob"] == .admin)
        room.demote("Bob", to: .moderator, by: "Alice")
        #expect(room.roles["Bob"] == .moderator)
    }

    @Test(arguments: [[Role.moderator, .member], [.member, .moderator]])
    func `the lowest floor that reaches a grant counts, whichever came first`(floors: [Role]) {
        var room = Room()
        room.add("Bob", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        for floor in floors { room.demote("Bob", to: floor, by: "Alice", after: [base]) }
        // Each demotion grants what it leaves, and the other one takes from that as well.
        #expect(room.roles["Bob"] == .member)
    }

    @Test func `a higher role comes first, then the older member, whoever got the role first`() {
        var room = Room()
        room.add("Dave", "Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        #expect(room.members == ["Alice", "Bob", "Carol", "Dave"])
    }

    @Test func `at equal depth and slot the tie-breaker decides who is senior`() {
        var room = Room()
        room.add("Carol", by: "Alice", after: [room.creation])
        room.add("Bob", by: "Alice", after: [room.creation])
        #expect(room.members == ["Alice", "Bob", "Carol"])
    }

    @Test func `a promotion makes nobody more senior, and a demotion nobody less`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        room.demote("Carol", to: .member, by: "Alice")
        #expect(room.members == ["Alice", "Bob", "Carol"])
        room.add("Dave", by: "Alice")
        #expect(room.members == ["Alice", "Bob", "Carol", "Dave"])
    }

    @Test func `a demoted grant keeps its age`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice", after: [base])
        room.remove("Bob", by: "Carol", after: [base])
        room.add("Dave", by: "Alice")
        room.demote("Bob", to: .member, by: "Alice")
        #expect(room.members == ["Alice", "Carol", "Bob", "Dave"])
    }

    @Test func `who has no membership but an office is as senior as the office`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let base = room.promote("Carol", to: .moderator, by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice", after: [base])
        room.remove("Bob", by: "Carol", after: [base])
        #expect(room.members == ["Alice", "Carol", "Bob"])
    }

    @Test func `who was removed and added again is a newcomer`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.remove("Bob", by: "Alice")
        room.add("Bob", by: "Alice")
        #expect(room.members == ["Alice", "Carol", "Bob"])
    }

    @Test func `a founder who stepped down is the oldest member`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        room.stepDown("Alice")
        #expect(room.members == ["Carol", "Alice", "Bob"])
    }

    @Test func `the list says who added whom`() {
        var room = Room()
        let addition = room.add("Bob", by: "Alice")
        let invite = room.invite("Carol", by: "Alice")
        let join = room.join("Carol", invite)
        room.promote("Bob", to: .admin, by: "Alice")
        #expect(room.state.members.map(\.madeBy) == [room.creation, addition, join])
        #expect(room.state.members.map(\.addedBy) == [nil, "Alice", nil])
    }
}

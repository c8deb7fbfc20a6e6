import Testing

@testable import Membership

@Suite("What somebody may decide")
struct RightStories {
    @Test func `follows from the role`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .moderator, by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice")
        #expect(room.resolver.rights(of: "Alice") == Set(Right.allCases))
        #expect(room.resolver.rights(of: "Carol") == Set(Right.allCases))
        #expect(room.resolver.rights(of: "Bob") == [.add, .invite, .remove])
        #expect(room.resolver.rights(of: "Dave") == [])
        #expect(room.resolver.rights(of: "Mallory") == [])
    }

    @Test func `is what the acting admin has, too`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        room.leave("Alice")
        #expect(room.resolver.rights(of: "Bob") == Set(Right.allCases))
        #expect(room.resolver.rights(of: "Carol") == [])
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `is what does not come out void when it is tried`(seed: UInt64) {
        let graph = FuzzedGraph(seed: seed)
        let resolver = Trial.resolver(after: graph.operations, capacity: graph.capacity)
        let people = "ABCDEFGH".map(String.init)
        let state = resolver.state
        for person in people {
            let rights = resolver.rights(of: person)
            // Of a plain member that need not be computed.
            if state.role(of: person) == .member, state.actingAdmin != person,
                state.registers[RegisterName(AddSetting.field)] != AddSetting.everyone
            {
                #expect(rights.isEmpty, "\(person), seed \(seed)")
            }
            for right in Right.allCases {
                let isTried = people.contains { tried(right, about: $0, by: person, in: resolver) }
                switch right {
                case .add, .invite, .set:
                    #expect(rights.contains(right) == isTried, "\(right) by \(person), seed \(seed)")
                case .remove, .promote:
                    // Whoever may may have nobody below them.
                    #expect(rights.contains(right) || !isTried, "\(right) by \(person), seed \(seed)")
                }
            }
        }
    }

    /// The plain computation: to try an operation of the kind under every authority.
    private func tried(
        _ right: Right, about target: String, by person: String, in resolver: MembershipResolver<String, String, String>
    ) -> Bool {
        resolver.authorities(of: person).contains { authority in
            let action: Action<String, String, String> =
                switch right {
                case .add: .add(authority, ["newcomer"])
                case .invite: .invite(authority, "newcomer")
                case .remove: .remove(authority, target)
                case .promote: .promote(authority, target, .moderator)
                case .set: .set(authority, field: "name", value: "Ship")
                }
            return resolver.voidReason(of: action, by: person, as: "tried") == nil
        }
    }
}

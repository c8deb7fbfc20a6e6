import LocalAPIModel
import Testing

@testable import moot

@Suite("The questions before somebody leaves or is removed")
struct DepartureTests {
    private static let isSure = "Are you sure you want to leave this group? You will need to be re-added to rejoin."

    /// A group of Alice, who is asked, and others, with these roles.
    private func group(
        _ roles: [(name: String, role: MemberDescription.Role)], kind: ConversationDescription.Kind = .group,
        isMember: Bool = true
    ) -> ConversationDescription {
        let members = roles.map { name, role in
            MemberDescription(
                user: "id of \(name)", name: name, role: role, presence: .online, verified: false, blocked: false,
                canRead: true)
        }
        return ConversationDescription(
            id: "g", kind: kind, title: "Ship", members: members, memberCount: members.count, invited: [],
            me: .init(role: members.first?.role, isMember: isMember, awaitsAnswer: false, invitedBy: []),
            archived: false, pinned: false, mutedUntil: nil, mentionsOnly: false, tags: [], receipts: true, unread: 0,
            sync: .synced)
    }

    private func questions(
        _ roles: [(name: String, role: MemberDescription.Role)], _ departure: Departure = Departure()
    ) -> [Departure.Question] {
        departure.questions(leaving: group(roles), as: "id of Alice")
    }

    private func candidate(_ name: String) -> Departure.Candidate { .init(user: "id of \(name)", name: name) }

    @Test func `a member, and one of several admins, are asked once`() {
        #expect(questions([("Bob", .founder), ("Alice", .member), ("Carol", .member)]) == [.leave])
        #expect(questions([("Alice", .founder), ("Bob", .admin), ("Carol", .member)]) == [.leave])
        #expect(Departure.Question.leave.text == Self.isSure)
    }

    @Test func `the last admin is also asked for a successor, unless they have named one`() {
        let roles: [(name: String, role: MemberDescription.Role)] = [
            ("Alice", .founder), ("Bob", .moderator), ("Carol", .member),
        ]
        #expect(questions(roles) == [.leave, .successor([candidate("Bob"), candidate("Carol")])])
        #expect(questions(roles, Departure(successor: "Bob")) == [.leave])
        #expect(questions(roles, Departure(force: true)) == [.leave])
    }

    @Test func `one of two is asked once for everything, whoever is admin`() {
        for roles in [("Alice", .founder), ("Alice", .member)] as [(String, MemberDescription.Role)] {
            #expect(questions([roles, ("Bob", .admin)]) == [.leaveAndArchive])
        }
        #expect(
            Departure.Question.leaveAndArchive.text
                == "\(Self.isSure) This will archive the group (only 1 member remaining).")
        var departure = Departure()
        departure.agree(to: .leaveAndArchive)
        #expect(departure == Departure(force: true, archive: true))
        departure = Departure(successor: "Bob")
        departure.agree(to: .leaveAndArchive)
        #expect(departure == Departure(successor: "Bob", archive: true))
    }

    @Test func `who may not leave is asked nothing`() {
        let two: [(name: String, role: MemberDescription.Role)] = [("Alice", .member), ("Bob", .member)]
        #expect(Departure().questions(leaving: group(two, kind: .direct), as: "id of Alice").isEmpty)
        #expect(Departure().questions(leaving: group(two, isMember: false), as: "id of Alice").isEmpty)
        #expect(questions([("Alice", .founder)]) == [.leave])
    }

    @Test(arguments: [
        ("", Departure(force: true)), ("\n", Departure(force: true)), ("1\n", Departure(force: true)),
        (" 2 \n", Departure(successor: "id of Bob")), ("3", Departure(successor: "id of Carol")), ("4", nil),
        ("0", nil), ("-1", nil), ("Bob", nil), ("99999999999999999999", nil),
    ])
    func `a number chooses the successor, and nothing the oldest member`(answer: String, expected: Departure?) {
        var departure = Departure()
        let isChoice = departure.choose(answer, among: [candidate("Bob"), candidate("Carol")])
        #expect(isChoice == (expected != nil))
        #expect(departure == expected ?? Departure())
    }

    @Test func `the list of successors is numbered, and takes no name for more than a name`() {
        let lines = Departure.Question.successor([.init(user: "id of Bob", name: "Bob\u{1B}[2J"), candidate("Carol")])
            .text
            .split(separator: "\n")
        #expect(
            lines == [
                "You are the last admin. Who is admin after you?", "  1  the oldest member", "  2  Bob[2J (id of Bob)",
                "  3  Carol (id of Carol)", "Number [1]: ",
            ])
    }

    @Test func `removing names whom, and says what becomes of a group of two`() {
        func question(_ name: String, _ group: ConversationDescription) -> RemovalQuestion? {
            let person = PersonDescription(
                user: "id of \(name)", name: name, nameLook: name, presence: .online, verified: false, blocked: false,
                devices: [], isMe: false)
            return RemovalQuestion(removing: person, from: group)
        }
        let three = group([("Alice", .founder), ("Bob", .member), ("Carol", .member)])
        #expect(question("Bob", three)?.text == "Are you sure you want to remove Bob from Ship?")
        let two = group([("Alice", .founder), ("Bob", .member)])
        #expect(
            question("Bob", two)?.text
                == "Are you sure you want to remove Bob from Ship? This will archive the group (only 1 member remaining)."
        )
        #expect(question("Carol", two) == nil)
        #expect(question("Bob", group([("Alice", .founder), ("Bob", .member)], isMember: false)) == nil)
    }
}

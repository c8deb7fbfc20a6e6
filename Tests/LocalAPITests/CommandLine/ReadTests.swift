import LocalAPIModel
import Testing

@testable import moot

@Suite("What reading means")
struct ReadTests {
    private static let writes = RightsDescription(write: true)

    @Test(
        arguments: [
            (.group, true, writes, true),
            // Invited, and added by somebody who is blocked: they are not asked, and have no rights.
            (.group, false, RightsDescription(), false), (.group, true, RightsDescription(), false),
            (.direct, true, writes, false),
        ] as [(ConversationDescription.Kind, Bool, RightsDescription, Bool)])
    func `who is a member and may act accepts a group by reading it, and nobody else`(
        kind: ConversationDescription.Kind, isMember: Bool, may: RightsDescription, accepts: Bool
    ) {
        let conversation = ConversationDescription(
            id: "g", kind: kind, title: "Ship", members: [], memberCount: 2, invited: [],
            me: .init(isMember: isMember, may: may, awaitsAnswer: false, invitedBy: []), archived: false, pinned: false,
            mutedUntil: nil, mentionsOnly: false, tags: [], receipts: true, unread: 0, sync: .behind)
        #expect(Read.accepts(conversation) == accepts)
    }
}

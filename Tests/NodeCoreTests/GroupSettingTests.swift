import Conversations
import Membership
import OperationLog
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's node changes what a group is called and set to.
@Suite("Changing a group")
struct GroupSettingTests {
    private var trio: Trio
    private let group: ConversationID

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        self.trio = trio
    }

    private var written: Int { trio.alice.replicas[group]?.log.membership.operations.count ?? 0 }

    @Test mutating func `writes nothing where everything has its value already`() throws {
        let before = written
        let settings = [Group.announcementField: "off", AddSetting.field: "moderators"]
        try trio.cores[0].set(
            name: " Ship ", description: "", photo: .remove, settings: settings, of: group, at: Trio.after(.seconds(1)))
        #expect(written == before)
        try trio.cores[0].set(
            name: "Ship", description: "All aboard", settings: settings, of: group, at: Trio.after(.seconds(2)))
        #expect(written == before + 1, "only the description is new")
    }

    @Test mutating func `is refused to who may not, whether anything would change or not`() throws {
        let refused = #expect(throws: NodeError.self) {
            try trio.cores[1].set(name: "Ship", description: nil, of: group, at: Trio.after(.seconds(1)))
        }
        #expect(refused?.code == .insufficientPermissions)
    }

    @Test func `founding one is told as one event`() throws {
        let replica = try #require(trio.alice.replicas[group])
        let told = replica.group.systemMessages(for: trio.alice.me)
        #expect(told.map(\.action) == [.created(name: "Ship", with: [trio.bob.me, trio.carol.me])])
    }
}

import Conversations
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Testing
import Time

@Suite("Room for bodies")
struct BodyQuotaStoreTests {
    /// What the bodies of each author take, counted from what is served.
    private func counted(_ stored: StoredRoom, lacking: Set<OperationID> = []) -> [UserID: Int] {
        var bytes: [UserID: Int] = [:]
        for operation in stored.content where operation.header.type.isClosed && !lacking.contains(operation.id) {
            bytes[operation.author.user, default: 0] += operation.header.bodyLength
        }
        return bytes.filter { $0.value > 0 }
    }

    @Test func `what bodies take is known, and goes with them`() throws {
        let stored = try StoredRoom(seed: 60, steps: 80)
        let (store, conversation) = (stored.store, stored.conversation)
        #expect(try store.bodyBytes(in: conversation) == counted(stored))
        let erased = stored.content.filter { $0.header.type == .message && $0.body != nil }.prefix(3).map(\.id)
        try store.erase(erased, in: conversation)
        try store.erase(erased, in: conversation)
        #expect(try store.bodyBytes(in: conversation) == counted(stored, lacking: Set(erased)))
        try store.close()
        let again = try stored.directory.open()
        #expect(try again.bodyBytes(in: conversation) == counted(stored, lacking: Set(erased)))
    }

    @Test func `what is declined takes no room until it is wanted, and keeps its order`() throws {
        var stored = try StoredRoom(seed: 61, steps: 60)
        let (store, conversation) = (stored.store, stored.conversation)
        let before = try store.bodyBytes(in: conversation)
        let author = stored.room.people[0].author
        let written = try stored.replica.log.write(
            content: (1...5).map { .init(type: .message, body: Array(repeating: 7, count: 64 * $0)) }, by: author,
            at: Timestamp(clamping: 1_800_000_000_000))
        var encryption = EncryptionCommit()
        encryption.declined = Set(written.map(\.operation.id))
        try store.commit(
            [LaneCommit(written.map(\.withoutBody), to: .content, of: stored.replica.log, encryption: encryption)],
            receivedAt: .earliest)
        #expect(try store.declined(in: conversation) == written.map(\.operation.withoutBody))
        #expect(try store.encryption(of: conversation).wanted.isEmpty)
        #expect(try store.bodyBytes(in: conversation) == before)

        try store.erase([written[0].operation.id], in: conversation)
        #expect(try store.declined(in: conversation) == written.dropFirst().map(\.operation.withoutBody))
        #expect(try store.bodyBytes(in: conversation) == before, "it was not counted")

        let wanted = Array(written[1...2].map(\.operation.withoutBody))
        try store.want(wanted, in: conversation)
        #expect(try store.declined(in: conversation) == written[3...].map(\.operation.withoutBody))
        #expect(try store.encryption(of: conversation).wanted == wanted.map(WantedBody.init))
        var after = before
        after[author.device.user, default: 0] += 64 * (2 + 3)
        #expect(try store.bodyBytes(in: conversation) == after)
        try store.fill(
            [(wanted[0].id, Array(repeating: 7, count: 128))], keys: [:], erasing: [], in: conversation)
        #expect(try store.operation(wanted[0].id) == written[1].operation)
        #expect(try store.bodyBytes(in: conversation) == after, "what was wanted is counted once")
    }
}

import Conversations
import Cryptography
import Foundation
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Testing
import Time

@Suite("Erasing bodies and keys")
struct ErasingTests {
    /// In the middle of what a room lived through.
    private static func middle(of stored: StoredRoom) throws -> Timestamp {
        let times = try stored.store.messages(in: stored.conversation, limit: 1_000).map(\.hybridTime)
        return Timestamp(clamping: times[times.count / 2])
    }

    @Test func `what is older than a moment loses its body and nothing else`() throws {
        let stored = try StoredRoom(seed: 30, steps: 120)
        let (store, conversation) = (stored.store, stored.conversation)
        let before = try store.messages(in: conversation, limit: 1_000)
        let middle = try Self.middle(of: stored)
        let old = before.filter { $0.hybridTime < middle.milliseconds }.map(\.operation.id)
        #expect(old.count > 10)

        let expired = try store.expire(before: middle, at: .latest, in: conversation, limit: 1_000)
        #expect(expired == old)
        #expect(try store.expire(before: middle, at: .latest, in: conversation, limit: 1_000) == [])
        let shown = try store.messages(in: conversation, limit: 1_000)
        #expect(shown == before.filter { !old.contains($0.operation.id) }, "what is left is as it was")
        for operation in stored.content where old.contains(operation.id) {
            #expect(try store.operation(operation.id) == operation.withoutBody, "the header still hashes to the name")
        }
        let served = try stored.serve(.content, beyond: [:]).flatMap(\.operations)
        #expect(served.map(\.id) == stored.content.map(\.id))
        #expect(Set(served.filter { $0.body == nil }.map(\.id)) == Set(old))
    }

    @Test func `a large conversation is erased part by part, the oldest first`() throws {
        let stored = try StoredRoom(seed: 31, steps: 80)
        let all = try stored.store.messages(in: stored.conversation, limit: 1_000).map(\.operation.id)
        var expired: [OperationID] = []
        while case let part = try stored.store.expire(
            before: .latest, at: .latest, in: stored.conversation, limit: 7), !part.isEmpty
        {
            #expect(part.count <= 7)
            expired += part
        }
        #expect(expired == all)
        #expect(try stored.store.messages(in: stored.conversation, limit: 1_000) == [])
        #expect(try stored.store.unreadCount(in: stored.conversation, for: stored.room.people[0].user) == 0)
    }

    @Test func `what claims to be from the future expires when it has been here for long enough`() throws {
        let stored = try StoredRoom(seed: 32, steps: 40)
        let all = try stored.store.messages(in: stored.conversation, limit: 1_000)
        let first = try #require(all.first)
        // All of it came in at the earliest time there is; seen from just before the first message, all is from the
        // future.
        let now = Timestamp(clamping: first.hybridTime - 1)
        let past = Timestamp(clamping: Timestamp.earliest.milliseconds + 1)
        let expired = try stored.store.expire(before: past, at: now, in: stored.conversation, limit: 1_000)
        #expect(expired == all.map(\.operation.id))
    }

    @Test func `what somebody deleted keeps its place`() throws {
        let stored = try StoredRoom(seed: 33, steps: 60)
        let (store, conversation) = (stored.store, stored.conversation)
        let before = try store.messages(in: conversation, limit: 1_000)
        let (deleted, kept) = (before[3].operation, before[4].operation)
        try store.erase([deleted.id, deleted.id], in: conversation)
        let after = try store.messages(in: conversation, limit: 1_000)
        #expect(after.map(\.position) == before.map(\.position))
        #expect(after[3].operation == deleted.withoutBody)
        #expect(after[4].operation == kept)
    }

    @Test func `nothing of an erased body or key is left in any file`() throws {
        let stored = try StoredRoom(seed: 34, steps: 60)
        let (store, conversation) = (stored.store, stored.conversation)
        let operation = try #require(stored.content.first { ($0.body?.count ?? 0) > 16 })
        let body = try #require(operation.body)
        let sealed = (0..<96).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        try store.fill([], keys: [operation.id: sealed], erasing: [], in: conversation)
        #expect(try stored.directory.contains(body))
        #expect(try stored.directory.contains(sealed))

        try store.erase([operation.id], in: conversation)
        try store.eraseEpochKeys([operation.id], in: conversation)
        #expect(try !stored.directory.contains(body))
        #expect(try !stored.directory.contains(sealed))
        let encryption = try store.encryption(of: conversation)
        #expect(encryption.keys.isEmpty)
        #expect(encryption.erased == [operation.id], "it is not to be taken from the log again")
    }

    @Test func `what its author takes back goes with the commit that says so`() throws {
        var stored = try StoredRoom(seed: 36, steps: 60)
        let (store, conversation) = (stored.store, stored.conversation)
        let here = try #require(stored.content.first { ($0.body?.count ?? 0) > 16 })
        let body = try #require(here.body)
        #expect(try stored.directory.contains(body))
        let written = try stored.replica.log.write(
            content: [.init(type: .message, body: Array(repeating: 7, count: 64)), .init(type: .delete, body: [1])],
            by: stored.room.people[0].author, at: Timestamp(clamping: 1_800_000_000_000))
        let lacking = try #require(written.first).withoutBody
        var encryption = EncryptionCommit()
        encryption.wanted = [lacking.operation.id]
        encryption.takenBack = [here.id, lacking.operation.id]
        try store.commit(
            [
                LaneCommit(
                    [lacking] + written.dropFirst(), to: .content, of: stored.replica.log, encryption: encryption)
            ], receivedAt: .earliest)

        #expect(try !stored.directory.contains(body))
        #expect(try store.operation(here.id) == here.withoutBody)
        #expect(try store.operation(lacking.operation.id) == lacking.operation)
        #expect(try store.encryption(of: conversation).wanted.isEmpty, "nobody is asked for what nobody will give")
    }

    @Test func `for how long conversations are kept is known after a restart`() throws {
        let stored = try StoredRoom(seed: 35, steps: 5)
        try stored.store.setRetention(.days(30), of: stored.conversation)
        try stored.store.close()
        let store = try stored.directory.open()
        #expect(try store.retentions() == [stored.conversation: .days(30)])
        try store.setRetention(nil, of: stored.conversation)
        #expect(try store.retentions() == [:])
    }

    @Test func `of a conversation that was erased goes what was kept besides, until it is kept again`() throws {
        var stored = try StoredRoom(seed: 37, steps: 40)
        let (store, conversation) = (stored.store, stored.conversation)
        let author = stored.room.people[0].author
        let now = Timestamp(clamping: 1_800_000_000_000)
        let request = ClientRequest(name: .hash("test", [1]), sealed: [7, 7])
        let written = try stored.replica.log.write(
            content: [.init(type: .message, body: [1])], by: author, at: now)
        try store.commit(
            [LaneCommit(written, to: .content, of: stored.replica.log)], receivedAt: now, answering: request)
        let record = ReceiptRecord(by: author, in: conversation, version: 1, time: now, marks: [:])
        var receipts = Receipts(of: author.device.id)
        receipts.take(record, at: now, written: 1)
        try store.save(Array(receipts.kept.values), of: conversation)
        try store.save(preferences: [conversation: [1, 2, 3]])
        try store.markRead([author.device.id: 1], in: conversation)
        let epoch = try #require(stored.content.first).id
        try store.fill([], keys: [epoch: Array(repeating: 5, count: 48)], erasing: [], in: conversation)
        try store.eraseEpochKeys([epoch], in: conversation)

        try store.setRetention(.nothing, of: conversation)
        #expect(try store.retentions() == [conversation: .nothing])
        #expect(try store.receipts(of: conversation).isEmpty && store.readMarks(in: conversation).isEmpty)
        #expect(try store.preferences()[conversation] == nil)
        #expect(try store.request(request.name, at: now) == nil)
        #expect(try store.encryption(of: conversation).erased == [epoch])
        try store.setRetention(nil, of: conversation)
        #expect(try store.retentions().isEmpty)
        #expect(try store.encryption(of: conversation).erased.isEmpty, "it may be taken from the log again")
    }
}

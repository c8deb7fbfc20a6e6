import Conversations
import Cryptography
import Foundation
import Node
import OperationLog
import SQLiteStore

/// A group's history by ten authors in turn, written straight into a node's database as if it had received it live.
enum History {
    static let authors = 10
    /// Bytes of text in a message.
    static let textLength = 100

    /// Writes a group of both nodes' users and eight more, and their messages, into the writer's stopped home.
    static func write(_ count: Int, to writer: String, for reader: IdentityRecord) throws -> ConversationID {
        var random = SystemRandom()
        let (_, owner) = try BenchNode.keys(of: writer)
        let store = try ReplicaStore(at: writer + "/replica.sqlite", replicaEpoch: random.bytes(16))
        guard let ownRecord = try store.profile(of: owner.device.user)?.card.identity else {
            throw BenchError("the writer has no card")
        }
        var people = [owner]
        var records = [reader]
        while people.count < authors {
            let root = SigningKey.generate(using: &random)
            let person = Author(user: UserID(root.verifyingKey), key: .generate(using: &random))
            people.append(person)
            records.append(
                IdentityRecord(
                    root: root, serial: 1, devices: [IdentityRecord.Entry(device: person.device, name: "bench")]))
        }
        let start = Date().timeIntervalSince1970 * 1_000 - Double(count)
        let create = ConversationLog.creation(
            body: MembershipBody.create(nonce: random.bytes(16), founder: ownRecord).encoded, by: owner,
            at: Timestamp(clamping: Int64(start)))
        let id = ConversationID(createdBy: create.id)
        var log = ConversationLog(conversation: id, root: .group, introductions: MembershipBody.introductions(of:))
        var membership = [try log.begin(with: create)]
        let add = MembershipBody.add(under: .grant(operation: create.id, slot: 0), targets: records)
        membership += try log.write(
            membership: [.init(type: .add, body: add.encoded)], by: owner, at: Timestamp(clamping: Int64(start)))
        try store.commit(
            [LaneCommit(membership, to: .membership, of: log)], receivedAt: Timestamp(clamping: Int64(start)))
        var written: [AdmittedOperation] = []
        for number in 0..<count {
            let text = "message \(number) " + String(repeating: "x", count: textLength)
            guard let body = MessageBody(text: String(text.prefix(textLength))) else { throw BenchError("empty text") }
            written += try log.write(
                content: [.init(type: .message, body: body.encoded)], by: people[number % authors],
                at: Timestamp(clamping: Int64(start) + Int64(number)))
            if written.count == 4_000 || number == count - 1 {
                try store.commit(
                    [LaneCommit(written, to: .content, of: log)], receivedAt: Timestamp(clamping: Int64(start)))
                written = []
            }
        }
        try store.close()
        return id
    }
}

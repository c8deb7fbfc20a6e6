import Conversations
import Cryptography
import Foundation
import Node
import OperationLog
import SQLiteStore
import Storage
import Time

/// A group's history by ten authors in turn, written straight into a node's database as if it had received it live.
enum History {
    static let authors = 10
    /// Bytes of text in a message.
    static let textLength = 100

    /// Writes a group of the nodes' users and others, and their messages, into the writer's stopped home.
    ///
    /// - Parameters:
    ///   - reader: who takes part without writing anything, if somebody does.
    ///   - people: the others; new ones where left out.
    ///   - isClosed: whether the texts are encrypted; without it a run shows what encryption costs.
    ///   - pace: milliseconds from one message to the next; the last one is from now.
    static func write(
        _ count: Int, to writer: String, for reader: Credentials? = nil, among others: [Person]? = nil,
        isClosed: Bool = true, pace: Int64 = 1
    ) throws -> ConversationID {
        var random = SystemRandom()
        let (_, owner) = try BenchNode.keys(of: writer)
        let store = try ReplicaStore(at: writer + "/replica.sqlite", replicaEpoch: random.bytes(16))
        guard let own = try store.credentials().first(where: { $0.user == owner.device.user }) else {
            throw BenchError("the writer has no keys")
        }
        let others = others ?? people(authors - 1)
        let people = [owner] + others.map(\.author)
        let credentials = (reader.map { [$0] } ?? []) + others.map(\.credentials)
        let start = Date().timeIntervalSince1970 * 1_000 - Double(count) * Double(pace)
        let create = ConversationLog.creation(
            body: MembershipBody.create(nonce: random.bytes(16), founder: own).encoded, by: owner,
            at: Timestamp(clamping: Int64(start)))
        let id = ConversationID(createdBy: create.id)
        var log = ConversationLog(conversation: id, root: .group, introductions: MembershipBody.introductions(of:))
        var membership = [try log.begin(with: create)]
        let add = MembershipBody.add(under: .grant(operation: create.id, slot: 0), targets: credentials)
        membership += try log.write(
            membership: [.init(type: .add, body: add.encoded)], by: owner, at: Timestamp(clamping: Int64(start)))
        try store.commit(
            [LaneCommit(membership, to: .membership, of: log)], receivedAt: Timestamp(clamping: Int64(start)))
        var group = Group(conversation: id, root: .group)
        group.insert(membership.map(\.operation))
        guard let view = group.view(at: log.membership.heads, in: log.membership) else { throw BenchError("no view") }
        let key = EpochKey.generate(using: &random)
        let wraps = try view.readers.map { try SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        var written = try log.write(
            content: [
                .init(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
                    let commitment = key.commitment(of: header, view: view.id)
                    return EpochBody(view: view.id, commitment: commitment, wraps: wraps).encoded
                }
            ], by: owner, at: Timestamp(clamping: Int64(start)))
        let epoch = written[0].operation.id
        for number in 0..<count {
            let text = "message \(number) " + String(repeating: "x", count: textLength)
            guard let body = MessageBody(text: String(text.prefix(textLength)))?.encoded else {
                throw BenchError("empty text")
            }
            let nonce = random.bytes(ExtendedNonceCipher.nonceByteCount)
            let draft =
                isClosed
                ? ConversationLog.Draft(type: .message, epoch: epoch, bodyLength: EpochKey.bodyLength(of: body)) {
                    key.seal(body, for: $0, nonce: nonce)
                } : ConversationLog.Draft(type: .message, body: body)
            written += try log.write(
                content: [draft], by: people[number % authors],
                at: Timestamp(clamping: Int64(start) + Int64(number) * pace))
            if written.count == 4_000 || number == count - 1 {
                try store.commit(
                    [LaneCommit(written, to: .content, of: log)], receivedAt: Timestamp(clamping: Int64(start)))
                written = []
            }
        }
        try store.close()
        return id
    }

    /// Somebody who has no node.
    typealias Person = (author: Author, credentials: Credentials)

    /// People who have no node.
    static func people(_ count: Int) -> [Person] {
        var random = SystemRandom()
        return (0..<count).map { _ in person(using: &random) }
    }

    private static func person(using random: inout SystemRandom) -> Person {
        let root = SigningKey.generate(using: &random)
        let person = Author(user: UserID(root.verifyingKey), key: .generate(using: &random))
        let identity = IdentityRecord(
            root: root, serial: 1, devices: [IdentityRecord.Entry(device: person.device, name: "bench")])
        let wrapKey = AgreementKey.generate(using: &random).publicKey
        return (person, Credentials(identity: identity, wraps: [WrapRecord(by: person, counter: 1, key: wrapKey)]))
    }
}

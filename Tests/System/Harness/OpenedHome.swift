import Conversations
import Cryptography
import Foundation
import GRDB
import KeyStore
import OperationLog
import SQLiteStore
import Storage
import Testing

/// The home of a node that has ended, in the hands of somebody who reads every row and tries every key on everything.
///
/// It asks no rule who may read what: only what the bytes give away counts.
struct OpenedHome {
    /// A row of a message of the group.
    struct Message {
        /// Where the database says that the body is: 0 here, 1 closed, 2 wanted, 3 deleted, 4 expired.
        let availability: Int
        let header: OperationHeader
        let body: [UInt8]?
    }

    /// The messages of the group, by id.
    let messages: [OperationID: Message]
    /// The keys of epochs that were sealed for some device, of all conversations.
    private let wraps: [[UInt8]]
    /// The keys of epochs that the node kept.
    private let epochKeys: [EpochKey]
    /// The secrets to which others sealed such keys.
    private let wrapKeys: [AgreementKey]

    /// Opens a home with the key that lies in it.
    init(of node: TestNode) throws {
        let database = node.home + "/replica.sqlite"
        var random = SystemRandom()
        let home = try Home(folder: node.home, random: &random).sealing
        let rows = try Self.rows(in: database)
        let store = try ReplicaStore(at: database, replicaEpoch: [])

        var messages: [OperationID: Message] = [:]
        for (id, row) in rows {
            let operation = try #require(try store.operation(id))
            messages[id] = Message(availability: row.availability, header: operation.header, body: row.body)
        }
        var wraps: [[UInt8]] = []
        var epochKeys: [EpochKey] = []
        for conversation in store.conversations() {
            let encryption = try store.encryption(of: conversation.id)
            for operation in encryption.operations {
                guard let body = operation.body else { continue }
                switch operation.header.type {
                case .epoch: wraps += try EpochBody(decoding: body).wraps
                case .wrap: wraps.append(try WrapBody(decoding: body).wrap)
                default: break
                }
            }
            for (epoch, sealed) in encryption.keys {
                let row = conversation.id.digest.bytes + epoch.digest.bytes
                let secret = try home.open(sealed, in: StorageLocation(table: "epoch_keys", row: row, kind: "key"))
                epochKeys.append(try #require(EpochKey(secret)))
            }
        }
        wrapKeys = try store.wrapSecrets().map { stored in
            let row = withUnsafeBytes(of: stored.counter.bigEndian) { Array($0) }
            let secret = try home.open(stored.sealed, in: StorageLocation(table: "wrap_keys", row: row, kind: "secret"))
            return try #require(AgreementKey(secret: secret))
        }
        try store.close()
        self.messages = messages
        self.wraps = wraps
        self.epochKeys = epochKeys
    }

    /// What the database says of the messages of the group, without any code of the node between.
    private static func rows(in database: String) throws -> [OperationID: (availability: Int, body: [UInt8]?)] {
        let queue = try DatabaseQueue(path: database)
        defer { try? queue.close() }
        return try queue.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT operations.id, availability, body FROM operations
                    JOIN conversations ON conversations.n = conversation WHERE type = 32 AND low IS NULL
                    """)
            var found: [OperationID: (availability: Int, body: [UInt8]?)] = [:]
            for row in rows {
                let digest = try #require(Digest(bytes: Array(row["id"] as Data)))
                found[OperationID(digest: digest)] = (row["availability"], (row["body"] as Data?).map(Array.init))
            }
            return found
        }
    }

    /// Every secret of the home as it would look if it were written anywhere by mistake.
    var secrets: [Data] {
        let raw = epochKeys.map(\.secret) + wrapKeys.map(\.secretBytes)
        return raw.flatMap { secret in
            let bytes = secret.withUnsafeBytes { Data($0) }
            let hexadecimal = bytes.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return [bytes, Data(hexadecimal.joined().utf8), bytes.base64EncodedData()]
        }
    }

    /// The texts of this home's messages that open with everything some homes hold together, in no order.
    ///
    /// - Parameter homes: whose keys are tried: those they kept, and those their secrets open of the wraps that lie
    ///   here and there.
    func texts(openedWith homes: [OpenedHome]) -> Set<String> {
        var keys = homes.flatMap(\.epochKeys)
        for secret in homes.flatMap(\.wrapKeys) {
            for wrap in wraps + homes.flatMap(\.wraps) {
                if let key = (try? secret.open(wrap)).flatMap({ EpochKey($0) }) { keys.append(key) }
            }
        }
        return Set(messages.values.compactMap { Self.text(of: $0, openedWith: keys) })
    }

    /// The bodies of some texts as they lie here.
    func bodies(of texts: Set<String>) -> [Data] {
        messages.values.compactMap { message in
            guard let text = Self.text(of: message, openedWith: epochKeys), texts.contains(text) else { return nil }
            return message.body.map { Data($0) }
        }
    }

    private static func text(of message: Message, openedWith keys: [EpochKey]) -> String? {
        guard let body = message.body else { return nil }
        for key in keys {
            guard let plaintext = try? key.open(body, of: message.header) else { continue }
            return (try? MessageBody(decoding: plaintext))?.text
        }
        return nil
    }
}

extension TestNode {
    /// The files of the node in which some bytes stand.
    nonisolated func files(with bytes: Data) throws -> [String] {
        try files().filter { $0.value.range(of: bytes) != nil }.map(\.key).sorted()
    }
}

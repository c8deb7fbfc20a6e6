import Conversations
import Cryptography
import OperationLog
import Time

/// The secrets of this device to which others seal epochs' keys: the one in use, and those before it for a while.
struct WrapKeys: Sendable {
    /// How long a key is in use.
    static let lifetime: Int64 = 7 * 24 * 3_600 * 1_000
    /// How long a retired secret is kept for what was sealed to it and has not arrived, in milliseconds.
    static let retiredLifetime: Int64 = 90 * 24 * 3_600 * 1_000

    /// The counter of a device's first key.
    static let firstCounter: UInt64 = 1

    /// One of them.
    struct Entry: Sendable {
        let counter: UInt64
        let key: AgreementKey
        let madeAt: Timestamp
        var retiredAt: Timestamp?
    }

    private(set) var entries: [Entry]
    /// The record of the one in use.
    let record: WrapRecord

    /// Takes up what is kept.
    ///
    /// - Precondition: the entries ascend by counter, and there is one.
    init(_ entries: [Entry], by author: Author) {
        guard let current = entries.last else { preconditionFailure("a device always has a key") }
        self.entries = entries
        record = WrapRecord(by: author, counter: current.counter, key: current.key.publicKey)
    }

    var current: Entry {
        guard let current = entries.last else { preconditionFailure("a device always has a key") }
        return current
    }

    /// Whether a record that others have of this device is newer than its own: the device lost what it knew.
    func isForgotten(_ published: WrapRecord) -> Bool { published != record && published.supersedes(record) }

    /// Whether the secret behind a public key is among them.
    func holds(_ publicKey: [UInt8]) -> Bool { entries.contains { $0.key.publicKey == publicKey } }

    /// Whether the key in use should be replaced. A clock that was set back counts like one that went on.
    func needsReplacement(at time: Timestamp) -> Bool {
        abs(time.milliseconds - current.madeAt.milliseconds) >= Self.lifetime
    }

    /// The retired secrets whose time is over.
    func expired(at time: Timestamp) -> [UInt64] {
        entries.compactMap { entry in
            guard let retiredAt = entry.retiredAt,
                time.milliseconds - retiredAt.milliseconds >= Self.retiredLifetime
            else { return nil }
            return entry.counter
        }
    }

    /// Opens a key that was sealed to one of the secrets.
    func open(_ wrap: [UInt8], sealedTo publicKey: [UInt8]) -> EpochKey? {
        guard let entry = entries.first(where: { $0.key.publicKey == publicKey }) else { return nil }
        return (try? entry.key.open(wrap)).flatMap(EpochKey.init)
    }
}

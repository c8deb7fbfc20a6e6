import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    private static let copyEvidenceKey = "copied"
    private static let deviceSinceKey = "device-since"

    /// The operation that shows that another copy of this home wrote as this device; nil if there is none.
    public func copyEvidence() throws(StoreError) -> OperationID? {
        guard let bytes = try setting(Self.copyEvidenceKey) else { return nil }
        guard let digest = Digest(bytes: bytes) else { throw .corrupted("the setting \(Self.copyEvidenceKey)") }
        return OperationID(digest: digest)
    }

    /// Keeps the operation that shows that another copy of this home wrote, or forgets it.
    public func save(copyEvidence operation: OperationID?) throws(StoreError) {
        try set(Self.copyEvidenceKey, to: operation?.digest.bytes)
    }

    /// When this host became one more device of its user; nil on the first.
    public func deviceSince() throws(StoreError) -> Timestamp? {
        guard let bytes = try setting(Self.deviceSinceKey) else { return nil }
        guard let time = Int64(String(decoding: bytes, as: UTF8.self)).flatMap(Timestamp.init(milliseconds:)) else {
            throw .corrupted("the setting \(Self.deviceSinceKey)")
        }
        return time
    }

    /// Keeps when this host became one more device of its user.
    public func save(deviceSince time: Timestamp) throws(StoreError) {
        try set(Self.deviceSinceKey, to: Array("\(time.milliseconds)".utf8))
    }

    /// A local setting, or nil if it was never set. Settings never leave the node.
    public func setting(_ key: String) throws(StoreError) -> [UInt8]? {
        try access { database in
            let select = try Query("SELECT value FROM settings WHERE key = ?1", on: database)
            try select.bind(key, at: 1)
            return try select.first { $0.bytes(0) }
        }
    }

    /// Sets a local setting, or removes it.
    public func set(_ key: String, to value: [UInt8]?) throws(StoreError) {
        try transaction { try Self.set(key, to: value, in: $0) }
    }

    static func set(_ key: String, to value: [UInt8]?, in database: Database) throws {
        guard let value else {
            let delete = try Query("DELETE FROM settings WHERE key = ?1", on: database)
            try delete.bind(key, at: 1)
            return try delete.run()
        }
        let upsert = try Query(
            "INSERT INTO settings(key, value) VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            on: database)
        try upsert.bind(key, at: 1)
        try upsert.bind(value, at: 2)
        try upsert.run()
    }
}

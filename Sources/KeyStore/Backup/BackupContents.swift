import Foundation

/// What a backup is of, for whoever finds it years later.
public struct BackupContents: Hashable, Sendable, Codable {
    /// When it was made.
    public var madeAt: Date
    /// The version of the program that made it.
    public var program: String
    /// The host on which it was made.
    public var host: String
    /// Files that there were when it was begun: keys, the database, and the files of conversations.
    public var files: Int
    /// Bytes of all of them together.
    public var bytes: Int

    /// Bytes that it may take, so that no file makes its reader run out of memory.
    static let maximumByteCount = 64 << 10

    private enum CodingKeys: String, CodingKey {
        case madeAt = "made_at"
        case program, host, files, bytes
    }

    init(madeAt: Date, program: String, host: String, files: Int, bytes: Int) {
        (self.madeAt, self.program, self.host) = (madeAt, program, host)
        (self.files, self.bytes) = (files, bytes)
    }

    static func decode(_ json: [UInt8]) -> BackupContents? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(BackupContents.self, from: Data(json))
    }

    var encoded: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map(Array.init)
    }
}

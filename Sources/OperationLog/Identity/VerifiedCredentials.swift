import Cryptography
import Synchronization

/// Credentials that were verified lately. What a message carries is verified apart from the node's state, and then
/// found here when it is admitted and judged: somebody who sends thousands of them makes nobody else wait for the
/// checks.
enum VerifiedCredentials {
    /// Bytes of encodings that are remembered: as many as a message may have, and those of the messages before.
    private static let generationBytes = 4 << 20

    /// Those of now and of before: when there are too many, the older half is forgotten at once.
    private struct Memory {
        var recent: [Digest: Credentials] = [:]
        var earlier: [Digest: Credentials] = [:]
        var byteCount = 0
    }

    /// Verifying is a function of the bytes alone, so nobody can tell by anything but the time what is in here.
    private static let memory = Mutex(Memory())

    /// The credentials that stand next, and what follows them; nil where they were not verified lately.
    static func find(in reader: CanonicalReader) -> (Credentials, rest: CanonicalReader)? {
        var rest = reader
        guard (try? skip(&rest)) != nil else { return nil }
        let name = name(of: rest.bytes(since: reader.position))
        return memory.withLock { $0.recent[name] ?? $0.earlier[name] }.map { ($0, rest) }
    }

    /// Remembers credentials that were verified.
    static func note(_ credentials: Credentials, as encoded: [UInt8]) {
        let name = name(of: encoded)
        memory.withLock { memory in
            guard memory.recent.updateValue(credentials, forKey: name) == nil else { return }
            memory.byteCount += encoded.count
            if memory.byteCount > generationBytes {
                memory = Memory(earlier: memory.recent)
            }
        }
    }

    private static func name(of encoded: [UInt8]) -> Digest { .hash("moot/1/verified-credentials", encoded) }

    /// Passes over credentials without looking into their records.
    private static func skip(_ reader: inout CanonicalReader) throws(MalformedBytes) {
        _ = try reader.slice(reader.count(of: "identity record", limit: IdentityRecord.maximumBytes))
        for _ in 0..<(try reader.count(of: "wrap records", limit: IdentityRecord.maximumDevices)) {
            _ = try reader.slice(reader.count(of: "wrap record", limit: WrapRecord.maximumBytes))
        }
    }
}

import Cryptography
import Foundation
import GRDB

/// What this machine can do at best, measured in the same run as everything else: ratios to these figures count,
/// seconds do not.
struct MachineLimits: Codable {
    /// Ed25519 signature checks a second on one core.
    var signatureChecksPerSecond: Double
    /// BLAKE2b-256 digests of 200 bytes a second on one core.
    var digestsPerSecond: Double
    /// Rows of 300 bytes a second into one plain SQLite table, in transactions of 4,096.
    var plainInsertsPerSecond: Double
    /// Milliseconds to write 4 KiB and have it on disk: median and 99th percentile.
    var fsyncMedianMilliseconds: Double
    var fsyncNinetyNineMilliseconds: Double
    /// Microseconds for 200 bytes there and back over loopback TCP, two blocking threads: median.
    var loopbackRoundTripMicroseconds: Double

    /// Measures for about two seconds.
    static func measure(in folder: URL) throws -> MachineLimits {
        let fsyncs = try fsyncMilliseconds(in: folder)
        return MachineLimits(
            signatureChecksPerSecond: signatureChecks(),
            digestsPerSecond: digests(),
            plainInsertsPerSecond: try plainInserts(in: folder),
            fsyncMedianMilliseconds: fsyncs.median,
            fsyncNinetyNineMilliseconds: fsyncs.quantile(0.99),
            loopbackRoundTripMicroseconds: try LoopbackEcho.medianRoundTripMicroseconds())
    }

    private static func signatureChecks() -> Double {
        var random = SystemRandom()
        let key = SigningKey.generate(using: &random)
        let message = [UInt8](repeating: 7, count: 48)
        let signature = key.sign(message)
        let count = 3_000
        var valid = 0
        let elapsed = seconds {
            for _ in 0..<count where key.verifyingKey.verifies(signature, of: message) { valid += 1 }
        }
        precondition(valid == count, "the machine checks signatures wrongly")
        return Double(count) / elapsed
    }

    private static func digests() -> Double {
        var input = [UInt8](repeating: 1, count: 200)
        let count = 200_000
        let elapsed = seconds {
            for _ in 0..<count { input[0] ^= Digest.hash("", input).bytes[0] }
        }
        return Double(count) / elapsed
    }

    private static func plainInserts(in folder: URL) throws -> Double {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let queue = try DatabaseQueue(
            path: folder.appendingPathComponent("plain.sqlite").path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE plain (n INTEGER PRIMARY KEY, bytes BLOB NOT NULL)") }
        let row = Data(repeating: 3, count: 300)
        let elapsed = try seconds {
            for _ in 0..<20 {
                try queue.write { database in
                    let insert = try database.cachedStatement(sql: "INSERT INTO plain (bytes) VALUES (?)")
                    for _ in 0..<4_096 { try insert.execute(arguments: [row]) }
                }
            }
        }
        try queue.close()
        return 20 * 4_096 / elapsed
    }

    private static func fsyncMilliseconds(in folder: URL) throws -> Statistics {
        let path = folder.appendingPathComponent("fsync").path
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw BenchError("cannot write to \(path)") }
        defer { close(file) }
        let page = [UInt8](repeating: 5, count: 4_096)
        var samples: [Double] = []
        for _ in 0..<200 {
            samples.append(
                try seconds {
                    guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
                        throw BenchError("cannot write to \(path)")
                    }
                } * 1_000)
        }
        return Statistics(samples)
    }
}

/// Why a benchmark could not run.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

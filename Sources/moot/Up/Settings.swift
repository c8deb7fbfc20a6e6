import Glibc
import LocalAPIModel

/// What a user chose for every start of their node: the environment wins over `config.toml`, and an option of `moot up` over both.
struct Settings: Equatable {
    /// Bytes that files may take on disk; nil if nothing was chosen.
    private(set) var filesQuota: Int?
    /// Nodes to stay connected to, from every start on.
    private(set) var peers: [String] = []

    /// The largest `config.toml` that is read.
    private static let maximumFileBytes = 64 << 10

    /// Reads the file, if there is one, and the environment.
    ///
    /// - Throws: `bad_configuration` where a setting is none or cannot be so, `permission_denied` where the file may not be read.
    init(file path: String, environment: [String: String]) throws(Failure) {
        if access(path, F_OK) == 0 {
            let file = try InputFile(path)
            var bytes: [UInt8] = []
            while bytes.count <= Self.maximumFileBytes, case let more = try file.read(), !more.isEmpty { bytes += more }
            guard bytes.count <= Self.maximumFileBytes, let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.badConfiguration, "\(path) is no text of at most \(Self.maximumFileBytes >> 10) KiB")
            }
            for entry in try ConfigurationFile(parsing: text, named: path).entries {
                try set(entry.key, to: entry.value, at: "\(path), line \(entry.line)")
            }
        }
        if let value = environment["MOOT_FILES_QUOTA"] {
            try set("files.quota", to: .text(value), at: "MOOT_FILES_QUOTA")
        }
    }

    private mutating func set(
        _ key: String, to value: ConfigurationFile.Value, at place: String
    ) throws(Failure) {
        switch (key, value) {
        case ("files.quota", .text(let text)):
            guard let quota = ByteCount(argument: text) else {
                throw Failure(
                    .badConfiguration, "\(place): \"\(text)\" is no number of bytes", hint: "Write 500MiB or 20GiB.")
            }
            filesQuota = quota.bytes
        case ("peers", .list(let addresses)):
            for address in addresses where !PeerAddress.isOne(address) {
                throw Failure(
                    .badConfiguration, "\(place): \"\(address)\" is no HOST:PORT",
                    hint: "Write peers = [\"192.0.2.7:47470\"].")
            }
            peers = addresses
        case ("files.quota", .list):
            throw Failure(
                .badConfiguration, "\(place): files.quota is one text", hint: "Write quota = \"20GiB\".")
        case ("peers", .text):
            throw Failure(
                .badConfiguration, "\(place): peers is a list", hint: "Write peers = [\"192.0.2.7:47470\"].")
        default:
            throw Failure(
                .badConfiguration, "\(place): there is no setting \(key)",
                hint: "There are these: peers, which stands above every table, and files.quota")
        }
    }
}

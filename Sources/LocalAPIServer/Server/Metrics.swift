import LocalAPIModel
import Node

/// How the node does, in the text format of Prometheus (version 0.0.4).
enum Metrics {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Every metric with its help and type.
    ///
    /// - Parameters:
    ///   - unread: Messages not read in all conversations.
    ///   - eventStreams: Clients that follow events.
    static func exposition(of status: StatusDescription, unread: Int, eventStreams: Int) -> String {
        func sum(_ value: (StatusDescription.Sync) -> Int) -> Double {
            Double(status.conversations.map(value).reduce(0, +))
        }
        var text = ""
        /// A gauge; nil where nobody knows the value now.
        func gauge(_ name: String, _ help: String, labels: [(name: String, value: String)] = [], _ value: Double?) {
            guard let value else { return }
            let pairs = labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            text += "# HELP moot_\(name) \(help)\n# TYPE moot_\(name) gauge\n"
            text += "moot_\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(number(value))\n"
        }
        gauge(
            "build_info", "Always 1; the labels say what runs.",
            labels: [
                ("version", status.version), ("protocol", "\(status.protocolVersion)"),
                ("schema", "\(status.schemaVersion)"),
            ], 1)
        gauge("uptime_seconds", "Seconds since the start.", status.uptimeSeconds)
        gauge("peers", "Connected nodes.", Double(status.peers.count))
        gauge("conversations", "Conversations on this node.", Double(status.conversations.count))
        gauge("operations", "Operations held, of all conversations.", sum(\.operations))
        gauge("pending_operations", "Received operations that wait for others.", sum(\.pending))
        gauge("wanted_bodies", "Texts that are not here yet and are asked for.", sum(\.wanted))
        gauge("unread_messages", "Messages of others that the user has not read.", Double(unread))
        gauge("event_streams", "Clients that follow events.", Double(eventStreams))
        gauge("database_bytes", "Bytes of the database with its log.", Double(status.databaseBytes))
        gauge("files_bytes", "Bytes that files take on disk.", Double(status.filesBytes))
        gauge("files_quota_bytes", "Bytes that files may take on disk.", Double(status.filesQuota))
        gauge("disk_free_bytes", "Bytes free on the disk of the database.", status.freeBytes.map(Double.init))
        gauge("resident_memory_bytes", "Bytes of memory occupied.", Double(status.residentBytes))
        gauge(
            "storage_writable", "1 while operations can be stored, else 0.", status.storage == "writable" ? 1 : 0)
        return text
    }

    /// Whole numbers without a fraction, as people read them.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// The value of a label, in which three characters have another meaning.
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}

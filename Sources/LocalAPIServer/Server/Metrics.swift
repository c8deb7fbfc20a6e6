import LocalAPIModel
import Node

/// How the node does, in the text format of Prometheus (version 0.0.4).
enum Metrics {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Every metric with its help and type. None names a person, a conversation or a file.
    ///
    /// - Parameters:
    ///   - unread: Messages not read in all conversations.
    ///   - eventStreams: Clients that follow events.
    static func exposition(
        of status: StatusDescription, unread: Int, eventStreams: Int, timings: NodeTimings
    ) -> String {
        func sum(_ value: (StatusDescription.Sync) -> Int) -> Double {
            Double(status.conversations.map(value).reduce(0, +))
        }
        var text = Exposition()
        text.gauge(
            "build_info", "Always 1; the labels say what runs.",
            labels: [
                ("version", status.version), ("protocol", "\(status.protocolVersion)"),
                ("schema", "\(status.schemaVersion)"),
            ], 1)
        text.gauge("uptime_seconds", "Seconds since the start.", status.uptimeSeconds)
        text.gauge("peers", "Connected nodes.", Double(status.peers.count))
        text.gauge("conversations", "Conversations on this node.", Double(status.conversations.count))
        text.gauge("operations", "Operations held, of all conversations.", sum(\.operations))
        text.gauge("pending_operations", "Received operations that wait for others.", sum(\.pending))
        text.gauge("wanted_bodies", "Texts that are not here yet and are asked for.", sum(\.wanted))
        text.gauge("unread_messages", "Messages of others that the user has not read.", Double(unread))
        text.gauge("event_streams", "Clients that follow events.", Double(eventStreams))
        text.gauge("database_bytes", "Bytes of the database with its log.", Double(status.databaseBytes))
        text.gauge("files_bytes", "Bytes that files take on disk.", Double(status.filesBytes))
        text.gauge("files_quota_bytes", "Bytes that files may take on disk.", Double(status.filesQuota))
        text.gauge("disk_free_bytes", "Bytes free on the disk of the database.", status.freeBytes.map(Double.init))
        text.gauge("resident_memory_bytes", "Bytes of memory occupied.", Double(status.residentBytes))
        text.gauge(
            "storage_writable", "1 while operations can be stored, else 0.", status.storage == "writable" ? 1 : 0)
        text.histogram("commit_seconds", "Making changes durable on the disk.", timings.commits)
        text.histogram("sync_seconds", "Fetching what was lacking, from asking for it to having it.", timings.pulls)
        text.histogram(
            "live_delay_seconds", "Live messages, from being written to being stored here, by both clocks.",
            timings.liveDelays)
        return text.text
    }
}

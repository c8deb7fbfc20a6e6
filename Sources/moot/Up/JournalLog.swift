import Logging
import Supervision

/// The node's log in the journal of systemd, each entry with its fields, by which `journalctl` finds it.
struct JournalLog: LogHandler {
    private let journal: Journal
    private let label: String
    /// Takes what the journal does not: the line loses its fields, and nothing else.
    private var fallback: StandardErrorLog

    init(_ journal: Journal, label: String, level: LogLevel) {
        self.journal = journal
        self.label = label
        fallback = StandardErrorLog(label: label, level: level, isJournal: true)
    }

    var metadata: Logger.Metadata {
        get { fallback.metadata }
        set { fallback.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { fallback.logLevel }
        set { fallback.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if !journal.write(entry(for: event)) { fallback.log(event: event) }
    }

    /// Whoever reads only messages, as `journalctl` shows them, misses nothing that a line on standard error would say.
    func entry(for event: LogEvent) -> JournalEntry {
        let about = metadata.merging(event.metadata ?? [:]) { _, new in new }
        var entry = JournalEntry(
            message: LogText.line(event, about), priority: LogText.priority(event.level), identifier: label)
        for (key, value) in about.sorted(by: { $0.key < $1.key }) { entry.add(key, "\(value)") }
        return entry
    }
}

import Glibc
import Logging

/// The node's log on standard error, one line an entry.
///
/// Under systemd's journal every line begins with its priority (`sd-daemon(3)`) and without the time, which the journal
/// knows; elsewhere with the time and the level.
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    /// The level of the process, unless this log was given one of its own.
    var logLevel: Logger.Level {
        get { ownLevel ?? sharedLevel.current }
        set { ownLevel = newValue }
    }

    private var ownLevel: Logger.Level?
    private let sharedLevel: LogLevel
    private let label: String
    private let isJournal: Bool

    init(label: String, level: LogLevel, isJournal: Bool) {
        self.label = label
        sharedLevel = level
        self.isJournal = isJournal
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let beginning = isJournal ? "<\(LogText.priority(event.level))>" : "\(Self.now()) \(event.level) "
        let text = LogText.line(event, metadata.merging(event.metadata ?? [:]) { _, new in new })
        Terminal.write(Array("\(beginning)\(label): \(text)\n".utf8), to: .error)
    }

    private static func now() -> String {
        var seconds = time(nil)
        var utc = tm()
        gmtime_r(&seconds, &utc)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &utc)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

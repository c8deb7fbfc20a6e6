import Conversations
import Logging

/// An entry of the log as text.
enum LogText {
    /// One line with what is said, and behind it what it is about.
    static func line(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        let about = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return SanitizedText.line("\(event.message)\(about)")
    }

    /// The priority of a level, as syslog(3) has it.
    static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

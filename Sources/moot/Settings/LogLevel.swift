import Logging
import Synchronization

/// The level that all logs of the process share, and that can change while it runs.
final class LogLevel: Sendable {
    private let level: Mutex<Logger.Level>

    init(_ level: Logger.Level) {
        self.level = Mutex(level)
    }

    var current: Logger.Level { level.withLock { $0 } }

    func set(_ level: Logger.Level) { self.level.withLock { $0 = level } }
}

import Logging

/// A line of the log, before it is written.
struct LogLine {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
    /// The same for every line that says the same.
    let key: String
    /// For how long an equal line says nothing new.
    let interval: Duration

    /// Describes a line.
    ///
    /// - Parameter key: what lines have in common of which one says it all; by default all of the line.
    init(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata = [:],
        once interval: Duration = .seconds(60), as key: String? = nil
    ) {
        (self.level, self.message, self.metadata, self.interval) = (level, message, metadata, interval)
        self.key =
            key ?? message + metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }
}

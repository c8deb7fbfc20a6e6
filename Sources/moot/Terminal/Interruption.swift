import ArgumentParser
import UnixSignals

/// Ctrl-C while a command works.
enum Interruption {
    /// Does some work, which a signal cancels: what it has begun is put away before the program goes.
    ///
    /// - Throws: what the work throws; after a signal the exit status that a shell reports for it.
    static func ending<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { () -> Value in
                for await signal in await UnixSignalsSequence(trapping: [.sigint, .sigterm, .sighup]) {
                    throw ExitCode(128 + signal.rawValue)
                }
                throw CancellationError()
            }
            tasks.addTask { try await work() }
            guard let value = try await tasks.next() else { throw CancellationError() }
            return value
        }
    }
}

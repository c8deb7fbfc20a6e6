import Testing

/// Waits for a condition to become true, looking again and again, and records an issue when the deadline passes first.
///
/// A condition that throws counts as not yet true; what it threw last is part of the issue. A wait that needs more than
/// half of its deadline is said on standard output, so that it is known before it fails.
///
/// - Parameters:
///   - limit: The deadline on the usual machine; a slower one has as much longer as ``patience`` says.
///   - pause: How long it waits before it looks a second time. Each further pause is longer by half, up to ten times
///     the first: a question may cost a process, and who waits long need not know to the moment.
/// - Returns: Whether the condition became true in time.
@discardableResult
public nonisolated(nonsending) func eventually(
    _ what: Comment, within limit: Duration = .seconds(30), pause: Duration = .milliseconds(20),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: nonisolated(nonsending) () async throws -> Bool
) async -> Bool {
    let start = ContinuousClock.now
    let limit = limit.scaled
    var next = pause
    var lastError: (any Error)?
    repeat {
        do {
            if try await Wait.$isPolling.withValue(true, operation: { try await condition() }) {
                let needed = ContinuousClock.now - start
                if needed > limit / 2 { print("nearly late: \(needed) of \(limit): \(what) (\(sourceLocation))") }
                return true
            }
            lastError = nil
        } catch {
            lastError = error
        }
        do {
            try await Task.sleep(for: next)
        } catch {
            break
        }
        next = min(next * 3 / 2, pause * 10)
    } while ContinuousClock.now - start < limit
    let reason = lastError.map { ": \($0)" } ?? ""
    Issue.record("not within \(limit): \(what)\(reason)", sourceLocation: sourceLocation)
    return false
}

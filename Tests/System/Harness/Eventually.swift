import Testing

/// Waits for a condition to become true, looking again and again, and records an issue when the deadline passes first.
///
/// A condition that throws counts as not yet true; what it threw last is part of the issue.
///
/// - Returns: Whether the condition became true in time.
@discardableResult
nonisolated(nonsending) func eventually(
    _ what: Comment, within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: nonisolated(nonsending) () async throws -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + limit
    var lastError: (any Error)?
    repeat {
        do {
            if try await condition() { return true }
            lastError = nil
        } catch {
            lastError = error
        }
        do {
            try await Task.sleep(for: .milliseconds(20))
        } catch {
            break
        }
    } while ContinuousClock.now < deadline
    let reason = lastError.map { ": \($0)" } ?? ""
    Issue.record("not within \(limit): \(what)\(reason)", sourceLocation: sourceLocation)
    return false
}
